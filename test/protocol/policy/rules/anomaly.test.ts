/** Unusual amounts: how far above the mean, with how much history, and what follows. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { causesOf, codesOf, judge, type RulesInput } from '../judge.ts';

const rule = (max_deviation: number, action: 'deny' | 'presence' = 'deny', min_history = 4): RulesInput => ({
  risk: { anomaly: { min_history, max_deviation, action } },
});
/** mean 5000, population deviation 2000 */
const PAID = [2_000, 4_000, 4_000, 4_000, 5_000, 5_000, 7_000, 9_000];

describe('an amount', () => {
  const cases: [string, RulesInput, readonly number[], number, boolean][] = [
    ['just so far above the mean is usual', rule(2), PAID, 9_000, false],
    ['one cent further stands out', rule(2), PAID, 9_001, true],
    ['above the mean stands out where no deviation is allowed', rule(0), PAID, 5_001, true],
    ['at the mean is usual where no deviation is allowed', rule(0), PAID, 5_000, false],
    ['far below the mean is usual', rule(2), PAID, 1, false],
    ['like all before is usual', rule(3), [999, 999, 999, 999], 999, false],
    ['above others that were all alike stands out', rule(3), [999, 999, 999, 999], 1_000, true],
    [
      'above others alike and huge stands out',
      rule(3),
      Array(50).fill(9_007_199_254_740_990),
      9_007_199_254_740_991,
      true,
    ],
    [
      'like others alike and huge is usual',
      rule(3),
      Array(50).fill(9_007_199_254_740_989),
      9_007_199_254_740_989,
      false,
    ],
    ['is usual before there is enough history', rule(0, 'deny', 9), PAID, 1_000_000, false],
    ['is judged as soon as there is enough history', rule(0, 'deny', 8), PAID, 1_000_000, true],
    ['is usual without any history', rule(0, 'deny', 1), [], 1_000_000, false],
    ['is usual without a rule', {}, PAID, 1_000_000, false],
  ];
  for (const [name, rules, paid, amountMinor, unusual] of cases) {
    test(name, () => assert.deepEqual(codesOf(rules, { paid, amountMinor }), unusual ? ['ANOMALY_DETECTED'] : []));
  }
});

test('a refusal says what would have been usual', () => {
  assert.deepEqual(judge(rule(2), { paid: PAID, amountMinor: 15_000 }).details.ANOMALY_DETECTED, {
    requested: 150,
    limit: 90,
    currency: 'USD',
    message: "150.00 USD is 60.00 over what is usual, at most 90.00. The agent's last payments average 50.00 USD.",
  });
});

test('an unusual amount asks for a person where the rule says so', () => {
  const situation = { paid: PAID, amountMinor: 9_001 };
  assert.deepEqual(codesOf(rule(2, 'presence'), situation), []);
  assert.deepEqual(causesOf(rule(2, 'presence'), situation), ['anomaly']);
  assert.deepEqual(causesOf(rule(2, 'deny'), situation), []);
  assert.deepEqual(causesOf(rule(2, 'presence'), { ...situation, amountMinor: 9_000 }), []);
});

test('an unusual amount is refused where a person should be asked and none can be', () => {
  const rules: RulesInput = { ...rule(2, 'presence'), context: { presence: 'never' } };
  assert.deepEqual(codesOf(rules, { paid: PAID, amountMinor: 9_001 }), ['ANOMALY_DETECTED']);
  assert.deepEqual(codesOf(rules, { paid: PAID, amountMinor: 9_000 }), []);
});
