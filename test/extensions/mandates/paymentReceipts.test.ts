/** A receipt is signed when an outcome is known, and read at once by a merchant whose clock may be a little behind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import { makeReceipt } from '../../../src/extensions/mandates/uses/paymentReceipts.ts';
import { memoryNode } from '../../support/memoryNode.ts';

const NOW = Date.parse('2026-11-26T12:00:00.999Z');

test('a receipt of either status is dated five seconds back', async () => {
  const { deps } = await memoryNode();
  const about = { reference: 'leaf', payment_id: 'pm_1' };
  const paid = { status: 'Success', ...about, psp_confirmation_id: 'pi_1', network_confirmation_id: 'pi_1' } as const;
  const refused = { status: 'Error', ...about, error: 'invalid_mandate', error_description: 'It was used.' } as const;
  for (const outcome of [paid, refused])
    assert.equal(decodeJwt(makeReceipt(deps, outcome, NOW)).iat, Date.parse('2026-11-26T11:59:55Z') / 1000);
});
