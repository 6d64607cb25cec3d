/**
 * A verdict: what a node decided on a purchase, as a JWT that a merchant, an auditor or another service verifies by the node's key
 * set. It is a statement and no right: nothing can be bought with it.
 */
import { z } from 'zod';
import { toMinor } from '../money.ts';
import { compact } from '../wire/compact.ts';
import { issuedAtSeconds } from '../wire/time.ts';

/** The type in the JWT's header, so that it is taken for nothing else (RFC 8725 section 3.11). */
export const VERDICT_TYPE = 'verdict+jwt';
/** How long a refusal is said to hold, in seconds: the policy, or what was bought, may be another one soon. */
const REFUSAL_SECONDS = 300;

/** Times in seconds since the epoch (RFC 7519). */
interface VerdictClaims {
  /** The node's address. */
  readonly iss: string;
  /** The agent's DID. */
  readonly sub: string;
  /** The merchant, where it is known. */
  readonly aud?: string;
  readonly iat: number;
  /** When what was allowed ends; five minutes after a refusal. */
  readonly exp: number;
  /** The event of the evidence that records the decision. */
  readonly jti: string;
  readonly outcome: 'allow' | 'deny' | 'presence_required';
  /** In minor units, as decimal text. */
  readonly amount: string;
  readonly currency: string;
  /** The merchant's domain. */
  readonly recipient?: string;
  readonly reasonCodes: readonly string[];
  readonly policy: { readonly id: string; readonly version: number; readonly hash: string };
  readonly cartHash?: string;
}

export type DecisionType = 'INTENT_ISSUED' | 'INTENT_DENIED' | 'CART_VALIDATED' | 'CART_REJECTED';

/** A decision as its event records it. */
interface RecordedDecision {
  readonly eventType: DecisionType;
  /** The event's id. */
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What verdicts read of a decision's facts; intents have a maximum and no cart yet. */
const Facts = z.looseObject({
  agentDid: z.string(),
  maxAmount: z.number().optional(),
  amount: z.number().optional(),
  currency: z.string(),
  merchantDomain: z.string().optional(),
  merchant: z.string().optional(),
  cartHash: z.string().optional(),
  policyId: z.string(),
  policyVersion: z.int(),
  policyHash: z.string(),
  hpRequired: z.boolean().optional(),
  reasonCodes: z.array(z.string()).default([]),
  expiresAt: z.string().optional(),
  approvalExpiresAt: z.string().optional(),
});

/**
 * @param iss the node's address @param now milliseconds since the epoch
 * @returns what the verdict on a decision claims, from what the evidence records of it
 */
export function verdictClaims({ eventType, id, data }: RecordedDecision, iss: string, now: number): VerdictClaims {
  const facts = Facts.parse(data);
  const { reasonCodes, currency, merchant: recipient = facts.merchantDomain } = facts;
  const end = eventType === 'CART_VALIDATED' ? facts.approvalExpiresAt : facts.expiresAt;
  const isAllowed = eventType === 'INTENT_ISSUED' || eventType === 'CART_VALIDATED';
  return compact({
    iss,
    sub: facts.agentDid,
    aud: recipient,
    iat: issuedAtSeconds(now),
    exp: isAllowed && end !== undefined ? secondsOf(Date.parse(end)) : secondsOf(now) + REFUSAL_SECONDS,
    jti: id,
    outcome: outcomeOf(isAllowed, facts),
    amount: String(toMinor(facts.amount ?? facts.maxAmount ?? 0, currency, { allowZero: true })),
    currency,
    recipient,
    reasonCodes,
    policy: { id: facts.policyId, version: facts.policyVersion, hash: facts.policyHash },
    cartHash: facts.cartHash,
  });
}

function secondsOf(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** A person is what is missing where the policy allows everything else. */
function outcomeOf(isAllowed: boolean, { hpRequired, reasonCodes }: z.infer<typeof Facts>): VerdictClaims['outcome'] {
  if (isAllowed) return hpRequired === true ? 'presence_required' : 'allow';
  return reasonCodes.every((code) => code === 'HP_REQUIRED') ? 'presence_required' : 'deny';
}
