/** Many at once: a token is redeemed once, a limit holds exactly. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`many at once on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    test('50 redemptions of one approval token give one payment and 49 conflicts, and the rail is asked once', async () => {
      let calls = 0;
      const rail = world.node.deps.rails.get('CARD_RAIL');
      assert.ok(rail);
      const { authorize } = rail;
      Object.assign(rail, {
        authorize: (...args: Parameters<typeof authorize>) => {
          calls += 1;
          return authorize(...args);
        },
      });
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(10));
      const request = { intentVc: intent.body.intentVc, cartVc: world.cart(10) };
      const cart = await world.rest('POST', '/ap2/carts/validate', request);
      const { approvalToken } = cart.body;
      const replies = await Promise.all(
        Array.from({ length: 50 }, () => world.rest('POST', '/ap2/payments/mandate', { approvalToken })),
      );
      assert.equal(replies.filter((reply: Loose) => reply.status === 200).length, 1);
      assert.equal(replies.filter((reply: Loose) => reply.status === 409).length, 49);
      assert.equal(calls, 1);
    });

    test('500 intents against a limit of 10 give exactly 10', async () => {
      const agent = await world.newAgent();
      const replies = await Promise.all(
        Array.from({ length: 500 }, () => world.rest('POST', '/ap2/intents', world.intentBody(1, { agent }))),
      );
      assert.equal(replies.filter((reply: Loose) => reply.body.allowed).length, 10);
      const denied = replies.filter((reply: Loose) => !reply.body.allowed);
      assert.ok(denied.every((reply: Loose) => reply.body.reasonCodes.includes('VELOCITY_EXCEEDED')));
    });

    test('the same request with one idempotency key has one effect and one answer', async () => {
      const agent = await world.newAgent();
      const body = world.intentBody(1, { agent, idempotencyKey: 'order-1' });
      const first = await world.rest('POST', '/ap2/intents', body);
      const replies = await Promise.all(Array.from({ length: 20 }, () => world.rest('POST', '/ap2/intents', body)));
      for (const reply of replies) assert.equal(reply.text, first.text);
      const listed = await world.rest('GET', `/ap2/intents?agentDid=${agent.did}`);
      assert.equal(listed.body.data.length, 1);
      const other = { ...world.intentBody(2, { agent }), idempotencyKey: 'order-1' };
      assert.equal((await world.rest('POST', '/ap2/intents', other)).status, 409);
    });

    test('the same message twice gets the same answer, and another under its id is refused', async () => {
      const agent = await world.newAgent();
      const { makeMessage } = await import('../support/peer.ts');
      const to = world.node.deps.issuer.did;
      const message = makeMessage(agent, { type: 'IntentMandate', to, body: world.intentBody(1, { agent }), id: 'm1' });
      const rpc = { jsonrpc: '2.0', id: 1, method: 'a2a/message', params: { message } };
      const first = await world.rpc(rpc);
      assert.ok(first.body.result, first.text);
      const second = await world.rpc(rpc);
      assert.deepEqual(second.body, first.body);
      const changed = makeMessage(agent, { type: 'IntentMandate', to, body: world.intentBody(2, { agent }), id: 'm1' });
      const refused = await world.rpc({ ...rpc, params: { message: changed } });
      assert.equal(refused.body.error.code, -32600);
    });
  });
}
