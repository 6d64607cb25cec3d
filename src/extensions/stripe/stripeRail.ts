/** The card rail on Stripe: each mandate has a payment intent, which is held, then captured, canceled or refunded. */
import type Stripe from 'stripe';
import type { z } from 'zod';
import { fromStripeAmount, toStripeAmount } from '../../../protocol/mpp/stripeAmount.ts';
import type { Rail, RailAttempt, RailOperationName, RailOutcome, RailRequest, RailSnapshot } from '../../rails/rail.ts';
import { IntentAnswer, RefundAnswer } from './answers.ts';
import { countSubmissions, giveEvidence } from './disputeEvidence.ts';
import { findIntent, findRefund, retrieveIntent, sumRefunds } from './lookup.ts';
import { outcomeOfAuthorization, outcomeOfError, outcomeOfRefund, snapshotOf } from './outcomes.ts';
import { authorizeParams, cancelParams, captureParams, refundParams, under } from './stripeRequests.ts';

/** The card of test payments that name none. */
const TEST_CARD = 'pm_card_visa';

/** @param live whether the connection moves money; otherwise test cards may be used */
export function stripeRail(id: string, stripe: Stripe, live: boolean): Rail {
  return {
    id,
    capabilities: { partialCapture: true, partialRefund: true },
    authorize: (key, request) =>
      withAmount(request, (amount) => {
        const card = request.instrument ?? (live ? undefined : TEST_CARD);
        if (card === undefined) {
          return declined(
            'payment_method_missing',
            'No payment method is registered for this agent, nor for whose money it is.',
          );
        }
        return asked('authorize', async () =>
          outcomeOfAuthorization(
            genuine(await stripe.paymentIntents.create(authorizeParams(request, amount, card), under(key)), INTENT),
          ),
        );
      }),
    capture: (key, request) =>
      withAmount(request, (amount) =>
        asked('capture', async () => {
          const options = under(key);
          const intent = genuine(
            await stripe.paymentIntents.capture(railIdOf(request), captureParams(amount), options),
            INTENT,
          );
          return outcomeOfCapture(intent, request) ?? undecided(intent.status);
        }),
      ),
    cancel: (key, request) =>
      asked('cancel', async () => {
        const options = under(key);
        const intent = genuine(await stripe.paymentIntents.cancel(railIdOf(request), cancelParams(), options), INTENT);
        return outcomeOfCancel(intent) ?? undecided(intent.status);
      }),
    refund: (key, request) =>
      withAmount(request, (amount) =>
        asked('refund', async () => {
          const params = refundParams(key, request, railIdOf(request), amount);
          return outcomeOfRefund(genuine(await stripe.refunds.create(params, under(key)), REFUND));
        }),
      ),
    status: (attempt, signal) => statusOf(stripe, attempt, signal),
    accepts: (instrument) => !live && /^pm_card_\w+$/.test(instrument),
    snapshot: (railId, signal) => see(stripe, railId, signal),
    answerDispute: (disputeId, answer, submit) => giveEvidence(stripe, disputeId, answer, submit),
    countSubmissions: (disputeId) => countSubmissions(stripe, disputeId),
  };
}

async function see(stripe: Stripe, railId: string, signal: AbortSignal): Promise<RailSnapshot | undefined> {
  const intent = await retrieveIntent(stripe, railId);
  if (intent === undefined) return undefined;
  const snapshot = snapshotOf(intent);
  if (!snapshot.refundedMinor) return snapshot;
  const sum = await sumRefunds(stripe, railId, signal);
  return sum === undefined
    ? snapshot
    : { ...snapshot, refundedMinor: fromStripeAmount(sum, intent.currency.toUpperCase()) };
}

async function statusOf(stripe: Stripe, attempt: RailAttempt, signal: AbortSignal): Promise<RailOutcome | undefined> {
  const { operation, request } = attempt;
  if (operation === 'authorize') {
    const { found, complete } = await findIntent(stripe, attempt, signal);
    return found === undefined ? notFound(complete) : outcomeOfAuthorization(found);
  }
  if (operation === 'refund') {
    const { found, complete } = await findRefund(stripe, railIdOf(request), attempt.key, signal);
    return found === undefined ? notFound(complete) : outcomeOfRefund(found);
  }
  const intent = await retrieveIntent(stripe, railIdOf(request));
  if (intent === undefined) return undefined;
  return operation === 'capture' ? outcomeOfCapture(intent, request) : outcomeOfCancel(intent);
}

/** Undefined while the amount is still held. */
function outcomeOfCapture(intent: IntentAnswer, request: RailRequest): RailOutcome | undefined {
  if (intent.status === 'canceled') return declined('canceled', 'The payment was canceled at Stripe.');
  if (intent.status !== 'succeeded') return undefined;
  const captured = fromStripeAmount(intent.amount_received, request.currency);
  if (captured === request.amountMinor) return { kind: 'ok', railId: intent.id, status: intent.status };
  return declined('captured_otherwise', 'Another amount of this payment was captured at Stripe.');
}

/** Undefined while the amount is still held. */
function outcomeOfCancel(intent: IntentAnswer): RailOutcome | undefined {
  if (intent.status === 'canceled') return { kind: 'ok', railId: intent.id, status: intent.status };
  return intent.status === 'succeeded' ? declined('captured', 'The payment was captured at Stripe.') : undefined;
}

async function asked(operation: RailOperationName, ask: () => Promise<RailOutcome>): Promise<RailOutcome> {
  try {
    return await ask();
  } catch (error) {
    return outcomeOfError(error, operation);
  }
}

/** Refuses an amount that Stripe cannot charge before Stripe is asked. */
async function withAmount(
  request: RailRequest,
  ask: (amount: number) => RailOutcome | Promise<RailOutcome>,
): Promise<RailOutcome> {
  const converted = toStripeAmount(request.amountMinor, request.currency);
  return 'refused' in converted ? declined('amount_not_chargeable', converted.refused) : ask(converted.amount);
}

const INTENT = { object: 'payment_intent', schema: IntentAnswer } as const;
const REFUND = { object: 'refund', schema: RefundAnswer } as const;

/**
 * A proxy in between may answer instead of Stripe; such an answer says nothing about the payment.
 * @throws Error
 */
function genuine<Schema extends z.ZodType>(
  answer: Stripe.Response<{ readonly object: string }>,
  { object, schema }: { readonly object: string; readonly schema: Schema },
): z.output<Schema> {
  const { statusCode } = answer.lastResponse;
  if (answer.object !== object || statusCode < 200 || statusCode > 299) {
    throw new Error(`An answer with status ${statusCode} is not by Stripe.`);
  }
  return schema.parse(answer);
}

function railIdOf({ railId, mandateId }: RailRequest): string {
  if (railId === undefined) throw new Error(`payment ${mandateId} has no id at Stripe`);
  return railId;
}

function notFound(complete: boolean): RailOutcome | undefined {
  if (complete) return undefined;
  return { kind: 'unknown', reason: 'Stripe has more payments of that time than one look can go through.' };
}

function declined(code: string, message: string): RailOutcome {
  return { kind: 'declined', code, message };
}

function undecided(status: string): RailOutcome {
  return { kind: 'unknown', reason: `Stripe has not done it yet: the payment intent is ${status}.` };
}
