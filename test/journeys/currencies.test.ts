/** Limits and currencies: what is spent in one is never added to what is spent in another one. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`limits without a currency on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const publish = async (rules: object): Promise<Loose> => {
      const reply = await world.rest('POST', '/ap2/admin/policies', { name: 'p', rules: { version: '2.0', ...rules } });
      assert.equal(reply.status, 201, reply.text);
      return reply.body;
    };
    const ask = async (agent: Loose, maxAmount: number, currency: string): Promise<Loose> => {
      const named = { agentDid: agent['did'], principalDid: agent['did'] };
      return (await world.rest('POST', '/ap2/intents', { ...named, request: { maxAmount, currency } })).body;
    };
    const TRIP = { name: 'trip', max_amount: 100, window: 'month' };

    for (const [name, risk, own] of [
      ['a limit of the policy', { limits: [TRIP] }, undefined],
      ['the velocity limit', { velocity_limit: { max_amount: 100, time_window: '1d' } }, undefined],
      ['an agent’s own limit', {}, { limits: [{ name: 'trip', maxAmount: 100, window: 'month' }] }],
      ['an agent’s own velocity limit', {}, { maxAmount: 100, timeWindow: '1d' }],
    ] as const) {
      test(`${name} has a sum of each currency`, async () => {
        await publish({ risk });
        const agent = await world.newAgent();
        const path = `/ap2/admin/agents/${encodeURIComponent(agent.did)}`;
        if (own !== undefined) assert.equal((await world.rest('PUT', `${path}/velocity`, own)).status, 200);
        for (const [amount, currency] of [
          [90, 'USD'],
          [90, 'JPY'],
          [9, 'KWD'],
        ] as const) {
          assert.equal((await ask(agent, amount, currency)).allowed, true, currency);
        }
        const over = await ask(agent, 20, 'USD');
        assert.match(over.details.SPENDING_LIMIT_EXCEEDED.message, /^20\.00 USD would make it 110\.00 USD /);
        assert.equal(over.details.SPENDING_LIMIT_EXCEEDED.left, 10);
        assert.equal((await ask(agent, 11, 'JPY')).details.SPENDING_LIMIT_EXCEEDED.left, 10);
        const told = (await world.rest('GET', `/ap2/limits?agentDid=${encodeURIComponent(agent.did)}`)).body.limits;
        assert.deepEqual(
          told.map(({ currency, used, left }: Loose) => `${used} ${currency}, left ${left}`),
          ['90 JPY, left 10', '9 KWD, left 91', '90 USD, left 10'],
        );
      });
    }

    test('are warned of when they are published, as are those that leave other currencies unlimited', async () => {
      const { warnings } = await publish({
        risk: {
          limits: [TRIP, { ...TRIP, name: 'usd', currency: 'USD' }],
          velocity_limit: { max_amount: 5, time_window: '1d' },
        },
      });
      const messages: string[] = warnings.map(({ message }: Loose) => message);
      assert.ok(
        messages.some((message) => /Neither “trip” nor spend\.currency names a currency/.test(message)),
        String(messages),
      );
      assert.ok(messages.some((message) => message.startsWith('Other currencies than USD are not limited by this')));
      assert.ok(messages.some((message) => /holds for each currency by itself/.test(message)));
      const own = await publish({ spend: { currency: 'USD' }, risk: { limits: [TRIP] } });
      assert.deepEqual(own.warnings ?? [], []);
    });
  });

  test(`an agent’s own limit takes no amount that its currency does not have, on ${engine.name}`, async (t) => {
    const world = await makeWorld(engine);
    t.after(() => world.close());
    const path = `/ap2/admin/agents/${encodeURIComponent(world.agent.did)}/velocity`;
    const set = (body: object) => world.rest('PUT', path, body);
    const own = (limit: object) => ({ limits: [{ name: 'trips', window: 'month', ...limit }] });
    for (const [body, member] of [
      [{ maxAmount: 1e16, timeWindow: '1d' }, 'maxAmount'],
      [{ maxAmount: 1e300, timeWindow: '1d' }, 'maxAmount'],
      [{ maxAmount: 10.001, timeWindow: '1d' }, 'maxAmount'],
      [own({ maxAmount: 1e13, currency: 'USD' }), 'limits.0.maxAmount'],
      [own({ maxAmount: 10.001, currency: 'USD' }), 'limits.0.maxAmount'],
      [own({ maxAmount: 10.5, currency: 'JPY' }), 'limits.0.maxAmount'],
      [own({ maxAmount: 10.001 }), 'limits.0.maxAmount'],
    ] as const) {
      const { status, body: fault, text } = await set(body);
      assert.equal(status, 400, text);
      assert.match(JSON.stringify(fault), new RegExp(`"${member.replaceAll('.', '\\.')}`));
    }
    assert.equal(
      (await set({ maxAmount: 3000, timeWindow: '1d', ...own({ maxAmount: 10.5, currency: 'USD' }) })).status,
      200,
    );
  });
}
