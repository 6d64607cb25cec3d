/** What HTTP itself owes a caller: safe headers, methods, caching, cross-origin rules, and numbers for the operator. */
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { ADMIN_KEY, makeWorld, SHOP, type World } from '../support/world.ts';

const SHOP_ORIGIN = 'https://shop.example';

describe('the facade', () => {
  let world: World;
  const [engine] = everyEngine();
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine, { CORS_ORIGINS: `${SHOP_ORIGIN}, https://other.example` });
  });
  after(() => world.close());

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(world.node.address + path, {
      ...init,
      headers: { Authorization: `Bearer ${ADMIN_KEY}`, ...(init.headers as Record<string, string>) },
    });

  test('sends safe headers with every answer, errors too', async () => {
    for (const path of ['/healthz', '/ap2/agents', '/nothing/here']) {
      const { headers } = await ask(path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
      assert.equal(headers.get('x-frame-options'), 'DENY', path);
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/, path);
      assert.equal(headers.get('referrer-policy'), 'no-referrer', path);
      assert.equal(headers.get('cache-control'), 'no-store', path);
      assert.match(headers.get('x-request-id') ?? '', /^req_/, path);
      assert.equal(headers.get('x-powered-by'), null, path);
    }
  });

  test('echoes a request id that is fit to be one, in header and error body', async () => {
    const good = await ask('/ap2/intents/intent_none', { headers: { 'X-Request-Id': 'trace-7:a.b_c' } });
    assert.equal(good.headers.get('x-request-id'), 'trace-7:a.b_c');
    const body = (await good.json()) as { error: { requestId: string } };
    assert.equal(body.error.requestId, 'trace-7:a.b_c');
    const bad = await ask('/healthz', { headers: { 'X-Request-Id': 'a b"<' } });
    assert.match(bad.headers.get('x-request-id') ?? '', /^req_/);
  });

  test('answers HEAD as it would GET, without the body', async () => {
    for (const path of ['/healthz', '/ap2/policies/current', '/.well-known/agent-card.json']) {
      const [head, get] = [await ask(path, { method: 'HEAD' }), await ask(path)];
      assert.equal(head.status, 200, path);
      assert.equal(await head.text(), '', path);
      assert.equal(head.headers.get('content-type'), get.headers.get('content-type'), path);
    }
  });

  test('says 405 with Allow where another method would do, 404 where none would', async () => {
    const wrong = await ask('/ap2/intents', { method: 'DELETE' });
    assert.equal(wrong.status, 405);
    assert.equal(wrong.headers.get('allow'), 'GET, HEAD, POST');
    assert.equal((await ask('/ap2/nowhere', { method: 'DELETE' })).status, 404);
    const gateway = await ask('/a2a/gateway');
    assert.equal(gateway.status, 405);
    assert.equal(gateway.headers.get('allow'), 'POST');
  });

  test('says 415 to a body that is not JSON and 413 to one that is too long', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    assert.equal((await ask('/ap2/intents', { method: 'POST', body: 'a=1', headers: form })).status, 415);
    const long = JSON.stringify({ text: 'x'.repeat(300_000) });
    const json = { 'Content-Type': 'application/json' };
    assert.equal((await ask('/ap2/intents', { method: 'POST', body: long, headers: json })).status, 413);
  });

  test('marks the card and the policy with an ETag and answers 304 until they change', async () => {
    for (const path of ['/.well-known/agent-card.json', '/ap2/policies/current']) {
      const first = await ask(path);
      const etag = first.headers.get('etag') ?? '';
      assert.match(etag, /^"[\w-]+"$/, path);
      const again = await ask(path, { headers: { 'If-None-Match': etag } });
      assert.equal(again.status, 304, path);
      assert.equal(await again.text(), '');
    }
    const before = (await ask('/ap2/policies/current')).headers.get('etag') ?? '';
    const created = await world.rest('POST', '/ap2/admin/policies', {
      name: 'tighter',
      rules: { version: '2.0', spend: { amount_cap: 1, currency: 'USD' } },
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    assert.equal((await ask('/ap2/policies/current', { headers: { 'If-None-Match': before } })).status, 200);
  });

  test('lets pages of the configured origins call it, and of no other', async () => {
    const preflight = (path: string, origin: string) =>
      ask(path, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'content-type,authorization',
        },
      });
    for (const path of ['/ap2/intents', '/a2a/gateway']) {
      const allowed = await preflight(path, SHOP_ORIGIN);
      assert.equal(allowed.status, 204, path);
      assert.equal(allowed.headers.get('access-control-allow-origin'), SHOP_ORIGIN, path);
      assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /authorization/, path);
      assert.equal(allowed.headers.get('access-control-allow-credentials'), null, path);
      const foreign = await preflight(path, 'https://evil.example');
      assert.equal(foreign.headers.get('access-control-allow-origin'), null, path);
    }
    const answer = await ask('/a2a/gateway', { method: 'POST', body: '{}', headers: { Origin: SHOP_ORIGIN } });
    assert.equal(answer.headers.get('access-control-allow-origin'), SHOP_ORIGIN);
    const rest = await ask('/ap2/agents', { headers: { Origin: 'https://evil.example' } });
    assert.equal(rest.headers.get('access-control-allow-origin'), null);
  });
});

describe('GET /metrics', () => {
  let world: World;
  const [engine] = everyEngine();
  before(async () => {
    assert.ok(engine);
    world = await makeWorld(engine);
  });
  after(() => world.close());

  const scrape = async (headers: Record<string, string> = {}) => {
    const answer = await fetch(`${world.node.address}/metrics`, { headers });
    return { status: answer.status, text: await answer.text() };
  };

  test('counts requests, decisions, reasons and rail outcomes, and names no agent', async () => {
    const allowed = await world.say('IntentMandate', world.intentBody(1));
    assert.equal(allowed.error, undefined);
    await world.say('IntentMandate', world.intentBody(100_000));
    const who = { agentDid: world.agent.did, principalDid: world.principal.did };
    const what = { amount: 20, currency: 'USD', merchantDomain: SHOP };
    assert.equal((await world.rest('POST', '/ap2/demo/payment', { ...who, ...what })).status, 200);
    await world.rest('GET', `/ap2/agents/${encodeURIComponent(world.agent.did)}`);
    const { status, text } = await scrape();
    assert.equal(status, 200);
    const lines = (start: string) => text.split('\n').filter((line) => line.startsWith(start));
    assert.deepEqual(lines('countersign_request_seconds_count{gate="a2a",route="a2a/message",status="ok"}').length, 1);
    assert.equal(
      lines('countersign_request_seconds_count{gate="rest",route="/ap2/agents/:did",status="200"}').length,
      1,
    );
    assert.equal(lines('countersign_decisions_total{step="issueIntent",outcome="refused"}').length, 1);
    assert.equal(lines('countersign_refusal_reasons_total{step="issueIntent",reason="AMOUNT_OVER_CAP"}').length, 1);
    assert.match(text, /countersign_rail_outcomes_total\{rail="CARD_RAIL",operation="authorize",outcome="ok"\} [1-9]/);
    assert.match(text, /countersign_build_info\{version="[\d.]+",engine="\w+",node="v[\d.]+"\} 1/);
    assert.match(text, /countersign_commit_group_size \d/);
    assert.match(text, /countersign_nodejs_eventloop_lag/);
    assert.ok(!text.includes('did:key'), 'no agent in labels');
  });

  test('counts the decision on a cart mandate of AP2 v0.1, allowed or refused', async () => {
    const who = { agentDid: world.agent.did, principalDid: world.principal.did };
    const asked = { maxAmount: 20, currency: 'USD', vendorHints: { domain: SHOP } };
    const intent = await world.client.issueIntent({ ...who, request: asked });
    assert.ok(intent.allowed);
    const intentId = String(intent.intentVc.credentialSubject['mandateId']);
    const offer = { domain: SHOP, amount: 20, currency: 'USD' };
    for (const [amount, allowed] of [
      [30, false],
      [20, true],
    ] as const) {
      const { cartMandate } = await world.client.demoAp2Cart({ ...offer, amount });
      const judged = await world.client.validateAp2Cart({ intentId, cartMandate });
      assert.equal(judged.allowed, allowed, JSON.stringify(judged));
    }
    const { text } = await scrape();
    assert.match(text, /^countersign_decisions_total\{step="validateAp2Cart",outcome="refused"\} 1$/m);
    assert.match(text, /^countersign_decisions_total\{step="validateAp2Cart",outcome="allowed"\} 1$/m);
    assert.match(text, /^countersign_refusal_reasons_total\{step="validateAp2Cart",reason="\w+"\} 1$/m);
  });

  test('counts each decision of a purchase that the sandbox plays', async () => {
    const counted = async (step: string) =>
      Number(
        new RegExp(`^countersign_decisions_total\\{step="${step}",outcome="allowed"\\} (\\d+)$`, 'm').exec(
          (await scrape()).text,
        )?.[1] ?? 0,
      );
    const steps = ['issueIntent', 'validateCart', 'mandatePayment'];
    const before = await Promise.all(steps.map(counted));
    const who = { agentDid: world.agent.did, principalDid: world.principal.did };
    await world.client.demoPayment({ ...who, amount: 20, currency: 'USD', merchantDomain: SHOP });
    assert.deepEqual(
      await Promise.all(steps.map(counted)),
      before.map((count) => count + 1),
    );
  });

  test('wants an admin credential from a caller behind a proxy, under every address that the proxy gives its client', async () => {
    const key = { Authorization: `Bearer ${ADMIN_KEY}` };
    for (const name of [
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'X-Real-IP',
      'Forwarded',
      'Via',
      'CF-Connecting-IP',
      'True-Client-IP',
    ]) {
      assert.equal((await scrape({ [name]: '203.0.113.9' })).status, 401, name);
      assert.equal((await scrape({ [name]: '203.0.113.9', ...key })).status, 200, name);
    }
  });

  test('wants one, too, from a page that had its own name resolved to this machine', async () => {
    const statusAt = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const options = { headers: { Host: host } };
        get(`${world.node.address}/metrics`, options, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).on('error', reject);
      });
    for (const host of ['evil.example', 'evil.example:8402', 'localhost.evil.example', 'x@localhost', '10.0.0.1']) {
      assert.equal(await statusAt(host), 401, host);
    }
    for (const host of ['localhost', 'LOCALHOST:8402', '127.0.0.1:8402', '127.9.9.9', '[::1]:8402']) {
      assert.equal(await statusAt(host), 200, host);
    }
  });
});
