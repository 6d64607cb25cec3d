/**
 * Reason codes of refusals. Their order is part of the contract: several codes are always reported in it.
 */
export const REASON_CODES = [
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
] as const;

export type ReasonCode = (typeof REASON_CODES)[number];

/** The facts of one code: `requested` and `limit` for numeric rules, and a sentence for a person. */
export interface ReasonDetail {
  readonly requested?: number;
  readonly limit?: number;
  readonly currency?: string;
  readonly message: string;
}

export type ReasonDetails = Partial<Record<ReasonCode, ReasonDetail>>;

/** A refusal: every code that applies, in the order above, each with its facts. */
export interface Refusal {
  readonly allowed: false;
  readonly reasonCodes: ReasonCode[];
  readonly details: ReasonDetails;
}

/** Combines reasons, given in any order, into one refusal; undefined when there are none. */
export function refusalOf(details: ReasonDetails): Refusal | undefined {
  const reasonCodes = REASON_CODES.filter((code) => details[code] !== undefined);
  if (reasonCodes.length === 0) return undefined;
  const ordered: ReasonDetails = {};
  for (const code of reasonCodes) ordered[code] = details[code]!;
  return { allowed: false, reasonCodes, details: ordered };
}
