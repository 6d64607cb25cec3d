/** The same purchase again: how many, how old, above which amount, and what follows. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compilePolicy } from '../../../../protocol/policy/compile.ts';
import { counterfactualOf } from '../../../../protocol/policy/counterfactual.ts';
import type { SameBefore } from '../../../../protocol/policy/values/samePurchase.ts';
import { causesOf, codesOf, judge, NOON, type RulesInput, rulesOf } from '../judge.ts';

type Rule = NonNullable<NonNullable<RulesInput['risk']>['duplicate']>;

const rule = (more: Partial<Rule> = {}): RulesInput => ({
  risk: { duplicate: { window: '10m', action: 'deny', ...more } },
});
const before = (count: number, secondsAgo = 41, status: SameBefore['status'] = 'CAPTURED'): SameBefore => ({
  count,
  latestAt: NOON - secondsAgo * 1000,
  status,
});

describe('a purchase', () => {
  const cases: [string, RulesInput, SameBefore | undefined, number, boolean][] = [
    ['that is the first passes', rule(), { count: 0 }, 1000, false],
    ['that was made before does not', rule(), before(1), 1000, true],
    ['passes as long as it is not known what it is of', rule(), undefined, 1000, false],
    ['passes where no rule is set', {}, before(9), 1000, false],
    ['of just the amount above which is asked passes', rule({ above: 10 }), before(1), 1000, false],
    ['of a cent more does not', rule({ above: 10 }), before(1), 1001, true],
    ['that is the last of those allowed passes', rule({ max: 3 }), before(2), 1000, false],
    ['that is one more than allowed does not', rule({ max: 3 }), before(3), 1000, true],
    ['that was made just within the window does not', rule(), before(1, 599.999), 1000, true],
    ['that was made before the window passes', rule(), before(1, 600), 1000, false],
    ['of unknown outcome counts however old it is', rule(), before(1, 86_400, 'UNKNOWN'), 1000, true],
    ['that was approved counts while its token lives', rule({ window: '1s' }), before(1, 60, 'APPROVED'), 1000, true],
  ];
  for (const [name, rules, sameBefore, amountMinor, refused] of cases) {
    test(name, () =>
      assert.deepEqual(codesOf(rules, { sameBefore, amountMinor }), refused ? ['DUPLICATE_SUSPECTED'] : []),
    );
  }
});

test('a refusal says when the same was bought, what became of it, and how many are allowed', () => {
  const detail = (same: SameBefore, more?: Partial<Rule>) =>
    judge(rule(more), { sameBefore: same }).details.DUPLICATE_SUSPECTED;
  assert.deepEqual(detail(before(1)), {
    requested: 2,
    limit: 1,
    message: 'The same was bought 41 seconds ago and is captured.',
  });
  const messages: [SameBefore, string][] = [
    [before(3, 120), 'The same was bought 3 times, the last time 2 minutes ago and is captured.'],
    [before(1, 0, 'PENDING'), 'The same was bought a moment ago and is with the rail.'],
    [before(1, -5), 'The same was bought a moment ago and is captured.'],
    [before(1, 3600, 'APPROVED'), 'The same was approved 1 hour ago and is not paid yet.'],
    [
      before(1, 172_800, 'UNKNOWN'),
      'The same was bought 2 days ago, and the rail has not said what became of it. Wait for its outcome, or have it reconciled.',
    ],
    [
      before(2, 61, 'UNKNOWN'),
      'The same was bought 2 times, the last time 1 minute ago, and the rail has not said what became of one of them. Wait for its outcome, or have it reconciled.',
    ],
    [{ count: 1 }, 'The same was bought before.'],
  ];
  for (const [same, message] of messages) assert.equal(detail(same)?.message, message);
});

test('the same again asks for a person where the rule says so', () => {
  const rules = rule({ action: 'presence' });
  const evaluation = judge(rules, { sameBefore: before(1) });
  assert.deepEqual(evaluation.details, {});
  assert.deepEqual(evaluation.presenceCauses, [{ cause: 'duplicate', message: 'You bought the same 41 seconds ago.' }]);
  assert.deepEqual(causesOf(rules, { sameBefore: { count: 0 } }), []);
  assert.deepEqual(causesOf(rule(), { sameBefore: before(1) }), []);
});

test('the same again is refused where a person should be asked and none can be', () => {
  const rules: RulesInput = { ...rule({ action: 'presence' }), context: { presence: 'never' } };
  assert.deepEqual(codesOf(rules, { sameBefore: before(1) }), ['DUPLICATE_SUSPECTED']);
  assert.deepEqual(codesOf(rules, { sameBefore: { count: 0 } }), []);
});

test('amounts in another currency than the policy’s are not compared', () => {
  const rules: RulesInput = { spend: { currency: 'EUR' }, ...rule() };
  assert.deepEqual(codesOf(rules, { sameBefore: before(1) }), ['CURRENCY_NOT_ALLOWED']);
});

describe('what would have passed', () => {
  const passes = (sameBefore: SameBefore) => {
    const policy = compilePolicy(rulesOf({ spend: { amount_cap: 100 }, ...rule() }));
    const request = { amountMinor: 1000, currency: 'USD' };
    const facts = { limits: [], newMerchant: false, paidAmountsMinor: [], sameBefore };
    return counterfactualOf({ policy, request, facts, now: NOON, person: 'absent' });
  };

  test('is the same purchase once the window of the latest is over, and no other amount', () => {
    assert.deepEqual(
      passes(before(1))?.alone.map(({ change, from }) => [change, from]),
      [['time', new Date(NOON - 41_000 + 600_000).toISOString()]],
    );
  });

  test('is nothing while an outcome is unknown', () => {
    const found = passes(before(1, 41, 'UNKNOWN'));
    assert.deepEqual([found?.alone, found?.together], [[], []]);
  });
});
