/**
 * The same purchase twice. Keys cannot tell it, since an agent that plans again makes a new one, so content does: the print is
 * a hash of who pays, the merchant, the total and the items. Two purchases with one print are the same.
 */
import { z } from 'zod';
import { canonical } from '../../credential/canonical.ts';
import type { Suite } from '../../credential/ed25519.ts';
import { sumText, toMinor } from '../../money.ts';
import { compact } from '../../wire/compact.ts';
import { isoTime } from '../../wire/time.ts';

/** What a purchase is of. Ids, keys, signatures, times, order numbers, rail and instrument are not in it. */
interface PurchaseContent {
  /** A DID, see payerOf. */
  readonly payer: string;
  /** Its domain in the normal form (see MerchantDomain). */
  readonly merchant: string;
  /** ISO 4217 */
  readonly currency: string;
  /** In minor units. */
  readonly totalMinor: number;
  readonly items: readonly { readonly name: string; readonly price: number; readonly quantity: number }[];
  /** What is bought, in place of its items, such as `GET https://shop.example/report`. */
  readonly what?: string | undefined;
}

const DOMAIN = 'purchase-v1\n';

/**
 * Without items, as where a merchant signed no list, the total stands for what is bought.
 * SHA-256 over "purchase-v1\n" and the canonical JSON of the purchase. Items are the same in any order and any case; the
 * quantities of equal lines are summed. Amounts and quantities are decimal text, which is exact however large they are.
 * @returns 64 hexadecimal digits
 * @throws Fault BAD_REQUEST for a price that the currency cannot have
 */
export function purchasePrint(
  suite: Suite,
  { payer, merchant, currency, totalMinor, items, what }: PurchaseContent,
): string {
  const total = sumText(BigInt(totalMinor), currency);
  const bought = what ?? linesOf(items, currency);
  return suite.sha256Hex(DOMAIN + canonical({ payer, merchant, currency, total, what: bought }));
}

/** Every different line once, in one order. */
function linesOf(items: PurchaseContent['items'], currency: string) {
  const quantities = new Map<string, { readonly name: string; readonly price: string; quantity: bigint }>();
  for (const { name: written, price: amount, quantity } of items) {
    const name = plainName(written);
    const price = sumText(BigInt(toMinor(amount, currency, { allowZero: true })), currency);
    // A price has no space, so no two different lines have one key.
    const key = `${price} ${name}`;
    const line = quantities.get(key) ?? { name, price, quantity: 0n };
    line.quantity += BigInt(quantity);
    quantities.set(key, line);
  }
  return [...quantities]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { name, price, quantity }]) => ({ name, price, quantity: String(quantity) }));
}

/** What a font draws nothing for (Unicode, Default_Ignorable_Code_Point, Cf), but for the spaces among the controls. */
const NO_WIDTH = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** Compatibility forms are one (NFKC), and so are upper and lower case, and any run of spaces; characters of no width do not count. */
function plainName(name: string): string {
  return name.normalize('NFKC').replaceAll(NO_WIDTH, '').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** Who pays: a governed principal, which has a name; else the agent, since an unregistered name proves nothing. */
export function payerOf(
  agentDid: string,
  principalDid: string,
  principal: { readonly name: string | undefined },
): string {
  return principal.name === undefined ? agentDid : principalDid;
}

/** The states of payments that count; FAILED, CANCELED and REFUNDED ones took no money, or gave it back. */
export const COUNTED_STATES = [
  'PENDING',
  'UNKNOWN',
  'AUTHORIZED',
  'CAPTURED',
  'PARTIALLY_REFUNDED',
  'DISPUTED',
] as const;
/** APPROVED: a cart with a live approval token, which is not paid yet. */
const SAME_STATES = [...COUNTED_STATES, 'APPROVED'] as const;
type SameState = (typeof SAME_STATES)[number];

/** How often the same was bought before this purchase, as far as that counts. */
export interface SameBefore {
  readonly count: number;
  /** When the latest of them was made, a payment or an approved cart, in milliseconds since the epoch; absent where it is not known, or there is none. */
  readonly latestAt?: number | undefined;
  /**
   * The state of the latest payment; UNKNOWN where that of any is unknown, since it counts until it is known; APPROVED where there
   * is none.
   */
  readonly status?: SameState | undefined;
}

/** The member of an event's data that records it. */
export function sameBeforeFacts(same: SameBefore | undefined) {
  if (same === undefined) return {};
  const { count, latestAt, status } = same;
  return { sameBefore: compact({ count, latestAt: latestAt === undefined ? undefined : isoTime(latestAt), status }) };
}

const RecordedSame = z.object({
  count: z.int().min(0),
  latestAt: z.string().optional(),
  status: z.enum(SAME_STATES).optional(),
});

/** @param data of an event @returns undefined where the rule was not asked */
export function sameBeforeIn(data: Readonly<Record<string, unknown>>): SameBefore | undefined {
  const parsed = RecordedSame.safeParse(data['sameBefore']);
  if (!parsed.success) return undefined;
  const { latestAt, ...same } = parsed.data;
  return { ...same, latestAt: latestAt === undefined ? undefined : Date.parse(latestAt) };
}

/** The payment that was made for the same before. */
export const DuplicateOf = z.object({
  mandateId: z.string(),
  transactionId: z.string(),
  status: z.enum(COUNTED_STATES),
  createdAt: z.string(),
  resultUrl: z.string().describe('Where the result of that payment is; an agent that planned again takes this one.'),
});
export type DuplicateOf = z.infer<typeof DuplicateOf>;

const BECAME: Readonly<Record<SameState, string>> = {
  PENDING: ' and is with the rail',
  UNKNOWN: ', and the rail has not said what became of it',
  AUTHORIZED: ' and is authorized',
  CAPTURED: ' and is captured',
  PARTIALLY_REFUNDED: ' and is refunded in part',
  DISPUTED: ' and is disputed',
  APPROVED: ' and is not paid yet',
};

/**
 * "The same was bought 41 seconds ago and is captured (pm_…)."
 * @param now milliseconds since the epoch
 * @param named the payment, for a caller who may read it
 */
export function sameSentence(
  same: SameBefore,
  now: number,
  named?: Pick<DuplicateOf, 'mandateId' | 'resultUrl'>,
): string {
  const { status } = same;
  const id = named === undefined ? '' : ` (${named.mandateId})`;
  const remedy =
    status !== 'UNKNOWN'
      ? ''
      : named === undefined
        ? ' Wait for its outcome, or have it reconciled.'
        : ` Wait for its outcome, or reconcile it: POST ${named.resultUrl}/reconcile.`;
  return `The same was ${status === 'APPROVED' ? 'approved' : 'bought'}${timesText(same, now)}${becameText(same)}${id}.${remedy}`;
}

/** "You bought the same 41 seconds ago.", for the person who is asked. @param now milliseconds since the epoch */
export function sameQuestion(same: SameBefore, now: number): string {
  if (same.status === 'APPROVED') return sameSentence(same, now);
  const became = same.status === 'UNKNOWN' ? `${becameText(same)}; look at that first` : '';
  return `You bought the same${timesText(same, now)}${became}.`;
}

function becameText({ count, status }: SameBefore): string {
  if (status === undefined) return '';
  return status === 'UNKNOWN' && count > 1 ? `${BECAME.UNKNOWN.slice(0, -2)}one of them` : BECAME[status];
}

function timesText({ count, latestAt }: SameBefore, now: number): string {
  const ago = latestAt === undefined ? ' before' : ` ${agoText(now - latestAt)}`;
  return count === 1 ? ago : ` ${count} times, the last time${ago}`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** In whole units of the largest that fits: "41 seconds ago". */
function agoText(ms: number): string {
  const unit = UNITS.find(([, length]) => ms >= length);
  if (unit === undefined) return 'a moment ago';
  const [name, length] = unit;
  const units = Math.floor(ms / length);
  return `${units} ${name}${units === 1 ? '' : 's'} ago`;
}
