/** The whole evaluation: its order, its completeness, and an independent opinion on its numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { codesOf, judge, type RulesInput } from './judge.ts';

test('every rule that is broken is reported, not only the first', () => {
  const rules: RulesInput = {
    spend: { amount_cap: 5, categories: ['books'] },
    merchant: { allow_list: ['good.example'], deny_list: ['bad.example'] },
    context: {
      time_windows: [{ from: '00:00', to: '01:00', timezone: 'UTC' }],
      geo: { allow: ['DE'] },
    },
    risk: {
      velocity_limit: { max_transactions: 1, max_amount: 1, time_window: '1h' },
      anomaly: { min_history: 1, max_deviation: 1, action: 'deny' },
    },
  };
  const situation = {
    merchantDomain: 'bad.example',
    mcc: '5812',
    country: 'FR',
    used: { count: 1, amountMinor: 0 },
    paid: [1],
  };
  const expected = [
    'AMOUNT_OVER_CAP',
    'MERCHANT_NOT_ALLOWED',
    'MERCHANT_DENIED',
    'MCC_DENIED',
    'VELOCITY_EXCEEDED',
    'SPENDING_LIMIT_EXCEEDED',
    'TIME_WINDOW_VIOLATED',
    'GEO_RESTRICTED',
    'ANOMALY_DETECTED',
  ];
  assert.deepEqual(codesOf(rules, situation), expected);
  for (const detail of Object.values(judge(rules, situation).details))
    assert.match(detail.message, /^[A-Z0-9a-z].*\.$/);
});

test('cap, threshold and velocity agree with a naive reckoning in cents', () => {
  const cents = fc.integer({ min: 1, max: 400 });
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const world = fc.record({
    cap: maybe(cents),
    extra: maybe(fc.integer({ min: 0, max: 200 })),
    threshold: maybe(cents),
    presence: maybe(fc.constantFrom('optional', 'required', 'never')),
    maxTransactions: maybe(fc.integer({ min: 0, max: 4 })),
    maxAmount: maybe(cents),
    amount: cents,
    count: fc.integer({ min: 0, max: 4 }),
    used: fc.integer({ min: 0, max: 400 }),
  });
  fc.assert(
    fc.property(world, ({ cap, extra, threshold, presence, maxTransactions, maxAmount, amount, count, used }) => {
      const presenceCap = cap !== undefined && extra !== undefined ? cap + extra : undefined;
      const major = (minor: number | undefined) => (minor === undefined ? undefined : minor / 100);
      const limited = maxTransactions !== undefined || maxAmount !== undefined;
      const evaluation = judge(
        {
          spend: { currency: 'USD', amount_cap: major(cap), presence_cap: major(presenceCap) },
          context: { presence, presence_threshold: major(threshold) },
          risk: limited
            ? { velocity_limit: { max_transactions: maxTransactions, max_amount: major(maxAmount), time_window: '1h' } }
            : undefined,
        },
        { amountMinor: amount, used: { count, amountMinor: used } },
      );

      const overCap = cap !== undefined && amount > cap;
      const overThreshold = threshold !== undefined && amount > threshold;
      const overPresenceCap = presenceCap === undefined ? overCap : amount > presenceCap;
      const refused = presence === 'never' ? overCap || overThreshold : overPresenceCap;
      const expected = [
        ...(refused ? ['AMOUNT_OVER_CAP'] : []),
        ...(maxTransactions !== undefined && count + 1 > maxTransactions ? ['VELOCITY_EXCEEDED'] : []),
        ...(maxAmount !== undefined && used + amount > maxAmount ? ['SPENDING_LIMIT_EXCEEDED'] : []),
      ];
      assert.deepEqual(Object.keys(evaluation.details), expected);
      const asked = presence === 'required' || (presence !== 'never' && (overCap || overThreshold));
      assert.equal(evaluation.hpRequired, asked);
    }),
    { numRuns: 1000 },
  );
});
