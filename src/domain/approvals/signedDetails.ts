/**
 * What a merchant signed in a cart besides shop, items and total, and what the agent said of its purchase, as names and values
 * for the person who approves it.
 */
import type { CartMandate } from '../../../protocol/ap2/mandateShapes.ts';
import { isOfDataModel2 } from '../../../protocol/credential/vc.ts';
import { formatMoney } from '../../../protocol/money.ts';
import type { StoredShopping } from '../../../protocol/shopping.ts';
import type { CheckoutDocument } from '../../../protocol/ucp/checkout.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { type CartOfMandate, cartMandateIn, checkoutIn, type StoredCart } from '../purchases/storedCart.ts';

interface Detail {
  readonly name: string;
  readonly value: string;
}

/** What every cart credential has (Verifiable Credentials Data Model 1.1 and 2.0), and says nothing about the purchase. */
const ENVELOPE = ['@context', 'id', 'type', 'issuer', 'credentialSubject', 'proof'];
const DATES = ['issuanceDate', 'expirationDate'];
const DATES_OF_DOCUMENT = ['validFrom', 'validUntil'];
/** What the page shows at a place of its own. */
const SHOWN = ['merchant', 'total', 'currency', 'items'];
/** What the node puts into the cart of a chain that its shop did not sign. */
const UNSIGNED = ['mandate', 'signedByShop'];
const SHOWN_OF_ITEM = ['name', 'price', 'quantity'];
const SHOWN_OF_CONTENTS = ['merchant_name', 'user_cart_confirmation_required', 'payment_request'];
const SHOWN_OF_LINE = ['label', 'amount'];
const SHOWN_OF_CHECKOUT = ['ucp', 'ap2', 'status', 'currency', 'line_items', 'totals'];

/** Members that shops use, in words. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['shipTo', 'Deliver to'],
  ['payTo', 'Paid to'],
  ['payer', 'Paid by'],
  ['subscription', 'Subscription'],
  ['description', 'Description'],
  ['shipping_address', 'Deliver to'],
  ['cart_expiry', 'holds until'],
  ['method_data', 'Payment method'],
  ['refund_period', 'refund days'],
  ['payee', 'Payee'],
  ['paymentInstrument', 'Paid with'],
  ['source', 'Asked for by'],
  ['realm', 'The server calls itself'],
  ['externalId', 'The server’s order'],
  ['exact', 'Exactly'],
  ['channel', 'Paid elsewhere by'],
  ['enforcement', 'Watched'],
  ['tops', 'The rest of'],
  ['checkoutHash', 'Hash of the checkout'],
]);

/**
 * @param isByChain where the node made the cart of a chain, whose mandate no shop has signed
 * @returns every other signed member, in the order of the cart; a member within members gets a path for a name
 */
export function signedDetails(cart: StoredCart, isByChain: boolean): Detail[] {
  const checkout = checkoutIn(cart)?.checkout;
  if (checkout !== undefined) return detailsOfCheckout(checkout);
  const mandate = cartMandateIn(cart);
  if (mandate !== undefined) return detailsOfMandate(mandate);
  return detailsOfCredential(cart, isByChain ? [...SHOWN, ...UNSIGNED] : SHOWN);
}

function detailsOfCredential({ credentialSubject, ...credential }: StoredCart, shown: readonly string[]): Detail[] {
  const subject = (credentialSubject ?? {}) as Readonly<Record<string, unknown>>;
  const items = Array.isArray(subject['items']) ? subject['items'] : [];
  return [
    ...flattenAll(subject, shown),
    ...items.flatMap((item: unknown, at) =>
      membersOf(item, SHOWN_OF_ITEM).flatMap(([name, value]) => flatten(`Item ${at + 1}, ${name}`, value)),
    ),
    ...membersOf(credential, [...ENVELOPE, ...(isOfDataModel2(credential) ? DATES_OF_DOCUMENT : DATES)]).flatMap(
      ([name, value]) => flatten(name, value),
    ),
  ];
}

/** In AP2 the members that are absent are written as null. */
function detailsOfMandate({ contents }: CartMandate): Detail[] {
  const { details, ...request } = contents.payment_request;
  const { display_items: lines } = details;
  // With a discount among them the lines are no items, so they are shown here.
  const isWhole = lines.some(({ amount }) => amount.value < 0);
  const shown = lines.flatMap((line, at): Detail[] => [
    ...(isWhole ? flatten(`Item ${at + 1}`, `${line.label}: ${line.amount.value} ${line.amount.currency}`) : []),
    ...flattenAll(line, SHOWN_OF_LINE, `Item ${at + 1}, `),
  ]);
  return [
    ...flattenAll(contents, SHOWN_OF_CONTENTS, 'Cart, '),
    ...flattenAll(request, []),
    ...flattenAll(details, ['display_items', 'total'], 'Payment, '),
    ...shown,
    ...flattenAll(details.total, [...SHOWN_OF_LINE, 'refund_period'], 'Total, '),
  ].filter(({ value }) => value !== 'null');
}

/** Of UCP: every line as its business wrote it, then the other members. */
function detailsOfCheckout(checkout: CheckoutDocument): Detail[] {
  const lines = checkout['line_items'] as readonly CheckoutLine[];
  const totals = checkout['totals'] as readonly CheckoutEntry[];
  const currency = String(checkout['currency']);
  return [
    ...lines.flatMap(({ item, quantity }, at) => [
      ...flatten(`Item ${at + 1}`, `${quantity} × ${item.title}`),
      ...flattenAll(item, ['title', 'price'], `Item ${at + 1}, `),
    ]),
    ...totals.flatMap(({ type, display_text: text, amount }) => flatten(text ?? type, formatMoney(amount, currency))),
    ...flattenAll(checkout, SHOWN_OF_CHECKOUT, 'Checkout, '),
  ];
}

/** As readCheckout has found them. */
interface CheckoutLine {
  readonly item: { readonly title: string };
  readonly quantity: number;
}
interface CheckoutEntry {
  readonly type: string;
  readonly display_text?: string;
  readonly amount: number;
}

/** What the agent said, which the merchant did not sign: with its intent, and in the mandate that it closed. */
export function askedDetails({ merchants, shopping = {} }: StoredShopping, chain?: CartOfMandate): Detail[] {
  const { description, skus, refundable } = shopping;
  const said: [string, string | undefined][] = [
    ['What for', description],
    ['Shops', merchants?.join(', ')],
    ['Articles', skus?.join(', ')],
    ['Can be given back', refundable === undefined ? undefined : refundable ? 'It must be possible' : 'It need not be'],
  ];
  return [
    ...said.flatMap(([name, value]) => (value === undefined ? [] : flatten(name, value))),
    ...flattenAll(chain?.mandate, []),
  ];
}

function flattenAll(value: unknown, without: readonly string[], prefix = ''): Detail[] {
  return membersOf(value, without).flatMap(([name, inner]) => flatten(prefix + (WORDS.get(name) ?? name), inner));
}

function membersOf(value: unknown, without: readonly string[]): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).filter(([name]) => !without.includes(name));
}

function flatten(name: string, value: unknown): Detail[] {
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    if (members.length > 0) return members.flatMap(([member, inner]) => flatten(`${name}, ${member}`, inner));
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [{ name: inertText(name) || '(no name)', value: inertText(text) || '(blank)' }];
}
