/** A checkout of the Universal Commerce Protocol as an offer that is judged like any other cart. */
import { z } from 'zod';
import { type CartSubject, requireReadable } from '../cart.ts';
import { canonical, hashOf } from '../credential/canonical.ts';
import type { Suite } from '../credential/ed25519.ts';
import { Currency, formatMoney, fromMinor, requireExact } from '../money.ts';
import { Fault } from '../wire/fault.ts';
import { detailsOf } from '../wire/issue.ts';
import { visibleName } from '../wire/plainText.ts';

/** Bytes of a checkout: it stands in a mandate whose text may have 64 KiB, encoded twice. */
const MOST_BYTES = 24_576;

const Amount = z.int().min(0);
const Entry = z.looseObject({
  type: z.string().min(1).max(200),
  amount: z.int(),
  display_text: z.string().max(500).optional(),
  /** What the entry is made of. */
  lines: z
    .array(z.looseObject({ amount: z.int() }))
    .max(500)
    .optional(),
});
type Entry = z.infer<typeof Entry>;

const Line = z.looseObject({
  id: z.string().max(500),
  item: z.looseObject({
    id: z.string().max(500),
    title: visibleName(500),
    price: Amount,
    quantity_unit: z.unknown().optional(),
    unit_price: z.unknown().optional(),
  }),
  quantity: z.int().positive(),
  totals: z.array(Entry).max(100).default([]),
});
type Line = z.infer<typeof Line>;

/** What of a checkout a purchase rests on (UCP, Checkout). Its other members are signed, kept and shown as they are. */
const Checkout = z.looseObject({
  id: z.string().min(1).max(500),
  status: z.literal('ready_for_complete', { message: 'must be ready_for_complete: only such a checkout can be paid' }),
  currency: Currency,
  line_items: z.array(Line).min(1).max(500),
  totals: z.array(Entry).min(2).max(100),
  expires_at: z.iso.datetime({ offset: true }).optional(),
});
type Checkout = z.infer<typeof Checkout>;
/** As a business sent it, with every member. */
export type CheckoutDocument = Readonly<Record<string, unknown>>;

export interface CheckoutOffer {
  readonly id: string;
  readonly items: CartSubject['items'];
  readonly totalMinor: number;
  readonly currency: string;
  /** When it can be paid no more, in milliseconds since the epoch; infinite where it does not say. */
  readonly endsAt: number;
}

/** What a person reads at another place, or what is said of the protocol and not of the purchase. */
const ASIDE = ['ucp', 'ap2', 'line_items', 'totals'];

/**
 * @param path where it stands in the request
 * @throws Fault BAD_REQUEST for a checkout that is malformed, not final, too large or does not add up
 */
export function readCheckout(document: CheckoutDocument, path: string): CheckoutOffer {
  const read = Checkout.safeParse(document);
  if (!read.success) {
    const details = detailsOf(read.error, document);
    throw new Fault(
      'BAD_REQUEST',
      'The checkout cannot be paid as it is.',
      details.map(({ path: inner, message }) => ({ path: inner === '' ? path : `${path}.${inner}`, message })),
    );
  }
  if (new TextEncoder().encode(canonical(document)).length > MOST_BYTES) {
    refuse(path, `has more than ${MOST_BYTES} bytes`);
  }
  requireReadable(Object.fromEntries(Object.entries(document).filter(([name]) => !ASIDE.includes(name))), path);
  const { id, currency, expires_at: end } = read.data;
  const totalMinor = totalOf(read.data, path);
  return {
    id,
    items: itemsOf(read.data, totalMinor, path),
    totalMinor,
    currency,
    endsAt: end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end),
  };
}

/**
 * The hash that stands for a checkout everywhere in the node: of what its business signs, so that it stays when that signs it
 * again. A checkout does not say whose it is, so the business is part of the hash.
 * @param merchant the domain of the business
 */
export function hashCheckout(suite: Suite, merchant: string, { ap2: _ap2, ...signed }: CheckoutDocument): string {
  return hashOf(suite, { merchant, checkout: signed });
}

/** What a checkout is known by, with other terms too: it is paid once. */
export function checkoutKey(suite: Suite, merchant: string, id: string): string {
  return hashOf(suite, { merchant, checkoutId: id });
}

/** Lines of an entry come to it (UCP, Checkout: Totals): a person who reads them must not be shown other sums than are paid. */
function requireLines(entries: readonly Entry[], path: string): void {
  entries.forEach(({ lines, amount }, at) => {
    const sum = lines === undefined ? undefined : sumOf(lines);
    if (sum === undefined || sum === BigInt(amount)) return;
    refuse(`${path}.${at}.lines`, `come to ${sum} minor units, and their entry is ${amount}`);
  });
}

/** What a line says that it comes to is its price, times its quantity, with what is added to it or taken off. */
function requireLineTotals({ item, quantity, totals }: Line, path: string): void {
  const of = (type: string) => totals.filter((entry) => entry.type === type);
  for (const type of ['subtotal', 'total']) {
    if (of(type).length > 1) refuse(path, `must have one entry of the type ${type} at most`);
  }
  requireLines(totals, path);
  const [subtotal] = of('subtotal');
  const isByPiece = item.quantity_unit === undefined && item.unit_price === undefined;
  const priced = isByPiece ? BigInt(item.price) * BigInt(quantity) : undefined;
  if (priced !== undefined && subtotal !== undefined && BigInt(subtotal.amount) !== priced) {
    refuse(path, `say a subtotal of ${subtotal.amount} minor units, and ${quantity} × ${item.price} is ${priced}`);
  }
  const [total] = of('total');
  const whole = subtotal === undefined ? priced : BigInt(subtotal.amount);
  if (total === undefined || whole === undefined) return;
  const sum = whole + sumOf(totals.filter((entry) => entry !== total && entry !== subtotal));
  if (sum !== BigInt(total.amount)) refuse(path, `say ${total.amount} minor units, but come to ${sum}`);
}

/** What all entries but the total come to is the total (UCP, Checkout: Verification). */
function totalOf({ totals, currency }: Checkout, path: string): number {
  const of = (type: string) => totals.filter((entry) => entry.type === type);
  for (const type of ['subtotal', 'total']) {
    if (of(type).length !== 1) refuse(`${path}.totals`, `must have exactly one entry of the type ${type}`);
  }
  const [total] = of('total') as [Entry];
  const sum = sumOf(totals.filter((entry) => entry !== total));
  if (sum !== BigInt(total.amount)) {
    refuse(`${path}.totals`, `say ${total.amount} minor units, but come to ${sum}`);
  }
  requireLines(totals, `${path}.totals`);
  if (total.amount <= 0) refuse(`${path}.totals`, 'must come to more than 0');
  try {
    return requireExact(total.amount, currency);
  } catch (error) {
    if (error instanceof Fault) refuse(`${path}.totals`, error.message);
    throw error;
  }
}

/**
 * The lines come to the subtotal; taxes, shipping and fees are items of their own. A discount is no item that a person could
 * read as a price, so a checkout with one is shown as a whole.
 */
function itemsOf(
  { line_items: lines, totals, currency }: Checkout,
  totalMinor: number,
  path: string,
): CartSubject['items'] {
  for (const [at, line] of lines.entries()) requireLineTotals(line, `${path}.line_items.${at}.totals`);
  const bought = lines.map((line, at) => lineOf(line, `${path}.line_items.${at}`));
  const sum = bought.reduce((before, { minor, quantity }) => before + BigInt(minor) * BigInt(quantity), 0n);
  const subtotal = totals.find(({ type }) => type === 'subtotal') as Entry;
  if (sum !== BigInt(subtotal.amount)) {
    const stated = formatMoney(subtotal.amount, currency);
    refuse(`${path}.line_items`, `come to ${sum} minor units, and the subtotal is ${stated}`);
  }
  const extras = totals.filter(({ type }) => type !== 'subtotal' && type !== 'total');
  const asItem = ({ name, minor, quantity }: CheckoutLine) => ({ name, price: fromMinor(minor, currency), quantity });
  if (extras.some(({ amount }) => amount < 0)) {
    const total = totals.find(({ type }) => type === 'total') as Entry;
    return [asItem({ name: nameOf(total), minor: totalMinor, quantity: 1 })];
  }
  return [...bought, ...extras.map((entry) => ({ name: nameOf(entry), minor: entry.amount, quantity: 1 }))].map(asItem);
}

interface CheckoutLine {
  readonly name: string;
  /** Of one, in minor units. */
  readonly minor: number;
  readonly quantity: number;
}

/** What is sold by another measure than the piece is priced by its line alone. */
function lineOf({ item, quantity, totals }: Line, path: string): CheckoutLine {
  const { title: name, price, quantity_unit: unit, unit_price: priced } = item;
  if (unit === undefined && priced === undefined) return { name, minor: price, quantity };
  const line = totals.find(({ type }) => type === 'subtotal') ?? totals.find(({ type }) => type === 'total');
  if (line === undefined || line.amount < 0) {
    refuse(`${path}.totals`, 'must say what the line comes to: its item is sold by a measure of its own');
  }
  return { name, minor: line.amount, quantity: 1 };
}

/** The labels that UCP gives the types it knows. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['fulfillment', 'Shipping'],
  ['tax', 'Tax'],
  ['fee', 'Fee'],
  ['total', 'Total'],
]);

function nameOf({ type, display_text: text = '' }: Entry): string {
  return visibleName(500).safeParse(text).data ?? LABELS.get(type) ?? type;
}

function sumOf(entries: readonly Pick<Entry, 'amount'>[]): bigint {
  return entries.reduce((before, { amount }) => before + BigInt(amount), 0n);
}

function refuse(path: string, message: string): never {
  throw new Fault('BAD_REQUEST', `The checkout cannot be paid as it is: ${path} ${message}.`, [{ path, message }]);
}
