/** What a task says of an exchange: nothing of the answer is lost where it is no artifact. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cartOutcome, intentOutcome } from '../../../protocol/a2a/outcome.ts';
import type { CartResult } from '../../../protocol/cart.ts';
import type { IntentResult } from '../../../protocol/intent.ts';

const refusal = {
  allowed: false,
  reasonCodes: ['HP_REQUIRED'],
  details: { HP_REQUIRED: { message: 'A person must approve it.' } },
  verdict: 'eyJ.e30.c2ln',
};

test('a refusal has its verdict', () => {
  const { says } = intentOutcome(refusal as IntentResult, false);
  assert.deepEqual(says?.data, { 'countersign.refusal': refusal });
});

test('a cart that waits for a person has its verdict beside the link', () => {
  const approval = { id: 'apr_1', url: 'http://localhost/approve/apr_1', expiresAt: '2026-06-01T12:05:00.000Z' };
  const { says } = cartOutcome({ ...refusal, approval } as CartResult, false);
  assert.deepEqual(says?.data, { 'countersign.approval': approval, 'countersign.verdict': refusal.verdict });
});
