/** Rate limits, as a caller meets them at both gates. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine().slice(0, 1)) {
  test('a caller has more calls in the sandbox from its own machine, unless a rate was set', async (t) => {
    for (const [env, here, elsewhere] of [
      [{ SANDBOX_RATE_PER_MINUTE: '', SANDBOX_BURST: '' }, ['300', '299'], ['30', '49']],
      [{ SANDBOX_RATE_PER_MINUTE: '', SANDBOX_BURST: '40' }, ['300', '39'], ['30', '39']],
      [{ SANDBOX_RATE_PER_MINUTE: '7', SANDBOX_BURST: '' }, ['7', '299'], ['7', '49']],
    ] as const) {
      const world = await makeWorld(engine, { ...env, TRUSTED_PROXIES: '' });
      t.after(() => world.close());
      const made = await world.rest('POST', '/ap2/admin/api-keys', { name: 'explores', permissions: ['read'] });
      const standing = async (headers: Record<string, string>) => {
        const by = { Authorization: `Bearer ${made.body.key}`, ...headers };
        const reply = await world.rest('GET', '/ap2/agents', undefined, by);
        return ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => reply.headers.get(name));
      };
      assert.deepEqual(await standing({}), here);
      assert.deepEqual(await standing({ 'X-Forwarded-For': '127.0.0.1' }), elsewhere, 'a proxy brings it');
    }
  });

  describe('a caller that asks too often', () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine, { SANDBOX_RATE_PER_MINUTE: '30', SANDBOX_BURST: '12' });
    });
    after(() => world.close());

    test('is told 429 over REST with when to come back, and no other caller is', async () => {
      let reply = await world.rest('GET', '/ap2/agents');
      assert.equal(reply.headers.get('x-ratelimit-limit'), '30');
      const remaining = Number(reply.headers.get('x-ratelimit-remaining'));
      for (let i = 0; i < remaining; i++) reply = await world.rest('GET', '/ap2/agents');
      assert.equal(reply.status, 200);
      reply = await world.rest('GET', '/ap2/agents');
      assert.equal(reply.status, 429);
      assert.equal(reply.body.error.code, 'RATE_LIMITED');
      assert.ok(Number(reply.headers.get('retry-after')) >= 1);
      assert.ok(Number(reply.headers.get('x-ratelimit-reset')) > Date.now() / 1000);
      const { error } = await world.say('IntentMandate', world.intentBody(1));
      assert.equal(error, undefined, 'the agent has a bucket of its own');
    });

    test('is told -32003 and 429 over A2A', async () => {
      const { makeMessage } = await import('../support/peer.ts');
      const to = world.node.deps.issuer.did;
      for (let i = 0; ; i++) {
        const message = makeMessage(world.agent, { type: 'IntentMandate', to, body: world.intentBody(1) });
        const answer = await world.rpc({ jsonrpc: '2.0', id: i, method: 'a2a/message', params: { message } });
        if (answer.status === 200) {
          assert.ok(i < 13, 'the limit must come');
          continue;
        }
        assert.equal(answer.status, 429);
        assert.equal(answer.body.error.code, -32003);
        assert.ok(answer.headers.get('retry-after'));
        break;
      }
    });

    test('who proves nothing charges the address, until it is turned away before anything is read', async () => {
      for (let i = 0; i < 13; i++) {
        const reply = await world.rest('GET', '/ap2/agents', undefined, {});
        if (reply.status === 429) break;
        assert.equal(reply.status, 401);
      }
      assert.equal((await world.rest('GET', '/ap2/nothing', undefined, {})).status, 429);
      assert.equal((await world.rpc({})).status, 429);
      assert.equal((await world.rest('GET', '/healthz', undefined, {})).status, 200);
    });
  });
}
