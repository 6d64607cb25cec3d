/** Whether a session of ACP can be paid here, and by which of its handlers; and what is sent to pay it. */
import { inertText } from '../wire/plainText.ts';
import type { CheckoutSession, PaymentHandler } from './checkoutSession.ts';
import { wordsOf } from './checkoutSession.ts';

/** The provider that shared payment tokens are made at. */
const PROVIDER = 'stripe';
/** Handlers of what the shop holds itself, such as points, take no token. */
const BY_SELLER = /(^|\.)seller_backed(\.|$)/;

/** At these the shop's customer has to go on. */
const FOR_THE_PERSON: readonly string[] = ['requires_escalation', 'authentication_required', 'pending_approval'];
const MESSAGES_FOR_THE_PERSON: readonly string[] = ['intervention_required', 'requires_3ds', 'requires_sign_in'];
const IN_HAND: readonly string[] = ['complete_in_progress', 'in_progress'];

/** Why a session cannot be paid. */
export interface SessionRefusal {
  readonly code: 'CART_EXPIRED' | 'CART_USED' | 'RAIL_UNAVAILABLE';
  readonly message: string;
  /** Where its customer goes on. */
  readonly continueUrl?: string | undefined;
}

/**
 * That the shop asks for its customer, in words.
 * @param continueUrl where it is asked to go on, as far as that is to be told
 * @returns undefined for a session that goes on without
 */
export function interventionOf(
  { status, messages }: CheckoutSession,
  continueUrl: string | undefined,
): string | undefined {
  const asks = messages.find(({ type, code }) => type === 'error' && MESSAGES_FOR_THE_PERSON.includes(code ?? ''));
  if (!FOR_THE_PERSON.includes(status) && (status !== 'ready_for_payment' || asks === undefined)) return undefined;
  const where = continueUrl === undefined ? 'at the shop' : `at ${continueUrl}`;
  const said = asks === undefined ? '' : ` It says: ${wordsOf(asks)}`;
  return `The shop asks for its customer (${inertText(asks?.code ?? status)}): a person goes on ${where}.${said}`;
}

/** @returns undefined for one that can be paid */
export function refusalOfSession(session: CheckoutSession, now: number): SessionRefusal | undefined {
  const { status, continueUrl, endsAt } = session;
  const message = interventionOf(session, continueUrl);
  if (message !== undefined) return { code: 'RAIL_UNAVAILABLE', message, continueUrl };
  if (status === 'completed') return { code: 'CART_USED', message: 'The session is completed: it has an order.' };
  if (status === 'canceled' || status === 'expired') {
    return { code: 'CART_EXPIRED', message: `The session is ${status}; create another one at the shop.` };
  }
  if (IN_HAND.includes(status)) {
    const message = `The session is ${status}: the shop was asked and has not answered yet. Wait, and ask it with the same Idempotency-Key.`;
    return { code: 'RAIL_UNAVAILABLE', message };
  }
  if (status !== 'ready_for_payment') {
    const message = `The session is ${inertText(status)}: only one that is ready_for_payment can be paid.`;
    return { code: 'RAIL_UNAVAILABLE', message };
  }
  if (endsAt <= now)
    return { code: 'CART_EXPIRED', message: 'The session has expired; create another one at the shop.' };
  return undefined;
}

/** A handler that a shared payment token pays, and whom it is made out to. */
export interface TokenHandler {
  readonly id: string;
  readonly psp: string;
  readonly merchantId: string;
}

/** @returns the first handler that can be used, or why none of them can */
export function chooseHandler({ handlers }: CheckoutSession): TokenHandler | SessionRefusal {
  for (const { id, psp, config, ...handler } of handlers) {
    const merchantId = config?.merchant_id;
    if (merchantId == null || obstacleOf({ psp, ...handler }) !== undefined) continue;
    return { id, psp: PROVIDER, merchantId };
  }
  const offered = handlers.map(({ name, ...handler }) => {
    const why = obstacleOf({ name, ...handler }) ?? 'it names no merchant_id';
    return `${inertText(name)} (${why})`;
  });
  const list = offered.length === 0 ? 'no payment handler' : offered.join(', ');
  return { code: 'RAIL_UNAVAILABLE', message: `Nothing of what the shop takes can be paid. Offered: ${list}.` };
}

type HandlerKind = Pick<PaymentHandler, 'name' | 'psp' | 'requires_pci_compliance'>;

function obstacleOf({ name, psp, requires_pci_compliance: pci }: HandlerKind): string | undefined {
  if (pci === true) return 'it takes card numbers, which never come here';
  if (BY_SELLER.test(name)) return 'the shop’s own';
  return psp.toLowerCase() === PROVIDER ? undefined : `by ${inertText(psp)}`;
}

/** PaymentData of ACP: a member of the body of `/complete`. */
export function paymentDataOf(handlerId: string, token: string) {
  return { handler_id: handlerId, instrument: { type: 'card', credential: { type: 'spt', token } } };
}
