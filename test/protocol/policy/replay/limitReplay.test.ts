/** What a replay says of each limit is what a plain sum over the same requests says. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compilePolicy } from '../../../../protocol/policy/compile.ts';
import type { LimitReplay } from '../../../../protocol/policy/replay/limitReplay.ts';
import { replayPolicy, startReplay } from '../../../../protocol/policy/replay/replay.ts';
import { Rules } from '../../../../protocol/policy/rules.ts';

const DAY_MS = 24 * 3600 * 1000;
const NOON = Date.parse('2026-03-15T12:00:00.000Z');

interface Request {
  readonly at: number;
  readonly agentDid: string;
  readonly principalDid?: string;
  readonly amount: number;
  readonly currency?: string;
  readonly mcc?: string;
  /** Whether it was allowed then. */
  readonly wasAllowed?: boolean;
  readonly reasonCodes?: readonly string[];
}

function eventOf({ at, amount, wasAllowed = true, currency = 'USD', ...data }: Request, seq: number) {
  return {
    seq,
    eventType: wasAllowed ? ('INTENT_ISSUED' as const) : ('INTENT_DENIED' as const),
    createdAt: new Date(at).toISOString(),
    data: { transactionId: `txn_${seq}`, mandateId: `intent_${seq}`, maxAmount: amount, currency, ...data },
  };
}

function limitsOf(rules: object, requests: readonly Request[], since = 0, at = NOON): readonly LimitReplay[] {
  const policy = compilePolicy(Rules.parse({ version: '2.0', ...rules }));
  return replayPolicy(policy, requests.map(eventOf), since, at).limits;
}

const usd = (requests: number, amount: number) => ({
  requests,
  money: requests === 0 ? [] : [{ currency: 'USD', amount }],
});
const NONE = usd(0, 0);

const requests = fc
  .array(
    fc.record({
      at: fc.integer({ min: NOON - 70 * DAY_MS, max: NOON }),
      agentDid: fc.constantFrom('did:key:ada', 'did:key:bob', 'did:key:eve'),
      amount: fc.integer({ min: 1, max: 200 }),
      mcc: fc.constantFrom('5411', '4511'),
      wasAllowed: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((all) => all.sort((one, other) => one.at - other.at));

describe('what a replay says of a limit', () => {
  test('asked is the plain sum of what the last whole month had, allowed and refused', () => {
    const limits = [{ name: 'month', max_amount: 300, window: 'month', scope: 'policy', category: 'groceries' }];
    fc.assert(
      fc.property(requests, (all) => {
        const [found] = limitsOf({ spend: { currency: 'USD' }, risk: { limits } }, all);
        const asked = all.filter(({ at, mcc }) => new Date(at).toISOString().startsWith('2026-02') && mcc === '5411');
        const sum = asked.reduce((before, { amount }) => before + amount, 0);
        const period = { from: '2026-02-01T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' };
        assert.deepEqual(found?.asked, { ...period, ...usd(asked.length, sum) });
      }),
    );
  });

  test('asked is of the agent that asked for the most, where each has the limit to itself', () => {
    const limits = [{ name: 'day', max_amount: 100, window: '30d' }];
    fc.assert(
      fc.property(requests, (all) => {
        const [found] = limitsOf({ spend: { currency: 'USD' }, risk: { limits } }, all);
        const sums: Record<string, number> = {};
        for (const { agentDid, amount } of all.filter(({ at }) => at > NOON - 30 * DAY_MS)) {
          sums[agentDid] = (sums[agentDid] ?? 0) + amount;
        }
        const { agentDid = '', money } = found?.asked ?? {};
        assert.equal(money?.[0]?.amount, sums[agentDid]);
        assert.equal(sums[agentDid] ?? 0, Math.max(0, ...Object.values(sums)));
      }),
    );
  });

  for (const [action, member] of [
    ['deny', 'refused'],
    ['presence', 'person'],
  ] as const) {
    test(`${member} is what a plain count of each day finds over the limit`, () => {
      const limits = [{ name: 'day', max_amount: 250, max_transactions: 3, window: 'day', scope: 'policy', action }];
      fc.assert(
        fc.property(requests, fc.integer({ min: 0, max: 70 }), (spread, days) => {
          // On few days, so that there are several a day.
          const all = spread.map((each) => ({ ...each, at: NOON - ((NOON - each.at) % (5 * DAY_MS)) }));
          all.sort((one, other) => one.at - other.at);
          const since = NOON - days * DAY_MS;
          const [found] = limitsOf({ spend: { currency: 'USD' }, risk: { limits } }, all, since);
          const held = new Map<string, { count: number; sum: number }>();
          let [count, sum] = [0, 0];
          for (const { at, amount } of all) {
            const day = new Date(at).toISOString().slice(0, 10);
            const now = held.get(day) ?? { count: 0, sum: 0 };
            const isOver = now.count + 1 > 3 || now.sum + amount > 250;
            if (isOver && at >= since) [count, sum] = [count + 1, sum + amount];
            // What a person may approve counts as approved.
            if (!isOver || action === 'presence') {
              held.set(day, { count: now.count + 1, sum: now.sum + amount });
            }
          }
          assert.deepEqual(found?.[member], usd(count, sum));
          assert.deepEqual(found?.[member === 'refused' ? 'person' : 'refused'], NONE);
        }),
      );
    });
  }

  test('a request over two limits is in the figures of both, and one that another rule refuses in none', () => {
    const limits = [
      { name: 'one', max_transactions: 1, window: '7d' },
      { name: 'little', max_amount: 50, window: '7d' },
    ];
    const ada = { agentDid: 'did:key:ada' };
    const all = [
      { ...ada, at: NOON - 3000, amount: 40 },
      { ...ada, at: NOON - 2000, amount: 20 },
      { ...ada, at: NOON - 1000, amount: 900 },
    ];
    const found = limitsOf({ spend: { amount_cap: 500, currency: 'USD' }, risk: { limits } }, all);
    assert.deepEqual(
      found.map(({ name, refused }) => [name, refused]),
      [
        ['one', usd(1, 20)],
        ['little', usd(1, 20)],
      ],
    );
  });

  test('a request that another rule refuses is sent to no person', () => {
    const limits = [{ name: 'little', max_amount: 50, window: '7d', action: 'presence' }];
    const all = [{ agentDid: 'did:key:ada', at: NOON, amount: 900 }];
    const [found] = limitsOf({ spend: { amount_cap: 500, currency: 'USD' }, risk: { limits } }, all);
    assert.deepEqual([found?.person, found?.refused], [NONE, NONE]);
  });

  test('risk.velocity_limit is the first of them, and an agent with a limit of its own is not asked by it', () => {
    const velocity_limit = { max_transactions: 1, time_window: '1h' };
    const policy = compilePolicy(Rules.parse({ version: '2.0', risk: { velocity_limit } }));
    const replaying = startReplay(policy, { since: 0, at: NOON, onFlip: () => {} });
    const own = { agentDid: 'did:key:bob', velocity: { maxTransactions: 9, timeWindow: '1h' } };
    const changed = {
      seq: 1,
      eventType: 'AGENT_VELOCITY_UPDATED' as const,
      createdAt: new Date(NOON - 9).toISOString(),
    };
    replaying.add({ ...changed, data: own });
    for (const seq of [2, 3, 4, 5]) {
      const agentDid = seq === 2 ? 'did:key:ada' : 'did:key:bob';
      replaying.add(eventOf({ agentDid, at: NOON - 9 + seq, amount: 5 }, seq));
    }
    const [found] = replaying.limits(0);
    assert.equal(found?.name, 'velocity_limit');
    assert.deepEqual([found?.asked?.agentDid, found?.asked?.requests, found?.refused.requests], ['did:key:ada', 1, 0]);
  });

  test('each currency has its sum, and a limit in one is about that one alone', () => {
    const limits = [
      { name: 'all', max_transactions: 9, window: '7d', scope: 'policy' },
      { name: 'euros', max_amount: 90, currency: 'EUR', window: '7d', scope: 'policy' },
    ];
    const ada = { agentDid: 'did:key:ada', at: NOON };
    const found = limitsOf({ risk: { limits } }, [
      { ...ada, amount: 3, currency: 'USD' },
      { ...ada, amount: 2000, currency: 'JPY' },
      { ...ada, amount: 95.5, currency: 'EUR' },
    ]);
    const [euros, yen, dollars] = [
      { currency: 'EUR', amount: 95.5 },
      { currency: 'JPY', amount: 2000 },
      { currency: 'USD', amount: 3 },
    ];
    assert.deepEqual(
      found.map(({ asked, refused }) => [asked?.money, refused.money]),
      [
        [[euros, yen, dollars], []],
        [[euros], [euros]],
      ],
    );
  });

  test('a period of which a part was not read has no figures, a later one has', () => {
    const limits = ['day', 'month'].map((window) => ({ name: window, max_transactions: 1, window }));
    const policy = compilePolicy(Rules.parse({ version: '2.0', risk: { limits } }));
    const replaying = startReplay(policy, { since: 0, at: NOON, onFlip: () => {} });
    const [day, month] = replaying.limits(NOON - 5 * DAY_MS);
    assert.deepEqual([day?.asked?.from, month?.asked], ['2026-03-14T00:00:00.000Z', undefined]);
  });
});

test('an intent that its own mandate refused stays refused by any policy, and one that a policy refused alone does not', () => {
  const policy = compilePolicy(Rules.parse({ version: '2.0', spend: { amount_cap: 100, currency: 'USD' } }));
  const refused = { agentDid: 'did:key:ada', amount: 20, wasAllowed: false };
  const byMandate = { ...refused, at: NOON, reasonCodes: ['MANDATE_USED'], mandateReasonCodes: ['MANDATE_USED'] };
  const byPolicy = { ...refused, at: NOON, reasonCodes: ['AMOUNT_OVER_CAP'] };
  const replay = replayPolicy(policy, [byMandate, byPolicy].map(eventOf), 0, NOON);
  assert.deepEqual([replay.requests, replay.wouldBeAllowed], [2, 1]);
  assert.deepEqual(
    replay.flips.map(({ was }) => was.reasonCodes),
    [['AMOUNT_OVER_CAP']],
  );
});
