/** Webhook events: the types that one can subscribe to, and the data of each. */
import { z } from 'zod';
import { Cause } from '../approval.ts';
import { REASON_CODES } from '../reason.ts';

export const WEBHOOK_EVENTS = [
  'payment.authorized',
  'payment.captured',
  'payment.failed',
  'payment.refunded',
  'payment.refund_failed',
  'payment.disputed',
  'intent.issued',
  'intent.denied',
  'intent.expired',
  'cart.validated',
  'cart.rejected',
  'approval.requested',
  'approval.approved',
  'approval.denied',
  'approval.expired',
  'agent.created',
  'agent.revoked',
  'agent.suspended',
  'agent.reactivated',
  'policy.updated',
  'policy.violation',
] as const;
export const WebhookEventType = z.enum(WEBHOOK_EVENTS);
export type WebhookEventType = z.infer<typeof WebhookEventType>;

const ReasonCodes = z.array(z.enum(REASON_CODES)).min(1);
const Details = z.record(z.string(), z.unknown());
const Money = { amount: z.number(), currency: z.string() };
const Asked = { approvalId: z.string(), intentId: z.string(), cartHash: z.string(), merchant: z.string(), ...Money };
const Governed = { policyId: z.string(), policyVersion: z.int(), policyHash: z.string() };

/** The schema of `data` by event type. */
export const WEBHOOK_DATA = {
  'payment.authorized': z.object({
    mandateId: z.string(),
    intentId: z.string(),
    ...Money,
    merchant: z.string(),
    rail: z.string(),
    railTransactionId: z.string(),
    railPaymentIntentId: z.string(),
  }),
  'payment.captured': z.object({ mandateId: z.string(), ...Money, capturedAt: z.iso.datetime() }),
  'payment.failed': z.object({
    mandateId: z.string(),
    error: z.object({ code: z.string(), message: z.string() }),
  }),
  'payment.refunded': z.object({
    mandateId: z.string(),
    ...Money,
    refunded: z.number(),
    status: z.enum(['PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED']),
    refundedAt: z.iso.datetime(),
  }),
  'payment.refund_failed': z.object({
    mandateId: z.string(),
    ...Money,
    refunded: z.number(),
    status: z.enum(['CAPTURED', 'PARTIALLY_REFUNDED', 'DISPUTED']),
    failedAt: z.iso.datetime(),
  }),
  'payment.disputed': z.object({
    mandateId: z.string(),
    ...Money,
    reason: z.string().optional(),
    disputedAt: z.iso.datetime(),
  }),
  'intent.issued': z.object({
    mandateId: z.string(),
    request: z.object({ maxAmount: z.number(), currency: z.string(), merchantDomain: z.string().optional() }),
    hpRequired: z.boolean(),
    expiresAt: z.iso.datetime(),
    ...Governed,
  }),
  'intent.denied': z.object({
    mandateId: z.string(),
    reasonCodes: ReasonCodes,
    details: Details,
    request: z.object({ maxAmount: z.number(), currency: z.string(), merchantDomain: z.string().optional() }),
    policyId: z.string(),
  }),
  'intent.expired': z.object({ mandateId: z.string(), expiredAt: z.iso.datetime() }),
  'cart.validated': z.object({
    intentId: z.string(),
    cartHash: z.string(),
    merchant: z.string(),
    ...Money,
    rail: z.string(),
    approvalExpiresAt: z.iso.datetime(),
    ...Governed,
  }),
  'cart.rejected': z.object({
    intentId: z.string(),
    cartHash: z.string(),
    merchant: z.string(),
    ...Money,
    reasonCodes: ReasonCodes,
    details: Details,
    policyId: z.string().optional(),
  }),
  'approval.requested': z.object({
    ...Asked,
    causes: z.array(Cause),
    url: z.string(),
    expiresAt: z.iso.datetime(),
  }),
  'approval.approved': z.object({ ...Asked, passkeyId: z.string(), approvedAt: z.iso.datetime() }),
  'approval.denied': z.object({
    ...Asked,
    passkeyId: z.string().optional(),
    deniedBy: z.string().optional(),
    deniedAt: z.iso.datetime(),
  }),
  'approval.expired': z.object({ ...Asked, expiredAt: z.iso.datetime() }),
  'agent.created': z.object({
    agentDid: z.string(),
    displayName: z.string(),
    capabilities: z.array(z.string()),
    createdAt: z.iso.datetime(),
  }),
  'agent.revoked': z.object({ agentDid: z.string(), reason: z.string(), revokedAt: z.iso.datetime() }),
  'agent.suspended': z.object({
    agentDid: z.string(),
    reason: z.string().optional(),
    suspendedAt: z.iso.datetime(),
  }),
  'agent.reactivated': z.object({ agentDid: z.string(), reactivatedAt: z.iso.datetime() }),
  'policy.updated': z.object({ ...Governed, name: z.string(), isActive: z.boolean() }),
  'policy.violation': z.object({
    violationType: z.enum(['VELOCITY_BREACH', 'ANOMALY', 'DENIED_MERCHANT']),
    details: Details,
    mandateId: z.string(),
    policyId: z.string().optional(),
  }),
} as const satisfies Record<WebhookEventType, z.ZodType>;

export type WebhookData = { [Type in WebhookEventType]: z.output<(typeof WEBHOOK_DATA)[Type]> };

/** The agent, principal and intent of an event, where it has them. */
export const WebhookContext = z.object({
  agentDid: z.string().optional(),
  principalDid: z.string().optional(),
  intentId: z.string().optional(),
});
export type WebhookContext = z.infer<typeof WebhookContext>;

/** What is posted. An event keeps its id, however often it is delivered. */
export const WebhookEvent = z.object({
  id: z.string().regex(/^evt_[0-9a-hjkmnp-tv-z]{26}$/),
  type: WebhookEventType,
  created: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
  context: WebhookContext,
  test: z.literal(true).optional().describe('Only on samples: nothing has happened.'),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;
