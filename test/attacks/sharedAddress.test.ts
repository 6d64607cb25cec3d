/** One anonymous client behind a proxy spends its own calls only, and no other client's. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makeMessage } from '../support/peer.ts';
import { signInUser } from '../support/signInUser.ts';
import { ADMIN_KEY, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`callers behind a proxy on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      const limits = { SANDBOX_RATE_PER_MINUTE: '6', SANDBOX_BURST: '8' };
      world = await makeWorld(engine, { ...limits, TRUSTED_PROXIES: '127.0.0.0/8,::1/128' });
    });
    after(() => world.close());

    const from = (address: string, path: string, init: RequestInit = {}) =>
      fetch(world.node.address + path, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), 'X-Forwarded-For': address },
      });
    const message = () => {
      const content = { type: 'IntentMandate', to: world.node.deps.issuer.did, body: world.intentBody(1) };
      const params = { message: makeMessage(world.agent, content) };
      return {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'a2a/message', params }),
      };
    };

    test('are limited each by their own address, and a valid credential is never refused for it', async () => {
      const attacker = '198.51.100.66';
      for (let i = 0; i < 8; i++) assert.equal((await from(attacker, '/ap2/agents')).status, 401);
      assert.equal((await from(attacker, '/ap2/agents')).status, 429);
      const forged = await from(attacker, '/ap2/agents', {
        headers: { Authorization: `Bearer ak_test_${'x'.repeat(32)}` },
      });
      assert.equal(forged.status, 429, 'a credential that does not hold is no way around the limit');
      assert.equal((await from(`1.1.1.1, ${attacker}`, '/ap2/agents')).status, 429, 'nor is a header made up');

      assert.equal((await from('198.51.100.7', '/ap2/agents')).status, 401, 'another client has calls left');
      const known = await from(attacker, '/ap2/agents', { headers: { Authorization: `Bearer ${ADMIN_KEY}` } });
      assert.equal(known.status, 200, 'a valid key works from the same address');
      const signed = (await (await from(attacker, '/a2a/gateway', message())).json()) as { result?: object };
      assert.ok(signed.result, 'and so does a signed message');
    });

    test('keep no user from renewing a login, which has calls of its own', async () => {
      const proxy = '198.51.100.67';
      const grace = await signInUser(world, 'VIEWER', 'Grace');
      while ((await from(proxy, '/ap2/agents')).status !== 429);
      let { cookie } = grace;
      const renew = (Cookie: string) => from(proxy, '/ap2/auth/refresh', { method: 'POST', headers: { Cookie } });
      const renewed: number[] = [];
      for (let time = 0; time < 12; time += 1) {
        const answer = await renew(cookie);
        renewed.push(answer.status);
        if (answer.status === 429) assert.ok(Number(answer.headers.get('retry-after')) > 0);
        cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
      }
      assert.deepEqual([renewed[0], renewed.at(-1)], [200, 429], String(renewed));
      assert.equal(
        (await renew('countersign_refresh=rt_unknown')).status,
        429,
        'an invalid one is charged to its address',
      );
    });

    test('cannot spend an agent’s calls by sending its messages again, and spend their own by it', async () => {
      const agent = await world.newAgent();
      const content = { type: 'IntentMandate', to: world.node.deps.issuer.did, body: world.intentBody(1, { agent }) };
      const params = { message: makeMessage(agent, content) };
      const post = (id: number, sent: object) =>
        from('203.0.113.9', '/a2a/gateway', {
          ...message(),
          body: JSON.stringify({ jsonrpc: '2.0', id, method: 'a2a/message', params: sent }),
        }).then((reply) => reply.json() as Promise<{ result?: object; error?: { code: number } }>);
      for (let i = 0; i < 9; i++) assert.ok((await post(i, params)).result, `replay ${i}`);
      for (let i = 0; i < 9; i++) assert.equal((await post(i, params)).error?.code, -32003, `replay ${i}`);
      const own = makeMessage(agent, content);
      assert.ok((await post(99, { message: own })).result, 'the agent has its calls still');
    });

    test('are charged for each item of a batch that fails', async () => {
      const items = Array.from({ length: 12 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'a2a/message', params: {} }));
      const reply = await from('203.0.113.77', '/a2a/gateway', { ...message(), body: JSON.stringify(items) });
      const codes = ((await reply.json()) as { error: { code: number } }[]).map(({ error }) => error.code);
      assert.equal(codes.filter((code) => code === -32602).length, 8);
      assert.equal(codes.filter((code) => code === -32003).length, 4);
    });
  });
}
