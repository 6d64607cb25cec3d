/** A draft is tried before it is written: with the rules in the request, at a moment, after a history, rule by rule. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine, type Loose, makeWorld, SHOP, type World } from '../../support/world.ts';

const RULES = {
  version: '2.0',
  spend: { amount_cap: 50, presence_cap: 90, currency: 'USD' },
  context: { time_windows: [{ days: ['mon'], from: '09:00', to: '17:00', timezone: 'UTC' }] },
  risk: { velocity_limit: { max_transactions: 3, time_window: '1h' } },
};
const MONDAY = '2026-11-23T10:00:00Z';
const PATH = '/ap2/policies/simulate';

for (const engine of everyEngine()) {
  describe(`a draft over REST on ${engine.name}`, () => {
    let world: World;
    let reader: Record<string, string>;
    before(async () => {
      world = await makeWorld(engine);
      const { key } = await world.client.createApiKey({ name: 'reader', permissions: ['read'] });
      reader = { Authorization: `Bearer ${key}` };
    });
    after(() => world.close());

    const request = { amount: 60, currency: 'USD', merchantDomain: SHOP };
    const attempt = async (body: object) => (await world.rest('POST', PATH, { request, ...body }, reader)).body;
    const outcomes = ({ trace }: Loose) => Object.fromEntries(trace.map(({ rule, outcome }: Loose) => [rule, outcome]));

    test('says what every rule says, with the permission read', async () => {
      const tried = await attempt({ rules: RULES, at: MONDAY });
      assert.deepEqual([tried.allowed, tried.hpRequired, tried.evaluatedAt], [true, true, '2026-11-23T10:00:00.000Z']);
      assert.equal(tried.trace.length, 14);
      assert.deepEqual([outcomes(tried).AMOUNT_OVER_CAP, outcomes(tried).threshold], ['passed', 'person']);
      const late = await attempt({ rules: RULES, at: '2026-11-23T18:00:00Z', before: { transactions: 3 } });
      assert.deepEqual(late.reasonCodes, ['VELOCITY_EXCEEDED', 'TIME_WINDOW_VIOLATED']);
      assert.deepEqual([outcomes(late).VELOCITY_EXCEEDED, outcomes(late).GEO_RESTRICTED], ['refused', 'passed']);
      assert.match(late.trace.find(({ rule }: Loose) => rule === 'VELOCITY_EXCEEDED').message, /purchase 4 within/);
    });

    test('without rules it is the current policy; with an agent, its own history', async () => {
      assert.equal((await attempt({})).allowed, true);
      for (let i = 0; i < 3; i++) await world.rest('POST', '/ap2/intents', world.intentBody(5));
      const own = { ...request, agentDid: world.agent.did };
      const tried = await attempt({ rules: RULES, at: MONDAY, request: own });
      assert.deepEqual(tried.reasonCodes, ['VELOCITY_EXCEEDED']);
      const both = await world.rest('POST', PATH, { request: own, before: { transactions: 1 } }, reader);
      assert.deepEqual([both.status, both.body.error.details[0].path], [400, 'before']);
    });

    test('a draft that a node would not take is refused with the member at fault', async () => {
      const wrong = await world.rest('POST', PATH, { request, rules: { version: '2.0', spend: { cap: 1 } } }, reader);
      assert.deepEqual([wrong.status, wrong.body.error.details[0].path], [400, 'rules.spend.cap']);
      const fine = await world.rest('POST', PATH, { request, before: { spent: 1.001 } }, reader);
      assert.equal(fine.status, 400, fine.text);
    });
  });
}
