/** A draft is tried before it is written: with the rules in the request, at a moment, after a history, rule by rule. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CHECKS, PRESENCE_RULES } from '../../../protocol/policy/evaluate.ts';
import { everyEngine } from '../../support/engines.ts';
import { makeDidProof, makePeer } from '../../support/peer.ts';
import { type Loose, makeWorld, SHOP, type World } from '../../support/world.ts';

/** Those that refuse, and those that ask for a person. */
const RULES_ASKED = CHECKS.length + PRESENCE_RULES.length;

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
      assert.equal(tried.trace.length, RULES_ASKED);
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

    test('tells the figures of every rule, and what would have passed in place of a request that is refused', async () => {
      const over = { ...request, amount: 95 };
      const [cap, ...others] = (await attempt({ rules: RULES, at: MONDAY, request: over })).ruleTable;
      assert.equal(others.length, RULES_ASKED - 1);
      const { outcome, asked, limit, left, currency } = cap;
      assert.deepEqual([outcome, asked, limit, left, currency], ['failed', 95, 90, -5, 'USD']);
      const { alone } = (await attempt({ rules: RULES, at: MONDAY, request: over })).counterfactual;
      assert.deepEqual(alone, [{ change: 'amount', amount: 90, currency: 'USD', how: 'with at most 90.00 USD' }]);
      const sunday = (await attempt({ rules: RULES, at: '2026-11-22T10:00:00Z' })).counterfactual;
      assert.deepEqual([sunday.alone.length, sunday.alone[0].from], [1, '2026-11-23T09:00:00.000Z']);
      assert.equal((await attempt({ rules: RULES, at: MONDAY })).counterfactual, undefined);
    });

    test('a window that an agent has filled has room again when its oldest purchase leaves it', async () => {
      const agent = await world.newAgent();
      const { spend, risk } = RULES;
      const intents = [];
      for (let i = 0; i < 4; i++) {
        intents.push(await world.rest('POST', '/ap2/intents', world.intentBody(5, { agent })));
        world.clock.aheadMs += 1000;
      }
      const rules = { version: '2.0', spend, risk };
      const own = { ...request, agentDid: agent.did };
      const { alone, together } = (await attempt({ rules, request: own })).counterfactual;
      const secondOldest = Date.parse(intents[1]?.body.intentVc.issuanceDate);
      assert.deepEqual([alone.length, together.length, alone[0].change], [1, 0, 'time']);
      // The credential tells whole seconds.
      assert.equal(Math.floor(Date.parse(alone[0].from) / 1000), Math.floor(secondOldest / 1000) + 3600);
      const policy = (await world.rest('GET', '/ap2/policies/current')).body;
      const stored = await world.client.createPolicy({ name: 'Tried', rules: rules as never, activate: false });
      const tried = await world.client.simulatePolicy({ id: stored.id, request: own });
      assert.equal(tried.counterfactual?.alone[0]?.from, alone[0].from, `as the draft, and not ${policy.id}`);
    });

    test('an agent asks it of itself', async () => {
      const path = '/ap2/policies/explain';
      const body = JSON.stringify({ amount: 1e6, currency: 'USD' });
      const proof = makeDidProof(world.agent, { baseUrl: world.node.baseUrl, method: 'POST', path, body });
      const { body: said } = await world.rest('POST', path, body, {
        'X-DID-Proof': proof,
        'Content-Type': 'application/json',
      });
      assert.deepEqual(
        [said.allowed, said.counterfactual.alone[0].change, said.ruleTable.length],
        [false, 'amount', RULES_ASKED],
      );
    });

    test('the registry’s word on a merchant wins over the request’s, as it does when the intent is asked for', async () => {
      for (const [domain, mcc] of [
        ['bar.example', '5813'],
        ['grocer.example', '5411'],
      ] as const) {
        const bound = await world.rest('POST', '/ap2/admin/merchants', { domain, did: makePeer().did, mcc });
        assert.equal(bound.status, 201, bound.text);
      }
      const former = (await world.rest('GET', '/ap2/policies/current')).body;
      const rules = { version: '2.0', spend: { categories: ['groceries'] } };
      const names = ['bar.example', 'grocer.example', 'corner.example'];
      const listed = { ...rules, merchant: { allow_list: names } };
      await world.client.createPolicy({ name: 'Registered', rules: listed as never });
      const hints = { domain: 'bar.example', mcc: '5411' };
      const intent = { ...world.intentBody(5), request: { maxAmount: 5, currency: 'USD', vendorHints: hints } };
      const live = (await world.rest('POST', '/ap2/intents', intent)).body;
      assert.deepEqual(live.reasonCodes, ['MCC_DENIED']);

      const said = { amount: 5, currency: 'USD', merchantDomain: 'bar.example', mcc: '5411' };
      const tried = await attempt({ request: said });
      const { body: explained } = await world.rest('POST', '/ap2/policies/explain', said);
      for (const each of [tried, explained]) {
        assert.deepEqual([each.reasonCodes, each.details], [live.reasonCodes, live.details]);
        // No other category of the request helps where the registry knows it.
        assert.deepEqual([each.counterfactual.alone, each.counterfactual.together], [[], []]);
      }
      const elsewhere = (await attempt({ request: { ...said, merchantDomain: 'other.example' } })).counterfactual;
      assert.deepEqual(
        elsewhere.alone.map(({ change, names: passing }: Loose) => [change, passing]),
        [['merchant', ['grocer.example', 'corner.example']]],
      );
      const wrongCode = { ...said, merchantDomain: 'other.example', mcc: '5813' };
      const { alone } = (await attempt({ request: wrongCode })).counterfactual;
      assert.deepEqual([alone.length, alone[0].names], [1, ['grocer.example']], 'its own category is the right one');
      await world.client.createPolicy({ name: 'Former', rules: former.rules });
    });

    test('a draft that a node would not take is refused with the member at fault', async () => {
      const wrong = await world.rest('POST', PATH, { request, rules: { version: '2.0', spend: { cap: 1 } } }, reader);
      assert.deepEqual([wrong.status, wrong.body.error.details[0].path], [400, 'rules.spend.cap']);
      const fine = await world.rest('POST', PATH, { request, before: { spent: 1.001 } }, reader);
      assert.equal(fine.status, 400, fine.text);
    });
  });
}
