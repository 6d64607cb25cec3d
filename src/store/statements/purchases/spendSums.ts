/**
 * Sums of payments by the day on which they were made: of all agents, of each agent, at each merchant. They change in the commit
 * that stores or changes a payment, so that an answer is exact at every moment.
 */
import type { PaymentStatus } from '../../../../protocol/payment.ts';
import { all, type Script, type Value } from '../../store.ts';
import { allOf, equal } from '../queries.ts';
import { insertManyInto, integer, oneOf, type RowOf, table, text } from '../tableDefinition.ts';
import { exactAmount, SPLIT, split } from './minorSums.ts';
import { type PaymentRow, updatePayment } from './payments.ts';

export const spendSums = table('spend_sums', ['tenant_id', 'scope', 'days', 'stretch', 'name', 'currency'], {
  tenant_id: text,
  scope: oneOf<'all' | SpendBy>(),
  /** How many days a stretch is: 1 or LONG. */
  days: integer,
  /** The number of the stretch, from 1970 on. */
  stretch: integer,
  /** The agent or the merchant; empty for all. */
  name: text,
  currency: text,
  payments: integer,
  /** Sums of minor units are in two parts, high and low. */
  held_high: integer,
  held_low: integer,
  paid_high: integer,
  paid_low: integer,
  refunded_high: integer,
  refunded_low: integer,
  disputed_high: integer,
  disputed_low: integer,
});

type SpendBy = 'agent' | 'merchant';

const DAY_MS = 24 * 3600 * 1000;
/** Days in a long stretch: a year is a dozen of them, and some days at both ends. */
const LONG = 32;

/** The number of the day of a time, from 1970 on. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

/** The rail holds the amount, or was asked to and has not said that it does not. */
const HELD: readonly PaymentStatus[] = ['PENDING', 'UNKNOWN', 'AUTHORIZED'];
/** The amount was captured, even if it was refunded since. */
const TAKEN: readonly PaymentStatus[] = ['CAPTURED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED'];

const AMOUNTS = ['held', 'paid', 'refunded', 'disputed'] as const;
type Amount = (typeof AMOUNTS)[number];

/** What a payment adds to each sum: expressions over its row, where it is neither failed nor canceled. */
const ADDS: Readonly<Record<Amount, string>> = {
  held: ofThose(HELD, 'payments.amount_minor'),
  paid: ofThose(TAKEN, 'payments.captured_minor'),
  refunded: ofThose(TAKEN, 'payments.refunded_minor'),
  disputed: ofThose(['DISPUTED'], 'payments.captured_minor - payments.refunded_minor'),
};
const COUNTS = ofThose([...HELD, ...TAKEN], '1');

function ofThose(states: readonly PaymentStatus[], value: string): string {
  return `CASE WHEN payments.status IN (${states.map((state) => `'${state}'`).join(', ')}) THEN ${value} ELSE 0 END`;
}

/** About how much was taken or is held. */
const LARGE = `(paid_high + held_high) * 1.0 * ${SPLIT} + paid_low + held_low`;

const SUM_COLUMNS = ['payments', ...AMOUNTS.flatMap((amount) => [`${amount}_high`, `${amount}_low`])];

/** The sums that a payment is part of. For all agents together a day is few rows, so that there are no long stretches of them. */
const STRETCHES = [
  ['all', 1],
  ['agent', 1],
  ['agent', LONG],
  ['merchant', 1],
  ['merchant', LONG],
] as const;

const addRows = insertManyInto(
  spendSums,
  `ON CONFLICT (${spendSums.key.join(', ')}) DO UPDATE SET
     ${SUM_COLUMNS.map((sum) => `${sum} = spend_sums.${sum} + excluded.${sum}`).join(', ')}`,
);

type Spend = Readonly<Record<'payments' | Amount, number>>;

const NONE: Spend = { payments: 0, held: 0, paid: 0, refunded: 0, disputed: 0 };

/** What a payment adds to each sum, as ADDS says it of its row. */
function spendOf({ status, amount_minor, captured_minor, refunded_minor }: PaymentRow): Spend {
  if (HELD.includes(status)) return { ...NONE, payments: 1, held: amount_minor };
  if (!TAKEN.includes(status)) return NONE;
  const disputed = status === 'DISPUTED' ? captured_minor - refunded_minor : 0;
  return { payments: 1, held: 0, paid: captured_minor, refunded: refunded_minor, disputed };
}

/** Moves the sums of a payment from what it added to them before to what it adds now. */
function* moveSums(payment: PaymentRow, before: Spend, after: Spend): Script<void> {
  if ((['payments', ...AMOUNTS] as const).every((name) => before[name] === after[name])) return;
  const { tenant_id, agent_did, merchant, currency, created_at: at } = payment;
  const added: Record<string, number> = { payments: after.payments - before.payments };
  for (const amount of AMOUNTS) {
    const { high, low } = split(after[amount] - before[amount]);
    added[`${amount}_high`] = high;
    added[`${amount}_low`] = low;
  }
  const names = { all: '', agent: agent_did, merchant };
  const rows = STRETCHES.map(([scope, days]) => {
    const key = { tenant_id, scope, days, stretch: Math.floor(at / (days * DAY_MS)), name: names[scope], currency };
    return { ...key, ...added } as RowOf<typeof spendSums>;
  });
  yield* addRows(rows);
}

/** Adds a payment that was just stored to the sums. */
export function addNewSpend(payment: PaymentRow): Script<void> {
  return moveSums(payment, NONE, spendOf(payment));
}

/** Stores a payment that has changed, and moves the sums. @param before as it stands until then */
export function* changePayment(before: PaymentRow, after: PaymentRow): Script<void> {
  yield* updatePayment(after);
  yield* moveSums(before, spendOf(before), spendOf(after));
}

/** Which payments are summed, and how. */
export interface SpendFilter {
  readonly by: SpendBy | 'day' | undefined;
  /** The first and the last day, by their numbers; undefined for no bound. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  readonly currency: string | undefined;
  /** Whose money; there are no sums of it, so that the principal's payments are summed row by row. */
  readonly principalDid?: string | undefined;
}

/** What some payments come to, in minor units, which may be more than a number is exact. */
export interface SpendSum extends Readonly<Record<Amount, bigint>> {
  /** The number of the day, where sums are by day. */
  readonly day: number;
  /** The agent or the merchant, where sums are by these. */
  readonly name: string;
  readonly currency: string;
  readonly payments: number;
}

type SpendRow = Omit<RowOf<typeof spendSums>, 'tenant_id' | 'scope' | 'days' | 'stretch'> & { readonly day: number };

/** @param most so many for each currency: the latest days, or those at whom the most was taken or is held */
export function* sumSpend(tenantId: string, filter: SpendFilter, most: number): Script<SpendSum[]> {
  const parts =
    filter.principalDid === undefined
      ? stretchesOf(filter).map((range) => keptPart(tenantId, filter, range))
      : [rowsPart(tenantId, filter)];
  const sums = SUM_COLUMNS.map((sum) => `CAST(SUM(${sum}) AS BIGINT) AS ${sum}`).join(', ');
  const order = filter.by === 'day' ? 'day DESC' : `${LARGE} DESC, name`;
  const summed = `SELECT day, name, currency, ${sums} FROM (${parts.map((part) => part.sql).join(' UNION ALL ')}) AS parts
     GROUP BY day, name, currency HAVING SUM(payments) > 0`;
  const placed = `SELECT summed.*, ROW_NUMBER() OVER (PARTITION BY currency ORDER BY ${order}) AS place FROM (${summed}) AS summed`;
  const sql = `SELECT * FROM (${placed}) AS placed WHERE place <= ? ORDER BY currency, place`;
  const rows = yield* all<SpendRow>(sql, ...parts.flatMap(({ args }) => args), most);
  return rows.map(exactSums);
}

/** Stretches of one length, both ends included, that are added or taken away. */
interface Stretches {
  readonly days: number;
  readonly first: number;
  readonly last: number;
  readonly sign: '' | '-';
}

/**
 * The stretches that come to a range: long ones, and days that are added to them or taken away from them at both ends,
 * whichever are fewer.
 */
function stretchesOf({ by, first = 0, last = Number.MAX_SAFE_INTEGER }: SpendFilter): Stretches[] {
  if (!isNamed(by) || last - first < LONG) return [{ days: 1, first, last, sign: '' }];
  const from = Math.round(first / LONG);
  const to = Math.round((last + 1) / LONG);
  const long: Stretches = { days: LONG, first: from, last: to - 1, sign: '' };
  return [
    long,
    daysBetween(first, from * LONG, ''),
    ...(last === Number.MAX_SAFE_INTEGER ? [] : [daysBetween(last + 1, to * LONG, '-')]),
  ].filter((range) => range.first <= range.last);
}

/** The days from one to another one, which is not included; the sign is the other one where they lie the other way round. */
function daysBetween(one: number, other: number, sign: '' | '-'): Stretches {
  if (one <= other) return { days: 1, first: one, last: other - 1, sign };
  return { days: 1, first: other, last: one - 1, sign: sign === '' ? '-' : '' };
}

function isNamed(by: SpendFilter['by']): by is SpendBy {
  return by === 'agent' || by === 'merchant';
}

interface Part {
  readonly sql: string;
  readonly args: readonly Value[];
}

function keptPart(tenantId: string, { by, currency }: SpendFilter, { days, first, last, sign }: Stretches): Part {
  const { where, args } = allOf([
    ['tenant_id = ? AND scope = ? AND days = ?', tenantId, isNamed(by) ? by : 'all', days],
    ['stretch BETWEEN ? AND ?', first, last],
    equal('currency', currency),
  ]);
  const sums = SUM_COLUMNS.map((sum) => `${sign}${sum} AS ${sum}`).join(', ');
  const day = by === 'day' ? 'stretch' : '0';
  return { sql: `SELECT ${day} AS day, name, currency, ${sums} FROM spend_sums WHERE ${where}`, args };
}

const NAMES = { agent: 'payments.agent_did', merchant: 'payments.merchant' };

/** Payments of a principal, row by row. */
function rowsPart(tenantId: string, { by, first, last, currency, principalDid }: SpendFilter): Part {
  const { where, args } = allOf([
    ['payments.tenant_id = ?', tenantId],
    first === undefined ? undefined : ['payments.created_at >= ?', first * DAY_MS],
    last === undefined ? undefined : ['payments.created_at < ?', (last + 1) * DAY_MS],
    equal('payments.currency', currency),
    equal('payments.principal_did', principalDid),
  ]);
  const amounts = AMOUNTS.flatMap((amount) => [
    `(${ADDS[amount]}) / ${SPLIT} AS ${amount}_high`,
    `(${ADDS[amount]}) % ${SPLIT} AS ${amount}_low`,
  ]);
  const day = by === 'day' ? `payments.created_at / ${DAY_MS}` : '0';
  const sql = `SELECT ${day} AS day, ${isNamed(by) ? NAMES[by] : "''"} AS name, payments.currency AS currency,
     ${COUNTS} AS payments, ${amounts.join(', ')} FROM payments WHERE ${where}`;
  return { sql, args };
}

function exactSums(row: SpendRow): SpendSum {
  const { day, name, currency, payments } = row;
  const sums = AMOUNTS.map((amount) => [
    amount,
    exactAmount({ high: row[`${amount}_high`], low: row[`${amount}_low`] }),
  ]);
  return { day, name, currency, payments, ...(Object.fromEntries(sums) as Record<Amount, bigint>) };
}
