/** Intents: an agent asks for permission to spend up to an amount. Schemas and the decision. */
import { z } from 'zod';
import type { AgentStatus } from './agent.ts';
import { IntentFormats, SecuredForms, Verdict } from './credential/credentialFormats.ts';
import { Did } from './credential/did.ts';
import { Credential } from './credential/vc.ts';
import { Currency } from './money.ts';
import type { PolicyFacts, PolicyRequest } from './policy/check.ts';
import type { CompiledPolicy } from './policy/compile.ts';
import { evaluate, refuseParties } from './policy/evaluate.ts';
import { LimitState } from './policy/limitUse.ts';
import { MerchantCategory } from './policy/values/category.ts';
import { Country } from './policy/values/country.ts';
import { MerchantDomain } from './policy/values/domain.ts';
import type { Governance } from './principal.ts';
import { REASON_CODES, type Refusal, refusalOf } from './reason.ts';
import { MerchantChoice, Shopping, type StoredShopping } from './shopping.ts';
import { compact } from './wire/compact.ts';

/** How far ahead a requested expiresAt may be. */
export const MAX_INTENT_TTL_SECONDS = 24 * 3600;

export const IdempotencyKey = z.string().min(1).max(255);

/** The id of a registered open mandate (protocol/ap2/delegation.ts). */
const DelegationId = z
  .string()
  .regex(/^dlg_[0-9a-z]{26}$/, 'must be the id of a delegation, such as dlg_ and 26 characters')
  .describe('The delegation, `dlg_…`, whose open mandate must allow the purchase beside the policy.');

export const VendorHints = z.object({
  domain: MerchantDomain.optional(),
  merchants: MerchantChoice.optional().describe(
    'The only merchants that a cart may come from: domains, or names as merchants sign them.',
  ),
  mcc: MerchantCategory.optional(),
  country: Country.optional(),
});

export const IntentRequest = z.object({
  agentDid: Did,
  principalDid: Did,
  request: z.object({
    maxAmount: z.number(),
    currency: Currency,
    vendorHints: VendorHints.optional(),
    shopping: Shopping.optional(),
  }),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
  credentialFormats: IntentFormats.optional(),
  delegationId: DelegationId.optional(),
  idempotencyKey: IdempotencyKey.optional(),
});
export type IntentRequest = z.infer<typeof IntentRequest>;

export const Attestation = z.object({ policyId: z.string(), policyVersion: z.int(), policyHash: z.string() });
export type Attestation = z.infer<typeof Attestation>;

export const RefusalResult = z.object({
  allowed: z.literal(false),
  reasonCodes: z.array(z.enum(REASON_CODES)),
  details: z.record(
    z.string(),
    z.object({
      requested: z.number().optional(),
      limit: z.number().optional(),
      used: z.number().optional().describe('Of a limit over time: what it counts besides this.'),
      left: z.number().optional(),
      resetsInSeconds: z.int().optional().describe('Until its period of the calendar ends.'),
      currency: z.string().optional(),
      ucp: z.string().optional().describe('How the Universal Commerce Protocol calls it, where it does.'),
      message: z.string(),
    }),
  ),
  limits: z.array(LimitState).optional().describe('Every limit over time that refuses it; absent where none does.'),
  verdict: Verdict,
});
export type RefusalResult = z.infer<typeof RefusalResult>;

export const IntentResult = z.union([
  z.object({
    allowed: z.literal(true),
    intentVc: Credential,
    attestation: Attestation,
    hpRequired: z.boolean(),
    remaining: LimitState.optional().describe(
      'The limit over time of which the least share is left, after this; absent where none is set.',
    ),
    credentials: SecuredForms.optional().describe('The forms that credentialFormats named.'),
    verdict: Verdict,
  }),
  RefusalResult,
]);
export type IntentResult = z.infer<typeof IntentResult>;

export const IntentStatus = z.enum(['ACTIVE', 'USED', 'EXPIRED']);
export type IntentStatus = z.infer<typeof IntentStatus>;

export const IntentSummary = z.object({
  mandateId: z.string(),
  status: IntentStatus,
  agentDid: z.string(),
  maxAmount: z.number(),
  currency: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type IntentSummary = z.infer<typeof IntentSummary>;

export const IntentRecord = IntentSummary.extend({
  principalDid: z.string(),
  merchantDomain: z.string().optional(),
  merchants: MerchantChoice.optional(),
  shopping: Shopping.optional(),
  delegationId: z.string().optional(),
  transactionId: z.string(),
  reason: z
    .enum(['denied', 'revoked', 'withdrawn'])
    .optional()
    .describe(
      'Why it ended before its time: the approval of its cart was denied, its delegation was revoked, or its payment credential was given back.',
    ),
  intentVc: Credential,
  attestation: Attestation,
});
export type IntentRecord = z.infer<typeof IntentRecord>;

interface IntentFacts {
  readonly agentStatus: AgentStatus;
  readonly principal: Governance;
  readonly policy: CompiledPolicy;
  readonly use: PolicyFacts;
  /** Whether the agent wants a person to confirm the cart. */
  readonly confirmed: boolean;
}

export type IntentDecision =
  | Refusal
  | {
      readonly allowed: true;
      readonly hpRequired: boolean;
      readonly remaining?: LimitState | undefined;
      /** The names of limits that it is over, so that a person must let it pass. */
      readonly overLimits: readonly string[];
    };

/**
 * Decides on an intent.
 * @param now milliseconds since the epoch
 * @returns every reason to refuse it, in the order of REASON_CODES, or whether a person must be present at the cart
 */
export function decideIntent(request: PolicyRequest, facts: IntentFacts, now: number): IntentDecision {
  const evaluation = evaluate(facts.policy, request, facts.use, now);
  const { hpRequired, limits, overLimits, remaining } = evaluation;
  const details = {
    ...evaluation.details,
    ...refuseParties(facts),
  };
  return (
    refusalOf(details, limits) ?? {
      allowed: true,
      hpRequired: hpRequired || facts.confirmed,
      overLimits,
      remaining,
    }
  );
}

/** The status at a time: an active intent past its time has expired, even before a worker records it. */
export function intentStatusAt(intent: { status: IntentStatus; expiresAt: number }, now: number): IntentStatus {
  return intent.status === 'ACTIVE' && intent.expiresAt <= now ? 'EXPIRED' : intent.status;
}

/** @returns undefined where nothing was said */
export function keepShopping(
  merchants: StoredShopping['merchants'],
  shopping: Shopping = {},
): StoredShopping | undefined {
  const said = Object.values(shopping).some((value) => value !== undefined);
  if (merchants === undefined && !said) return undefined;
  return compact({ merchants, shopping: said ? shopping : undefined });
}
