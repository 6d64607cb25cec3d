/** What a shop answered to `/complete`, as an agent tells it: an order, a session, or an error of ACP. */
import { z } from 'zod';
import { inertText } from '../wire/plainText.ts';
import { type CheckoutSession, readSession, type SessionDocument, wordsOf } from './checkoutSession.ts';
import { interventionOf } from './sessionOffer.ts';

const OrderDocument = z.looseObject({
  id: z.string().max(255).nullish(),
  checkout_session_id: z.string().max(255),
});

const ErrorDocument = z.looseObject({ code: z.string().max(100), message: z.string().max(10_000).nullish() });

/** Errors after which the shop may take the money all the same. */
const NO_ANSWER: ReadonlyMap<string, string> = new Map([
  ['idempotency_in_flight', 'it works on the first request; wait, and send the same with the same Idempotency-Key'],
  ['idempotency_conflict', 'its Idempotency-Key was used for another request'],
]);
const DECLINED = 'payment_declined';

type CompletionClaim =
  | { readonly kind: 'paid'; readonly reference?: string; readonly order: object }
  | { readonly kind: 'unpaid'; readonly note: string }
  /** forPerson is true where a person has to do something at the shop. */
  | { readonly kind: 'noted'; readonly note: string; readonly forPerson?: true }
  /** It is no such document, or is about another purchase. */
  | { readonly kind: 'refused'; readonly path: string; readonly reason: string };

interface CompletionReport {
  readonly session?: SessionDocument | undefined;
  readonly order?: SessionDocument | undefined;
  readonly problem?: SessionDocument | undefined;
  readonly status?: number | undefined;
}

/**
 * @param sessionId of the session that was paid
 * @param merchant the domain of its shop
 */
export function readCompletion(report: CompletionReport, sessionId: string, merchant: string): CompletionClaim {
  const { session, order, problem, status } = report;
  if (session !== undefined) {
    const read = readSession(session, 'session');
    if (read.id !== sessionId) return wrong('session', 'is another session');
    const itsOrder = session['order'];
    if (itsOrder != null) return claimOfOrder(itsOrder, sessionId, 'session.order');
    return claimOfSession(read, merchant);
  }
  if (order !== undefined) return claimOfOrder(order, sessionId, 'order');
  const error = problem === undefined ? undefined : ErrorDocument.safeParse(problem).data;
  const said = [status === undefined ? undefined : `HTTP ${status}`, error?.code].filter(Boolean).join(', ');
  const why = NO_ANSWER.get(error?.code ?? '');
  if (why !== undefined) return { kind: 'noted', note: `The shop answered ${inertText(said)}: ${why}.` };
  const note = `The shop answered without an order: ${inertText(said) || 'no answer'}.`;
  return { kind: error?.code === DECLINED ? 'unpaid' : 'noted', note };
}

function claimOfOrder(document: unknown, sessionId: string, path: string): CompletionClaim {
  const read = OrderDocument.safeParse(document);
  if (!read.success) return wrong(path, 'is no Order of ACP: it has no checkout_session_id');
  if (read.data.checkout_session_id !== sessionId) return wrong(path, 'is of another session');
  // Orders of webhooks come without an id.
  const reference = read.data.id ?? undefined;
  return { kind: 'paid', ...(reference === undefined ? {} : { reference }), order: read.data };
}

function claimOfSession(session: CheckoutSession, merchant: string): CompletionClaim {
  const { status, messages, continueUrl } = session;
  const declined = messages.find(({ code }) => code === DECLINED);
  if (declined !== undefined && status !== 'completed') {
    return { kind: 'unpaid', note: `The shop says that the payment was declined: ${wordsOf(declined)}` };
  }
  if (status === 'canceled' || status === 'expired') return { kind: 'unpaid', note: `The session is ${status}.` };
  const asked = interventionOf(session, ofShop(continueUrl, merchant));
  if (asked !== undefined) return { kind: 'noted', note: asked, forPerson: true };
  return { kind: 'noted', note: `The session is ${inertText(status)}, without an order.` };
}

/** The agent tells it, and a person reads it: an address elsewhere could be one that lures. */
function ofShop(url: string | undefined, merchant: string): string | undefined {
  if (url === undefined) return undefined;
  const { hostname } = new URL(url);
  return hostname === merchant || hostname.endsWith(`.${merchant}`) ? url : undefined;
}

function wrong(path: string, reason: string): CompletionClaim {
  return { kind: 'refused', path, reason };
}
