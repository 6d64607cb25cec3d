/** The client against a node: every kind of caller, refusals as values, and one effect however often it is sent. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Agent, type Client, connect, countersign, each, makeAgent, streamEvidence } from '../../client/index.ts';
import { everyEngine } from '../support/engines.ts';
import { ADMIN_KEY, makeWorld, SHOP, type World } from '../support/world.ts';

describe('the client', () => {
  let world: World;
  let admin: Client;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    admin = countersign({ baseUrl: world.node.address, credential: { apiKey: ADMIN_KEY } });
  });
  after(() => world.close());

  async function register(): Promise<Agent> {
    const agent = makeAgent();
    const { did } = await admin.registerAgent({ name: 'client’s agent', publicKey: agent.publicKey });
    assert.equal(did, agent.did);
    return agent;
  }
  const intentOf = (agent: Agent, maxAmount: number) => ({
    agentDid: agent.did,
    principalDid: world.principal.did,
    request: { maxAmount, currency: 'USD', vendorHints: { domain: SHOP } },
  });
  const offer = (amount: number) => ({ payerDid: world.principal.did, domain: SHOP, amount, currency: 'USD' });
  /** Carries requests out and loses the first answer of each address. */
  const forgetful = () => {
    const seen = new Set<string>();
    return (async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      if (seen.has(url) || init.method !== 'POST') return response;
      seen.add(url);
      throw new TypeError('the answer was lost');
    }) as typeof fetch;
  };

  test('an agent buys with its own key over REST, and may do nothing else', async () => {
    const agent = await register();
    const own = countersign({ baseUrl: world.node.address, credential: { agent } });
    const intent = await own.issueIntent(intentOf(agent, 30));
    assert.ok(intent.allowed);
    const { cartVc } = await admin.demoCart(offer(30));
    const cart = await own.validateCart({ intentVc: intent.intentVc, cartVc });
    assert.ok(cart.allowed);
    const paid = await own.mandatePayment({ approvalToken: cart.approvalToken });
    assert.ok('pmVc' in paid);
    assert.equal(paid.railResponse.status, 'requires_capture');
    await assert.rejects(own.listPolicies(), { code: 'FORBIDDEN', status: 403 });
    await assert.rejects(own.issueIntent(intentOf(await register(), 5)), { code: 'FORBIDDEN' });
  });

  test('a refusal is a value with its reasons, at both gates the same', async () => {
    const agent = await register();
    const rest = await admin.issueIntent(intentOf(agent, 500));
    const a2a = await connect(world.node.address, agent);
    const between = await a2a.send({ type: 'IntentMandate', body: intentOf(agent, 500) });
    assert.ok(!rest.allowed && !between.allowed);
    assert.deepEqual(rest.reasonCodes, ['AMOUNT_OVER_CAP']);
    assert.equal(rest.details['AMOUNT_OVER_CAP']?.limit, 200);
    assert.deepEqual(between, rest);
  });

  test('an answer that was lost is fetched again, and there is one effect', async () => {
    const agent = await register();
    const credential = { apiKey: ADMIN_KEY };
    const lossy = countersign({ baseUrl: world.node.address, credential, fetch: forgetful() });
    const intent = await lossy.issueIntent(intentOf(agent, 10));
    assert.ok(intent.allowed);
    const a2a = await connect(world.node.address, agent, { fetch: forgetful() });
    const between = await a2a.send({ type: 'IntentMandate', body: intentOf(agent, 11) });
    assert.ok(between.allowed);
    const { data } = await admin.listIntents({ agentDid: agent.did });
    assert.deepEqual(
      data.map(({ maxAmount }) => maxAmount),
      [11, 10],
    );
  });

  test('a purchase between agents in a session, every answer checked against the node’s key', async () => {
    const agent = await register();
    const a2a = await connect(world.node.address, agent);
    const contextId = `client-${agent.did.slice(-6)}`;
    assert.equal((await a2a.openSession({ contextId, userDid: world.principal.did })).status, 'ACTIVE');
    const intent = await a2a.send({ type: 'IntentMandate', body: intentOf(agent, 20), contextId });
    assert.ok(intent.allowed);
    const { cartVc } = await admin.demoCart(offer(20));
    const cart = await a2a.send({ type: 'CartMandate', body: { intentVc: intent.intentVc, cartVc }, contextId });
    assert.ok(cart.allowed);
    await a2a.send({ type: 'PaymentMandate', body: { approvalToken: cart.approvalToken }, contextId });
    const session = await a2a.getSession(contextId);
    assert.deepEqual([session.status, session.messageCount], ['COMPLETED', 3]);
    const { data } = await admin.listSessions({ agentDid: agent.did });
    assert.equal(data[0]?.contextId, contextId);
  });

  test('an export comes in pieces, and one that is refused or breaks off says so', async () => {
    const all = async (options: Parameters<typeof streamEvidence>[0]) => {
      let text = '';
      for await (const piece of streamEvidence(options, { eventTypes: ['AGENT_CREATED'] })) text += piece;
      return text;
    };
    const options = { baseUrl: world.node.address, credential: { apiKey: ADMIN_KEY } };
    const whole = await all(options);
    assert.equal(whole, (await world.rest('GET', '/ap2/evidence/export?eventTypes=AGENT_CREATED')).text);
    await assert.rejects(all({ ...options, credential: { apiKey: 'ak_test_none' } }), { code: 'INVALID_API_KEY' });
    await assert.rejects(all({ ...options, baseUrl: 'http://127.0.0.1:1' }), { code: 'NETWORK', status: 0 });
    const broken = async () => {
      const pull = (controller: ReadableStreamDefaultController) => controller.error(new TypeError('terminated'));
      return new Response(new ReadableStream({ pull }));
    };
    await assert.rejects(all({ ...options, fetch: broken }), { code: 'INVALID_ANSWER' });
    const page = async () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } });
    await assert.rejects(all({ ...options, fetch: page }), { code: 'INVALID_ANSWER', message: /web page/ });
    const stop = new AbortController();
    const reading = streamEvidence(options, {}, { signal: stop.signal });
    assert.equal((await reading.next()).done, false);
    stop.abort(new Error('enough'));
    await assert.rejects(async () => {
      for await (const _piece of reading);
    }, /enough/);
    await assert.rejects(streamEvidence(options, {}, { signal: stop.signal }).next(), /enough/);
  });

  test('an error of the gateway has the code it has over REST, and an answer of another server is no such error', async () => {
    const a2a = await connect(world.node.address, makeAgent());
    await assert.rejects(a2a.send({ type: 'IntentMandate', body: intentOf(makeAgent(), 5) }), /registered|another/i);
    const agent = await register();
    const forged = (async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      if (init.method !== 'POST') return response;
      const text = (await response.text()).replace('"allowed":true', '"allowed":true,"extra":1');
      return new Response(text, { headers: { 'Content-Type': 'application/json' } });
    }) as typeof fetch;
    const deceived = await connect(world.node.address, agent, { fetch: forged });
    await assert.rejects(deceived.send({ type: 'IntentMandate', body: intentOf(agent, 5) }), {
      code: 'INVALID_ANSWER',
    });
  });

  test('a list of any length is read record by record, and no further than is asked for', async () => {
    const agent = await register();
    for (const amount of [1, 2, 3]) await admin.issueIntent(intentOf(agent, amount));
    const urls: string[] = [];
    const counting = ((url: string, init: RequestInit) => {
      urls.push(url);
      return fetch(url, init);
    }) as typeof fetch;
    const own = countersign({ baseUrl: world.node.address, credential: { apiKey: ADMIN_KEY }, fetch: counting });
    const amounts: number[] = [];
    for await (const { maxAmount } of each(own.listIntents, { agentDid: agent.did, limit: 1 })) amounts.push(maxAmount);
    assert.deepEqual([amounts, urls.length], [[3, 2, 1], 3]);
    for await (const { maxAmount } of each(own.listIntents, { agentDid: agent.did, limit: 1 })) {
      if (maxAmount === 2) break;
    }
    assert.equal(urls.length, 5);
    for await (const log of each(own.listWebhookLogs)) assert.fail(log.id);
    const all = each(own.listAgents, {}, { signal: AbortSignal.abort(new Error('enough')) });
    await assert.rejects(all.next(), /enough/);
  });

  test('the node may be pinned, by either spelling of its DID, and its address may end in a slash', async () => {
    const agent = await register();
    const { did } = world.node.deps.issuer;
    const a2a = await connect(`${world.node.address}/`, agent, { nodeDid: did });
    assert.equal(a2a.nodeDid, did);
    assert.ok((await a2a.send({ type: 'IntentMandate', body: intentOf(agent, 5) })).allowed);
    const another = { code: 'WRONG_NODE', message: new RegExp(`is ${did} and not ${agent.did}`) };
    await assert.rejects(connect(world.node.address, agent, { nodeDid: agent.did }), another);
    await assert.rejects(connect(world.node.address, agent, { nodeDid: 'did:key:zzz' }), { code: 'BAD_REQUEST' });
  });

  test('a message whose node is gone for a moment, or still at it, is sent again as it was', async () => {
    const agent = await register();
    const bodies: unknown[] = [];
    const answers: Record<number, () => Response> = {
      0: () => new Response('<html>', { status: 502, headers: { 'Content-Type': 'text/html' } }),
      1: () => {
        const data = { code: 'CONFLICT' };
        const { id } = JSON.parse(String(bodies[0]));
        return Response.json({ jsonrpc: '2.0', id, error: { code: -32005, message: 'Still being answered.', data } });
      },
    };
    const flaky = (async (url: string, init: RequestInit) => {
      if (init.method !== 'POST') return fetch(url, init);
      bodies.push(init.body);
      return answers[bodies.length - 1]?.() ?? fetch(url, init);
    }) as typeof fetch;
    const a2a = await connect(world.node.address, agent, { fetch: flaky });
    assert.ok((await a2a.send({ type: 'IntentMandate', body: intentOf(agent, 5) })).allowed);
    assert.equal(bodies.length, 3);
    assert.equal(new Set(bodies).size, 1);
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(a2a.send({ type: 'IntentMandate', body: intentOf(agent, 5) }, { signal }), /enough/);
    await assert.rejects(a2a.getSession('trip', { signal }), /enough/);
    await assert.rejects(connect(world.node.address, agent, { signal }), /enough/);
    assert.equal(bodies.length, 3);
  });
});
