/** The policy that a sandbox starts with does what the sandbox is documented to do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sandbox from '../../../data/sandbox-policy.json' with { type: 'json' };
import { Rules } from '../../../protocol/policy/rules.ts';
import { codesOf, judge, type Situation } from './judge.ts';

const { version: _version, ...rules } = Rules.parse(sandbox.rules);
const verdict = (situation: Situation) => {
  const { details, hpRequired } = judge(rules, situation);
  return Object.keys(details).length === 0
    ? { allowed: true, hpRequired }
    : { allowed: false, codes: Object.keys(details) };
};

test('it holds what the sandbox is documented to hold', () => {
  assert.equal(sandbox.name, 'Sandbox default');
  assert.equal(rules.spend?.amount_cap, 100);
  assert.deepEqual(rules.spend?.categories, ['groceries', 'electronics', 'household']);
  assert.equal(rules.merchant?.deny_list?.length, 2);
  assert.equal(rules.context?.presence, 'optional');
  assert.equal(rules.context?.presence_threshold, 100);
  assert.deepEqual(rules.risk?.velocity_limit, { max_transactions: 10, time_window: '1h' });
});

test('100 is allowed, 150 with a person, 200 with a person, and 500 is over the cap', () => {
  assert.deepEqual(verdict({ amountMinor: 10_000 }), { allowed: true, hpRequired: false });
  assert.deepEqual(verdict({ amountMinor: 15_000 }), { allowed: true, hpRequired: true });
  assert.deepEqual(verdict({ amountMinor: 20_000 }), { allowed: true, hpRequired: true });
  assert.deepEqual(verdict({ amountMinor: 50_000 }), { allowed: false, codes: ['AMOUNT_OVER_CAP'] });
});

test('both merchants of the deny list are denied', () => {
  for (const merchantDomain of rules.merchant?.deny_list ?? []) {
    assert.deepEqual(codesOf(rules, { merchantDomain }), ['MERCHANT_DENIED']);
  }
});

test('the 11th purchase of the hour is denied', () => {
  assert.deepEqual(codesOf(rules, { used: { count: 9, amountMinor: 0 } }), []);
  assert.deepEqual(codesOf(rules, { used: { count: 10, amountMinor: 0 } }), ['VELOCITY_EXCEEDED']);
});

test('groceries are allowed, gambling and another currency are not', () => {
  assert.deepEqual(codesOf(rules, { mcc: '5411' }), []);
  assert.deepEqual(codesOf(rules, { mcc: '7995' }), ['MCC_DENIED']);
  assert.deepEqual(codesOf(rules, { currency: 'EUR' }), ['CURRENCY_NOT_ALLOWED']);
});
