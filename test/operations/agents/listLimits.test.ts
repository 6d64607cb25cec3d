/** The limits of agents over REST: what they allow, what they count now, and when each agent was last seen. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { run } from '../../../src/store/store.ts';
import { everyEngine } from '../../support/engines.ts';
import type { Peer } from '../../support/peer.ts';
import { leap } from '../../support/person.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

for (const engine of everyEngine()) {
  describe(`limits of agents on ${engine.name}`, () => {
    let world: World;
    let buyer: Peer;
    before(async () => {
      world = await makeWorld(engine);
      buyer = await world.newAgent('Buys');
    });
    after(() => world.close());

    const list = async (query = ''): Promise<Loose[]> => {
      const reply = await world.rest('GET', `/ap2/agents/limits${query}`);
      assert.equal(reply.status, 200, reply.text);
      return reply.body.data;
    };
    const setPolicy = async (velocity_limit: object, currency?: string) => {
      const rules = {
        version: '2.0',
        spend: { amount_cap: 1000, ...(currency && { currency }) },
        risk: { velocity_limit },
      };
      const reply = await world.rest('POST', '/ap2/admin/policies', { name: 'limits', rules });
      assert.equal(reply.status, 201, reply.text);
    };
    const ask = async (amount: number, agent = buyer) => {
      const { body, text } = await world.rest('POST', '/ap2/intents', world.intentBody(amount, { agent }));
      assert.equal(body.allowed, true, text);
    };
    const only = async (agent: Peer) => (await list(`?agents=${agent.did}`))[0];

    test('names every agent, newest first, those without a limit too', async () => {
      const rules = { version: '2.0', spend: { amount_cap: 1000 } };
      await world.rest('POST', '/ap2/admin/policies', { name: 'without limits', rules });
      const all = await list();
      assert.deepEqual(
        all.map(({ did, limits, lastSeenAt }) => [did, limits, lastSeenAt]),
        [
          [buyer.did, [], undefined],
          [world.agent.did, [], undefined],
        ],
      );
    });

    test('counts what an agent has bought in the policy’s window, and no more once it has left it', async () => {
      await setPolicy({ max_transactions: 5, max_amount: 100, time_window: '30m' }, 'USD');
      await ask(12.5);
      await ask(30);
      const { limits, lastSeenAt } = await only(buyer);
      const maxima = { maxTransactions: 5, maxAmount: 100, currency: 'USD' };
      const limit = { name: 'velocity_limit', action: 'deny', window: '30 minutes', windowSeconds: 1800, ...maxima };
      assert.deepEqual(limits, [{ scope: 'agent', own: false, ...limit, purchases: 2, spent: 42.5 }]);
      assert.ok(Math.abs(Date.parse(lastSeenAt) - Date.now()) < 60_000);
      const [of] = (await only(world.agent)).limits;
      assert.deepEqual([of.purchases, of.spent], [0, 0]);
      // Before the intents expire, which a sweep may see to at any moment.
      const back = leap(world, 1801);
      try {
        const [later] = (await only(buyer)).limits;
        assert.deepEqual([later.purchases, later.spent], [0, 0]);
      } finally {
        back();
      }
    });

    test('shows an agent’s own limit in place of the policy’s, beside the one of all agents together', async () => {
      const path = `/ap2/admin/agents/${encodeURIComponent(buyer.did)}/velocity`;
      assert.equal((await world.rest('PUT', path, { maxAmount: 60, timeWindow: '1d' })).status, 200);
      await setPolicy({ max_transactions: 50, time_window: '1h', scope: 'policy' }, 'USD');
      await ask(5, world.agent);
      const shown = (await only(buyer)).limits.map(({ scope, own, purchases, spent, maxAmount }: Loose) => {
        return [scope, own, purchases, spent, maxAmount];
      });
      assert.deepEqual(shown, [
        ['policy', false, 3, 47.5, undefined],
        ['agent', true, 2, 42.5, 60],
      ]);
    });

    test('has a sum of each currency where the policy names none, which are never added', async () => {
      const agent = await world.newAgent('Travels');
      await setPolicy({ max_amount: 5000, time_window: '1h' });
      for (const [maxAmount, currency] of [
        [900, 'JPY'],
        [20.5, 'EUR'],
      ] as const) {
        const named = { agentDid: agent.did, principalDid: agent.did };
        const { body, text } = await world.rest('POST', '/ap2/intents', { ...named, request: { maxAmount, currency } });
        assert.equal(body.allowed, true, text);
      }
      const [limit] = (await only(agent)).limits;
      assert.deepEqual([limit.spent, limit.currency], [900, 'JPY']);
      const sums = [
        { currency: 'EUR', spent: 20.5 },
        { currency: 'JPY', spent: 900 },
      ];
      assert.deepEqual(limit.sums, sums);
    });

    test('tells an agent of itself alone', async () => {
      const path = '/ap2/agents/limits';
      const { body: key } = await world.rest('POST', '/ap2/admin/api-keys', {
        name: 'of the buyer',
        permissions: ['read'],
        agents: [buyer.did],
      });
      const headers = { Authorization: `Bearer ${key.key}` };
      const own = await world.rest('GET', path, undefined, headers);
      assert.deepEqual(
        own.body.data.map(({ did }: Loose) => did),
        [buyer.did],
      );
      const none = await world.rest('GET', `${path}?agents=${world.agent.did}`, undefined, headers);
      assert.deepEqual(none.body.data, []);
    });

    test('refuses what is no agent, and shows nothing where nothing may be bought', async () => {
      assert.equal((await world.rest('GET', '/ap2/agents/limits?agents=stranger')).status, 400);
      const { deps, tenantId } = world.node;
      await deps.store.write(tenantId, () => run('UPDATE policies SET is_active = 0 WHERE tenant_id = ?', tenantId));
      assert.ok((await list()).every(({ limits }) => limits.length === 0));
    });
  });
}
