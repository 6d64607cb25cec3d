/** What a session of ACP sells, in words for people: its lines where they add up to its total, else the total alone. */
import type { CartSubject } from '../cart.ts';
import { fromMinor } from '../money.ts';
import { compact } from '../wire/compact.ts';
import { inertText, visibleName } from '../wire/plainText.ts';
import type { CheckoutSession, SessionLine, SessionTotal } from './checkoutSession.ts';

/** What is added to the subtotal, by its label where the shop gives none. */
const ADDED: ReadonlyMap<string, string> = new Map([
  ['fulfillment', 'Shipping'],
  ['tax', 'Tax'],
  ['fee', 'Fee'],
  ['gift_wrap', 'Gift wrap'],
  ['tip', 'Tip'],
]);
/** What is taken off it. Amounts are positive (rfc.discount_extension, 8.2). */
const TAKEN_OFF: readonly string[] = ['discount', 'store_credit'];
/** Of a name, so many characters are shown. */
const MOST_OF_NAME = 200;
/** A cart has so many items at most, and a person reads fewer. */
const MOST_ITEMS = 100;

type Items = CartSubject['items'][number][];

interface SessionCart {
  /** They come to the total. */
  readonly items: Items;
  /** The shop's own totals, where they do not add up: its words, by which nothing is counted. */
  readonly totals?: readonly { readonly label: string; readonly amount: number }[];
  /** One sentence where they do not. */
  readonly note?: string;
}

/** @param totalMinor as totalOfSession has it */
export function cartOfSession(session: CheckoutSession, totalMinor: number, merchant: string): SessionCart {
  const { currency } = session;
  const bought = linesThatAddUp(session);
  const isWhole = sumOfTotals(session.totals) === totalMinor;
  const isDiscounted = amountOf(session.totals, TAKEN_OFF) !== 0;
  const extras = session.totals.filter(({ type, amount }) => ADDED.has(type) && amount !== 0);
  const isListed = isWhole && !isDiscounted && bought !== undefined && extras.every(({ amount }) => amount > 0);
  const items =
    isListed && bought.length + extras.length <= MOST_ITEMS
      ? [
          ...bought,
          ...extras.map((total) => ({ name: labelOf(total), price: fromMinor(total.amount, currency), quantity: 1 })),
        ]
      : [{ name: nameOfAll(session, merchant), price: fromMinor(totalMinor, currency), quantity: 1 }];
  if (isWhole) return { items };
  const totals = session.totals.map((total) => ({
    label: labelOf(total),
    amount: fromMinor(total.amount, currency),
  }));
  return compact({ items, totals, note: 'The shop’s totals do not add up to what it asks for.' });
}

/** @returns undefined where they do not come to the subtotal */
function linesThatAddUp({ lines, totals, currency }: CheckoutSession): Items | undefined {
  const priced = lines.map((line) => ({ line, minor: line.unit_amount ?? line.item?.unit_amount ?? -1 }));
  if (priced.length === 0 || priced.some(({ minor }) => minor < 0)) return undefined;
  const sum = priced.reduce((before, { line, minor }) => before + minor * line.quantity, 0);
  if (!Number.isSafeInteger(sum) || sum !== subtotalOf(totals)) return undefined;
  return priced.map(({ line, minor }) => ({
    name: nameOf(line),
    price: fromMinor(minor, currency),
    quantity: line.quantity,
  }));
}

function subtotalOf(totals: readonly SessionTotal[]): number | undefined {
  const of = (name: string) => totals.find(({ type }) => type === name)?.amount;
  const base = of('items_base_amount');
  return of('subtotal') ?? (base === undefined ? undefined : base - amountOf(totals, ['items_discount']));
}

function sumOfTotals(totals: readonly SessionTotal[]): number | undefined {
  const subtotal = subtotalOf(totals);
  if (subtotal === undefined) return undefined;
  return subtotal - amountOf(totals, TAKEN_OFF) + amountOf(totals, [...ADDED.keys()]);
}

function amountOf(totals: readonly SessionTotal[], types: readonly string[]): number {
  return totals.filter(({ type }) => types.includes(type)).reduce((before, { amount }) => before + amount, 0);
}

function labelOf({ type, display_text: text }: SessionTotal): string {
  return shown(text) ?? ADDED.get(type) ?? shown(type) ?? 'Other';
}

function nameOf({ name, item }: SessionLine): string {
  return shown(name) ?? shown(item?.name) ?? shown(item?.id) ?? 'One item';
}

function nameOfAll({ lines }: CheckoutSession, merchant: string): string {
  const names = lines.map((line) => (line.quantity === 1 ? nameOf(line) : `${line.quantity} × ${nameOf(line)}`));
  return names.length === 0 ? `Checkout at ${merchant}` : shown(names.join(', ').slice(0, 480), 480)!;
}

function shown(text: string | null | undefined, most = MOST_OF_NAME): string | undefined {
  return visibleName(most).safeParse(inertText(text ?? '').slice(0, most)).data;
}
