/** Decisions: every intent and cart that was judged, with what the rules said of it. */
import { z } from 'zod';
import { Did } from './credential/did.ts';
import type { EvidenceEvent } from './evidence/chain.ts';
import type { EvidenceType } from './evidence/eventTypes.ts';
import { Attestation, RefusalResult } from './intent.ts';
import { AmountSort, amountFilters, sortedInOneCurrency } from './money.ts';
import { Counterfactual } from './policy/counterfactual.ts';
import { RuleTable } from './policy/ruleTable.ts';
import { MerchantDomain } from './policy/values/domain.ts';
import { REASON_CODES, type ReasonCode, type ReasonDetails } from './reason.ts';
import { compact } from './wire/compact.ts';
import { PageRequest } from './wire/page.ts';
import { inTimeOrder, Time } from './wire/time.ts';

const Outcome = z.enum(['allowed', 'refused', 'approval']);
type Outcome = z.infer<typeof Outcome>;

/** The events that record an outcome. */
export const DECISION_EVENTS: Readonly<Record<Outcome, readonly EvidenceType[]>> = {
  allowed: ['INTENT_ISSUED', 'CART_VALIDATED'],
  refused: ['INTENT_DENIED', 'CART_REJECTED'],
  approval: ['CART_REJECTED'],
};

const ALL_EVENTS: readonly string[] = [...DECISION_EVENTS.allowed, ...DECISION_EVENTS.refused];

export const ListDecisions = sortedInOneCurrency(
  inTimeOrder(
    PageRequest.extend({
      agentDid: Did.optional(),
      merchant: MerchantDomain.optional(),
      outcome: Outcome.optional().describe('approval: nothing but a person’s touch was missing.'),
      reasonCode: z.enum(REASON_CODES).optional(),
      from: Time.optional(),
      to: Time.optional(),
      ...amountFilters,
      sort: AmountSort.optional(),
    }),
  ),
  'decisions',
);
export type ListDecisions = z.output<typeof ListDecisions>;

export const Decision = z.object({
  seq: z.int().describe('The evidence event that records it.'),
  createdAt: z.string(),
  kind: z.enum(['intent', 'cart', 'payment']).describe('payment: a cart that was refused when it was to be paid.'),
  outcome: Outcome.describe('approval: nothing but a person’s touch was missing.'),
  transactionId: z.string(),
  contextId: z.string().optional(),
  agentDid: z.string(),
  principalDid: z.string(),
  intentId: z.string(),
  cartHash: z.string().optional(),
  amount: z.number(),
  currency: z.string(),
  merchant: z.string().optional(),
  hpRequired: z
    .boolean()
    .optional()
    .describe('Whether a person has to confirm the cart; of an intent that is allowed.'),
  reasonCodes: RefusalResult.shape.reasonCodes,
  details: RefusalResult.shape.details,
  limits: RefusalResult.shape.limits,
  policy: Attestation.optional().describe('What it was judged by; absent where it was refused before that.'),
});
export type Decision = z.infer<typeof Decision>;

export const ShownDecision = Decision.extend({
  ruleTable: RuleTable.describe('What each rule said, with its figures of that moment.'),
  counterfactual: Counterfactual.optional().describe('What would have passed then; absent where it was allowed.'),
  complete: z
    .boolean()
    .describe('False where the chain is too long since for the history of that moment to be known in full.'),
});
export type ShownDecision = z.infer<typeof ShownDecision>;

export const TransactionDecisions = z.object({
  transactionId: z.string(),
  mandateId: z.string().optional().describe('The payment that came of it.'),
  decisions: z.array(ShownDecision).describe('The oldest first.'),
});
export type TransactionDecisions = z.infer<typeof TransactionDecisions>;

export function isDecision({ eventType }: Pick<EvidenceEvent, 'eventType'>): boolean {
  return ALL_EVENTS.includes(eventType);
}

/** The members of a refusal's canonical text that tell one which only a person is missing for. */
export const APPROVAL_MEMBER = '"reasonCodes":["HP_REQUIRED"]';
/** And the one that tells a refusal at the payment. */
export const PAYMENT_MEMBER = '"stage":"payment"';

/** @param event one of DECISION_EVENTS */
export function decisionOf({ seq, createdAt, eventType, data }: EvidenceEvent): Decision {
  const isIntent = eventType.startsWith('INTENT_');
  const kind: Decision['kind'] = isIntent ? 'intent' : data.stage === 'payment' ? 'payment' : 'cart';
  const reasonCodes = (Array.isArray(data['reasonCodes']) ? data['reasonCodes'] : []) as ReasonCode[];
  return compact({
    seq,
    createdAt,
    kind,
    outcome: outcomeOf(eventType, kind, reasonCodes),
    transactionId: String(data['transactionId']),
    contextId: textOf(data['contextId']),
    agentDid: String(data['agentDid']),
    principalDid: String(data['principalDid']),
    intentId: String(isIntent ? data['mandateId'] : data['intentId']),
    cartHash: textOf(data['cartHash']),
    amount: Number(isIntent ? data['maxAmount'] : data['amount']),
    currency: String(data['currency']),
    merchant: textOf(isIntent ? data['merchantDomain'] : data['merchant']),
    hpRequired: typeof data['hpRequired'] === 'boolean' ? data['hpRequired'] : undefined,
    reasonCodes,
    details: (data['details'] ?? {}) as Decision['details'] & ReasonDetails,
    limits: data['limits'] as Decision['limits'],
    policy: policyOf(data),
  });
}

function outcomeOf(eventType: string, kind: Decision['kind'], reasonCodes: readonly ReasonCode[]): Outcome {
  if (DECISION_EVENTS.allowed.includes(eventType as EvidenceType)) return 'allowed';
  const isApproval = kind === 'cart' && reasonCodes.length === 1 && reasonCodes[0] === 'HP_REQUIRED';
  return isApproval ? 'approval' : 'refused';
}

function policyOf({ policyId, policyVersion, policyHash }: EvidenceEvent['data']): Decision['policy'] {
  if (typeof policyId !== 'string') return undefined;
  return { policyId, policyVersion: Number(policyVersion), policyHash: String(policyHash) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
