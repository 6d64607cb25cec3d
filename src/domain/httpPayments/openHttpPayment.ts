/** A payment by HTTP is opened, or found again: one challenge is paid by one payment, for ever. */
import type { HttpPaymentRequest, HttpPaymentResult } from '../../../protocol/httpPayment.ts';
import { fromMinor } from '../../../protocol/money.ts';
import { type ReasonDetails, refusalOf } from '../../../protocol/reason.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { type Caller, requireActsFor } from '../../access/caller.ts';
import {
  findHttpPaymentOfChallenge,
  type HttpPaymentRow,
  insertHttpPayment,
} from '../../store/statements/purchases/httpPayments.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import { findRailAttempt } from '../../store/statements/purchases/railAttempts.ts';
import { listDomainsOfPayee } from '../../store/statements/registry/merchants.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { PaymentOffer } from '../../usecase/paymentProtocol.ts';
import type { DecidingDeps } from '../../usecase/useCase.ts';
import { loadAgent } from '../agents/loadAgent.ts';
import { openPurchase, type PurchaseOrder } from '../orders/openPurchase.ts';
import { answerHttpPayment, offerOf } from '../payments/answerHttpPayment.ts';
import type { AttemptOrOutput } from '../payments/throughRail.ts';
import { loadPolicy } from '../policies/loadFacts.ts';
import { chooseOffer, type PayableOffer, type ReadOffers } from './chooseOffer.ts';
import { type RequestedUrl, requestedUrl } from './merchantOf.ts';
import { answerFirstTry } from './replaceFirstTry.ts';

/** What the rail makes pays for so long at most: no challenge needs more, and a person is not waited for with it. */
const MOST_MS = 300_000;
/** By then a chain has settled what was in time, or never will. */
const CONFIRM_AFTER_MS = 90_000;
/** A name of an item has at most 500 characters. */
const MOST_OF_NAME = 480;

/** @throws Fault CONFLICT for a challenge of another payment, and what openPurchase throws */
export function* openHttpPayment(
  deps: DecidingDeps,
  caller: Caller,
  input: HttpPaymentRequest,
  { payable, reasons }: ReadOffers,
  now: number,
): Script<AttemptOrOutput<HttpPaymentResult>> {
  requireActsFor(caller, input.agentDid);
  const { compiled } = yield* loadPolicy(deps, caller.tenantId);
  const chosen = chooseOffer(compiled, payable);
  if (chosen === undefined) return { output: refused(reasons) };
  const { protocol, offer } = chosen;
  const challenge = offer.challenge === undefined ? null : deps.suite.sha256Hex(`${protocol.name}\n${offer.challenge}`);
  const known = challenge === null ? undefined : yield* findHttpPaymentOfChallenge(caller.tenantId, challenge);
  if (known !== undefined) return yield* openedBefore(deps, known, input.agentDid, offer, now);
  const former = yield* answerFirstTry(deps, caller, input, offer, now);
  if (former !== undefined) return { output: former, isOpen: former.allowed };
  const requested = requestedOf(deps, input.url);
  const merchant = requested?.merchant ?? (yield* merchantOfPayee(caller.tenantId, offer.payee));
  if (merchant === undefined) return { output: refused(UNKNOWN_MERCHANT) };
  const expiresAt = Math.min(offer.expiresAt, now + MOST_MS);
  const order = orderOf(input, chosen, { merchant, requested, expiresAt });
  const begun = yield* openPurchase(deps, caller, order, input.approvalId, { now, contextId: undefined, signed: [] });
  if (!('attempt' in begun)) return begun;
  yield* insertHttpPayment({
    tenant_id: caller.tenantId,
    mandate_id: begun.attempt.payment_id,
    protocol: protocol.name,
    challenge,
    challenge_id: offer.challengeId ?? null,
    payee: offer.payee,
    offer: JSON.stringify(offer),
    expires_at: expiresAt,
    created_at: now,
    instrument: offer.instrument ?? null,
    confirm_at: protocol.attests === 'chain' ? expiresAt + CONFIRM_AFTER_MS : null,
  });
  return begun;
}

const UNKNOWN_MERCHANT: ReasonDetails = {
  MERCHANT_UNVERIFIED: {
    message:
      'Nothing says who the merchant is: no url was requested, and the payee is bound to no domain, or to several.',
  },
};

/** A refusal that is no decision on a purchase, since nothing that could be bought was offered. */
function refused(reasons: ReasonDetails): HttpPaymentResult {
  const refusal = refusalOf(reasons);
  if (refusal === undefined) throw new Error('a refusal has a reason');
  return { allowed: false, reasonCodes: [...refusal.reasonCodes], details: { ...refusal.details } };
}

/** The same challenge again is the same payment: a repeated call makes no second one. */
function* openedBefore(
  deps: DecidingDeps,
  known: HttpPaymentRow,
  agentDid: string,
  offer: PaymentOffer,
  now: number,
): Script<AttemptOrOutput<HttpPaymentResult>> {
  const payment = (yield* findPayment(known.tenant_id, known.mandate_id)) as PaymentRow;
  if (payment.agent_did !== agentDid) throw new Fault('CONFLICT', 'This challenge is paid by another agent.');
  const { amountMinor, currency, payee } = offerOf(known);
  if (amountMinor !== offer.amountMinor || currency !== offer.currency || payee !== offer.payee) {
    throw new Fault('CONFLICT', 'This challenge was authorized before for other money, or another payee.');
  }
  const agent = yield* loadAgent(known.tenant_id, agentDid);
  if (agent.status !== 'ACTIVE') throw new Fault('CONFLICT', `The agent is ${agent.status}.`);
  const attempt = yield* findRailAttempt(known.mandate_id);
  // Asked once more under the same key, the rail has done it once.
  if (attempt?.state === 'OPEN') return { attempt, rail: payment.rail };
  if (known.expires_at <= now && payment.status === 'AUTHORIZED') return { output: refused(ended(known)) };
  const answer = yield* answerHttpPayment(deps, payment);
  if (answer instanceof Fault) throw answer;
  return { output: answer };
}

function ended({ expires_at: at }: HttpPaymentRow): ReasonDetails {
  return { CART_EXPIRED: { message: `The challenge ended at ${isoTime(at)}; ask the server for a new one.` } };
}

/** @returns undefined for a tool of a server that is no site */
function requestedOf(deps: Pick<Deps, 'settings'>, url: string | undefined): RequestedUrl | undefined {
  return url === undefined || url.startsWith('mcp:') ? undefined : requestedUrl(deps, url);
}

/** @returns undefined where no domain has it, or several */
function* merchantOfPayee(tenantId: string, payee: string): Script<string | undefined> {
  const [only, other] = yield* listDomainsOfPayee(tenantId, payee);
  return other === undefined ? only?.domain : undefined;
}

function orderOf(
  {
    agentDid,
    principalDid = agentDid,
    delegationId,
    method = 'GET',
    bodyDigest,
    toolName,
    instrument,
  }: HttpPaymentRequest,
  { protocol, offer }: PayableOffer,
  asked: { readonly merchant: string; readonly requested: RequestedUrl | undefined; readonly expiresAt: number },
): PurchaseOrder {
  const { merchant, requested, expiresAt } = asked;
  const { amountMinor, currency, payee, exact, facts, request } = offer;
  const name = toolName === undefined ? `${method} ${requested?.shown ?? merchant}` : `Tool ${toolName} at ${merchant}`;
  const bought = toolName === undefined ? `${method} ${requested?.print ?? merchant}` : `tool ${toolName} ${merchant}`;
  return {
    agentDid,
    principalDid,
    delegationId,
    source: protocol.name,
    rail: protocol.rail,
    merchant,
    amountMinor,
    currency,
    payee,
    items: [{ name: name.slice(0, MOST_OF_NAME), price: fromMinor(amountMinor, currency), quantity: 1 }],
    what: bodyDigest === undefined ? bought : `${bought} ${bodyDigest}`,
    facts: { ...(exact === undefined ? {} : { exact }), ...facts },
    instrument: offer.instrument ?? instrument,
    request: { expiresAt, offer: { ...request } },
  };
}
