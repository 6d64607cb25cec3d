/** What is used of limits as a person is told it, and what another limit would have done. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measuresOf, tightest } from '../../console/parts/limits/measures.ts';
import { effectOf } from '../../console/screens/agents/limitEffect.ts';
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
  assert.equal(measuresOf([{ ...LIMIT, maxAmount: 100 }])[0]?.text, '72.5 of 100 in any currency in 1 day');
  assert.equal(tightest([{ ...LIMIT, maxAmount: 0 }])?.state, 'full');
  assert.equal(tightest([]), undefined);
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

test('amounts with decimals that add up to the limit fit', () => {
  const { passed } = effect([asked(0, 0.1), asked(1, 0.2)], undefined, 0.3);
  assert.equal(passed, 2);
});
