/** Events about payments. */
import { z } from 'zod';
import { AT, INTENT, MONEY, MoneyData, PAYMENT, RAIL_PAYMENT } from '../eventParts.ts';
import { pick, webhookEvent } from '../webhookEvent.ts';

export const PAYMENT_EVENTS = [
  webhookEvent({
    type: 'payment.authorized',
    evidence: 'PAYMENT_AUTHORIZED',
    name: 'An amount is reserved',
    docs: 'The rail has authorized the amount: the answer to `POST /ap2/payments/mandate` says `requires_capture`. `railTransactionId` and `railPaymentIntentId` name the payment at the rail.',
    data: z.object({
      mandateId: z.string(),
      intentId: z.string(),
      ...MoneyData,
      merchant: z.string(),
      rail: z.string(),
      railTransactionId: z.string(),
      railPaymentIntentId: z.string(),
    }),
    dataOf: (facts) => ({
      ...pick(facts, 'mandateId', 'intentId', 'amount', 'currency', 'merchant', 'rail', 'railTransactionId'),
      railPaymentIntentId: String(facts.railTransactionId),
    }),
    example: {
      mandateId: PAYMENT,
      intentId: INTENT,
      ...MONEY,
      merchant: 'shop.example',
      rail: 'CARD_RAIL',
      railTransactionId: RAIL_PAYMENT,
      railPaymentIntentId: RAIL_PAYMENT,
    },
  }),
  webhookEvent({
    type: 'payment.captured',
    evidence: 'PAYMENT_CAPTURED',
    name: 'Money is taken',
    docs: 'The amount, or part of it, was captured. `amount` is what was captured.',
    data: z.object({ mandateId: z.string(), ...MoneyData, capturedAt: z.iso.datetime() }),
    dataOf: (facts, createdAt) => ({
      ...pick(facts, 'mandateId', 'currency'),
      amount: Number(facts.captured ?? facts.amount),
      capturedAt: String(facts.capturedAt ?? createdAt),
    }),
    example: { mandateId: PAYMENT, ...MONEY, capturedAt: AT },
  }),
  webhookEvent({
    type: 'payment.failed',
    evidence: 'PAYMENT_FAILED',
    name: 'A payment fails',
    docs: 'The rail declined the payment, and its reservation is released. `error.code` is the rail’s, such as `card_declined`, `insufficient_funds` or `authentication_required`; `no_answer` where the rail never answered and knows nothing of the payment.',
    data: z.object({
      mandateId: z.string(),
      error: z.object({ code: z.string(), message: z.string() }),
    }),
    dataOf: (facts) => pick(facts, 'mandateId', 'error'),
    example: { mandateId: PAYMENT, error: { code: 'card_declined', message: 'The card was declined.' } },
  }),
  webhookEvent({
    type: 'payment.refunded',
    evidence: 'PAYMENT_REFUNDED',
    name: 'Money goes back',
    docs: 'Captured money was given back. `amount` is this refund, `refunded` all of them together, `status` what the payment is now.',
    data: z.object({
      mandateId: z.string(),
      ...MoneyData,
      refunded: z.number(),
      status: z.enum(['PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED']),
      refundedAt: z.iso.datetime(),
    }),
    dataOf: (facts, refundedAt) => ({
      ...pick(facts, 'mandateId', 'currency', 'refunded', 'status'),
      amount: Number(facts.refund ?? facts.amount),
      refundedAt,
    }),
    example: {
      mandateId: PAYMENT,
      amount: 29.5,
      currency: 'USD',
      refunded: 29.5,
      status: 'PARTIALLY_REFUNDED',
      refundedAt: AT,
    },
  }),
  webhookEvent({
    type: 'payment.refund_failed',
    evidence: 'PAYMENT_REFUND_FAILED',
    name: 'A refund fails',
    docs: 'A refund that had counted as done failed at the rail: the money is with the merchant again. `amount` is what came back, `refunded` what all other refunds come to, `status` what the payment is now.',
    data: z.object({
      mandateId: z.string(),
      ...MoneyData,
      refunded: z.number(),
      status: z.enum(['CAPTURED', 'PARTIALLY_REFUNDED', 'DISPUTED']),
      failedAt: z.iso.datetime(),
    }),
    dataOf: (facts, failedAt) => ({
      ...pick(facts, 'mandateId', 'currency', 'refunded', 'status'),
      amount: Number(facts.refund),
      failedAt,
    }),
    example: {
      mandateId: PAYMENT,
      amount: 29.5,
      currency: 'USD',
      refunded: 0,
      status: 'CAPTURED',
      failedAt: AT,
    },
  }),
  webhookEvent({
    type: 'payment.disputed',
    evidence: 'PAYMENT_DISPUTED',
    name: 'A payment is disputed',
    docs: 'The card holder disputes a captured payment. `reason` is the rail’s reason, if it gave one.',
    data: z.object({
      mandateId: z.string(),
      ...MoneyData,
      reason: z.string().optional(),
      disputedAt: z.iso.datetime(),
    }),
    dataOf: (facts, disputedAt) => ({
      ...pick(facts, 'mandateId', 'currency', 'reason'),
      amount: Number(facts.disputed ?? facts.amount),
      disputedAt,
    }),
    example: { mandateId: PAYMENT, ...MONEY, reason: 'fraudulent', disputedAt: AT },
  }),
] as const;
