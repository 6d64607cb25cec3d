/** The client's verifier: what it takes, and what it needs to be told. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CountersignError, verifyApproval } from '../../client/index.ts';

const { rows } = JSON.parse(readFileSync('docs/reference/extensions/approval-vectors.json', 'utf8'));
const { decision } = rows[0];
const action = { documentHash: decision.binding.cartHash, amount: 29.9, currency: 'USD' };
const now = new Date('2026-03-01T14:05:00Z');

test('a decision is judged by keys that the caller knows, and by no other', () => {
  assert.equal(verifyApproval(decision, action, { keys: [decision.key], now }).valid, true);
  const verdict = verifyApproval(decision, action, { now });
  assert.deepEqual([verdict.valid, verdict.reason], [false, 'Nothing says whose key it is.']);
  assert.equal(verifyApproval(decision, { ...action, amount: 30 }, { keys: [decision.key], now }).valid, false);
});

test('what is no decision is an error that names the member', () => {
  const broken = { ...decision, assertion: { ...decision.assertion, signature: '=' } };
  assert.throws(
    () => verifyApproval(broken, action),
    (error: unknown) => error instanceof CountersignError && error.details[0]?.path === 'decision.assertion.signature',
  );
});
