/** Requests are signed for the merchant of one purchase alone, as they will be sent, for minutes, and once each. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentOf } from '../../../client/identity.ts';
import { signRequest } from '../../../client/index.ts';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import { fromBase64, fromBase64url } from '../../../protocol/credential/encodings.ts';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import type { Caller } from '../../../src/access/caller.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import { requestKey } from '../../../src/extensions/http-signatures/requestKey.ts';
import { signedTarget } from '../../../src/extensions/http-signatures/signedTarget.ts';
import { all } from '../../../src/store/store.ts';
import { memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

const URL_OF_SHOP = 'https://shop.example/tea?kind=green';
const BODY = { bodyDigest: 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:' };

async function world() {
  const node = await memoryNode();
  const { did: agentDid, caller: proven } = await node.agent();
  const agent: Caller = { ...proven, agents: new Set([agentDid]) };
  const intent = async (vendorHints: object = { domain: 'shop.example' }): Promise<string> => {
    const request = { maxAmount: 10, currency: 'USD', vendorHints };
    const issued = await node.run('issueIntent', { agentDid, principalDid: agentDid, request });
    return issued.intentVc.credentialSubject.mandateId;
  };
  const sign = (more: object, caller = agent): Promise<Loose> =>
    node.run('signHttpRequest', { method: 'GET', url: URL_OF_SHOP, profile: 'web-bot-auth', ...more }, caller);
  const isRefused = (more: object, code: string, message: RegExp, caller = agent) =>
    assert.rejects(
      async () => sign(more, caller),
      (error: Loose) => {
        assert.equal(error.code, code, error.message);
        assert.match(`${error.message} ${JSON.stringify(error.details ?? [])}`, message);
        return true;
      },
    );
  const signed = async () =>
    (await node.run('searchEvidence', { eventType: 'HTTP_SIGNED', limit: 200 })).data as Loose[];
  return { node, agentDid, agent, intent, sign, isRefused, signed };
}

/** The base as RFC 9421 has it, made anew here of what is sent. */
function baseOf(
  headers: Loose,
  values: Readonly<Record<string, string>>,
): { readonly base: string; readonly signature: Uint8Array } {
  const [, label, params] = /^(sig\d)=(\((.*?)\).*)$/.exec(headers['Signature-Input']) as RegExpExecArray;
  const covered = /^\((.*?)\)/.exec(params as string)?.[1]?.split(' ') ?? [];
  const lines = covered.map((each) => `${each}: ${values[each]}`);
  const signature = new RegExp(`^${label}=:([A-Za-z0-9+/=]+):$`).exec(headers['Signature'])?.[1];
  return {
    base: [...lines, `"@signature-params": ${params}`].join('\n'),
    signature: fromBase64(signature ?? '') as Uint8Array,
  };
}

const verifies = (publicKey: Uint8Array, { base, signature }: ReturnType<typeof baseOf>) =>
  nobleSuite.verify(publicKey, new TextEncoder().encode(base), signature);

describe('a signed request', () => {
  test('covers what it will be, by the node’s own key, and is in the evidence of its purchase', async () => {
    const { node, agentDid, intent, sign, signed } = await world();
    const intentId = await intent();
    const answer = await sign({ intentId, method: 'POST', ...BODY });
    const { jwk } = requestKey(node.deps);
    assert.notDeepEqual(fromBase64url(jwk.x), node.deps.issuer.publicKey);
    assert.equal(answer.keyid, jwk.kid);
    assert.equal(answer.base, undefined);
    const seconds = Math.floor(node.clock.now / 1000);
    assert.equal(
      answer.headers['Signature-Input'],
      `sig1=("@method" "@authority" "@path" "@query" "content-digest" "signature-agent");created=${seconds - 2};expires=${seconds + 478};keyid="${jwk.kid}";alg="ed25519";nonce="${answer.nonce}";tag="web-bot-auth"`,
    );
    assert.equal(fromBase64url(answer.nonce)?.length, 64);
    assert.equal(Date.parse(answer.expiresAt), (seconds + 478) * 1000);
    const values = {
      '"@method"': 'POST',
      '"@authority"': 'shop.example',
      '"@path"': '/tea',
      '"@query"': '?kind=green',
      '"content-digest"': BODY.bodyDigest,
      '"signature-agent"': '"http://localhost"',
    };
    assert.equal(answer.headers['Content-Digest'], BODY.bodyDigest);
    const key = fromBase64url(jwk.x) as Uint8Array;
    assert.ok(verifies(key, baseOf(answer.headers, values)));
    assert.ok(!verifies(key, baseOf(answer.headers, { ...values, '"@path"': '/coffee' })), 'for another path');
    const [event] = await signed();
    const { headers, ...told } = answer;
    const { transactionId, ...facts } = event.data;
    assert.deepEqual(facts, {
      ...told,
      mandateId: intentId,
      merchant: 'shop.example',
      method: 'POST',
      url: 'https://shop.example/tea',
      profile: 'web-bot-auth',
      key: 'node',
    });
    assert.equal(event.actorDid, agentDid);
    const bundle = await node.run('evidenceBundle', { transactionId, format: 'portable' });
    const verified = verifyBundle(nativeSuite(), JSON.stringify(bundle), node.deps.issuer.did);
    assert.equal(verified.ok, true, JSON.stringify(verified));
  });

  test('is written as its merchant reads it: as the request says, else the registry, else as a text', async () => {
    const { node, intent, sign } = await world();
    const intentId = await intent();
    const agentIn = async (more: object = {}) => (await sign({ intentId, ...more })).headers['Signature-Agent'];
    assert.equal(await agentIn(), '"http://localhost"');
    await node.run('bindMerchant', { domain: 'shop.example', signatureAgentForm: 'dictionary' });
    assert.equal(await agentIn(), 'sig1="http://localhost"');
    assert.equal(await agentIn({ signatureAgentForm: 'string' }), '"http://localhost"');
    const { headers } = await sign({ intentId });
    assert.match(headers['Signature-Input'], /^sig1=\("@authority" "@path" "signature-agent";key="sig1"\);created=/);
    const [bound] = (await node.run('listMerchants', {})).data;
    assert.equal(bound.signatureAgentForm, 'dictionary');
    // It vouches for no key and no payee.
    assert.deepEqual([bound.did, bound.jwk, bound.payTo], [undefined, undefined, undefined]);
  });

  test('of the Trusted Agent Protocol says whether it looks or pays', async () => {
    const { node, agentDid, intent, sign } = await world();
    const looking = await sign({ intentId: await intent(), profile: 'tap' });
    assert.match(looking.headers['Signature-Input'], /^sig2=\("@authority" "@path"\);.*;tag="agent-browser-auth"$/);
    const mandateId = await node.pay(agentDid);
    const paying = await sign({ mandateId, profile: 'tap' });
    assert.match(paying.headers['Signature-Input'], /;tag="agent-payer-auth"$/);
    assert.deepEqual(Object.keys(paying.headers).sort(), ['Signature', 'Signature-Input']);
    const [, created, expires] = /created=(\d+);expires=(\d+)/.exec(paying.headers['Signature-Input']) ?? [];
    assert.equal(Number(expires) - Number(created), 480);
  });

  test('covers no query where there is none', async () => {
    const { intent, sign } = await world();
    const { headers } = await sign({ intentId: await intent(), url: 'https://www.shop.example' });
    assert.match(headers['Signature-Input'], /^sig1=\("@method" "@authority" "@path" "signature-agent"\);/);
  });

  test('ends with its intent', async () => {
    const { node, intent, sign, isRefused } = await world();
    node.clock.now += 500;
    const intentId = await intent();
    const { expiresAt } = await node.run('getIntent', { mandateId: intentId });
    node.clock.now = Date.parse(expiresAt) - 60_000;
    assert.ok(Date.parse((await sign({ intentId })).expiresAt) <= Date.parse(expiresAt));
    node.clock.now = Date.parse(expiresAt) - 400;
    await isRefused({ intentId }, 'CONFLICT', /ends now/);
    node.clock.now = Date.parse(expiresAt);
    await isRefused({ intentId }, 'CONFLICT', /EXPIRED/);
  });

  test('is signed by the agent itself where it wants that, and the client signs nothing else', async () => {
    const { node, intent, agent } = await world();
    const own = agentOf(new Uint8Array(32).fill(9));
    await node.run('registerAgent', { name: 'Own', publicKey: own.publicKey });
    const caller: Caller = { ...agent, did: own.did, agents: new Set([own.did]) };
    const request = { maxAmount: 10, currency: 'USD', vendorHints: { domain: 'shop.example' } };
    const issued = await node.run('issueIntent', { agentDid: own.did, principalDid: own.did, request });
    const { mandateId: intentId } = issued.intentVc.credentialSubject;
    let swap = (answer: Loose): Loose => answer;
    const signing = {
      signHttpRequest: async (input: object) => swap(await node.run('signHttpRequest', input, caller)),
    };
    const asked = { intentId, method: 'GET', url: 'https://shop.example/tea', profile: 'web-bot-auth' } as const;
    const headers = await signRequest(signing, own, { ...asked, signatureAgent: 'https://agent.example' });
    const values = {
      '"@method"': 'GET',
      '"@authority"': 'shop.example',
      '"@path"': '/tea',
      '"signature-agent"': '"https://agent.example"',
    };
    assert.ok(verifies(own.signer.publicKey, baseOf(headers, values)));
    assert.ok(!('Signature' in (await node.run('signHttpRequest', { ...asked, key: 'agent' }, caller)).headers));
    assert.ok((await signRequest(signing, undefined, { ...asked, body: 'x' }))['Content-Digest']);
    const { base } = await node.run('signHttpRequest', { ...asked, key: 'agent' }, caller);
    for (const other of [
      'eyJhbGciOiJFZERTQSJ9.e30',
      base.replace('shop.example', 'evil.example'),
      `something else\n${base}`,
      base.replace(/keyid="[^"]+"/, 'keyid="x"'),
      '',
    ]) {
      swap = (answer) => ({ ...answer, base: other });
      await assert.rejects(signRequest(signing, own, asked), /something else than this request/);
    }
    assert.notEqual(await intent(), '');
  });
});

describe('no signature is had', () => {
  test('for another host, or an address that is not written as it is sent', async () => {
    const { intent, isRefused, sign, signed } = await world();
    const intentId = await intent();
    const at = (url: string, code: string, message: RegExp) => isRefused({ intentId, url }, code, message);
    for (const url of [
      'https://evil.example/',
      'https://shop.example.evil.example/',
      'https://evilshop.example/',
      'https://xn--shp-jna.example/',
    ]) {
      await at(url, 'FORBIDDEN', /not signed for it/);
    }
    for (const url of [
      'https://example/',
      'https://sh\u043ep.example/',
      'https://shop.example%2eevil.example%2f/',
      'https://sh\nop.example/',
      'http://shop.example/',
      'https://shop.example@evil.example/',
      'https://user@shop.example/',
      'https://shop.example:8443/',
      'https://shop.example/a/../b',
      'https://shop.example/a/%2e%2E/b',
      'https://shop.example\\@evil.example/',
      'https://shop.example/a\\b',
      'https://shop.example/a b',
      'https://shop.example/a?b c',
      'https://shop.example/?',
      'https://shop.example/tea\n"@path": /coffee',
      'https://shop.example/é',
      ' https://shop.example/',
      'https:shop.example/',
      'javascript:alert(1)',
      'shop.example/tea',
      'https://10.0.0.1/',
      'https://shop.example/"x"',
    ]) {
      await at(url, 'BAD_REQUEST', /url/);
    }
    await at('https://xn--a.shop.example/', 'BAD_REQUEST', /url must name a domain/);
    assert.deepEqual(await signed(), []);
    for (const url of [
      'https://shop.example/a%2Fb',
      'https://SHOP.example/',
      'https://a.shop.example:443/tea',
      'https://shop.example/#part',
      'https://shop.example?a=b',
    ]) {
      assert.ok((await sign({ intentId, url })).headers['Signature'], url);
    }
  });

  test('for this machine, but of a purchase from it in the sandbox', async () => {
    const { intent, isRefused, sign } = await world();
    const url = 'http://127.0.0.1:4000/tea';
    await isRefused({ intentId: await intent(), url }, 'FORBIDDEN', /not signed for it/);
    const intentId = await intent({ domain: 'loopback.localhost' });
    assert.ok((await sign({ intentId, url, profile: 'tap' })).headers['Signature']);
    await isRefused({ intentId }, 'FORBIDDEN', /from loopback\.localhost/);
    const live = { settings: { environment: 'production' } } as Loose;
    assert.throws(() => signedTarget(live, url, 'loopback.localhost'), /https/);
  });

  test('by what is no method, digest, or form of its profile', async () => {
    const { intent, isRefused } = await world();
    const intentId = await intent();
    for (const method of ['GET\n', 'get', 'GET"', 'CONNECT', 'TRACE', 'GET /x', '']) {
      await isRefused({ intentId, method }, 'BAD_REQUEST', /method/);
    }
    for (const bodyDigest of ['sha-256=:x:', 'md5=:x:', `${BODY.bodyDigest}, sha-256=:x:`, `${BODY.bodyDigest}\n`]) {
      await isRefused({ intentId, bodyDigest }, 'BAD_REQUEST', /bodyDigest/);
    }
    await isRefused({ intentId, profile: 'tap', ...BODY }, 'BAD_REQUEST', /covers no body/);
    await isRefused({ intentId, signatureAgent: 'https://evil.example' }, 'BAD_REQUEST', /own key/);
    for (const signatureAgent of [
      'https://a.example/"',
      'https://a.example/x',
      'http://a.example',
      'https://a.example\n',
    ]) {
      await isRefused({ intentId, key: 'agent', signatureAgent }, 'BAD_REQUEST', /origin/);
    }
    await isRefused({ intentId, mandateId: `pm_${'0'.repeat(26)}` }, 'BAD_REQUEST', /not both/);
    await isRefused({}, 'BAD_REQUEST', /or intentId/);
  });

  test('for what is another agent’s, has ended, or names no merchant', async () => {
    const { node, agentDid, agent, intent, isRefused, sign } = await world();
    const other: Caller = { ...agent, id: 'other', did: 'did:key:other', agents: new Set(['did:key:other']) };
    const intentId = await intent();
    await isRefused({ intentId }, 'NOT_FOUND', /no intent/, other);
    const mandateId = await node.pay(agentDid);
    await isRefused({ mandateId }, 'NOT_FOUND', /no payment/, other);
    await isRefused({ intentId: `intent_${'0'.repeat(26)}` }, 'NOT_FOUND', /no intent/);
    await isRefused({ intentId: await intent({}) }, 'CONFLICT', /no merchant/);
    assert.ok((await sign({ mandateId })).headers);
    const { intentId: used } = await node.run('getPayment', { mandateId });
    await isRefused({ intentId: used }, 'CONFLICT', /by mandateId/);
    await node.run('cancelPayment', { mandateId });
    await isRefused({ mandateId }, 'CONFLICT', /CANCELED/);
    await node.run('suspendAgent', { did: agentDid });
    await isRefused({ intentId }, 'CONFLICT', /SUSPENDED/);
    await node.run('revokeAgent', { did: agentDid, reason: 'lost' });
    await isRefused({ intentId }, 'CONFLICT', /REVOKED|EXPIRED/);
  });

  test('for another request under the same key, and the same request has the same one', async () => {
    const { node, agent, intent, signed } = await world();
    const intentId = await intent();
    const idempotency = {
      tenantId: agent.tenantId,
      scope: agent.id,
      key: 'once',
      reused: { code: 'CONFLICT' as const, message: 'The key is used.' },
      secret: true,
    };
    const ask = (url: string) => {
      const input = { intentId, method: 'GET', url, profile: 'web-bot-auth' };
      return node.runCall('signHttpRequest', input, { caller: agent, idempotency: { ...idempotency, hash: url } });
    };
    const first = await ask('https://shop.example/a');
    assert.equal(await ask('https://shop.example/a'), first);
    await assert.rejects(ask('https://shop.example/b'), /The key is used/);
    assert.equal((await signed()).length, 1);
  });

  test('by who reads what the node keeps and shows: no key, and no signature that still holds', async () => {
    const { node, agent, intent } = await world();
    const input = { intentId: await intent(), method: 'GET', url: URL_OF_SHOP, profile: 'web-bot-auth' };
    const reused = { code: 'CONFLICT' as const, message: 'The key is used.' };
    const idempotency = { tenantId: agent.tenantId, scope: agent.id, key: 'once', hash: 'x', reused, secret: true };
    const answer = await node.runCall('signHttpRequest', input, { caller: agent, idempotency });
    const stored = JSON.stringify(await node.deps.store.read(() => all('SELECT * FROM requests')));
    const shown = JSON.stringify(await node.run('searchEvidence', { limit: 200 }));
    assert.match(stored, /once/);
    const [signature = ''] = /(?<=sig1=:)[^:]+/.exec(answer) ?? [];
    assert.equal(signature.length, 88);
    for (const kept of [stored, shown]) assert.ok(!kept.includes(signature));
    const seed = Buffer.from(node.deps.sealer.derive('http-signatures', 32));
    const forms = [seed.toString('base64url'), seed.toString('base64').slice(0, 43), seed.toString('hex'), `${seed}`];
    for (const form of forms) {
      for (const text of [answer, stored, shown]) assert.ok(!text.includes(form));
    }
  });

  test('twice with one nonce: twenty at once have twenty', async () => {
    const { node, intent, sign, signed } = await world();
    const intentId = await intent();
    const all = await Promise.all(Array.from({ length: 20 }, () => sign({ intentId })));
    assert.equal(new Set(all.map(({ nonce }) => nonce)).size, 20);
    assert.equal(new Set(all.map(({ headers }) => headers['Signature'])).size, 20);
    const events = await signed();
    assert.deepEqual(events.map(({ data }) => data.nonce).sort(), all.map(({ nonce }) => nonce).sort());
    assert.equal((await node.run('verifyEvidence', {})).valid, true);
    const told = JSON.stringify(events);
    for (const { headers } of all) assert.ok(!told.includes(headers['Signature'].slice(6, -1)));
  });
});
