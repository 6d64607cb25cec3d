/** Sessions between agents: opened through either gate, counted, linked, owned, and over when they idle. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { run } from '../../src/store/store.ts';
import { everyEngine } from '../support/engines.ts';
import { makeDidProof, type Peer } from '../support/peer.ts';
import { makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`sessions on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    function proven(peer: Peer, body: unknown, overrides = {}) {
      const text = JSON.stringify(body);
      const request = { baseUrl: world.node.baseUrl, method: 'POST', path: '/a2a/gateway', body: text };
      return world.rpc(text, { 'X-DID-Proof': makeDidProof(peer, request, overrides) });
    }
    const rpc = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });

    test('a purchase in a session is counted and linked, and completes it', async () => {
      const agent = await world.newAgent();
      const input = { contextId: 'trip-1', agentDid: agent.did, userDid: world.principal.did };
      const opened = await proven(agent, rpc('a2a/session.create', input));
      assert.equal(opened.body.result.status, 'ACTIVE', opened.text);
      const options = { from: agent, contextId: 'trip-1' };
      const intent = await world.say('IntentMandate', world.intentBody(5, { agent }), options);
      const { intentVc } = intent.result.message.body;
      assert.equal(intent.result.message.contextId, 'trip-1');
      const cart = await world.say('CartMandate', { intentVc, cartVc: world.cart(5) }, options);
      const { approvalToken } = cart.result.message.body;
      const paid = await world.say('PaymentMandate', { approvalToken }, options);
      const shown = await world.rest('GET', '/a2a/sessions/trip-1');
      assert.equal(shown.body.messageCount, 3);
      assert.equal(shown.body.status, 'COMPLETED');
      assert.equal(shown.body.intentMandateId, intentVc.credentialSubject.mandateId);
      assert.equal(shown.body.permitId, paid.result.message.body.pmVc.credentialSubject.mandateId);
      const found = await world.rest('GET', '/ap2/evidence/search?contextId=trip-1');
      assert.equal(found.body.data.length, 4);
      const own = await proven(agent, rpc('a2a/session.get', { contextId: 'trip-1' }));
      assert.deepEqual(own.body.result, shown.body);
    });

    test('an agent that is suspended or revoked gets no session, by either gate', async () => {
      for (const [act, status] of [
        ['suspend', 409],
        ['revoke', 409],
      ] as const) {
        const agent = await world.newAgent();
        await world.rest('POST', `/ap2/admin/agents/${agent.did}/${act}`, { reason: 'test' });
        const input = { contextId: act, agentDid: agent.did, userDid: world.principal.did };
        const refused = await world.rest('POST', '/a2a/sessions', input);
        assert.equal(refused.status, status, refused.text);
        assert.match(refused.body.error.message, /suspended|revoked/);
        const own = await proven(agent, rpc('a2a/session.create', input));
        assert.equal(own.body.error.code, act === 'suspend' ? -32005 : -32001, own.text);
        assert.deepEqual((await world.rest('GET', `/a2a/sessions?agentDid=${agent.did}`)).body.data, []);
      }
    });

    test('a session is its agent’s alone, and an unknown one is -32004', async () => {
      const input = { contextId: 'mine', agentDid: world.agent.did, userDid: world.principal.did };
      assert.equal((await world.rest('POST', '/a2a/sessions', input)).status, 201);
      assert.equal((await world.rest('POST', '/a2a/sessions', input)).status, 409);
      const other = await world.newAgent();
      const body = world.intentBody(5, { agent: other });
      for (const contextId of ['mine', 'no agent’s']) {
        const answer = await world.say('IntentMandate', body, { from: other, contextId });
        assert.equal(answer.error.code, -32004, contextId);
        const shown = await proven(other, rpc('a2a/session.get', { contextId }));
        assert.equal(shown.body.error.code, -32004, contextId);
      }
      const forOther = { ...input, contextId: 'stolen' };
      assert.equal((await proven(other, rpc('a2a/session.create', forOther))).body.error.code, -32001);
    });

    test('a session that idled for half an hour answers -32002', async () => {
      const input = { contextId: 'idle', agentDid: world.agent.did, userDid: world.principal.did };
      await world.rest('POST', '/a2a/sessions', input);
      const { store } = world.node.deps;
      await store.write(world.node.tenantId, () =>
        run("UPDATE sessions SET expires_at = ? WHERE context_id = 'idle'", Date.now() - 1),
      );
      const answer = await world.say('IntentMandate', world.intentBody(5), { contextId: 'idle' });
      assert.equal(answer.error.code, -32002);
      assert.equal((await world.rest('GET', '/a2a/sessions/idle')).body.status, 'EXPIRED');
    });

    test('the operator lists sessions newest first, by status and agent, and a page stays put while rows are added', async () => {
      const [agent, other] = [await world.newAgent(), await world.newAgent()];
      const open = (contextId: string, agentDid = agent.did) =>
        world.rest('POST', '/a2a/sessions', { contextId, agentDid, userDid: world.principal.did });
      for (const name of ['list-1', 'list-2', 'list-3']) await open(name);
      await open('list-other', other.did);
      await world.node.deps.store.write(world.node.tenantId, () =>
        run("UPDATE sessions SET expires_at = ? WHERE context_id = 'list-2'", Date.now() - 1),
      );
      const list = async (query: string) => {
        const reply = await world.rest('GET', `/a2a/sessions?${query}`);
        assert.equal(reply.status, 200, reply.text);
        return { ...reply.body, names: reply.body.data.map((session: { contextId: string }) => session.contextId) };
      };
      const own = `agentDid=${agent.did}`;
      assert.deepEqual((await list('limit=1')).names, ['list-other']);
      assert.deepEqual((await list(own)).names, ['list-3', 'list-2', 'list-1']);
      assert.deepEqual((await list(`${own}&status=EXPIRED`)).names, ['list-2']);
      assert.deepEqual((await list(`${own}&status=ACTIVE`)).names, ['list-3', 'list-1']);
      assert.deepEqual((await list(`${own}&status=COMPLETED`)).names, []);
      const first = await list(`${own}&limit=2`);
      assert.equal(first.hasMore, true);
      assert.equal(first.data[0].agentDid, agent.did);
      await open('list-4');
      assert.deepEqual((await list(`${own}&limit=2&cursor=${first.cursor}`)).names, ['list-1']);
      assert.equal((await world.rest('GET', '/a2a/sessions?cursor=x')).status, 400);
      assert.equal((await world.rest('GET', '/a2a/sessions?status=OPEN')).status, 400);
    });

    test('a DID proof vouches for one request, also of several unsigned messages, and for nothing else', async () => {
      const agent = await world.newAgent();
      const to = world.node.deps.issuer.did;
      const message = (id: string, amount: number) => ({
        id,
        type: 'IntentMandate',
        from: agent.did,
        to,
        created: new Date().toISOString(),
        body: world.intentBody(amount, { agent }),
      });
      const batch = [1, 2].map((n) => ({ ...rpc('a2a/message', { message: message(`b${n}`, n) }), id: n }));
      const both = await proven(agent, batch);
      assert.ok(both.body[0].result && both.body[1].result, both.text);

      const single = JSON.stringify(rpc('a2a/message', { message: message('once', 3) }));
      const request = { baseUrl: world.node.baseUrl, method: 'POST', path: '/a2a/gateway', body: single };
      const proof = makeDidProof(agent, request);
      const first = await world.rpc(single, { 'X-DID-Proof': proof });
      assert.ok(first.body.result, first.text);
      const replayed = await world.rpc(single, { 'X-DID-Proof': proof });
      assert.deepEqual(replayed.body, first.body, 'the same bytes get the stored answer');
      const otherBody = JSON.stringify(rpc('a2a/message', { message: message('twice', 3) }));
      const stolen = await world.rpc(otherBody, { 'X-DID-Proof': proof });
      assert.equal(stolen.body.error.code, -32001);

      for (const overrides of [
        { aud: 'http://elsewhere' },
        { htm: 'GET' },
        { htu: `${world.node.baseUrl}/ap2/intents` },
        { iat: Math.floor(Date.now() / 1000) - 301 },
        { iat: Math.floor(Date.now() / 1000) + 65 },
        { bh: 'AAAA' },
        { iss: world.agent.did },
        { extra: true },
      ]) {
        const answer = await proven(agent, rpc('a2a/session.get', { contextId: 'x' }), overrides);
        assert.equal(answer.body.error.code, -32001, JSON.stringify(overrides));
      }
    });

    test('an agent calls REST with its proof for itself only, and a proof serves once', async () => {
      const agent = await world.newAgent();
      const call = (body: string, proof: string) => world.rest('POST', '/ap2/intents', body, { 'X-DID-Proof': proof });
      const request = { baseUrl: world.node.baseUrl, method: 'POST', path: '/ap2/intents' };
      const body = JSON.stringify(world.intentBody(5, { agent }));
      const proof = makeDidProof(agent, { ...request, body });
      const first = await call(body, proof);
      assert.equal(first.body.allowed, true, first.text);
      assert.equal((await call(body, proof)).status, 401);
      const forOther = JSON.stringify(world.intentBody(5));
      assert.equal((await call(forOther, makeDidProof(agent, { ...request, body: forOther }))).status, 403);
    });
  });
}
