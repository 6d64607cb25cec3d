/** Which changes a screen is loaded again for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concerns } from '../../console/node/kinds.ts';

test('a kind is the first word of an event, by either way of writing it', () => {
  assert.ok(concerns(['PAYMENT_CAPTURED'], ['payment']));
  assert.ok(concerns(['payment.captured'], ['approval', 'payment']));
  assert.ok(!concerns(['PAYMENT_CAPTURED'], ['pay', 'captured']));
  assert.ok(!concerns([], ['payment']));
});
