/** Reason codes of refusals, and the refusal that is made of them. */
import type { LimitState } from './policy/limitUse.ts';
import type { RuleCheck } from './policy/rule.ts';
import { RULES } from './policy/ruleList.ts';
import { inertText } from './wire/plainText.ts';

/** The codes of what is around a policy, in the order in which they are reported. */
export const OTHER_CODES = [
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

/** The codes of chains of mandates, which are reported after all others. */
const MANDATE_CODES = [
  'MANDATE_INVALID',
  'MANDATE_USED',
  'MANDATE_REVOKED',
  'CHECKOUT_MISMATCH',
  'CONSTRAINT_VIOLATED',
  'CONSTRAINT_UNRESOLVED',
] as const;

type RuleCode = NonNullable<(typeof RULES)[number]['checks']>[number]['code'];
export type ReasonCode = RuleCode | (typeof OTHER_CODES)[number] | (typeof MANDATE_CODES)[number];

const CHECKS = RULES.flatMap((rule): readonly RuleCheck<RuleCode>[] => rule.checks ?? []);
const codesOf = (checks: typeof CHECKS) => checks.map(({ code }) => code);

/** Their order is part of the contract: several codes are always reported in it, those of a policy's first rules first. */
export const REASON_CODES: readonly ReasonCode[] = [
  ...codesOf(CHECKS.filter(({ isLast }) => isLast !== true)),
  ...OTHER_CODES,
  ...codesOf(CHECKS.filter(({ isLast }) => isLast === true)),
  ...MANDATE_CODES,
];

/** The facts of one code: `requested` and `limit` for numeric rules, and a sentence for a person. */
export interface ReasonDetail {
  readonly requested?: number;
  readonly limit?: number;
  /** Of a limit over time: what it counts besides the purchase, what is left of it, and when its period ends. */
  readonly used?: number;
  readonly left?: number;
  readonly resetsInSeconds?: number;
  readonly currency?: string;
  /** How the Universal Commerce Protocol calls it. */
  readonly ucp?: string;
  readonly message: string;
}

export type ReasonDetails = Partial<Record<ReasonCode, ReasonDetail>>;

/** A refusal: every code that applies, in the order above, each with its facts. */
export interface Refusal {
  readonly allowed: false;
  readonly reasonCodes: ReasonCode[];
  readonly details: ReasonDetails;
  /** Every limit over time that refuses it; absent where none does. */
  readonly limits?: readonly LimitState[];
}

/**
 * Combines reasons, given in any order, into one refusal; undefined when there are none.
 * @param limits every limit over time among the reasons
 */
export function refusalOf(details: ReasonDetails, limits: readonly LimitState[] = []): Refusal | undefined {
  const reasonCodes = REASON_CODES.filter((code) => details[code] !== undefined);
  if (reasonCodes.length === 0) return undefined;
  const ordered: ReasonDetails = {};
  for (const code of reasonCodes) {
    const detail = details[code]!;
    // A sentence may repeat what a mandate or a merchant says.
    ordered[code] = { ...detail, message: inertText(detail.message) };
  }
  const refusal = { allowed: false, reasonCodes, details: ordered } as const;
  return limits.length === 0 ? refusal : { ...refusal, limits };
}

/**
 * A decision with further reasons against it, such as those of a mandate behind the purchase.
 * @returns the decision itself where there are none; of a code that both have, the decision's own facts
 */
export function withReasons<Decision extends { readonly allowed: boolean }>(
  decision: Decision | Refusal,
  further: ReasonDetails,
): Decision | Refusal {
  if (Object.keys(further).length === 0) return decision;
  const { details = {}, limits } = decision as Partial<Refusal>;
  return refusalOf({ ...further, ...details }, limits) ?? decision;
}
