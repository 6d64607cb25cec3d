/** An amount is reserved before a payment elsewhere: judged as any purchase, in one commit, and held until it is told what came of it. */
import { DEFAULT_EXPIRES_IN, ReservationRequest, ReservationResult } from '../../../protocol/external/reservation.ts';
import { formatMoney, fromMinor, toMinor } from '../../../protocol/money.ts';
import { captureEndsAt } from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import { requestedUrl } from '../../domain/httpPayments/merchantOf.ts';
import { openPurchase, type PurchaseOrder } from '../../domain/orders/openPurchase.ts';
import { requirePayment } from '../../domain/payments/loadPayment.ts';
import { recordOutcome } from '../../domain/payments/recordOutcome.ts';
import { type AttemptOrOutput, type RailAttemptToSend, throughRail } from '../../domain/payments/throughRail.ts';
import { at, minorAt } from '../../domain/purchases/purchaseFacts.ts';
import { insertExternalPayment } from '../../store/statements/purchases/externalPayments.ts';
import { findPayment } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { type DecidingDeps, decision } from '../../usecase/useCase.ts';
import { EXTERNAL_RAIL } from './externalRail.ts';

export const reserveExternally = decision({
  summary: 'Reserves an amount for a payment that is made elsewhere, such as with a card that is typed into a page.',
  input: ReservationRequest,
  output: ReservationResult,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: (deps, call, input) => {
    // A task is asked for by one message, and stands for the purchase itself.
    const isNamed = call.idempotency !== undefined || input.idempotencyKey !== undefined || call.task !== undefined;
    if (!isNamed) throw NO_KEY;
    return reserve(deps, call, input);
  },
});

const message = 'is missing: it names the purchase, so that a repeated call reserves nothing more';
const NO_KEY = new Fault('BAD_REQUEST', `idempotencyKey ${message}.`, [{ path: 'idempotencyKey', message }]);

/** No rail is asked: what is allowed is held in the same commit. */
const reserve = throughRail<ReservationRequest, ReservationResult, object, DecidingDeps>(
  () => ({}),
  function* (deps, caller, input, now): Script<AttemptOrOutput<ReservationResult>> {
    if (!deps.rails.has(EXTERNAL_RAIL)) {
      throw new Fault(
        'CONFLICT',
        'This node reserves nothing for payments elsewhere; its operator sets EXTERNAL_RAIL=true.',
      );
    }
    const { order, expiresIn } = yield* orderOf(deps, caller, input);
    const moment = { now, contextId: undefined, signed: [] };
    const begun = yield* openPurchase(deps, caller, order, input.approvalId, moment);
    if (!('attempt' in begun)) return begun;
    return { output: yield* hold(deps, input, begun, { expiresAt: now + expiresIn * 1000, now }) };
  },
);

/** @throws Fault BAD_REQUEST for items that do not add up, NOT_FOUND for a reservation to top that is not the caller's */
function* orderOf(
  deps: Pick<Deps, 'settings'>,
  caller: Caller,
  input: ReservationRequest,
): Script<{ readonly order: PurchaseOrder; readonly expiresIn: number }> {
  const { agentDid, principalDid = agentDid, delegationId, merchant, currency, channel, payee, url, tops } = input;
  const amountMinor = minorAt('amount', input.amount, currency);
  if (tops !== undefined) yield* requireOwn(caller, tops, agentDid);
  const requested = url === undefined ? undefined : requestedUrl(deps, url);
  const reference = input.reference === undefined ? undefined : inertText(input.reference);
  const total = fromMinor(amountMinor, currency);
  const items = input.items?.map((item) => ({ ...item, name: inertText(item.name) }));
  if (items !== undefined) requireSum(items, amountMinor, currency);
  const { enforcement = 'asked', expiresIn = DEFAULT_EXPIRES_IN } = input;
  const order: PurchaseOrder = {
    agentDid,
    principalDid,
    delegationId,
    source: 'external',
    rail: EXTERNAL_RAIL,
    merchant,
    amountMinor,
    currency,
    payee: payee === undefined ? undefined : payeeOf(inertText(payee)),
    hints: compact({ mcc: input.mcc, country: input.country }),
    items: items ?? [{ name: `Payment to ${merchant}`, price: total, quantity: 1 }],
    what: items === undefined ? (requested?.print ?? reference ?? '') : undefined,
    facts: compact({ channel, enforcement, url: requested?.shown, reference, tops }),
    instrument: undefined,
    request: {},
  };
  return { order, expiresIn };
}

/** An account on a chain is in lower case in the registry of merchants. */
function payeeOf(text: string): string {
  return /^eip155:/i.test(text) ? text.toLowerCase() : text;
}

function* requireOwn(caller: Caller, tops: string, agentDid: string): Script<void> {
  const first = requirePayment(caller, yield* findPayment(caller.tenantId, tops), tops);
  if (first.agent_did === agentDid && first.rail === EXTERNAL_RAIL) return;
  const message = 'names no reservation of this agent';
  throw new Fault('BAD_REQUEST', `tops ${message}.`, [{ path: 'tops', message }]);
}

/** @throws Fault BAD_REQUEST: what a person is shown must be what is paid */
function requireSum(items: PurchaseOrder['items'], amountMinor: number, currency: string): void {
  const prices = items.map(
    ({ price, quantity }, index) =>
      at(`items.${index}.price`, () => toMinor(price, currency, { allowZero: true })) * quantity,
  );
  const sum = prices.reduce((all, one) => all + one, 0);
  if (sum === amountMinor) return;
  const shown = Number.isSafeInteger(sum) ? formatMoney(sum, currency) : 'more than can be counted';
  const message = `come to ${shown}, and the amount is ${formatMoney(amountMinor, currency)}; tax and shipping are items`;
  throw new Fault('BAD_REQUEST', `The items ${message}.`, [{ path: 'items', message }]);
}

function* hold(
  deps: Deps,
  { channel, enforcement = 'asked', reference }: ReservationRequest,
  { attempt }: RailAttemptToSend,
  { expiresAt, now }: { readonly expiresAt: number; readonly now: number },
): Script<ReservationResult> {
  const { tenant_id: tenantId, payment_id: mandateId } = attempt;
  const outcome = {
    kind: 'ok' as const,
    railId: mandateId,
    status: 'reserved',
    holdUntil: expiresAt,
    proof: { channel, enforcement, attested: 'agent', expiresAt: isoTime(expiresAt) },
  };
  const held = yield* recordOutcome(deps, tenantId, attempt.attempt_key, outcome, now);
  if (held === undefined) throw new Error(`reservation ${mandateId} has no payment`);
  const { payment } = held;
  const commitUntil = captureEndsAt(payment.created_at);
  yield* insertExternalPayment({
    tenant_id: tenantId,
    mandate_id: mandateId,
    merchant: payment.merchant,
    channel,
    currency: payment.currency,
    amount_minor: payment.amount_minor,
    expires_at: expiresAt,
    commit_until: commitUntil,
    created_at: now,
    order_reference: reference === undefined ? null : inertText(reference),
  });
  return {
    allowed: true,
    mandateId,
    intentId: payment.intent_id,
    transactionId: payment.transaction_id,
    reserved: fromMinor(payment.amount_minor, payment.currency),
    currency: payment.currency,
    expiresAt: isoTime(expiresAt),
    commitUntil: isoTime(commitUntil),
  };
}
