/** The list of rules: every file is in it, and the order of what has been published before stays. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { compilePolicy } from '../../../protocol/policy/compile.ts';
import { PRESENCE_CAUSES } from '../../../protocol/policy/evaluate.ts';
import { RULES } from '../../../protocol/policy/ruleList.ts';
import { MEMBERS } from '../../../protocol/policy/ruleMembers.ts';
import { Rules } from '../../../protocol/policy/rules.ts';
import { REASON_CODES } from '../../../protocol/reason.ts';

/** Each list of names has these in this order; others may stand between them. */
function assertKeeps(names: readonly string[], order: readonly string[]): void {
  assert.deepEqual(
    names.filter((name) => order.includes(name)),
    order,
  );
  assert.equal(new Set(names).size, names.length);
}

test('every file of rules/ is one rule of the list', () => {
  const files = readdirSync('protocol/policy/rules');
  assert.equal(new Set(RULES).size, files.length);
});

test('reasons, causes and members keep the order in which they were published', () => {
  assertKeeps(REASON_CODES, [
    'AMOUNT_OVER_CAP',
    'CURRENCY_NOT_ALLOWED',
    'MERCHANT_NOT_ALLOWED',
    'MERCHANT_DENIED',
    'MCC_DENIED',
    'VELOCITY_EXCEEDED',
    'SPENDING_LIMIT_EXCEEDED',
    'TIME_WINDOW_VIOLATED',
    'GEO_RESTRICTED',
    'ANOMALY_DETECTED',
    'CART_EXCEEDS_INTENT',
    'MERCHANT_MISMATCH',
    'INTENT_EXPIRED',
    'APPROVAL_TOKEN_EXPIRED',
    'AGENT_REVOKED',
    'HP_REQUIRED',
    'HP_INVALID',
    'AGENT_SUSPENDED',
    'AGENT_NOT_DELEGATED',
    'INTENT_USED',
    'CART_EXPIRED',
    'CART_USED',
    'MERCHANT_UNVERIFIED',
    'RAIL_UNAVAILABLE',
    'DUPLICATE_SUSPECTED',
    'MANDATE_INVALID',
    'MANDATE_USED',
    'MANDATE_REVOKED',
    'CHECKOUT_MISMATCH',
    'CONSTRAINT_VIOLATED',
    'CONSTRAINT_UNRESOLVED',
  ]);
  assertKeeps(PRESENCE_CAUSES, ['threshold', 'new_merchant', 'anomaly', 'duplicate', 'manual', 'merchant']);
  assertKeeps(
    MEMBERS.map(({ path }) => path),
    [
      'spend.amount_cap',
      'spend.presence_cap',
      'spend.currency',
      'spend.categories',
      'spend.categories_strict',
      'merchant.allow_list',
      'merchant.deny_list',
      'merchant.mcc_allow',
      'merchant.mcc_deny',
      'context.presence',
      'context.presence_threshold',
      'context.presence_new_merchant',
      'context.presence_binding',
      'context.deny_by_link',
      'context.time_windows',
      'context.geo',
      'risk.velocity_limit',
      'risk.anomaly',
      'risk.duplicate',
      'rails.allow',
      'rails.priorities',
    ],
  );
});

test('the words of a rule stand in the order of its schema, and no two rules compile to the same name', () => {
  const { version, ...groups } = Rules.shape;
  const inSchema = Object.entries(groups).flatMap(([group, optional]) =>
    Object.keys(optional.unwrap().shape).map((name) => `${group}.${name}`),
  );
  assert.equal(version.value, '2.0');
  assert.deepEqual(
    MEMBERS.map(({ path }) => path),
    inSchema,
  );
  const names = RULES.flatMap((rule) => Object.keys(rule.compile?.({ version: '2.0' }) ?? {}));
  assert.deepEqual(Object.keys(compilePolicy({ version: '2.0' })), ['rules', 'checks', 'presenceRules', ...names]);
});
