/** A checkout session of ACP is judged and paid: the shop signs no cart, so the node makes it, and the token is good at that shop alone. */
import { AcpCartRequest } from '../../../protocol/acp/acpRequest.ts';
import { type CheckoutSession, readSession, totalOfSession } from '../../../protocol/acp/checkoutSession.ts';
import { cartOfSession } from '../../../protocol/acp/sessionCart.ts';
import {
  chooseHandler,
  refusalOfSession,
  type SessionRefusal,
  type TokenHandler,
} from '../../../protocol/acp/sessionOffer.ts';
import { HttpPaymentResult } from '../../../protocol/httpPayment.ts';
import { refusalOf } from '../../../protocol/reason.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { type Caller, requireActsFor } from '../../access/caller.ts';
import { openOffer } from '../../domain/httpPayments/openHttpPayment.ts';
import { endFirstTry } from '../../domain/httpPayments/replaceFirstTry.ts';
import type { PurchaseOrder } from '../../domain/orders/openPurchase.ts';
import { offerOf } from '../../domain/payments/answerHttpPayment.ts';
import { type AttemptOrOutput, throughRail } from '../../domain/payments/throughRail.ts';
import { findHttpPayment } from '../../store/statements/purchases/httpPayments.ts';
import { findPayment } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { PaymentOffer } from '../../usecase/paymentProtocol.ts';
import { type DecidingDeps, decision } from '../../usecase/useCase.ts';
import { type AcpRecord, acpProtocol } from './acpProtocol.ts';

export const validateAcpSession = decision({
  summary: 'Checks a checkout session of ACP against the policy, and gives the token that completes it.',
  input: AcpCartRequest,
  output: HttpPaymentResult,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  secretAnswer: true,
  run: async (deps: DecidingDeps, call, input) => {
    const session = readSession(input.session, 'session');
    // Whose first try it was is known before anything is ended.
    if (input.replaces !== undefined) await deps.store.read(() => requireSameSession(call.caller, input, session));
    await endFirstTry(deps, call.caller, input);
    const run = throughRail<AcpCartRequest, HttpPaymentResult, object, DecidingDeps>(
      () => ({}),
      (own, caller, asked, now) => paySession(own, caller, asked, session, now),
    );
    return run(deps, call, input);
  },
});

function* paySession(
  deps: DecidingDeps,
  caller: Caller,
  input: AcpCartRequest,
  session: CheckoutSession,
  now: number,
): Script<AttemptOrOutput<HttpPaymentResult>> {
  requireActsFor(caller, input.agentDid);
  const refused = refusalOfSession(session, now);
  const handler = refused ?? chooseHandler(session);
  if ('code' in handler) return { output: refusal(handler), isOpen: true };
  if (!deps.rails.has(acpProtocol.rail)) {
    const message = `This node has no ${acpProtocol.rail}; the shop takes ${handler.psp}.`;
    return { output: refusal({ code: 'RAIL_UNAVAILABLE', message }), isOpen: true };
  }
  const amountMinor = totalOfSession(session);
  const offer = offerOfSession(input, session, handler, amountMinor);
  const order = function* (expiresAt: number) {
    return orderOf(input, session, offer, expiresAt);
  };
  return yield* openOffer(deps, caller, input, { protocol: acpProtocol, offer }, order, now);
}

/** A refusal that is no decision on a purchase: the session is not one that can be paid here. */
function refusal(refused: SessionRefusal): HttpPaymentResult {
  const { code, message, continueUrl } = refused;
  const made = refusalOf({ [code]: { message } });
  if (made === undefined) throw new Error('a refusal has a reason');
  return compact({
    allowed: false as const,
    reasonCodes: [...made.reasonCodes],
    details: { ...made.details },
    continueUrl,
  });
}

/** One session is paid by one payment; a further try names the one before it, which has ended by then. */
function offerOfSession(
  { merchantDomain, replaces = '' }: AcpCartRequest,
  session: CheckoutSession,
  handler: TokenHandler,
  amountMinor: number,
): PaymentOffer {
  const received: AcpRecord = { sessionId: session.id, handlerId: handler.id };
  const { totals, note } = cartOfSession(session, amountMinor, merchantDomain);
  return {
    amountMinor,
    currency: session.currency,
    payee: handler.merchantId,
    challenge: `${merchantDomain}\n${session.id}\n${replaces}`,
    challengeId: session.id,
    expiresAt: Math.min(session.endsAt, Number.MAX_SAFE_INTEGER),
    facts: compact({
      sessionId: inertText(session.id),
      handler: inertText(handler.id),
      psp: handler.psp,
      totals,
      note,
    }),
    request: {},
    received: received as unknown as PaymentOffer['received'],
  };
}

function orderOf(
  { agentDid, principalDid = agentDid, delegationId, intentId, merchantDomain, instrument }: AcpCartRequest,
  session: CheckoutSession,
  { amountMinor, currency, payee, facts }: PaymentOffer,
  expiresAt: number,
): PurchaseOrder {
  return {
    agentDid,
    principalDid,
    delegationId,
    intentId,
    source: acpProtocol.name,
    rail: acpProtocol.rail,
    merchant: merchantDomain,
    amountMinor,
    currency,
    payee,
    items: cartOfSession(session, amountMinor, merchantDomain).items,
    what: undefined,
    facts,
    instrument,
    request: { expiresAt, offer: {} },
  };
}

/** @throws Fault BAD_REQUEST where the first try was of another session, so that no session has two payments */
function* requireSameSession(
  { tenantId }: Caller,
  { replaces = '', merchantDomain }: AcpCartRequest,
  session: CheckoutSession,
): Script<void> {
  const row = yield* findHttpPayment(tenantId, replaces);
  const payment = row && (yield* findPayment(tenantId, replaces));
  // One that is not there, or another's, is told of by what comes next.
  if (row === undefined || payment === undefined) return;
  const { sessionId } = offerOf(row).received as Partial<AcpRecord>;
  if (row.protocol === acpProtocol.name && sessionId === session.id && payment.merchant === merchantDomain) return;
  const message = 'names a payment of another session';
  throw new Fault('BAD_REQUEST', `replaces ${message}.`, [{ path: 'replaces', message }]);
}
