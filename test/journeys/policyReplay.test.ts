/** A draft policy is run against what a real node recorded. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { EvidenceEvent } from '../../protocol/evidence/chain.ts';
import { compilePolicy } from '../../protocol/policy/compile.ts';
import { replayPolicy } from '../../protocol/policy/replay/replay.ts';
import { Rules } from '../../protocol/policy/rules.ts';
import { everyEngine } from '../support/engines.ts';
import { purchase } from '../support/purchase.ts';
import { makeWorld, type World } from '../support/world.ts';

const RULES = {
  version: '2.0',
  spend: { amount_cap: 100, presence_cap: 200, currency: 'USD' },
  merchant: { deny_list: ['scam.example'] },
  context: { presence: 'optional', presence_threshold: 100, presence_new_merchant: true },
  risk: {
    velocity_limit: { max_transactions: 6, max_amount: 150, time_window: '1h' },
    anomaly: { min_history: 3, max_deviation: 2, action: 'deny' },
  },
};

const endOf = (events: readonly EvidenceEvent[]) => Date.parse(events.at(-1)?.createdAt ?? '');

describe('replayPolicy over what a node recorded', () => {
  let world: World;
  let events: EvidenceEvent[];
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'p', rules: RULES })).status, 201);
    const { hpProof } = (
      await world.rest('POST', '/ap2/demo/hp-proof', { agentDid: world.agent.did, freshnessSeconds: 300 })
    ).body;
    await purchase(world, 10, { hpProof });
    await purchase(world, 11);
    await purchase(world, 12, { instrument: 'pm_card_visa_chargeDeclined' });
    await purchase(world, 12);
    const ask = (amount: number, options = {}) => world.rest('POST', '/ap2/intents', world.intentBody(amount, options));
    await ask(13, { domain: 'new.example' });
    await ask(90);
    await ask(5, { domain: 'scam.example' });
    await ask(500);
    const other = await world.newAgent();
    for (let i = 0; i < 8; i++) await ask(20, { agent: other });
    await world.rest('PUT', `/ap2/admin/agents/${encodeURIComponent(other.did)}/velocity`, {
      maxTransactions: 20,
      maxAmount: 1000,
      timeWindow: '1h',
    });
    await ask(30, { agent: other });
    await world.rest('POST', `/ap2/admin/agents/${encodeURIComponent(other.did)}/suspend`, { reason: 'test' });
    await ask(30, { agent: other });
    const limited = await world.newAgent('limited');
    const limit = (maxTransactions: number, timeWindow: string) =>
      world.rest('PUT', `/ap2/admin/agents/${encodeURIComponent(limited.did)}/velocity`, {
        maxTransactions,
        timeWindow,
      });
    for (let i = 0; i < 3; i++) await ask(5, { agent: limited });
    await limit(3, '2h');
    const over = await ask(5, { agent: limited });
    assert.deepEqual(over.body.reasonCodes, ['VELOCITY_EXCEEDED'], 'what it bought before its limit changed counts');
    await limit(5, '3h');
    for (let i = 0; i < 2; i++) assert.equal((await ask(5, { agent: limited })).body.allowed, true);
    await limit(5, '2h');
    assert.deepEqual((await ask(5, { agent: limited })).body.reasonCodes, ['VELOCITY_EXCEEDED']);
    events = (await world.rest('GET', '/ap2/evidence/export')).body.events;
  });
  after(() => world.close());

  const replay = (rules: unknown) => replayPolicy(compilePolicy(Rules.parse(rules)), events, 0, endOf(events));

  test('the policy that judged them flips nothing', () => {
    const { requests, flips, wereAllowed, wouldBeAllowed } = replay(RULES);
    assert.ok(requests >= 18, `${requests} requests`);
    assert.deepEqual(flips, []);
    assert.equal(wouldBeAllowed, wereAllowed);
    assert.ok(wereAllowed > 5 && wereAllowed < requests - 3);
  });

  test('a lower cap flips what was above it, and says why in the policy’s words', () => {
    const { flips } = replay({ ...RULES, spend: { amount_cap: 11, currency: 'USD' } });
    assert.ok(flips.length > 3);
    for (const flip of flips.filter(({ was }) => was.allowed)) {
      assert.ok(flip.amount > 11);
      assert.deepEqual(flip.would.reasonCodes, ['AMOUNT_OVER_CAP']);
      assert.match(flip.details?.AMOUNT_OVER_CAP?.message ?? '', /over the cap of 11.00/);
    }
  });

  test('without velocity and anomaly rules what they refused is allowed', () => {
    const { flips, wouldBeAllowed, wereAllowed } = replay({ ...RULES, risk: {} });
    assert.ok(wouldBeAllowed > wereAllowed);
    assert.ok(flips.every(({ was, would }) => !was.allowed && would.allowed));
  });

  test('requests before the window only build up history', () => {
    const last = events.findLast(({ eventType }) => eventType === 'INTENT_ISSUED');
    const since = Date.parse(last?.createdAt ?? '');
    const { requests } = replayPolicy(compilePolicy(Rules.parse(RULES)), events, since, endOf(events));
    assert.ok(requests >= 1 && requests <= 4);
  });
});
