/** risk.limits: what is refused and in which words, what a person lets pass, what is left, and which lists are taken. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareRules } from '../../../../protocol/policy/compareRules.ts';
import { compilePolicy } from '../../../../protocol/policy/compile.ts';
import { warningsOf } from '../../../../protocol/policy/contradictions.ts';
import { counterfactualOf } from '../../../../protocol/policy/counterfactual.ts';
import { checkInput, evaluate } from '../../../../protocol/policy/evaluate.ts';
import { laterUse } from '../../../../protocol/policy/laterUse.ts';
import { leftAfterText, limitUseFacts, limitUseIn } from '../../../../protocol/policy/limitUse.ts';
import { Rules } from '../../../../protocol/policy/rules.ts';
import { ruleTable } from '../../../../protocol/policy/ruleTable.ts';
import { isAsTight, limitsFor, VelocityLimit } from '../../../../protocol/policy/values/spendingLimit.ts';
import { causesOf, codesOf, inputOf, judge, NOON, type RulesInput, rulesOf } from '../judge.ts';

type Limits = NonNullable<NonNullable<RulesInput['risk']>['limits']>;
const rules = (limits: Limits, more: RulesInput = {}): RulesInput => ({
  spend: { currency: 'USD' },
  risk: { limits },
  ...more,
});
const MONTH = { name: 'month', max_amount: 100, window: 'month' };
const used = (count: number, amount: number) => ({ used: { count, amountMinor: amount * 100 } });

describe('a limit', () => {
  test('allows what fits to the cent, and refuses one cent more', () => {
    assert.deepEqual(codesOf(rules([MONTH]), { ...used(1, 90) }), []);
    assert.deepEqual(codesOf(rules([MONTH]), { ...used(1, 90), amountMinor: 1001 }), ['SPENDING_LIMIT_EXCEEDED']);
    const few = { name: 'few', max_transactions: 2, window: 'day' };
    assert.deepEqual(codesOf(rules([few]), used(1, 0)), []);
    assert.deepEqual(codesOf(rules([few]), used(2, 0)), ['VELOCITY_EXCEEDED']);
    assert.deepEqual(codesOf(rules([{ ...few, max_transactions: 0 }])), ['VELOCITY_EXCEEDED']);
  });

  test('tells what was asked, what is used and left, and when its period ends', () => {
    const { details } = judge(rules([MONTH]), { ...used(3, 95) });
    assert.deepEqual(details.SPENDING_LIMIT_EXCEEDED, {
      requested: 105,
      limit: 100,
      used: 95,
      left: 5,
      currency: 'USD',
      resetsInSeconds: 16.5 * 24 * 3600,
      message: '10.00 USD would make it 105.00 USD this month; the limit “month” is 100.00 USD.',
    });
    const sliding = judge(rules([{ ...MONTH, window: '7d' }]), used(3, 95)).details.SPENDING_LIMIT_EXCEEDED;
    assert.equal(sliding?.resetsInSeconds, undefined);
    assert.match(String(sliding?.message), /within 7 days; /);
  });

  test('is told that is passed furthest as a share of it, and all that failed are listed', () => {
    const list = [{ ...MONTH, name: 'wide', max_amount: 1000 }, MONTH, { ...MONTH, name: 'fits', max_amount: 5000 }];
    const { details, limits } = judge(rules(list), used(1, 995));
    assert.match(String(details.SPENDING_LIMIT_EXCEEDED?.message), /“month”/);
    assert.deepEqual(
      limits.map(({ name, used: taken, left }) => [name, taken, left]),
      [
        ['wide', 995, 5],
        ['month', 995, 0],
      ],
    );
  });

  test('at a merchant or of a category is about purchases there alone, once those are known', () => {
    const at = (merchant: string) => rules([{ ...MONTH, merchant }]);
    const full = { ...used(1, 100), merchantDomain: 'shop.example' };
    assert.deepEqual(codesOf(at('shop.example'), full), ['SPENDING_LIMIT_EXCEEDED']);
    assert.deepEqual(codesOf(at('Shop.Example.'), full), ['SPENDING_LIMIT_EXCEEDED']);
    assert.deepEqual(codesOf(at('*.shop.example'), full), []);
    assert.deepEqual(codesOf(at('*.shop.example'), { ...full, merchantDomain: 'a.b.shop.example' }).length, 1);
    assert.deepEqual(codesOf(at('*.shop.example'), { ...full, merchantDomain: 'ashop.example' }), []);
    assert.deepEqual(codesOf(at('shop.example'), used(1, 100)), []);
    const shop = rules([{ ...MONTH, merchant: ['shop.example', '*.Shop.example'] }]);
    for (const merchantDomain of ['shop.example', 'www.shop.example']) {
      assert.deepEqual(codesOf(shop, { ...full, merchantDomain }), ['SPENDING_LIMIT_EXCEEDED']);
    }
    assert.deepEqual(codesOf(shop, { ...full, merchantDomain: 'ashop.example' }), []);
    const { details, limits: told } = judge(shop, full);
    assert.match(String(details.SPENDING_LIMIT_EXCEEDED?.message), /this month at shop\.example or \*\.shop\.example;/);
    assert.equal(told[0]?.merchant, 'shop.example, *.shop.example');
    const groceries = rules([{ ...MONTH, category: 'groceries' }]);
    assert.equal(codesOf(groceries, { ...used(1, 100), mcc: '5411' }).length, 1);
    assert.deepEqual(codesOf(groceries, { ...used(1, 100), mcc: '5812' }), []);
    assert.deepEqual(codesOf(groceries, used(1, 100)), []);
  });

  test('counts its own currency alone, and is not about another', () => {
    const yen = { risk: { limits: [{ ...MONTH, currency: 'JPY' }] } };
    assert.deepEqual(codesOf(yen, used(1, 100)), []);
    assert.deepEqual(codesOf(yen, { currency: 'JPY', amountMinor: 101 }), ['SPENDING_LIMIT_EXCEEDED']);
  });

  test('with presence asks a person, and refuses where no person may be asked', () => {
    const asking = { ...MONTH, action: 'presence' as const };
    const evaluation = judge(rules([asking]), used(1, 100));
    assert.deepEqual([evaluation.details, evaluation.limits, evaluation.overLimits], [{}, [], ['month']]);
    assert.deepEqual(causesOf(rules([asking]), used(1, 100)), ['limit']);
    assert.deepEqual(causesOf(rules([asking]), used(1, 90)), []);
    const never = rules([asking], { context: { presence: 'never' } });
    assert.deepEqual(codesOf(never, used(1, 100)), ['SPENDING_LIMIT_EXCEEDED']);
  });

  test('of which the least share is left is what remains, after the purchase', () => {
    const list = [MONTH, { name: 'few', max_transactions: 4, window: 'day' }];
    const { remaining } = judge(rules(list), used(1, 10));
    assert.deepEqual([remaining?.name, remaining?.measure, remaining?.left], ['few', 'purchases', 2]);
    assert.equal(judge({}).remaining, undefined);
  });

  test('leaves the smallest sum before one refuses: not of what only asks, and of purchases where none is left', () => {
    const leftAfter = (list: Limits, count: number, spent: number) =>
      leftAfterText(inputOf(rules(list), used(count, spent)));
    const asking = { name: 'asking', max_amount: 50, window: 'day', action: 'presence' as const };
    const year = { name: 'year', max_amount: 60, window: 'year' };
    const few = (most: number) => ({ name: 'few', max_transactions: most, window: 'day' });
    assert.equal(leftAfter([asking], 1, 10), undefined);
    assert.deepEqual(leftAfter([asking, few(3), MONTH, year], 1, 10), {
      left: '40.00 USD of 60.00 USD this year',
    });
    assert.deepEqual(leftAfter([few(3)], 1, 10), { left: '1 purchase of 3 today' });
    const over = '. The next purchase that counts is refused.';
    assert.deepEqual(leftAfter([few(2), MONTH], 1, 10), { left: `0 purchases of 2 today${over}`, usedUp: true });
    assert.deepEqual(leftAfter([MONTH], 1, 90), {
      left: `0.00 USD of 100.00 USD this month${over}`,
      usedUp: true,
    });
  });

  test('is recorded with a decision, and read back', () => {
    const policy = compilePolicy(rulesOf(rules([MONTH], { risk: { limits: [MONTH], velocity_limit: WINDOW } })));
    const limits = limitsFor(policy).map((limit) => ({ limit, count: 3, amountMinor: 4250 }));
    const recorded = limitUseFacts(limits, 'USD');
    assert.deepEqual(recorded, { limitUse: [{ name: 'month', purchases: 3, amount: 42.5 }] });
    const [read, ...more] = limitUseIn(recorded, limitsFor(policy), 'USD');
    assert.deepEqual([read?.limit.name, read?.count, read?.amountMinor, more], ['month', 3, 4250, []]);
    assert.deepEqual(limitUseIn({ limitUse: 'x' }, limitsFor(policy), 'USD'), []);
  });
});

const WINDOW = { max_transactions: 3, time_window: '1h' };

test('what would pass is a smaller amount, a later time, or no other way', () => {
  const policy = compilePolicy(rulesOf(rules([MONTH])));
  const [limit] = limitsFor(policy);
  assert.ok(limit);
  const request = { amountMinor: 3000, currency: 'USD' };
  const at = (count: number, amountMinor: number) => {
    const leaving = [{ at: NOON - 3_600_000, count, currency: 'USD', amountMinor }];
    const later = laterUse('USD', [{ limit, count, amounts: { USD: amountMinor }, leaving }]);
    const facts = { limits: later.at(NOON), newMerchant: false, paidAmountsMinor: [] };
    return counterfactualOf({ policy, request, facts, later, now: NOON, person: 'later' });
  };
  assert.deepEqual(
    at(1, 8000)?.alone.map(({ change, amount, from }) => [change, amount ?? from]),
    [
      ['amount', 20],
      ['time', '2025-02-01T00:00:00.000Z'],
    ],
  );
  assert.deepEqual(
    at(1, 10_000)?.alone.map(({ change }) => change),
    ['time'],
  );
});

test('an agent’s own limits take the place of the policy’s for each agent, and leave those that agents share', () => {
  const shared = { ...MONTH, name: 'all', scope: 'policy' as const };
  const policy = compilePolicy(
    rulesOf(rules([MONTH, shared], { risk: { limits: [MONTH, shared], velocity_limit: WINDOW } })),
  );
  const namesFor = (own: object) => limitsFor(policy, VelocityLimit.parse(own)).map(({ name }) => name);
  const own = { name: 'own', maxAmount: 5, window: 'day' };
  assert.deepEqual(namesFor({ limits: [own] }), ['velocity_limit', 'own', 'all']);
  assert.deepEqual(namesFor({ limits: [] }), ['velocity_limit', 'all']);
  assert.deepEqual(namesFor({ maxTransactions: 1, timeWindow: '1h' }), ['velocity_limit', 'month', 'all']);
});

test('limits are as tight as others where each of those has one that counts as much and allows no more', () => {
  const limits = (...own: object[]) => limitsFor(compilePolicy(rulesOf({})), VelocityLimit.parse({ limits: own }));
  const day = { name: 'day', maxAmount: 10, window: 'day' };
  const isTighter = (next: readonly object[], former: readonly object[]) =>
    isAsTight(limits(...next), limits(...former));
  assert.ok(isTighter([day], [day]) && isTighter([day], []) && !isTighter([], [day]));
  assert.ok(isTighter([{ ...day, maxAmount: 9 }], [day]) && !isTighter([{ ...day, maxAmount: 11 }], [day]));
  assert.ok(isTighter([{ ...day, maxTransactions: 1 }], [day]) && !isTighter([{ ...day, window: 'week' }], [day]));
  assert.ok(!isTighter([{ ...day, merchant: 'shop.example' }], [day]));
  assert.ok(isTighter([day], [{ ...day, merchant: 'shop.example' }]));
  assert.ok(
    isTighter([{ ...day, merchant: ['shop.example', '*.shop.example'] }], [{ ...day, merchant: 'shop.example' }]),
  );
  assert.ok(
    !isTighter([{ ...day, merchant: 'shop.example' }], [{ ...day, merchant: ['shop.example', '*.shop.example'] }]),
  );
  assert.ok(!isTighter([{ ...day, category: 'books' }], [day]));
  assert.ok(!isTighter([{ ...day, action: 'presence' }], [day]) && isTighter([day], [{ ...day, action: 'presence' }]));
  const [two, one] = [
    { ...day, window: '2h' },
    { ...day, window: '1h' },
  ];
  assert.ok(isTighter([two], [one]) && !isTighter([one], [two]));
});

test('a change is looser where a limit goes, grows or counts something else, tighter where one comes or shrinks', () => {
  const of = (former: Limits, next: Limits) =>
    compareRules(rulesOf(rules(former)), rulesOf(rules(next))).map(({ direction }) => direction);
  assert.deepEqual(of([MONTH], []), ['looser']);
  assert.deepEqual(of([], [MONTH]), ['tighter']);
  assert.deepEqual(of([MONTH], [{ ...MONTH, max_amount: 99 }]), ['tighter']);
  assert.deepEqual(of([MONTH], [{ ...MONTH, max_amount: 101 }]), ['looser']);
  assert.deepEqual(of([MONTH], [{ ...MONTH, timezone: 'Asia/Tokyo' }]), ['looser']);
  assert.deepEqual(of([MONTH], [{ ...MONTH, name: 'other' }]), ['other']);
  assert.deepEqual(of([MONTH], [{ ...MONTH, action: 'presence' }]), ['looser']);
});

test('a list that names two limits alike, an amount that a currency does not have, or a zone for a duration is not taken', () => {
  const issueOf = (limits: unknown) => {
    const parsed = Rules.safeParse({ version: '2.0', spend: { currency: 'USD' }, risk: { limits } });
    const [issue] = parsed.error?.issues ?? [];
    return issue === undefined ? undefined : `${issue.path.join('.')}: ${issue.message}`;
  };
  assert.equal(issueOf([MONTH]), undefined);
  assert.match(String(issueOf([MONTH, { ...MONTH, window: 'day' }])), /^risk\.limits\.1\.name: must be different/);
  assert.match(String(issueOf([{ ...MONTH, name: 'velocity_limit' }])), /^risk\.limits\.0\.name: must not be/);
  assert.match(String(issueOf([{ ...MONTH, name: ' x' }])), /visible/);
  assert.match(String(issueOf([{ ...MONTH, max_amount: 0.001 }])), /^risk\.limits\.0\.max_amount: .*decimals/);
  assert.equal(issueOf([{ ...MONTH, max_amount: 0.001, currency: 'KWD' }]), undefined);
  assert.match(String(issueOf([{ ...MONTH, max_amount: 1e15 }])), /^risk\.limits\.0\.max_amount/);
  assert.match(
    String(issueOf([{ ...MONTH, window: '24h', timezone: 'UTC' }])),
    /^risk\.limits\.0\.timezone: must be absent/,
  );
  assert.match(String(issueOf([{ name: 'none', window: 'day' }])), /needs max_transactions, max_amount or both/);
  assert.match(String(issueOf([{ ...MONTH, window: '400d' }])), /^risk\.limits\.0\.window: must be day, week/);
  assert.match(String(issueOf([{ ...MONTH, category: 'magic' }])), /^risk\.limits\.0\.category: must be one of/);
  assert.match(String(issueOf([{ ...MONTH, merchant: 'https://shop' }])), /^risk\.limits\.0\.merchant/);
  assert.match(String(issueOf([{ ...MONTH, unknown: 1 }])), /unknown/i);
  assert.match(String(issueOf(Array.from({ length: 21 }, (_, n) => ({ ...MONTH, name: `n${n}` })))), /20/);
});

test('what contradicts the rest of the policy is said', () => {
  const warned = (limits: Limits, more: RulesInput = {}) =>
    warningsOf(rulesOf(rules(limits, more))).map(({ path }) => path);
  assert.deepEqual(warned([MONTH]), []);
  assert.deepEqual(warned([{ ...MONTH, currency: 'EUR' }]), ['risk.limits.0.currency']);
  assert.deepEqual(warned([{ ...MONTH, max_transactions: 0 }]), ['risk.limits.0.max_transactions']);
  const never = { spend: { currency: 'USD' }, context: { presence: 'never' as const } };
  assert.deepEqual(warned([{ ...MONTH, action: 'presence' }], never), ['risk.limits.0.action']);
});

test('the figures of a person who is asked are those of the limit that asks, whatever else is nearly used up', () => {
  const asking = { name: 'sum', max_amount: 180, window: 'month', action: 'presence' as const };
  const few = { name: 'few', max_transactions: 4, window: 'month', action: 'presence' as const };
  const policy = compilePolicy(rulesOf(rules([few, asking])));
  const uses = limitsFor(policy).map((limit) => ({ limit, count: 2, amountMinor: 17_000 }));
  const facts = { limits: uses, newMerchant: false, paidAmountsMinor: [] };
  const input = checkInput(policy, { amountMinor: 28_400, currency: 'USD' }, facts, NOON);
  const rows = ruleTable(input, evaluate(policy, input.request, facts, NOON));
  const row = rows.find(({ rule }) => rule === 'limit');
  assert.deepEqual([row?.outcome, row?.asked, row?.limit, row?.left, row?.currency], ['person', 454, 180, -274, 'USD']);
});
