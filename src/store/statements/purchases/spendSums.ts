/**
 * What payments came to, by the day on which they were made: of all agents, of each agent, at each merchant. The sums have what
 * the lists have (lateRows.ts), besides payments from before there were sums, which a worker adds from the newest to the oldest;
 * what they do not have is summed row by row. So an answer is exact at every moment, and a purchase on SQLite changes no page for it.
 */
import type { PaymentStatus } from '../../../../protocol/payment.ts';
import { all, get, onPostgres, run, type Script, send, type Value } from '../../store.ts';
import { allOf, type Condition, equal } from '../queries.ts';
import { columnNames, integer, oneOf, type RowOf, table, text } from '../tableDefinition.ts';
import { type PaymentRow, updatePayment } from './payments.ts';
import { exactAmount, SPLIT } from './spendingSums.ts';

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
  /** Sums of minor units are in two parts, as those in spending_sums. */
  held_high: integer,
  held_low: integer,
  paid_high: integer,
  paid_low: integer,
  refunded_high: integer,
  refunded_low: integer,
  disputed_high: integer,
  disputed_low: integer,
});

/** Up to which payment, from the newest on, the payments of a tenant are in the sums; no row where all are. */
export const spendUnfilled = table('spend_unfilled', ['tenant_id'], {
  tenant_id: text,
  /** Payments with a smaller id are in no sum. */
  below: text,
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
/** The amount was taken, whatever came back since. */
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

/** The sums over rows of payments, as they are kept: columns of a SELECT, in the order of SUM_COLUMNS. */
function sumsOfRows(sign: '' | '-'): string {
  const sums = AMOUNTS.flatMap((amount) => [`SUM((${ADDS[amount]}) / ${SPLIT})`, `SUM((${ADDS[amount]}) % ${SPLIT})`]);
  return [`SUM(${COUNTS})`, ...sums].map((sum, at) => `CAST(${sign}${sum} AS BIGINT) AS ${SUM_COLUMNS[at]}`).join(', ');
}

/** The sums that a payment is part of. For all agents together a day is few rows, so that there are no long stretches of them. */
const STRETCHES = [
  ['all', 1],
  ['agent', 1],
  ['agent', LONG],
  ['merchant', 1],
  ['merchant', LONG],
]
  .map(([scope, days]) => `SELECT '${scope}' AS scope, ${days} AS days, ${Number(days) * DAY_MS} AS length`)
  .join(' UNION ALL ');

/** A condition for payments that do not wait to be filled in. */
const IS_FILLED = `NOT EXISTS (SELECT below FROM spend_unfilled
    WHERE spend_unfilled.tenant_id = payments.tenant_id AND payments.mandate_id < spend_unfilled.below)`;
/** A condition for payments that the lists have: these are in the sums, but for those that wait to be filled in. */
const IS_LISTED = "payments.listed_as <> ''";
/** A condition for all others, which are few. */
const IS_NEW = "payments.unlisted = 1 AND payments.listed_as = ''";

/** @param which a condition for payments of one tenant; its arguments follow the tenant's id */
function addition(which: string, sign: '' | '-' = ''): string {
  const key = spendSums.key.join(', ');
  return `INSERT INTO spend_sums (${columnNames(spendSums).join(', ')})
   SELECT payments.tenant_id, stretches.scope, stretches.days, payments.created_at / stretches.length AS stretch,
     CASE stretches.scope WHEN 'agent' THEN payments.agent_did WHEN 'merchant' THEN payments.merchant ELSE '' END AS name,
     payments.currency, ${sumsOfRows(sign)}
   FROM payments CROSS JOIN (${STRETCHES}) AS stretches
   WHERE payments.tenant_id = ? AND ${which} GROUP BY 1, 2, 3, 4, 5, 6
   ON CONFLICT (${key}) DO UPDATE SET ${SUM_COLUMNS.map((sum) => `${sum} = spend_sums.${sum} + excluded.${sum}`).join(', ')}`;
}

const ONE = `payments.mandate_id = ? AND ${IS_LISTED} AND ${IS_FILLED}`;
const ADD_ONE = addition(ONE);
const TAKE_ONE = addition(ONE, '-');

/** Adds a payment that was just stored to the sums, where lists get it at once. */
export function addNewSpend({ tenant_id: tenantId, mandate_id: mandateId }: PaymentRow): Script<void> {
  return onPostgres(() => send(ADD_ONE, tenantId, mandateId));
}

/** Stores a payment that has changed, and moves the sums that have it. @param before as it stands until then */
export function* changePayment(before: PaymentRow, after: PaymentRow): Script<void> {
  const { tenant_id: tenantId, mandate_id: mandateId } = before;
  const moves = !isSameSpend(before, after);
  if (moves) yield* send(TAKE_ONE, tenantId, mandateId);
  yield* updatePayment(after);
  if (moves) yield* send(ADD_ONE, tenantId, mandateId);
}

function isSameSpend(one: PaymentRow, other: PaymentRow): boolean {
  if (HELD.includes(one.status) && HELD.includes(other.status)) return true;
  return (
    one.status === other.status &&
    one.captured_minor === other.captured_minor &&
    one.refunded_minor === other.refunded_minor
  );
}

/** Adds payments that no list has yet. @param which a condition for them, with its arguments */
export function* sumLateSpend(tenantId: string, [which, ...args]: Condition): Script<void> {
  yield* run(addition(`${IS_NEW} AND ${IS_FILLED} AND ${which}`), tenantId, ...args);
}

function* findUnfilled(tenantId: string): Script<string | undefined> {
  const sql = 'SELECT below FROM spend_unfilled WHERE tenant_id = ?';
  return (yield* get<{ readonly below: string }>(sql, tenantId))?.below;
}

/** Whether payments from before there were sums wait to be added. */
export function* isSpendUnfilled(tenantId: string): Script<boolean> {
  return (yield* findUnfilled(tenantId)) !== undefined;
}

const ADD_UNFILLED = addition(`payments.mandate_id >= ? AND payments.mandate_id < ? AND ${IS_LISTED}`);

/**
 * Adds payments from before there were sums, the newest first. One that no list has yet is passed over: the sums get it with the
 * lists. @param most so many in this commit @returns whether there are more
 */
export function* fillSpend(tenantId: string, most: number): Script<boolean> {
  const below = yield* findUnfilled(tenantId);
  if (below === undefined) return false;
  const first = `SELECT mandate_id FROM payments WHERE tenant_id = ? AND mandate_id < ?
     ORDER BY mandate_id DESC LIMIT 1 OFFSET ?`;
  const next = (yield* get<{ readonly mandate_id: string }>(first, tenantId, below, most - 1))?.mandate_id;
  yield* run(ADD_UNFILLED, tenantId, next ?? '', below);
  if (next === undefined) yield* run('DELETE FROM spend_unfilled WHERE tenant_id = ?', tenantId);
  else yield* run('UPDATE spend_unfilled SET below = ? WHERE tenant_id = ?', next, tenantId);
  return next !== undefined;
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
  const unfilled = yield* findUnfilled(tenantId);
  const kept =
    filter.principalDid === undefined
      ? stretchesOf(filter).map((range) => keptPart(tenantId, filter, range))
      : [rowsPart(tenantId, filter, [IS_LISTED])];
  const isLacking = filter.principalDid === undefined && unfilled !== undefined;
  const parts = [
    ...kept,
    rowsPart(tenantId, filter, [IS_NEW]),
    ...(isLacking ? [rowsPart(tenantId, filter, [`${IS_LISTED} AND payments.mandate_id < ?`, unfilled])] : []),
  ];
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

/** Payments that no sum has, row by row. */
function rowsPart(tenantId: string, { by, first, last, currency, principalDid }: SpendFilter, which: Condition): Part {
  const { where, args } = allOf([
    ['payments.tenant_id = ?', tenantId],
    which,
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
