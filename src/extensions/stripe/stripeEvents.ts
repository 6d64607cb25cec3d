/** Stripe's notifications: checks the signature, then reads each type as a notice about a payment or a token. */
import Stripe from 'stripe';
import { z } from 'zod';
import { Currency } from '../../../protocol/money.ts';
import { fromStripeAmount } from '../../../protocol/mpp/stripeAmount.ts';
import type { DisputeStatus } from '../../../protocol/payment.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { RailEvents, RailNotice } from '../../rails/notice.ts';
import { DisputeEvidence, IntentAnswer } from './answers.ts';
import { snapshotOf } from './outcomes.ts';
import { StripeNotification } from './stripeNotification.ts';

/** How old a signature may be; Stripe signs each delivery separately. */
const TOLERANCE_SECONDS = 300;

const Reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);
const ChargeObject = z.object({
  payment_intent: Reference.nullish(),
  currency: z.string(),
  captured: z.boolean(),
  amount_captured: z.int(),
  amount_refunded: z.int(),
  metadata: z.record(z.string(), z.string()).default({}),
});
const DisputeObject = z.object({
  id: z.string(),
  payment_intent: Reference.nullish(),
  amount: z.int().nonnegative().nullish(),
  currency: z.string().nullish(),
  reason: z.string().nullish(),
  status: z.string(),
  // 0 where the bank takes no answer.
  evidence_details: DisputeEvidence.extend({ due_by: z.int().nullish() }).nullish(),
});
const RefundObject = z.object({ payment_intent: Reference.nullish(), status: z.string().nullish() });
const TokenObject = z.object({
  id: z.string(),
  payment_intent: Reference.nullish(),
  deactivated_reason: z.string().nullish(),
});
type Read = (object: unknown) => RailNotice;

const READERS: ReadonlyMap<string, Read> = new Map(
  Object.entries<Read>({
    'payment_intent.amount_capturable_updated': readIntent,
    'payment_intent.succeeded': readIntent,
    'payment_intent.payment_failed': readIntent,
    'payment_intent.canceled': readIntent,
    'charge.refunded': readCharge,
    'charge.dispute.created': readDispute,
    // An inquiry that becomes a dispute is updated.
    'charge.dispute.updated': readDispute,
    'charge.dispute.closed': readDispute,
    'refund.failed': readRefund,
    // Accounts of before 2024 get it by these.
    'refund.updated': readRefund,
    'charge.refund.updated': readRefund,
    'shared_payment.issued_token.used': (object) => readToken(object, 'used'),
    'shared_payment.issued_token.deactivated': (object) => readToken(object, undefined),
  }),
);

export function stripeEvents(webhookSecret: string, live: boolean): RailEvents {
  return {
    read(body, signature, now) {
      const { id, type, created, livemode, account, data } = parse(verified(body, signature, webhookSecret, now));
      if (livemode !== undefined && livemode !== live) {
        throw new Fault(
          'BAD_REQUEST',
          `This event is of Stripe's ${livemode ? 'live' : 'test'} mode, this node is not.`,
        );
      }
      // This node's payments are on its own account. A merchant, who knows the mandate's id, may name it in a payment of theirs.
      const read = account == null ? READERS.get(type) : undefined;
      return {
        id,
        type,
        createdAt: created === undefined ? undefined : created * 1000,
        notice: read === undefined ? { kind: 'other' } : understood(type, () => read(data.object ?? data)),
      };
    },
  };
}

function verified(body: Uint8Array, signature: string | undefined, secret: string, now: number): unknown {
  const text = Buffer.from(body).toString('utf8');
  try {
    return Stripe.webhooks.constructEvent(text, signature ?? '', secret, TOLERANCE_SECONDS, undefined, now);
  } catch {
    if (isThin(text)) throw new Fault('BAD_REQUEST', THIN);
    // The package's own messages quote the header.
    throw new Fault('BAD_REQUEST', 'The Stripe-Signature header does not vouch for this body at this time.');
  }
}

const THIN =
  'This endpoint takes snapshot events, and this is a thin one: choose the payload style "snapshot" for the event destination at Stripe.';

/** Whether an event only names what it is about: the package refuses such an event with a right signature too. */
function isThin(text: string): boolean {
  try {
    return (JSON.parse(text) as { readonly object?: unknown } | null)?.object === 'v2.core.event';
  } catch {
    return false;
  }
}

function parse(value: unknown): z.output<typeof StripeNotification> {
  const parsed = StripeNotification.safeParse(value);
  if (!parsed.success) throw new Fault('BAD_REQUEST', 'The body is no event of Stripe.');
  return parsed.data;
}

function understood(type: string, read: () => RailNotice): RailNotice {
  try {
    return read();
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new Fault('BAD_REQUEST', `The object of this ${type} is not what it should be.`);
    throw error;
  }
}

function readIntent(object: unknown): RailNotice {
  return { kind: 'payment', snapshot: snapshotOf(IntentAnswer.parse(object)) };
}

function readCharge(object: unknown): RailNotice {
  const charge = ChargeObject.parse(object);
  if (charge.payment_intent == null || !charge.captured) return { kind: 'other' };
  const currency = charge.currency.toUpperCase();
  return {
    kind: 'payment',
    snapshot: {
      railId: charge.payment_intent,
      mandateId: charge.metadata.mandate,
      state: 'captured',
      capturedMinor: fromStripeAmount(charge.amount_captured, currency),
      refundedMinor: fromStripeAmount(charge.amount_refunded, currency),
    },
  };
}

const DISPUTE_STATES: ReadonlyMap<string, DisputeStatus> = new Map([
  ['needs_response', 'needs_response'],
  ['under_review', 'under_review'],
  ['appeal_needs_response', 'needs_response'],
  ['appeal_under_review', 'under_review'],
  ['won', 'won'],
  ['lost', 'lost'],
  // It was settled before the bank opened it, by giving the money back.
  ['prevented', 'lost'],
  ['warning_needs_response', 'inquiry'],
  ['warning_under_review', 'inquiry'],
  ['warning_closed', 'inquiry_closed'],
]);

function readDispute(object: unknown): RailNotice {
  const { id: disputeId, payment_intent: railId, amount, status, ...rest } = DisputeObject.parse(object);
  if (railId == null) return { kind: 'other' };
  const currency = rest.currency?.toUpperCase();
  const { due_by: dueBy, submission_count: submissions } = rest.evidence_details ?? {};
  return {
    kind: 'dispute',
    railId,
    disputeId,
    amountMinor: amount == null || currency === undefined ? undefined : minorOf(amount, currency),
    currency,
    reason: rest.reason ?? undefined,
    // One that this program does not know is open, so that a person sees to it.
    status: DISPUTE_STATES.get(status) ?? 'under_review',
    reopens: status.startsWith('appeal_') || !DISPUTE_STATES.has(status),
    dueBy: dueBy == null || dueBy <= 0 ? undefined : dueBy * 1000,
    submissions: submissions ?? undefined,
  };
}

/** @returns undefined for a currency that this program does not know */
function minorOf(amount: number, currency: string): number | undefined {
  return Currency.safeParse(currency).success ? fromStripeAmount(amount, currency) : undefined;
}

function readRefund(object: unknown): RailNotice {
  const { payment_intent: railId, status } = RefundObject.parse(object);
  if (railId == null || (status !== 'failed' && status !== 'canceled')) return { kind: 'other' };
  return { kind: 'refundFailed', railId };
}

/** What a token became, by the reason why it was deactivated; `resolved`, by the seller, is an end without a payment. */
const DEACTIVATIONS: ReadonlyMap<string, 'used' | 'expired' | 'revoked'> = new Map([
  ['consumed', 'used'],
  ['expired', 'expired'],
  ['resolved', 'revoked'],
  ['revoked', 'revoked'],
]);

function readToken(object: unknown, change: 'used' | undefined): RailNotice {
  const { id, payment_intent: railId, deactivated_reason: reason } = TokenObject.parse(object);
  const became = change ?? DEACTIVATIONS.get(reason ?? 'revoked');
  return became === undefined
    ? { kind: 'other' }
    : { kind: 'token', tokenId: id, change: became, railId: railId ?? undefined };
}
