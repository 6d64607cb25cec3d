/** Cases beside a policy say what it must answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCase, PolicyCases } from '../../../protocol/policy/cases.ts';
import { compilePolicy } from '../../../protocol/policy/compile.ts';
import { Rules } from '../../../protocol/policy/rules.ts';

const policy = compilePolicy(
  Rules.parse({
    version: '2.0',
    spend: { amount_cap: 50, currency: 'USD' },
    context: {
      presence_new_merchant: true,
      time_windows: [{ days: ['mon'], from: '09:00', to: '17:00', timezone: 'UTC' }],
    },
    risk: { velocity_limit: { max_transactions: 3, time_window: '1d' } },
  }),
);
const MONDAY = '2026-11-23T10:00:00Z';
const request = { amount: 20, currency: 'USD', merchantDomain: 'shop.example' };

test('a case passes when outcome, codes and presence are as expected, and fails otherwise', () => {
  const cases = PolicyCases.parse([
    { name: 'a new shop', at: MONDAY, request, expect: { allowed: true, hpRequired: true } },
    {
      name: 'a known shop',
      at: MONDAY,
      request,
      before: { newMerchant: false },
      expect: { allowed: true, hpRequired: false },
    },
    {
      name: 'the fourth',
      at: MONDAY,
      request,
      before: { transactions: 3 },
      expect: { allowed: false, reasonCodes: ['VELOCITY_EXCEEDED'] },
    },
    {
      name: 'sunday',
      at: '2026-11-22T10:00:00Z',
      request,
      expect: { allowed: false, reasonCodes: ['TIME_WINDOW_VIOLATED'] },
    },
    {
      name: 'both',
      at: '2026-11-22T10:00:00Z',
      request: { ...request, amount: 51 },
      expect: { allowed: false, reasonCodes: ['TIME_WINDOW_VIOLATED', 'AMOUNT_OVER_CAP'] },
    },
    { name: 'wrong on purpose', at: MONDAY, request: { ...request, amount: 51 }, expect: { allowed: true } },
    {
      name: 'wrong code',
      at: MONDAY,
      request: { ...request, amount: 51 },
      expect: { allowed: false, reasonCodes: [] },
    },
  ]);
  const outcomes = cases.map((each) => judgeCase(policy, each, 0));
  assert.deepEqual(
    outcomes.map(({ passed }) => passed),
    [true, true, true, true, true, false, false],
  );
  assert.match(outcomes[5]?.messages[0] ?? '', /over the cap of 50.00/);
});

test('a case with a member that there is not is refused by name', () => {
  const parsed = PolicyCases.safeParse([{ name: 'x', request: { ...request, amout: 1 }, expect: { allowed: true } }]);
  assert.ok(!parsed.success);
  assert.match(JSON.stringify(parsed.error.issues), /amout/);
});
