/** The table of all rules: in the order in which reasons are reported, with figures, under all rules. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePolicy } from '../../../protocol/policy/compile.ts';
import { CHECKS, checkInput, evaluate } from '../../../protocol/policy/evaluate.ts';
import { ruleTable } from '../../../protocol/policy/ruleTable.ts';
import { limitsFor } from '../../../protocol/policy/values/spendingLimit.ts';
import { NOON, type RulesInput, rulesOf } from './judge.ts';

const USED = { count: 2, amountMinor: 3000 };

function tableOf(rules: RulesInput, request: object = {}) {
  const policy = compilePolicy(rulesOf(rules));
  const limits = limitsFor(policy).map((limit) => ({ limit, ...USED }));
  const facts = { limits, newMerchant: true, paidAmountsMinor: [500, 500] };
  const asked = { amountMinor: 6000, currency: 'USD', merchantDomain: 'shop.example', ...request };
  const rows = ruleTable(checkInput(policy, asked, facts, NOON), evaluate(policy, asked, facts, NOON));
  return Object.fromEntries(rows.map(({ rule, ...row }) => [rule, row]));
}

test('a rule that is not set is not asked, and each rule has one row', () => {
  const table = tableOf({});
  assert.deepEqual(Object.keys(table), [
    ...CHECKS.map(({ code }) => code),
    'threshold',
    'new_merchant',
    'approval',
    'limit',
    'anomaly',
    'duplicate',
    'manual',
  ]);
  for (const row of Object.values(table)) {
    assert.deepEqual(row, { outcome: 'notAsked', sentence: 'The policy has no such rule.' });
  }
});

test('figures say what was asked, the limit and what is left, of a rule that passes as of one that does not', () => {
  const velocity_limit = { max_transactions: 3, max_amount: 85, time_window: '1h' } as const;
  const table = tableOf({ spend: { amount_cap: 50, presence_cap: 80, currency: 'USD' }, risk: { velocity_limit } });
  assert.deepEqual(table['AMOUNT_OVER_CAP'], {
    outcome: 'passed',
    asked: 60,
    limit: 80,
    left: 20,
    currency: 'USD',
    sentence: '60.00 USD is within the cap of 80.00; 20.00 is left.',
  });
  assert.deepEqual(table['VELOCITY_EXCEEDED'], {
    outcome: 'passed',
    asked: 3,
    limit: 3,
    left: 0,
    sentence: 'This is purchase 3 within 1 hour; the limit of 3 leaves 0.',
  });
  const { outcome, asked, limit, left, currency } = table['SPENDING_LIMIT_EXCEEDED'] ?? {};
  assert.deepEqual([outcome, asked, limit, left, currency], ['failed', 90, 85, -5, 'USD']);
  assert.deepEqual([table['threshold']?.outcome, table['threshold']?.left], ['person', -10]);
});

test('lists, places and times name what was asked', () => {
  const table = tableOf(
    {
      spend: { categories: ['groceries'] },
      merchant: { allow_list: ['shop.example'], deny_list: ['bad.example'] },
      context: {
        presence_new_merchant: true,
        geo: { deny: ['US'] },
        time_windows: [{ from: '09:00', to: '17:00', timezone: 'UTC' }],
      },
      risk: { anomaly: { min_history: 2, max_deviation: 1, action: 'deny' } },
    },
    { mcc: '5411', country: 'DE' },
  );
  const shown = Object.entries(table).map(([rule, { outcome, asked }]) => [rule, outcome, asked]);
  assert.deepEqual(
    shown.filter(([, outcome]) => outcome !== 'notAsked'),
    [
      ['MERCHANT_NOT_ALLOWED', 'passed', 'shop.example'],
      ['MERCHANT_DENIED', 'passed', 'shop.example'],
      ['MCC_DENIED', 'passed', '5411'],
      ['TIME_WINDOW_VIOLATED', 'passed', 'wed 12:00 UTC'],
      ['GEO_RESTRICTED', 'passed', 'DE'],
      ['ANOMALY_DETECTED', 'failed', 60],
      ['new_merchant', 'person', 'shop.example'],
    ],
  );
});

test('what the request does not name is not asked, and so are amounts in another currency', () => {
  const rules: RulesInput = {
    spend: { amount_cap: 5, currency: 'EUR', categories: ['groceries'] },
    merchant: { allow_list: ['shop.example'] },
    context: { geo: { deny: ['US'] }, presence: 'never', presence_new_merchant: true },
    risk: { velocity_limit: { max_amount: 1, time_window: '1h' } },
  };
  const table = tableOf(rules, { merchantDomain: undefined });
  const asked = Object.entries(table).filter(([, { outcome }]) => outcome !== 'notAsked');
  assert.deepEqual(
    asked.map(([rule, { outcome }]) => [rule, outcome]),
    [['CURRENCY_NOT_ALLOWED', 'failed']],
  );
  assert.match(table['AMOUNT_OVER_CAP']?.sentence ?? '', /amounts are in EUR, and the request is in USD/);
  assert.match(table['new_merchant']?.sentence ?? '', /never asks for a person/);
});
