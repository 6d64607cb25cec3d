/** Reason codes of refusals, as filters and lists call them. */
import type { ReasonCode } from '../../../protocol/reason.ts';
import { wordsOf } from './codeText.ts';

/** Of codes whose own words would not do. */
const WORDS: Readonly<Partial<Record<ReasonCode, string>>> = {
  AMOUNT_OVER_CAP: 'Amount over the cap',
  CURRENCY_NOT_ALLOWED: 'Currency not allowed',
  MERCHANT_NOT_ALLOWED: 'Merchant not allowed',
  MERCHANT_DENIED: 'Merchant denied',
  MCC_DENIED: 'Category denied',
  VELOCITY_EXCEEDED: 'Over a limit of purchases',
  SPENDING_LIMIT_EXCEEDED: 'Over a spending limit',
  TIME_WINDOW_VIOLATED: 'Outside the allowed times',
  GEO_RESTRICTED: 'Country not allowed',
  ANOMALY_DETECTED: 'Unusual amount',
  CART_EXCEEDS_INTENT: 'Cart over what was permitted',
  MERCHANT_MISMATCH: 'Another merchant than permitted',
  INTENT_EXPIRED: 'Permission has expired',
  APPROVAL_TOKEN_EXPIRED: 'Accepted cart has expired',
  AGENT_REVOKED: 'Agent is revoked',
  HP_REQUIRED: 'Needs a person',
  HP_INVALID: 'Proof of a person does not hold',
  AGENT_SUSPENDED: 'Agent is frozen',
  AGENT_NOT_DELEGATED: 'Agent may not spend this money',
  INTENT_USED: 'Permission is used already',
  CART_EXPIRED: 'Cart has expired',
  CART_USED: 'Cart is used already',
  MERCHANT_UNVERIFIED: 'Merchant not verified',
  RAIL_UNAVAILABLE: 'Rail not available',
  DUPLICATE_SUSPECTED: 'The same was bought before',
  MANDATE_INVALID: 'Mandate does not hold',
  MANDATE_USED: 'Mandate is used already',
  MANDATE_REVOKED: 'Mandate is revoked',
  CHECKOUT_MISMATCH: 'Mandate for another checkout',
  CONSTRAINT_VIOLATED: 'Constraint of the mandate is broken',
  CONSTRAINT_UNRESOLVED: 'Constraint of the mandate cannot be judged',
};

/** @param code any other one, such as of a newer node, is said by its own words */
export function reasonText(code: string): string {
  return WORDS[code as ReasonCode] ?? wordsOf(code);
}
