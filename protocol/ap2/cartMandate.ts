/** A cart mandate of AP2 as an offer that is judged like any other: its items and total, its ids and its end. */
import type { CartSubject } from '../cart.ts';
import { hashOf } from '../credential/canonical.ts';
import type { Suite } from '../credential/ed25519.ts';
import { formatMoney, fromMinor, requireExact, toMinor } from '../money.ts';
import { Fault } from '../wire/fault.ts';
import { CartMandate, type PaymentItem, readAs, refuse } from './mandateShapes.ts';
import { endOfAuthorization } from './merchantAuthorization.ts';

export interface Ap2Offer {
  readonly items: CartSubject['items'];
  readonly totalMinor: number;
  readonly currency: string;
  readonly merchantName: string;
  /** Whether the merchant wants a person to confirm the cart. */
  readonly confirmed: boolean;
  readonly cartId: string;
  /** The id of the payment's details, which a payment mandate names. */
  readonly detailsId: string;
  /** When it can be paid no more, in milliseconds since the epoch. */
  readonly endsAt: number;
}

const PATH = 'cartMandate';
const DETAILS = `${PATH}.contents.payment_request.details`;

/** @throws Fault BAD_REQUEST for a cart that is malformed, not final, or does not add up */
export function readCartMandate(mandate: unknown): Ap2Offer {
  const { contents, merchant_authorization: authorization } = readAs(CartMandate, mandate, PATH);
  const { details } = contents.payment_request;
  const { currency } = details.total.amount;
  const totalMinor = minorOf(details.total, currency, `${DETAILS}.total`);
  if (totalMinor <= 0) refuse(`${DETAILS}.total.amount.value`, 'must be more than 0');
  return {
    items: itemsOf(details, totalMinor),
    totalMinor,
    currency,
    merchantName: contents.merchant_name,
    confirmed: contents.user_cart_confirmation_required,
    cartId: contents.id,
    detailsId: details.id,
    endsAt: Math.min(Date.parse(contents.cart_expiry), endOfAuthorization(authorization) ?? Number.POSITIVE_INFINITY),
  };
}

/**
 * The hash that stands for a cart everywhere in the node. The contents do not say whose they are, so the merchant is part of
 * it: what was approved of one merchant cannot be paid to another that signs the same contents.
 * @param merchant its domain; undefined where the cart does not say
 * @param contents as received, with the nulls
 */
export function hashCartMandate(suite: Suite, merchant: string | undefined, contents: unknown): string {
  return hashOf(suite, { merchant, contents });
}

type Details = CartMandate['contents']['payment_request']['details'];

/** A discount is no item that a person could read as a price, so a cart with one is shown as a whole. */
function itemsOf({ display_items: listed, total }: Details, totalMinor: number): Ap2Offer['items'] {
  const { currency } = total.amount;
  const minors = listed.map((item, at) => minorOf(item, currency, `${DETAILS}.display_items.${at}`));
  const sum = minors.reduce((before, minor) => before + BigInt(minor), 0n);
  if (sum !== BigInt(totalMinor)) {
    const stated = formatMoney(totalMinor, currency);
    refuse(`${DETAILS}.total`, `is ${stated}, but the items come to ${sum} minor units instead of ${totalMinor}`);
  }
  const asItem = (name: string, minor: number) => ({ name, price: fromMinor(minor, currency), quantity: 1 });
  if (minors.some((minor) => minor < 0)) return [asItem(total.label, totalMinor)];
  return listed.map(({ label }, at) => asItem(label, minors[at] as number));
}

function minorOf({ amount, pending }: PaymentItem, currency: string, path: string): number {
  if (pending === true) refuse(`${path}.pending`, 'is true, and only what is final can be paid');
  if (amount.currency !== currency) refuse(`${path}.amount.currency`, `must be ${currency}, as that of the total`);
  try {
    const minor = requireExact(toMinor(Math.abs(amount.value), currency, { allowZero: true }), currency);
    return amount.value < 0 ? -minor : minor;
  } catch (error) {
    if (error instanceof Fault)
      throw new Fault('BAD_REQUEST', error.message, [{ path: `${path}.amount.value`, message: error.message }]);
    throw error;
  }
}
