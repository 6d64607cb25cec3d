/** A budget of a draft: its sentence, its name, what it lacks, what it changes of a policy, and whom it stops. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { budgetName, budgetSentence, budgetText } from '../../console/parts/limits/budgetText.ts';
import {
  countedBy,
  countingOf,
  EVERYTHING,
  MERCHANT,
  merchantsIn,
  saysMore,
  withChange,
} from '../../console/parts/limits/writtenBudget.ts';
import { readRules } from '../../console/proofs/draftRules.ts';
import { changedSentences, sentencesFor } from '../../console/proofs/ruleSentences.ts';
import { budgetAt, NEW_BUDGET, withMissing } from '../../console/screens/policy/draft/form/budget.ts';
import { stopText } from '../../console/screens/policy/draft/stopText.ts';
import { groupsOf } from '../../console/screens/policy/ruleGroups.ts';
import { MEMBERS } from '../../protocol/policy/ruleMembers.ts';
import type { Rules } from '../../protocol/policy/rules.ts';
import { CATEGORY_NAMES } from '../../protocol/policy/values/category.ts';
import { LimitName } from '../../protocol/policy/values/spendingLimit.ts';

const rulesOf = (limits: readonly object[]): Rules =>
  ({ version: '2.0', spend: { currency: 'USD' }, risk: { limits } }) as unknown as Rules;

test('a budget is one sentence that says how much, how long, on what, for whom, and what becomes of more', () => {
  const said = (budget: object) => budgetSentence({ ...budget, name: 'x' }, 'USD');
  assert.equal(
    said({ max_amount: 400, window: 'month', category: 'general_merchandise', scope: 'policy' }),
    '400.00 USD per month on general merchandise for all agents together; above it a purchase is refused (“x”).',
  );
  assert.equal(
    said({ max_amount: 400, window: 'month' }),
    '400.00 USD per month on everything for each agent; above it a purchase is refused (“x”).',
  );
  assert.equal(
    said({
      max_amount: 5,
      max_transactions: 1,
      currency: 'JPY',
      window: '24h',
      merchant: ['a.example', '*.a.example'],
      scope: 'principal',
      action: 'presence',
    }),
    '5 JPY and 1 purchase in 1 day at a.example or *.a.example for the agents of each person or company together; above it a person is asked (“x”).',
  );
  assert.equal(
    budgetText({ max_amount: 3, window: 'day', timezone: 'Asia/Tokyo' }),
    '3 of each currency per day (Asia/Tokyo) on everything for each agent',
  );
  assert.equal(budgetText(NEW_BUDGET, 'USD'), 'A budget per month');
});

test('the name of a budget is made from its sentence, follows it, is no other budget’s, and stays once it is given', () => {
  const filled = [{ max_amount: 400 }, { category: 'groceries' }, { scope: 'policy' }].reduce(
    (budget, change) => withChange(budget, change, []),
    NEW_BUDGET,
  );
  assert.deepEqual(filled, {
    name: 'Groceries per month',
    window: 'month',
    category: 'groceries',
    scope: 'policy',
    max_amount: 400,
  });
  assert.equal(withChange(filled, { scope: 'agent' }, [])['name'], 'Groceries per month, each agent');
  assert.equal(withChange(filled, { window: 'week' }, ['Groceries per week'])['name'], 'Groceries per week 2');
  const given = withChange(filled, { name: 'food' }, []);
  assert.equal(withChange(given, { window: 'week' }, [])['name'], 'food');
  assert.equal(withChange(given, { name: undefined }, [])['name'], 'Groceries per month');
});

test('each budget gives a name that the schema takes', () => {
  const budgets = fc.record(
    {
      max_amount: fc.nat(),
      max_transactions: fc.nat(),
      window: fc.constantFrom('', 'day', 'quarter', '24h', 'fortnight'),
      scope: fc.constantFrom('', 'agent', 'principal', 'policy'),
      merchant: fc.oneof(fc.constant(''), fc.domain(), fc.array(fc.domain(), { minLength: 1 })),
      category: fc.constantFrom('', ...CATEGORY_NAMES),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(budgets, (budget) => {
      assert.ok(LimitName.safeParse(budgetName(budget)).success, budgetName(budget));
      const others = [budgetName(budget)];
      assert.ok(!others.includes(budgetName(budget, others)));
    }),
  );
});

test('what is not chosen yet is refused, and said in words of the budget’s sentence', () => {
  const lacks = (budget: object) => {
    const json = rulesOf([{ ...budget, name: 'x' }]);
    const read = readRules(json);
    return read.ok ? [] : withMissing(json, read.problems).map(({ path, message }) => `${path.slice(14)} ${message}`);
  };
  const whole = { max_amount: 400, window: 'month', category: 'groceries', scope: 'policy' };
  assert.deepEqual(lacks(whole), []);
  assert.deepEqual(lacks(NEW_BUDGET), [
    'max_amount Say how much money, or under More how many purchases.',
    'category Choose what counts: everything, a category or a merchant.',
    'scope Choose whose purchases count.',
  ]);
  assert.deepEqual(lacks({ ...whole, scope: '' }), ['scope Choose whose purchases count.']);
  assert.deepEqual(lacks({ ...whole, window: '' }), ['window Choose a period.']);
  assert.deepEqual(lacks({ ...whole, category: undefined, merchant: '' }), [
    'merchant Name the merchant, such as shop.example.',
  ]);
  assert.match(lacks({ ...whole, window: 'fortnight' }).join(), /^window must be day, week/);
  assert.equal(
    budgetAt(rulesOf([{ ...whole, scope: '' }]), 'risk.limits.0.scope'),
    '400.00 USD per month on groceries',
  );
  assert.equal(budgetAt({}, 'spend.amount_cap'), undefined);
});

test('what a budget counts is everything, a category or a merchant; a merchant beside a category stays with the next one', () => {
  assert.deepEqual(
    [{}, { merchant: '' }, { category: '' }, { category: 'books', merchant: 'a.example' }].map(countedBy),
    [EVERYTHING, MERCHANT, '', 'books'],
  );
  const both = { category: 'books', merchant: 'a.example' };
  assert.deepEqual(countingOf(both, 'toys'), { category: 'toys', merchant: 'a.example' });
  assert.deepEqual(countingOf({ merchant: 'a.example' }, 'toys'), { category: 'toys', merchant: undefined });
  assert.deepEqual(countingOf(both, EVERYTHING), { category: undefined, merchant: undefined });
  assert.deepEqual(countingOf(both, MERCHANT), { category: undefined, merchant: '' });
  assert.deepEqual(['', 'a.example, ', 'a.example b.example'].map(merchantsIn), [
    '',
    'a.example',
    ['a.example', 'b.example'],
  ]);
});

test('a budget says more than its sentence by a number of purchases, a time zone, and a shop of a category', () => {
  const month = { max_amount: 5, window: 'month' };
  assert.deepEqual(
    [month, { ...month, timezone: 'UTC' }, { ...month, merchant: 'a.example' }, { ...month, category: 'toys' }].map(
      saysMore,
    ),
    [false, false, false, false],
  );
  assert.deepEqual(
    [{ max_transactions: 0 }, { ...month, timezone: 'Asia/Tokyo' }, { category: 'toys', merchant: 'a.example' }].map(
      saysMore,
    ),
    [true, true, true],
  );
});

test('a change is told by the sentences that go and that come, each once', () => {
  const kept = { name: 'kept', max_amount: 10, window: 'day' };
  const month = { name: 'month', max_amount: 400, window: 'month', scope: 'policy', category: 'groceries' };
  const former = rulesOf([kept, month]);
  assert.deepEqual(changedSentences(former, rulesOf([kept, { ...month, scope: 'agent' }])), [
    {
      path: 'risk.limits',
      direction: 'looser',
      former: [sentencesFor(former)[2]?.sentence],
      next: ['400.00 USD per month on groceries for each agent; above it a purchase is refused (“month”).'],
    },
  ]);
  const velocity = (velocity_limit: object) => ({ version: '2.0', risk: { velocity_limit } }) as unknown as Rules;
  assert.deepEqual(
    changedSentences(
      velocity({ max_transactions: 5, time_window: '1h' }),
      velocity({ max_transactions: 6, time_window: '2h' }),
    ).map((each) => [each.former.length, each.next.length]),
    [[1, 1]],
  );
  const merchants = (length: number) => Array.from({ length }, (_, index) => `m${index}.example`);
  const denying = (deny_list: readonly string[]) => ({ version: '2.0', merchant: { deny_list } }) as unknown as Rules;
  const [long] = changedSentences(denying(merchants(20)), denying(merchants(21)));
  assert.deepEqual(
    [long?.former, long?.next],
    [[], ['deny list: + m20.example']],
    'of a long list what comes and goes',
  );
});

test('a rule that has no effect is not said', () => {
  const idle = { presence: 'optional', presence_new_merchant: false, deny_by_link: false };
  const rules = { version: '2.0', context: idle, spend: { categories_strict: false } } as unknown as Rules;
  assert.deepEqual(sentencesFor(rules), []);
  const codes = { version: '2.0', merchant: { mcc_deny: ['7995', '0001'] } } as unknown as Rules;
  assert.deepEqual(
    sentencesFor(codes).map(({ sentence }) => sentence),
    ['These categories are denied: Gambling (7995), 0001.'],
  );
});

test('a rail is said in words', () => {
  const rules = { version: '2.0', rails: { allow: ['CARD_RAIL', 'X402_RAIL', 'TOY_RAIL'] } } as unknown as Rules;
  assert.deepEqual(
    sentencesFor(rules).map(({ sentence }) => sentence),
    ['Only these rails are used: Card rail, x402 by a wallet, Toy rail.'],
  );
});

test('each rule is in one group', () => {
  const groups = groupsOf(MEMBERS, ({ path }) => path);
  assert.deepEqual(
    groups.map(({ name }) => name),
    ['One purchase', 'Budgets', 'Where and when', 'Who approves', 'Payment'],
  );
  assert.equal(groups.flatMap(({ rules }) => rules).length, MEMBERS.length);
  const [, budgets, where] = groups;
  assert.deepEqual(
    budgets?.rules.map(({ path }) => path),
    ['risk.velocity_limit', 'risk.limits'],
  );
  assert.ok(where?.rules.some(({ path }) => path === 'spend.categories'));
});

test('a budget that is used up says whom it stops, with what they have used', () => {
  const used = { name: 'n', measure: 'amount', limit: 400, currency: 'USD', window: 'month', action: 'deny' } as const;
  const most = [
    { did: 'did:a', name: 'Travel desk', used: 2237 },
    { did: 'did:b', name: 'Books', used: 400 },
    { did: 'did:c', name: 'Idle', used: 1 },
  ];
  const agents = { ...used, scope: 'agent', isAll: true, isChanged: true, usedUp: 2, most } as const;
  assert.equal(
    stopText(agents),
    'Stops 2 agents at once: Travel desk 2,237.00 of 400.00 USD, Books 400.00 of 400.00 USD (“n”).',
  );
  assert.equal(
    stopText({ ...agents, usedUp: 7, most: most.slice(0, 1), action: 'presence' }),
    'Asks a person at once about each purchase of 7 agents: Travel desk 2,237.00 of 400.00 USD and 6 more (“n”).',
  );
  const { currency: _currency, ...counting } = agents;
  assert.equal(
    stopText({ ...counting, measure: 'purchases', scope: 'policy', limit: 3, usedUp: 1, most: [{ used: 3 }] }),
    'Stops all agents at once: together 3 of 3 purchases (“n”).',
  );
});
