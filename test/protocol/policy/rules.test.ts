/** The schema of rules: what it takes, what it refuses, and where it says so. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Rules } from '../../../protocol/policy/rules.ts';
import { VelocityLimit } from '../../../protocol/policy/values/spendingLimit.ts';

/** Where the issues lie, an unknown key counting as the place it would have had. */
function faultsOf(rules: unknown): string[] {
  const parsed = Rules.safeParse(rules);
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue) => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    return keys.map((key) => [...issue.path, ...(key === undefined ? [] : [key])].join('.'));
  });
}

const night = { from: '22:00', to: '06:00', timezone: 'UTC' };
const full = {
  version: '2.0',
  spend: {
    amount_cap: 100,
    presence_cap: 200,
    currency: 'USD',
    categories: ['groceries', 'books'],
    categories_strict: true,
  },
  merchant: {
    allow_list: ['Example.com.', '*.bücher.example'],
    deny_list: ['bad.example'],
    mcc_allow: ['5411'],
    mcc_deny: ['7995'],
  },
  context: {
    presence: 'optional',
    presence_threshold: 50.5,
    presence_new_merchant: true,
    presence_binding: 'cart',
    deny_by_link: true,
    time_windows: [{ days: ['mon', 'sun'], from: '08:00', to: '24:00', timezone: 'Europe/Berlin' }, night],
    geo: { allow: ['DE', 'US'], deny: ['KP'] },
  },
  risk: {
    velocity_limit: { max_transactions: 10, max_amount: 500, time_window: '24h', scope: 'policy' },
    anomaly: { min_history: 5, max_deviation: 3, action: 'presence' },
    duplicate: { window: '10m', action: 'presence', above: 0, max: 2 },
  },
  rails: { allow: ['CARD_RAIL'], priorities: ['CARD_RAIL'] },
};

test('rules that use every key are accepted and kept as they were written', () => {
  assert.deepEqual(Rules.parse(full), full);
});

test('only the version must be there', () => {
  assert.deepEqual(Rules.parse({ version: '2.0' }), { version: '2.0' });
  assert.deepEqual(faultsOf({}), ['version']);
  assert.deepEqual(faultsOf({ version: '1.0' }), ['version']);
});

test('an unknown key is refused at every level and named', () => {
  const place = (path: string, extra: string): unknown => {
    const copy = structuredClone(full) as unknown;
    const at = path === '' ? copy : path.split('.').reduce((node, key) => (node as never)[key], copy);
    (at as Record<string, unknown>)[extra] = 1;
    return copy;
  };
  const levels = ['', 'spend', 'merchant', 'context', 'context.geo', 'context.time_windows.0', 'risk'];
  for (const path of [...levels, 'risk.velocity_limit', 'risk.anomaly', 'risk.duplicate', 'rails']) {
    assert.deepEqual(faultsOf(place(path, 'typo')), [path === '' ? 'typo' : `${path}.typo`]);
  }
});

describe('rules that are wrong are refused where they are wrong', () => {
  const cases: [string, string, unknown][] = [
    ['a negative cap', 'spend.amount_cap', { spend: { amount_cap: -1 } }],
    ['a presence cap of nothing', 'spend.presence_cap', { spend: { presence_cap: 0 } }],
    ['an endless cap', 'spend.amount_cap', { spend: { amount_cap: Number.POSITIVE_INFINITY } }],
    ['a cap as text', 'spend.amount_cap', { spend: { amount_cap: '100' } }],
    ['too many decimals for dollars', 'spend.amount_cap', { spend: { amount_cap: 1.005, currency: 'USD' } }],
    ['decimals in yen', 'spend.presence_cap', { spend: { presence_cap: 1.5, currency: 'JPY' } }],
    ['more than can be counted', 'spend.amount_cap', { spend: { amount_cap: 1e20, currency: 'USD' } }],
    [
      'decimals in a threshold',
      'context.presence_threshold',
      { spend: { currency: 'JPY' }, context: { presence_threshold: 0.5 } },
    ],
    [
      'decimals in a velocity amount',
      'risk.velocity_limit.max_amount',
      { spend: { currency: 'JPY' }, risk: { velocity_limit: { max_amount: 0.5, time_window: '1h' } } },
    ],
    ['a negative threshold', 'context.presence_threshold', { context: { presence_threshold: -1 } }],
    ['a presence cap below the cap', 'spend.presence_cap', { spend: { amount_cap: 100, presence_cap: 99.99 } }],
    ['an unknown currency', 'spend.currency', { spend: { currency: 'ABC' } }],
    ['a currency in small letters', 'spend.currency', { spend: { currency: 'usd' } }],
    ['a strictness that is no truth value', 'spend.categories_strict', { spend: { categories_strict: 'yes' } }],
    ['an unknown category', 'spend.categories.1', { spend: { categories: ['books', 'rockets'] } }],
    ['an inherited name as a category', 'spend.categories.0', { spend: { categories: ['constructor'] } }],
    ['a URL as a merchant', 'merchant.allow_list.0', { merchant: { allow_list: ['https://example.com'] } }],
    ['a wildcard inside', 'merchant.deny_list.0', { merchant: { deny_list: ['shop.*.com'] } }],
    ['two wildcards', 'merchant.deny_list.0', { merchant: { deny_list: ['*.*.example.com'] } }],
    ['a wildcard for everything', 'merchant.deny_list.0', { merchant: { deny_list: ['*'] } }],
    ['a wildcard without a dot', 'merchant.deny_list.0', { merchant: { deny_list: ['*example.com'] } }],
    ['three digits of an MCC', 'merchant.mcc_deny.0', { merchant: { mcc_deny: ['541'] } }],
    ['an MCC as a number', 'merchant.mcc_allow.0', { merchant: { mcc_allow: [5411] } }],
    ['an unknown mode of presence', 'context.presence', { context: { presence: 'sometimes' } }],
    ['an unknown binding', 'context.presence_binding', { context: { presence_binding: 'intent' } }],
    ['a permission that is no truth value', 'context.deny_by_link', { context: { deny_by_link: 'yes' } }],
    ['an unknown country', 'context.geo.allow.0', { context: { geo: { allow: ['XX'] } } }],
    ['a country in small letters', 'context.geo.deny.0', { context: { geo: { deny: ['us'] } } }],
    [
      'an hour that does not exist',
      'context.time_windows.0.to',
      { context: { time_windows: [{ ...night, to: '24:01' }] } },
    ],
    [
      '24:00 as a beginning',
      'context.time_windows.0.from',
      { context: { time_windows: [{ ...night, from: '24:00' }] } },
    ],
    ['a window of no length', 'context.time_windows.0.to', { context: { time_windows: [{ ...night, to: '22:00' }] } }],
    [
      'an unknown zone',
      'context.time_windows.0.timezone',
      { context: { time_windows: [{ ...night, timezone: 'Mars/Base' }] } },
    ],
    [
      'an offset as a zone',
      'context.time_windows.0.timezone',
      { context: { time_windows: [{ ...night, timezone: '+01:00' }] } },
    ],
    [
      'an unknown day',
      'context.time_windows.0.days.0',
      { context: { time_windows: [{ ...night, days: ['Monday'] }] } },
    ],
    ['no day at all', 'context.time_windows.0.days', { context: { time_windows: [{ ...night, days: [] }] } }],
    ['a velocity limit of nothing', 'risk.velocity_limit', { risk: { velocity_limit: { time_window: '1h' } } }],
    [
      'half a transaction',
      'risk.velocity_limit.max_transactions',
      { risk: { velocity_limit: { max_transactions: 1.5, time_window: '1h' } } },
    ],
    [
      'a year',
      'risk.velocity_limit.time_window',
      { risk: { velocity_limit: { max_transactions: 1, time_window: '1y' } } },
    ],
    [
      '32 days',
      'risk.velocity_limit.time_window',
      { risk: { velocity_limit: { max_transactions: 1, time_window: '32d' } } },
    ],
    ['no window', 'risk.velocity_limit.time_window', { risk: { velocity_limit: { max_transactions: 1 } } }],
    [
      'an unknown scope',
      'risk.velocity_limit.scope',
      { risk: { velocity_limit: { max_transactions: 1, time_window: '1h', scope: 'all' } } },
    ],
    [
      'an unknown action',
      'risk.anomaly.action',
      { risk: { anomaly: { min_history: 1, max_deviation: 1, action: 'warn' } } },
    ],
    [
      'no history at all',
      'risk.anomaly.min_history',
      { risk: { anomaly: { min_history: 0, max_deviation: 1, action: 'deny' } } },
    ],
    [
      'more history than is kept',
      'risk.anomaly.min_history',
      { risk: { anomaly: { min_history: 51, max_deviation: 1, action: 'deny' } } },
    ],
    ['an action that is not there', 'risk.duplicate.action', { risk: { duplicate: { window: '10m' } } }],
    ['a window of no time', 'risk.duplicate.window', { risk: { duplicate: { window: '0m', action: 'deny' } } }],
    ['none of the same', 'risk.duplicate.max', { risk: { duplicate: { window: '10m', action: 'deny', max: 0 } } }],
    [
      'an amount below nothing',
      'risk.duplicate.above',
      { risk: { duplicate: { window: '10m', action: 'deny', above: -1 } } },
    ],
    ['an empty rail', 'rails.allow.0', { rails: { allow: [''] } }],
    ['a list too long', 'rails.allow', { rails: { allow: Array.from({ length: 1001 }, (_, i) => `rail ${i}`) } }],
  ];
  for (const [name, path, rules] of cases) {
    test(name, () => assert.deepEqual(faultsOf({ version: '2.0', ...(rules as object) }), [path]));
  }
});

test('amounts finer than any currency are accepted where the policy names none', () => {
  assert.deepEqual(faultsOf({ version: '2.0', spend: { amount_cap: 1.005 } }), []);
  assert.deepEqual(faultsOf({ version: '2.0', spend: { amount_cap: 0 } }), [], 'which allows nothing');
});

test('an agent limit needs one of its two maxima and a window', () => {
  assert.deepEqual(VelocityLimit.parse({ maxTransactions: 0, timeWindow: '1h' }), {
    maxTransactions: 0,
    timeWindow: '1h',
  });
  assert.deepEqual(VelocityLimit.parse({ maxAmount: 9.5, timeWindow: '1h', did: 'x' }), {
    maxAmount: 9.5,
    timeWindow: '1h',
  });
  const wrong = [
    { timeWindow: '1h' },
    { maxTransactions: 1 },
    { maxTransactions: -1, timeWindow: '1h' },
    { maxTransactions: 1.5, timeWindow: '1h' },
    { maxAmount: 0, timeWindow: '1h' },
    { maxAmount: 1, timeWindow: 'a day' },
  ];
  for (const limit of wrong) assert.equal(VelocityLimit.safeParse(limit).success, false, JSON.stringify(limit));
});

test('what is wrong with the currency is said of the currency alone, and once', () => {
  const parsed = Rules.safeParse({ version: '2.0', spend: { amount_cap: 60, presence_cap: 80, currency: 'US' } });
  assert.deepEqual(
    parsed.error?.issues.map(({ path }) => path.join('.')),
    ['spend.currency'],
  );
});
