/**
 * Payments: an approval token is exchanged for a payment mandate, a rail moves money, and card holders dispute some of it. Schemas,
 * decision, states.
 */
import { z } from 'zod';
import type { AgentStatus } from './agent.ts';
import { findConfirmations, PurchaseRefusal, refuseOffer, refuseSpentIntent, requirePresence } from './cart.ts';
import { CredentialFormats, SecuredForms } from './credential/credentialFormats.ts';
import { Credential } from './credential/vc.ts';
import { RailName } from './instrument.ts';
import { IdempotencyKey, type IntentStatus } from './intent.ts';
import type { PolicyFacts, PolicyRequest } from './policy/check.ts';
import type { CompiledPolicy } from './policy/compile.ts';
import { evaluate, refuseParties } from './policy/evaluate.ts';
import type { Governance } from './principal.ts';
import { type ReasonDetails, type Refusal, refusalOf } from './reason.ts';
import { CheckoutMandates, MandateTerms } from './ucp/mintMandates.ts';

export const PaymentRequest = z.object({
  approvalToken: z.string().min(1).max(200),
  userAuthorization: z.string().max(8192).optional(),
  instrument: RailName.optional(),
  credentialFormats: CredentialFormats.optional(),
  ucp: MandateTerms.optional().describe('For whom the mandates of a checkout of UCP are made.'),
  idempotencyKey: IdempotencyKey.optional(),
});
export type PaymentRequest = z.infer<typeof PaymentRequest>;

export const RailResponse = z.object({
  rail: z.string(),
  paymentIntentId: z.string().optional(),
  status: z.string(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type RailResponse = z.infer<typeof RailResponse>;

const paymentReceipt = z
  .string()
  .optional()
  .describe('The receipt, where the payment is by a chain of mandates and the rail has decided: a JWT.');

export const PaymentResult = z.union([
  z.object({
    pmVc: Credential,
    railResponse: RailResponse,
    paymentReceipt,
    credentials: SecuredForms.optional().describe('The forms that credentialFormats named.'),
    ucp: CheckoutMandates.optional().describe(
      'What a checkout of UCP is completed with, where the payment is for one and its money is held.',
    ),
  }),
  PurchaseRefusal,
]);
export type PaymentResult = z.infer<typeof PaymentResult>;

export const PAYMENT_STATES = [
  'PENDING',
  'UNKNOWN',
  'AUTHORIZED',
  'CAPTURED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'DISPUTED',
  'FAILED',
  'CANCELED',
] as const;
export const PaymentStatus = z.enum(PAYMENT_STATES);
export type PaymentStatus = z.infer<typeof PaymentStatus>;

const DISPUTE_STATES = ['needs_response', 'under_review', 'won', 'lost', 'inquiry', 'inquiry_closed'] as const;
export const DisputeStatus = z
  .enum(DISPUTE_STATES)
  .describe('`inquiry`: the bank asks, and takes no money so far; `won` and `lost` as the merchant sees it.');
export type DisputeStatus = z.infer<typeof DisputeStatus>;

export const Dispute = z.object({
  id: z.string(),
  railDisputeId: z.string().describe('The rail’s id of it, such as `dp_…` at Stripe.'),
  amount: z.number(),
  currency: z.string(),
  reason: z.string().optional().describe('As the rail calls it, such as `fraudulent`.'),
  status: DisputeStatus,
  dueBy: z.string().optional().describe('Until when the merchant can answer it at the rail, where the rail says that.'),
  openedAt: z.string(),
  closedAt: z.string().optional(),
});
export type Dispute = z.infer<typeof Dispute>;

export const DisputeRecord = Dispute.extend({ mandateId: z.string(), agentDid: z.string() });
export type DisputeRecord = z.infer<typeof DisputeRecord>;

export const Payment = z.object({
  mandateId: z.string(),
  intentId: z.string(),
  transactionId: z.string(),
  agentDid: z.string(),
  status: PaymentStatus,
  amount: z.number(),
  currency: z.string(),
  merchant: z.string(),
  description: z
    .string()
    .optional()
    .describe(
      'What was bought, in a line: the first item of the cart, and how many others. Absent for payments of earlier versions.',
    ),
  rail: z.string(),
  captured: z.number(),
  refunded: z.number(),
  disputed: z.number().describe('The sum of its disputes that are open or lost.'),
  disputes: z.array(Dispute).describe('Its disputes and inquiries, the oldest first.'),
  createdAt: z.string(),
  attention: z
    .object({ since: z.string(), reason: z.string() })
    .optional()
    .describe('Present while a person has to look at this payment at the rail: since when, and why.'),
});
export type Payment = z.infer<typeof Payment>;

export const PaymentRecord = Payment.extend({
  railTransactionId: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  pmVc: Credential,
  paymentReceipt,
  ucp: CheckoutMandates.optional().describe(
    'What a checkout of UCP is completed with; for a caller who may pay for the agent.',
  ),
});
export type PaymentRecord = z.infer<typeof PaymentRecord>;

const CAPTURE_MS = 7 * 24 * 3600 * 1000;

/**
 * Until when a payment mandate lets the amount be captured, which is about as long as issuers of cards hold it. The rail may
 * end the hold before. @param issuedAt milliseconds since the epoch
 */
export function captureEndsAt(issuedAt: number): number {
  return issuedAt + CAPTURE_MS;
}

/**
 * The states that may follow each state. What the rail has decided of an authorization is final; afterwards the state says
 * what became of the money, which may come back: a refund fails, a dispute is won.
 */
const PAYMENT_TRANSITIONS = {
  PENDING: ['UNKNOWN', 'AUTHORIZED', 'FAILED'],
  UNKNOWN: ['AUTHORIZED', 'FAILED'],
  AUTHORIZED: ['CAPTURED', 'CANCELED'],
  CAPTURED: ['PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED'],
  PARTIALLY_REFUNDED: ['CAPTURED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED'],
  REFUNDED: ['CAPTURED', 'PARTIALLY_REFUNDED', 'DISPUTED'],
  DISPUTED: ['CAPTURED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED'],
  FAILED: [],
  CANCELED: [],
} satisfies Record<PaymentStatus, readonly PaymentStatus[]>;

/**
 * Of a payment that is made elsewhere only words come: at the end of its reservation nothing may be known of it, and one that was
 * released may have been made after all.
 */
const TOLD_TRANSITIONS = {
  ...PAYMENT_TRANSITIONS,
  AUTHORIZED: ['CAPTURED', 'CANCELED', 'UNKNOWN'],
  UNKNOWN: ['CAPTURED', 'CANCELED'],
  CANCELED: ['CAPTURED'],
} satisfies Record<PaymentStatus, readonly PaymentStatus[]>;

/** @param isTold for a payment that is made elsewhere, and has been reserved */
export function canBecome(from: PaymentStatus, to: PaymentStatus, isTold = false): boolean {
  const transitions = isTold ? TOLD_TRANSITIONS : PAYMENT_TRANSITIONS;
  return (transitions[from] as readonly PaymentStatus[]).includes(to);
}

export interface PaymentFacts {
  readonly agentStatus: AgentStatus;
  readonly principal: Governance;
  readonly policy: CompiledPolicy;
  readonly use: PolicyFacts;
  readonly intentStatus: IntentStatus;
  readonly approvalExpired: boolean;
  /** As for the cart's validation: it may have ended, or been paid, since. */
  readonly cartExpired: boolean;
  readonly cartUsed: boolean;
  /** Whether the agent, and whether the merchant, wants a person to confirm the cart. */
  readonly confirmed: { readonly byAgent: boolean; readonly byMerchant: boolean };
  /** True when a person was present at the approved cart. */
  readonly present: boolean;
  /** True when the approved rail is still configured and allowed. */
  readonly railUsable: boolean;
}

type PaymentDecision = Refusal | { readonly allowed: true };

/**
 * Decides on an approved purchase again just before money moves, by the present policy.
 * @param now milliseconds since the epoch
 */
export function decidePayment(purchase: PolicyRequest, facts: PaymentFacts, now: number): PaymentDecision {
  const evaluation = evaluate(facts.policy, purchase, facts.use, now);
  const details: ReasonDetails = {
    ...evaluation.details,
    ...refuseParties(facts),
    ...refuseSpentIntent(facts.intentStatus),
    ...refuseOffer(facts),
  };
  if (facts.approvalExpired) {
    details.APPROVAL_TOKEN_EXPIRED = { message: 'The approval token has expired; validate the cart again.' };
  }
  if (!facts.present) {
    const confirmations = findConfirmations(facts.confirmed.byAgent, facts.confirmed.byMerchant);
    Object.assign(details, requirePresence(evaluation, [...evaluation.presenceCauses, ...confirmations]));
  }
  if (!facts.railUsable) details.RAIL_UNAVAILABLE = { message: 'The approved rail cannot be used any more.' };
  return refusalOf(details, evaluation.limits) ?? { allowed: true };
}

/** Those that a person has to see to. */
export const OPEN_DISPUTES = ['needs_response', 'under_review'] as const satisfies readonly DisputeStatus[];

/** Those that take money of the payment: it counts as disputed until they are won. */
const STANDING_DISPUTES = [...OPEN_DISPUTES, 'lost'] as const satisfies readonly DisputeStatus[];

export function isOpenDispute(status: DisputeStatus): boolean {
  return (OPEN_DISPUTES as readonly DisputeStatus[]).includes(status);
}

export function isStandingDispute(status: DisputeStatus): boolean {
  return (STANDING_DISPUTES as readonly DisputeStatus[]).includes(status);
}

export function isInquiry(status: DisputeStatus): boolean {
  return status === 'inquiry' || status === 'inquiry_closed';
}

/** What a rail says of a dispute. */
export interface DisputeNews {
  readonly status: DisputeStatus;
  /** True for an appeal and the like, which alone opens a dispute again that has ended. */
  readonly reopens: boolean;
  /** When the rail said so, in milliseconds since the epoch; undefined where it does not say when. */
  readonly toldAt: number | undefined;
}

/** How a dispute stands, and when the rail said so. */
interface KnownDispute {
  readonly status: DisputeStatus;
  readonly toldAt: number | undefined;
}

/** True for news that are older than what is known. */
export function isOldNews(known: KnownDispute, { toldAt }: DisputeNews): boolean {
  return known.toldAt !== undefined && toldAt !== undefined && toldAt < known.toldAt;
}

function isLaterNews(known: KnownDispute, { toldAt }: DisputeNews): boolean {
  return known.toldAt !== undefined && toldAt !== undefined && toldAt > known.toldAt;
}

/**
 * The state after news that may come twice and in any order: an inquiry may become a dispute, which ends, and no old news opens
 * one again that has ended.
 */
export function statusAfter(known: KnownDispute, news: DisputeNews): DisputeStatus {
  const { status: before } = known;
  const { status, reopens } = news;
  if (isOldNews(known, news) || status === 'inquiry') return before;
  const isDecided = before === 'won' || before === 'lost';
  if (status === 'inquiry_closed') return isDecided ? before : status;
  // Of two decisions at one time the later one, after an appeal, is that in favour of the merchant.
  const isFinal = before === 'won' && !isLaterNews(known, news);
  if (isOpenDispute(status)) return isDecided && (isFinal || !reopens) ? before : status;
  return isFinal ? before : status;
}
