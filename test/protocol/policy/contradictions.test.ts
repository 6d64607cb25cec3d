/** Policies that contradict themselves are told where, and those that do not are told nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningsOf } from '../../../protocol/policy/contradictions.ts';
import { type RulesInput, rulesOf } from './judge.ts';

const pathsOf = (rules: RulesInput) => warningsOf(rulesOf(rules)).map(({ path }) => path);

const budgetAt = (merchant: string | string[], lists?: RulesInput['merchant']): RulesInput => ({
  spend: { currency: 'USD' },
  risk: { limits: [{ name: 'tea', max_amount: 40, window: 'month', merchant }] },
  ...(lists === undefined ? {} : { merchant: lists }),
});

test('a rule that can never apply is named by its path', () => {
  const cases: [RulesInput, string[]][] = [
    [{ spend: { amount_cap: 60 }, context: { presence_threshold: 100 } }, ['context.presence_threshold']],
    [{ spend: { amount_cap: 60 }, context: { presence_threshold: 60 } }, ['context.presence_threshold']],
    [{ spend: { amount_cap: 60 }, context: { presence_threshold: 59.99 } }, []],
    [{ spend: { amount_cap: 60, presence_cap: 200 }, context: { presence_threshold: 100 } }, []],
    [{ spend: { presence_cap: 50 }, context: { presence_threshold: 50 } }, ['context.presence_threshold']],
    [{ context: { presence_threshold: 100 } }, []],
    [{ context: { presence: 'required', presence_threshold: 10 } }, ['context.presence_threshold']],
    [{ context: { presence: 'required', presence_new_merchant: true } }, ['context.presence_new_merchant']],
    [{ context: { presence: 'never', presence_new_merchant: true } }, ['context.presence_new_merchant']],
    [{ context: { presence: 'optional', presence_new_merchant: true } }, []],
    [{ spend: { amount_cap: 10, presence_cap: 20 }, context: { presence: 'never' } }, ['spend.presence_cap']],
    [{ spend: { amount_cap: 10, presence_cap: 10 }, context: { presence: 'never' } }, []],
    [{ merchant: { allow_list: ['a.example', 'x.b.example'], deny_list: ['b.example'] } }, ['merchant.allow_list']],
    [{ merchant: { allow_list: ['b.example'], deny_list: ['x.b.example'] } }, []],
    [{ merchant: { mcc_allow: ['5411'], mcc_deny: ['5411', '5812'] } }, ['merchant.mcc_allow']],
    [{ context: { geo: { allow: ['DE', 'FR'], deny: ['FR'] } } }, ['context.geo.allow']],
    [{ rails: { allow: ['A'], priorities: ['B', 'A'] } }, ['rails.priorities']],
    [{ rails: { priorities: ['B', 'A'] } }, []],
    [
      { risk: { velocity_limit: { max_transactions: 0, time_window: '1h' } } },
      ['risk.velocity_limit.max_transactions'],
    ],
    [
      { spend: { amount_cap: 100, currency: 'USD' }, risk: { velocity_limit: { max_amount: 50, time_window: '1h' } } },
      ['risk.velocity_limit.max_amount'],
    ],
    [
      { spend: { amount_cap: 100, currency: 'USD' }, risk: { velocity_limit: { max_amount: 100, time_window: '1h' } } },
      [],
    ],
    [
      { spend: { amount_cap: 10 }, risk: { duplicate: { window: '10m', action: 'deny', above: 10 } } },
      ['risk.duplicate.above'],
    ],
    [{ spend: { amount_cap: 10 }, risk: { duplicate: { window: '10m', action: 'deny', above: 9.99 } } }, []],
    [
      { context: { presence: 'never' }, risk: { duplicate: { window: '10m', action: 'presence' } } },
      ['risk.duplicate.action'],
    ],
    [
      { context: { presence: 'required' }, risk: { duplicate: { window: '10m', action: 'presence' } } },
      ['risk.duplicate.action'],
    ],
    [{ context: { presence: 'never' }, risk: { duplicate: { window: '10m', action: 'deny' } } }, []],
    [{ merchant: { allow_list: [], mcc_allow: [] } }, ['merchant.allow_list', 'merchant.mcc_allow']],
    [{ spend: { categories: [] }, context: { geo: { allow: [] } } }, ['spend.categories', 'context.geo.allow']],
    [{ context: { time_windows: [] }, rails: { allow: [] } }, ['context.time_windows', 'rails.allow']],
    [{ merchant: { deny_list: [], mcc_deny: [] }, rails: { priorities: [] } }, []],
    [budgetAt('shop.example'), ['risk.limits.0.merchant']],
    [budgetAt(['shop.example', '*.shop.example']), []],
    [budgetAt('*.shop.example'), []],
    [budgetAt('shop.example', { allow_list: ['shop.example', 'tea.example'] }), []],
    [budgetAt('shop.example', { allow_list: ['shop.example', 'www.shop.example'] }), ['risk.limits.0.merchant']],
    [budgetAt('shop.example', { deny_list: ['*.shop.example'] }), []],
    [{}, []],
  ];
  for (const [rules, paths] of cases) assert.deepEqual(pathsOf(rules), paths, JSON.stringify(rules));
});

test('a sentence says why, with the figures, and names a few of many', () => {
  const [threshold] = warningsOf(rulesOf({ spend: { amount_cap: 60 }, context: { presence_threshold: 100 } }));
  assert.match(
    String(threshold?.message),
    /no purchase above amount_cap, 60, passes, so a person above 100 is never asked/,
  );
  const domains = Array.from({ length: 8 }, (_, index) => `s${index}.example`);
  const [lists] = warningsOf(rulesOf({ merchant: { allow_list: domains, deny_list: domains } }));
  assert.match(
    String(lists?.message),
    /^s0\.example, .*s4\.example and 3 more are on deny_list too, which wins\. Nothing/,
  );
});
