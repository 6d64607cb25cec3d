/** Limits over time: how often, how much, and whose limit holds. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compilePolicy } from '../../../../protocol/policy/compile.ts';
import { evaluate } from '../../../../protocol/policy/evaluate.ts';
import { limitsFor } from '../../../../protocol/policy/values/spendingLimit.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { codesOf, judge, NOON, type RulesInput, rulesOf } from '../judge.ts';

const ten: RulesInput = { risk: { velocity_limit: { max_transactions: 10, time_window: '1h' } } };
const hundred: RulesInput = { risk: { velocity_limit: { max_amount: 100, time_window: '24h' } } };
const MAX = Number.MAX_SAFE_INTEGER;

describe('a purchase', () => {
  const cases: [string, RulesInput, number, number, number, string[]][] = [
    ['that is the tenth of ten is allowed', ten, 9, 0, 1, []],
    ['that is the eleventh of ten is refused', ten, 10, 0, 1, ['VELOCITY_EXCEEDED']],
    ['of any amount counts for one', ten, 9, 0, MAX, []],
    [
      'under a limit of none is refused',
      { risk: { velocity_limit: { max_transactions: 0, time_window: '1h' } } },
      0,
      0,
      1,
      ['VELOCITY_EXCEEDED'],
    ],
    ['that reaches the amount is allowed', hundred, 3, 6_000, 4_000, []],
    ['one cent over the amount is refused', hundred, 3, 6_000, 4_001, ['SPENDING_LIMIT_EXCEEDED']],
    ['alone over the amount is refused', hundred, 0, 0, 10_001, ['SPENDING_LIMIT_EXCEEDED']],
    ['after more than the amount is refused', hundred, 3, 20_000, 1, ['SPENDING_LIMIT_EXCEEDED']],
    ['that is too many for numbers is refused', hundred, 3, MAX, MAX, ['SPENDING_LIMIT_EXCEEDED']],
    [
      'over both limits is refused for both',
      { risk: { velocity_limit: { max_transactions: 1, max_amount: 1, time_window: '1h' } } },
      1,
      100,
      1,
      ['VELOCITY_EXCEEDED', 'SPENDING_LIMIT_EXCEEDED'],
    ],
    ['without limits is allowed', {}, 1_000_000, MAX, MAX, []],
  ];
  for (const [name, rules, count, used, amountMinor, codes] of cases) {
    test(name, () => assert.deepEqual(codesOf(rules, { amountMinor, used: { count, amountMinor: used } }), codes));
  }
});

test('a refusal says what the window would have come to', () => {
  assert.deepEqual(judge(ten, { used: { count: 10, amountMinor: 0 } }).details.VELOCITY_EXCEEDED, {
    requested: 11,
    limit: 10,
    used: 10,
    left: 0,
    message: 'This would be purchase 11 within 1 hour; the limit is 10.',
  });
  assert.deepEqual(
    judge(hundred, { amountMinor: 4_001, used: { count: 3, amountMinor: 6_000 } }).details.SPENDING_LIMIT_EXCEEDED,
    {
      requested: 100.01,
      limit: 100,
      used: 60,
      left: 40,
      currency: 'USD',
      message: '40.01 USD would make it 100.01 USD within 1 day; the limit is 100.00 USD.',
    },
  );
});

test('the number of purchases is limited even in a currency that is refused', () => {
  const codes = codesOf(
    { ...ten, spend: { currency: 'USD' } },
    { currency: 'EUR', used: { count: 10, amountMinor: 0 } },
  );
  assert.deepEqual(codes, ['CURRENCY_NOT_ALLOWED', 'VELOCITY_EXCEEDED']);
});

describe('the limits of an agent', () => {
  const own = { maxTransactions: 2, timeWindow: '30m' };
  const ownCompiled = { scope: 'agent', window: '30m', maxTransactions: 2 };
  const perAgent = { scope: 'agent', window: '1h', maxTransactions: 10 };
  const together: RulesInput = {
    risk: { velocity_limit: { max_transactions: 10, max_amount: 5.5, time_window: '1h', scope: 'policy' } },
  };
  const all = { scope: 'policy', window: '1h', maxTransactions: 10, maxAmount: 5.5 };
  const limits = (rules: RulesInput, velocity?: typeof own) =>
    limitsFor(compilePolicy(rulesOf(rules)), velocity).map(({ scope, window, maxTransactions, maxAmount }) =>
      compact({ scope, window: window.text, maxTransactions, maxAmount }),
    );

  test('are none where none was set', () => assert.deepEqual(limits({}), []));
  test("are the policy's, per agent unless it says otherwise", () => assert.deepEqual(limits(ten), [perAgent]));
  test("are its own in place of the policy's per agent", () => assert.deepEqual(limits(ten, own), [ownCompiled]));
  test("are its own beside the policy's for all", () => assert.deepEqual(limits(together, own), [all, ownCompiled]));
  test('are its own where the policy has none', () => assert.deepEqual(limits({}, own), [ownCompiled]));

  test('each hold when there are two', () => {
    const policy = compilePolicy(rulesOf(together));
    const [shared, single] = limitsFor(policy, own);
    assert.ok(shared !== undefined && single !== undefined);
    const verdict = (sharedCount: number, ownCount: number) => {
      const limits = [
        { limit: shared, count: sharedCount, amountMinor: 0 },
        { limit: single, count: ownCount, amountMinor: 0 },
      ];
      const facts = { limits, newMerchant: false, paidAmountsMinor: [] };
      return evaluate(policy, { amountMinor: 1, currency: 'USD' }, facts, NOON).details.VELOCITY_EXCEEDED?.message;
    };
    assert.equal(verdict(9, 1), undefined);
    assert.equal(verdict(10, 1), 'This would be purchase 11 within 1 hour for all agents together; the limit is 10.');
    assert.equal(verdict(9, 2), 'This would be purchase 3 within 30 minutes; the limit is 2.');
  });
});
