/** What is used of limits as a person is told it, and what another limit would have done. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LimitState } from '../../client/operations.ts';
import { limitsIn, tightestFirst } from '../../console/parts/limits/limitStates.ts';
import { measuresOf, tightest } from '../../console/parts/limits/measures.ts';
import { effectOf } from '../../console/screens/agents/limitEffect.ts';
import { issuesIn, limitsOf, memberOf, newRow, rowsOf, staysText } from '../../console/screens/agents/ownLimits.ts';
import { askedMeasures, periodName, stoppedText, sumText } from '../../console/screens/policy/draft/form/askedText.ts';
import { VelocityLimit } from '../../protocol/policy/values/spendingLimit.ts';
import type { Loose } from '../support/world.ts';

const LIMIT = {
  name: 'velocity_limit',
  action: 'deny',
  scope: 'agent',
  own: false,
  window: '1 day',
  windowSeconds: 86_400,
  purchases: 3,
  spent: 72.5,
} as const;

test('each measure of a limit is a sentence with its currency, and the tightest one is that of which least is left', () => {
  const both = { ...LIMIT, maxTransactions: 20, maxAmount: 75, currency: 'USD' };
  assert.deepEqual(
    measuresOf([both]).map(({ text, state }) => [text, state]),
    [
      ['3 of 20 purchases in 1 day', 'free'],
      ['72.50 of 75.00 USD in 1 day', 'near'],
    ],
  );
  const shared = { ...LIMIT, scope: 'policy' as const, maxTransactions: 3 };
  assert.equal(tightest([both, shared])?.text, '3 of 3 purchases in 1 day, all agents together');
  assert.equal(tightest([both, shared])?.state, 'full');
  assert.equal(measuresOf([{ ...LIMIT, maxAmount: 100 }])[0]?.text, '72.5 of 100 in each currency in 1 day');
  assert.equal(tightest([{ ...LIMIT, maxAmount: 0 }])?.state, 'full');
  assert.equal(tightest([]), undefined);
});

test('a limit with a name is told by it, with its period, where it counts, and that agents share it', () => {
  const groceries = {
    ...LIMIT,
    name: 'Groceries: weekly',
    scope: 'policy' as const,
    window: 'this week (Asia/Tokyo)',
    resetsAt: '2026-03-08T15:00:00.000Z',
    merchant: '*.shop.example',
    category: 'digital_goods',
    maxAmount: 100,
    currency: 'JPY',
  };
  assert.equal(
    tightest([LIMIT, groceries])?.text,
    'Groceries: weekly: 73 of 100 JPY this week (Asia/Tokyo), digital goods at *.shop.example, all agents together',
  );
});

const STATE: LimitState = {
  name: 'trips',
  measure: 'purchases',
  limit: 10,
  used: 4,
  left: 6,
  window: 'quarter',
  timezone: 'Europe/Berlin',
  scope: 'agent',
  action: 'presence',
  periodStart: '2025-12-31T23:00:00.000Z',
  resetsAt: '2026-03-31T22:00:00.000Z',
};
const { timezone: _, periodStart: _start, resetsAt: _end, ...NO_PERIOD } = STATE;
const STATES: readonly LimitState[] = [
  {
    ...NO_PERIOD,
    window: '24h',
    name: 'velocity_limit',
    measure: 'amount',
    limit: 100,
    used: 30,
    left: 70,
    currency: 'EUR',
  },
  STATE,
  { ...STATE, measure: 'amount', limit: 500, used: 450, left: 50, currency: 'EUR' },
  { ...STATE, scope: 'policy', limit: 2, used: 1, left: 1, timezone: 'UTC' },
];

test('both maxima of a limit are one limit again, in words as in the list of agents, and the tightest is the first', () => {
  const found = limitsIn(STATES);
  assert.deepEqual(
    found.map(({ name, scope, window, maxTransactions, purchases, maxAmount, spent, currency }) => [
      ...[name, scope, window, maxTransactions, purchases, maxAmount, spent, currency],
    ]),
    [
      ['velocity_limit', 'agent', '1 day', undefined, 0, 100, 30, 'EUR'],
      ['trips', 'agent', 'this quarter (Europe/Berlin)', 10, 4, 500, 450, 'EUR'],
      ['trips', 'policy', 'this quarter', 2, 1, undefined, 0, undefined],
    ],
  );
  assert.deepEqual(
    tightestFirst(found).map(({ name, scope }) => [name, scope]),
    [
      ['trips', 'agent'],
      ['trips', 'policy'],
      ['velocity_limit', 'agent'],
    ],
  );
  const windowOf = (window: string) =>
    limitsIn([{ ...(/\d/.test(window) ? NO_PERIOD : { ...STATE, timezone: 'UTC' }), window }])[0]?.window;
  assert.deepEqual(['day', 'week', '90m', '36h', '366d'].map(windowOf), [
    ...['today', 'this week', '90 minutes', '36 hours', '366 days'],
  ]);
});

const USES = limitsIn(STATES).map((limit) => ({
  ...limit,
  own: false,
  windowSeconds: 1,
  ...(limit.scope === 'agent' && { currency: 'EUR' }),
}));

test('an agent’s own limits begin with those of the policy that they will be in place of, and with its own once it has some', () => {
  const rows = rowsOf({ velocity: null }, STATES, USES);
  assert.deepEqual(limitsOf(rows), [
    {
      name: 'trips',
      maxTransactions: 10,
      maxAmount: 500,
      currency: 'EUR',
      window: 'quarter',
      timezone: 'Europe/Berlin',
      action: 'presence',
    },
  ]);
  const both = { ...STATE, merchant: 'shop.example, *.shop.example' };
  const atBoth = limitsOf(rowsOf({ velocity: null }, [both], USES));
  assert.deepEqual(
    atBoth.map(({ merchant }) => merchant),
    [['shop.example', '*.shop.example']],
  );
  assert.ok(VelocityLimit.safeParse({ limits: atBoth }).success);
  const own = [
    { name: 'own', maxAmount: 5, window: '12h', merchant: 'shop.example' },
    { name: 'both', maxAmount: 5, window: '12h', merchant: ['shop.example', '*.shop.example'] },
  ];
  const velocity = { limits: own };
  assert.deepEqual(limitsOf(rowsOf({ velocity }, STATES, USES)), own);
  assert.deepEqual(rowsOf({ velocity: { limits: [] } }, STATES, USES), []);
});

test('what holds beside an agent’s own limits is said with the limit over time, which is none of them', () => {
  const [velocity] = STATES as [LimitState];
  assert.equal(staysText([STATE]), 'Limits');
  assert.equal(
    staysText([velocity, { ...velocity, measure: 'purchases', limit: 20 }, STATE]),
    'The limit over time (100.00 EUR in 1 day, 20 purchases in 1 day) and limits',
  );
});

test('an agent’s own budgets are sent as the node takes them, with no time zone for what has no midnight', () => {
  const { budget: begun, key } = newRow([], 'Europe/Berlin');
  const budget = { ...begun, name: ' trips ', max_amount: 40.5, currency: 'EUR', category: 'travel' };
  const { max_amount: _amount, ...counted } = { ...budget, name: 'sliding', max_transactions: 3, window: '7d' };
  const sent = limitsOf([budget, { ...counted, action: 'presence' }].map((each) => ({ key, budget: each })));
  assert.deepEqual(sent, [
    { name: 'trips', maxAmount: 40.5, currency: 'EUR', window: 'month', timezone: 'Europe/Berlin', category: 'travel' },
    { name: 'sliding', maxTransactions: 3, currency: 'EUR', window: '7d', category: 'travel', action: 'presence' },
  ]);
  assert.ok(VelocityLimit.safeParse({ limits: sent }).success);
});

test('an agent’s own budget without a number or a choice is refused in words, and so is what is no number', () => {
  const { budget } = newRow([], 'UTC');
  const membersOf = (more: object) => issuesIn({ ...budget, ...more }).map(({ member }) => member);
  assert.deepEqual(membersOf({}), ['max_amount', 'category']);
  assert.deepEqual(membersOf({ category: 'travel', max_amount: 5 }), []);
  assert.deepEqual(membersOf({ category: 'travel', max_amount: '1O' }), ['max_amount']);
  assert.deepEqual(membersOf({ category: undefined, merchant: '', max_transactions: 'x' }), [
    'merchant',
    'max_transactions',
  ]);
  assert.deepEqual(['maxAmount', 'timezone', 'merchant.1', ''].map(memberOf), [
    'max_amount',
    'timezone',
    'merchant',
    'max_amount',
  ]);
});

const HOUR = 3_600_000;
const asked = (hours: number, amount: number, reasonCodes: string[] = [], kind = 'intent') => ({
  kind,
  outcome: reasonCodes.length === 0 ? 'allowed' : 'refused',
  createdAt: new Date(Date.UTC(2026, 0, 1) + hours * HOUR).toISOString(),
  amount,
  reasonCodes,
});
const effect = (decisions: object[], maxTransactions: number | undefined, maxAmount: number | undefined) =>
  effectOf(decisions as Loose, { maxTransactions, maxAmount, windowSeconds: 86_400 });

test('a limit passes what fits beside what it passed in the window before, and what it refuses takes no room', () => {
  const decisions = [asked(0, 50), asked(1, 60), asked(2, 40), asked(25, 100), asked(3, 10)];
  assert.deepEqual(effect(decisions, undefined, 100), {
    passed: 3,
    refused: 2,
    others: 0,
    most: { count: 4, amount: 160 },
  });
  assert.deepEqual([effect(decisions, 1, undefined).passed, effect(decisions, 0, undefined).passed], [2, 0]);
  assert.equal(effect(decisions, undefined, undefined).passed, 5);
});

test('what another rule refused stays refused, what only a limit refused is tried again, and carts do not count', () => {
  const decisions = [
    asked(0, 50),
    asked(1, 50, ['SPENDING_LIMIT_EXCEEDED']),
    asked(2, 50, ['SPENDING_LIMIT_EXCEEDED', 'MERCHANT_DENIED']),
    asked(3, 50, [], 'cart'),
  ];
  const { passed, refused, others } = effect(decisions, undefined, 100);
  assert.deepEqual([passed, refused, others], [2, 0, 1]);
});

test('what another limit refused besides stays refused', () => {
  const refusedBy = (name: string, scope = 'agent') => ({
    ...asked(0, 10, ['SPENDING_LIMIT_EXCEEDED']),
    limits: [
      { name: 'velocity_limit', scope: 'agent' },
      { name, scope },
    ],
  });
  const decisions = [refusedBy('velocity_limit'), refusedBy('trips'), refusedBy('velocity_limit', 'policy')];
  const { passed, others } = effect(decisions, undefined, 100);
  assert.deepEqual([passed, others], [1, 2]);
});

test('amounts with decimals that add up to the limit fit', () => {
  const { passed } = effect([asked(0, 0.1), asked(1, 0.2)], undefined, 0.3);
  assert.equal(passed, 2);
});

test('what was asked of a limit is told with how much of it is over the limit, and its bar ends with the longer of both', () => {
  const asked = { requests: 12, money: [{ currency: 'USD', amount: 2500 }] };
  const both = askedMeasures(asked, { maxTransactions: 16, maxAmount: 2000, currency: 'USD' });
  assert.deepEqual(both, [
    { text: '12 requests asked for', within: 0.75, over: 0 },
    { text: '2,500.00 USD asked for, 500.00 USD over the limit', within: 0.8, over: 0.2 },
  ]);
  const [nothing] = askedMeasures(asked, { maxTransactions: 0 });
  assert.deepEqual(nothing, { text: '12 requests asked for, 12 requests over the limit', within: 0, over: 1 });
  assert.deepEqual(askedMeasures(asked, { maxAmount: 2000 }), [], 'of amounts in any currency');
  assert.equal(sumText(asked), '12 requests, 2,500.00 USD');
});

test('a period and what a limit would have stopped in it are said in words', () => {
  assert.deepEqual(['day', 'month', '24h', '48h', '90m'].map(periodName), [
    'Yesterday',
    'Last month',
    'The last day',
    'The last 2 days',
    'The last 90 minutes',
  ]);
  const none = { requests: 0, money: [] };
  const one = { requests: 1, money: [{ currency: 'EUR', amount: 5 }] };
  assert.equal(stoppedText({ refused: none, person: none }), 'Nothing is stopped.');
  assert.equal(stoppedText({ refused: one, person: none }), '1 request refused, 5.00 EUR');
  assert.equal(stoppedText({ refused: none, person: one }), '1 request sent to a person, 5.00 EUR');
});
