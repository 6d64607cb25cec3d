/** The first try of a purchase came to nothing: it is ended before another one is made, so that two never can be paid. */
import type { HttpPaymentRequest, HttpPaymentResult } from '../../../protocol/httpPayment.ts';
import { sameSentence } from '../../../protocol/policy/values/samePurchase.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import { findHttpPayment } from '../../store/statements/purchases/httpPayments.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { PaymentOffer } from '../../usecase/paymentProtocol.ts';
import { answerHttpPayment, offerOf } from '../payments/answerHttpPayment.ts';
import { cancelAtRail } from '../payments/cancelAtRail.ts';
import { requirePayment } from '../payments/loadPayment.ts';

/** States in which nothing was taken, and nothing can be. */
const ENDED: readonly string[] = ['FAILED', 'CANCELED', 'REFUNDED'];

/**
 * Takes back what the rail made for the first try, where the rail can do that; otherwise nothing happens.
 * @throws Fault NOT_FOUND for a payment that is not the caller's, or was not asked for by HTTP
 */
export async function endFirstTry(
  deps: Parameters<typeof cancelAtRail>[0],
  caller: Caller,
  { replaces, agentDid }: Pick<HttpPaymentRequest, 'agentDid' | 'replaces'>,
): Promise<void> {
  if (replaces === undefined) return;
  const first = await deps.store.read(() => findFirstTry(caller, replaces, agentDid));
  if (deps.rails.get(first.rail)?.gate?.cancels === true) await cancelAtRail(deps, first);
}

/** @throws as endFirstTry, and Fault CONFLICT for the payment of another agent */
function* findFirstTry(caller: Caller, mandateId: string, agentDid: string): Script<PaymentRow> {
  const payment = requirePayment(caller, yield* findPayment(caller.tenantId, mandateId), mandateId);
  if (payment.agent_did !== agentDid) throw new Fault('CONFLICT', 'replaces names the payment of another agent.');
  if ((yield* findHttpPayment(caller.tenantId, mandateId)) !== undefined) return payment;
  const message = 'names no payment that a server asked for by HTTP';
  throw new Fault('BAD_REQUEST', `replaces ${message}.`, [{ path: 'replaces', message }]);
}

/**
 * @returns undefined where nothing was taken for the first try, and nothing can be: then the purchase is made anew; what was signed
 * and cannot be taken back is answered again, and of what was taken the agent gets the refusal
 * @throws Fault CONFLICT for the first try of another purchase
 */
export function* answerFirstTry(
  deps: Pick<Deps, 'operations' | 'rails' | 'sealer' | 'settings'>,
  caller: Caller,
  { replaces, agentDid }: Pick<HttpPaymentRequest, 'agentDid' | 'replaces'>,
  offer: PaymentOffer,
  now: number,
): Script<HttpPaymentResult | undefined> {
  if (replaces === undefined) return undefined;
  const first = yield* findFirstTry(caller, replaces, agentDid);
  if (ENDED.includes(first.status)) return undefined;
  const isSigned = first.status === 'AUTHORIZED' && deps.rails.get(first.rail)?.gate?.cancels === false;
  if (!isSigned) return refuseSecond(deps, first, now);
  const row = yield* findHttpPayment(caller.tenantId, replaces);
  const former = row && offerOf(row);
  if (former?.payee !== offer.payee || first.amount_minor !== offer.amountMinor || first.currency !== offer.currency) {
    throw new Fault('CONFLICT', 'replaces names a payment of other money, or to another payee.');
  }
  const answer = yield* answerHttpPayment(deps, first);
  if (answer instanceof Fault) throw answer;
  return answer;
}

function refuseSecond({ settings }: Pick<Deps, 'settings'>, first: PaymentRow, now: number): HttpPaymentResult {
  const { mandate_id: mandateId, transaction_id: transactionId, created_at: at } = first;
  const status = first.status as 'PENDING' | 'UNKNOWN' | 'AUTHORIZED' | 'CAPTURED' | 'PARTIALLY_REFUNDED' | 'DISPUTED';
  const resultUrl = `${settings.baseUrl}/ap2/payments/${mandateId}`;
  const duplicateOf = { mandateId, transactionId, status, createdAt: isoTime(at), resultUrl };
  const message = sameSentence({ count: 1, latestAt: at, status }, now, duplicateOf);
  const details = { DUPLICATE_SUSPECTED: { requested: 2, limit: 1, message } };
  return { allowed: false, reasonCodes: ['DUPLICATE_SUSPECTED'], details, duplicateOf };
}
