/** A journal of money in double entry: each event of evidence that moved money, as two postings that come to nothing together. */
import { z } from 'zod';
import { sumText, toMinor } from '../money.ts';
import { categoryOf } from '../policy/values/category.ts';
import { inertText } from '../wire/plainText.ts';
import { Timezone } from '../wire/timezone.ts';

export const JournalRequest = z.object({
  month: z
    .string()
    .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'must be a month from 2000-01 to 2099-12, such as 2026-11')
    .describe('The month, such as `2026-11`.'),
  timezone: Timezone.optional().describe('In which days begin at midnight, such as `Europe/Berlin`; UTC when absent.'),
  format: z
    .enum(['csv', 'beancount'])
    .default('csv')
    .describe('`csv` has a line for each posting; `beancount` is text for Beancount, and for what reads that.'),
});
export type JournalRequest = z.output<typeof JournalRequest>;

/** Events by which money moves, or comes back. */
export const JOURNAL_EVENTS = [
  'PAYMENT_CAPTURED',
  'PAYMENT_REFUNDED',
  'PAYMENT_REFUND_FAILED',
  'PAYMENT_DISPUTED',
  'PAYMENT_DISPUTE_REOPENED',
  'PAYMENT_DISPUTE_CLOSED',
] as const;
type JournalEvent = (typeof JOURNAL_EVENTS)[number];

/** What is known of the payment, with the names of its agent and of whose money it is, where they have one. */
interface PaymentFacts {
  readonly mandateId: string;
  readonly merchant: string;
  readonly rail: string;
  readonly currency: string;
  readonly description: string | undefined;
  readonly mcc: string | undefined;
  readonly agent: string;
  readonly principal: string;
}

interface JournalLine {
  readonly account: string;
  /** Minor units; what is owed has a minus. */
  readonly minor: number;
}

export interface JournalEntry extends PaymentFacts {
  /** Of the event in the evidence. */
  readonly eventId: string;
  /** As `2026-11-22`. */
  readonly date: string;
  readonly what: string;
  readonly category: string | undefined;
  readonly postings: readonly [JournalLine, JournalLine];
}

/** What banks give back for as long as a dispute is open: it may have to be paid after all. */
const DISPUTED = 'Liabilities:Disputed';

interface Movement {
  readonly what: string;
  /** In units of the currency. */
  readonly amount: unknown;
  readonly debit: string;
  readonly credit: string;
}

/**
 * @param type of the event
 * @param data of the event
 * @returns undefined for an event that moved nothing
 */
export function journalEntry(
  event: { readonly id: string; readonly type: string; readonly data: Readonly<Record<string, unknown>> },
  date: string,
  payment: PaymentFacts,
): JournalEntry | undefined {
  const category = payment.mcc === undefined ? undefined : categoryOf(payment.mcc);
  const spent = `Expenses:Agents:${accountPart(category ?? 'uncategorized')}`;
  const movement = movementOf(
    event.type as JournalEvent,
    event.data,
    spent,
    `Liabilities:${accountPart(payment.rail)}`,
  );
  const amount = movement === undefined ? undefined : Number(movement.amount);
  if (movement === undefined || amount === undefined || !(amount > 0)) return undefined;
  const { what, debit, credit } = movement;
  const minor = toMinor(amount, payment.currency);
  const postings = [
    { account: debit, minor },
    { account: credit, minor: -minor },
  ] as const;
  return { ...payment, eventId: event.id, date, what, category, postings };
}

function movementOf(
  type: JournalEvent,
  { captured, refund, amount, status }: Readonly<Record<string, unknown>>,
  spent: string,
  rail: string,
): Movement | undefined {
  switch (type) {
    case 'PAYMENT_CAPTURED':
      return { what: 'Paid', amount: captured, debit: spent, credit: rail };
    case 'PAYMENT_REFUNDED':
      return { what: 'Refunded', amount: refund, debit: rail, credit: spent };
    case 'PAYMENT_REFUND_FAILED':
      return { what: 'Refund failed', amount: refund, debit: spent, credit: rail };
    case 'PAYMENT_DISPUTED':
    case 'PAYMENT_DISPUTE_REOPENED':
      return { what: 'Disputed', amount, debit: rail, credit: DISPUTED };
    case 'PAYMENT_DISPUTE_CLOSED':
      // As the merchant sees it: what it lost stays with who paid.
      return status === 'lost'
        ? { what: 'Dispute won', amount, debit: DISPUTED, credit: spent }
        : { what: 'Dispute lost', amount, debit: DISPUTED, credit: rail };
    default:
      return undefined;
  }
}

/** A part of an account's name, which begins with a capital letter: `SANDBOX_RAIL` is `SANDBOX-RAIL`. */
function accountPart(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return plain === '' ? 'Other' : plain.charAt(0).toUpperCase() + plain.slice(1);
}

export const JOURNAL_HEADER = [
  'date',
  'entry',
  'account',
  'debit',
  'credit',
  'currency',
  'payee',
  'narration',
  'agent',
  'principal',
  'category',
  'rail',
  'mandateId',
] as const;

/** A row of cells for each posting. No cell begins with a minus: programs for tables would take it for a formula. */
export function journalRows(entry: JournalEntry): (string | undefined)[][] {
  const { date, eventId, currency, merchant, agent, principal, category, rail, mandateId } = entry;
  return entry.postings.map(({ account, minor }) => [
    ...[date, eventId, account],
    ...(minor < 0 ? [undefined, textOf(-minor, currency)] : [textOf(minor, currency), undefined]),
    ...[currency, merchant, narrationOf(entry)],
    ...[agent, principal, category, rail, mandateId],
  ]);
}

/** Accounts are opened by the plugin, so that the texts of several months can be included in one ledger. */
export const BEANCOUNT_HEADER = 'plugin "beancount.plugins.auto_accounts"\n';

export function beancountText(entry: JournalEntry): string {
  const { date, eventId, currency, merchant, agent, principal, rail, mandateId, postings } = entry;
  const facts = { mandate: mandateId, event: eventId, agent, principal, rail };
  return [
    `\n${date} * ${quoted(merchant)} ${quoted(narrationOf(entry))}`,
    ...Object.entries(facts).map(([name, value]) => `  ${name}: ${quoted(value)}`),
    ...postings.map(({ account, minor }) => `  ${account}  ${textOf(minor, currency)} ${currency}`),
    '',
  ].join('\n');
}

function narrationOf({ what, description }: JournalEntry): string {
  return description === undefined ? what : `${what}: ${description}`;
}

/** Text of strangers, on one line: what else ends a text, or a line, is no part of it. */
function quoted(text: string): string {
  return `"${inertText(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\\"]/g, '\\$&')}"`;
}

function textOf(minor: number, currency: string): string {
  return minor < 0 ? `-${sumText(BigInt(-minor), currency)}` : sumText(BigInt(minor), currency);
}
