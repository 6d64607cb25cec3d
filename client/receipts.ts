/** Receipts of AP2 payments, for merchants and platforms: verified with the key set that the node publishes. */
import { verifyReceipt } from '../protocol/ap2/paymentReceipt.ts';
import { nobleSuite } from '../protocol/credential/ed25519.ts';
import { CountersignError } from './error.ts';

/** What a receipt states. Written out, so that the package's types need no library. */
export type PaymentReceipt = {
  readonly iss: string;
  /** Seconds since the epoch. */
  readonly iat: number;
  readonly reference: string;
  readonly reference_sd_hash?: string | undefined;
  readonly payment_id: string;
  readonly [member: string]: unknown;
} & (
  | { readonly status: 'Success'; readonly psp_confirmation_id: string; readonly network_confirmation_id: string }
  | { readonly status: 'Error'; readonly error: string; readonly error_description: string }
);

export interface ReceiptExpectations {
  /** The `keys` of the node's `/.well-known/jwks.json`. */
  readonly keys: readonly unknown[];
  /** The node's address, which must have issued it. */
  readonly iss: string;
  /** The mandate that it must be for: SHA-256 of the closed mandate's JWT, or of that with its disclosures, as base64url. */
  readonly reference?: string;
}

/**
 * Checks that a node issued a receipt.
 * @returns what it states
 * @throws CountersignError INVALID_RECEIPT that names the check which failed
 */
export function verifyPaymentReceipt(receipt: string, expected: ReceiptExpectations): PaymentReceipt {
  const check = verifyReceipt(nobleSuite, receipt, expected);
  if (check.ok) return check.claims;
  throw new CountersignError('INVALID_RECEIPT', `The receipt does not hold: ${check.reason}`, { status: 0 });
}
