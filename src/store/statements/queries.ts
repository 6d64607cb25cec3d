/** Queries that many tables share: one row by its id, pages of a list, batches, and sums that stay exact. */
import { firstIdAt } from '../../../protocol/wire/id.ts';
import { all, get, run, type Script, type Value } from '../store.ts';
import { type Column, columnNames, type RowOf, type Table } from './tableDefinition.ts';

/** A table whose rows belong to tenants and have ids. */
type OwnedTable = Table<
  Readonly<Record<string, Column>> & { readonly tenant_id: Column<string>; readonly id: Column<string> }
>;

/** `SELECT * FROM table WHERE tenant_id = ? AND id = ?` */
export function findById<T extends OwnedTable>(
  from: T,
): (tenantId: string, id: string) => Script<RowOf<T> | undefined> {
  const sql = `SELECT * FROM ${from.name} WHERE tenant_id = ? AND id = ?`;
  return (tenantId, id) => get(sql, tenantId, id);
}

/** `DELETE FROM table WHERE tenant_id = ? AND id = ?` */
export function deleteById(from: OwnedTable): (tenantId: string, id: string) => Script<number> {
  const sql = `DELETE FROM ${from.name} WHERE tenant_id = ? AND id = ?`;
  return (tenantId, id) => run(sql, tenantId, id);
}

/** The columns of tables in a SELECT that joins them, `approvals.status AS approvals_status` and so on: names that two have differ. */
export function joinedColumns(...tables: readonly Table[]): string {
  return tables
    .flatMap((each) => columnNames(each).map((column) => `${each.name}.${column} AS ${each.name}_${column}`))
    .join(', ');
}

/** @returns a function that gives a table's row out of one that has its columns by `joinedColumns` */
export function rowOutOf<T extends Table>(of: T): (joined: object) => RowOf<T> {
  const names = columnNames(of);
  const columns = names.map((name) => [name, `${of.name}_${name}`] as const);
  // A copy of a row has room for all columns at once, where members that are added one by one move the others again and again.
  const blank: Readonly<Record<string, Value>> = Object.fromEntries(names.map((name) => [name, null]));
  return (joined) => {
    const cells = joined as Readonly<Record<string, Value>>;
    const row = { ...blank };
    for (const [name, joinedName] of columns) row[name] = cells[joinedName] as Value;
    return row as RowOf<T>;
  };
}

/** A column that is 1 where a condition holds, else 0: SQLite has no truth values. */
export function flagOf(condition: string): string {
  return `CASE WHEN ${condition} THEN 1 ELSE 0 END`;
}

/** Deletes rows that are old enough, at most `limit` of them, the oldest first. @param args of its condition */
export type DeleteOldest = (limit: number, ...args: Value[]) => Script<number>;

/**
 * `DELETE FROM table WHERE key IN (SELECT key FROM table WHERE … ORDER BY … LIMIT ?)`: the commits of housekeeping stay
 * short however much there is to delete.
 * @param order an index begins with it, so that what stays is not looked at
 */
export function deleteOldest<T extends Table>(
  from: T,
  where: string,
  order: keyof T['columns'] & string,
): DeleteOldest {
  const key = from.key.join(', ');
  const oldest = `SELECT ${key} FROM ${from.name} WHERE ${where} ORDER BY ${order} LIMIT ?`;
  const sql = `DELETE FROM ${from.name} WHERE (${key}) IN (${oldest})`;
  return (limit, ...args) => run(sql, ...args, limit);
}

/** A condition with its arguments, such as `['id < ?', id]`. */
export type Condition = readonly [sql: string, ...args: Value[]];

/**
 * `SELECT * FROM table WHERE … AND … ORDER BY … LIMIT ?`
 * @param conditions those that are undefined do not apply
 */
export function listPage<T extends Table>(
  from: T,
  conditions: readonly (Condition | undefined)[],
  order: string,
  limit: number,
): Script<RowOf<T>[]> {
  const { where, args } = allOf(conditions);
  return all(`SELECT * FROM ${from.name} WHERE ${where} ORDER BY ${order} LIMIT ?`, ...args, limit);
}

/** Joins conditions by AND. */
export function allOf(conditions: readonly (Condition | undefined)[]): {
  readonly where: string;
  readonly args: Value[];
} {
  const given = conditions.filter((condition) => condition !== undefined);
  return { where: given.map(([sql]) => sql).join(' AND '), args: given.flatMap(([, ...args]) => args) };
}

/** A tenant's rows, newest first; `before` is the id of the last one on the page before. */
export function listNewest<T extends OwnedTable>(
  from: T,
): (tenantId: string, before: string | undefined, limit: number) => Script<RowOf<T>[]> {
  return (tenantId, before, limit) =>
    listPage(from, [['tenant_id = ?', tenantId], earlier('id', before)], 'id DESC', limit);
}

/** `column < ?` for a page that is not the first. */
export function earlier(column: string, before: Value | undefined): Condition | undefined {
  return before === undefined ? undefined : [`${column} < ?`, before];
}

/** For a page that is not the first, of rows in the order of place, time and a key; the place tells rows of one time apart. */
export function earlierPlace(
  key: string,
  before: readonly [place: string, createdAt: number, key: string] | undefined,
): Condition | undefined {
  return before && [`(place, created_at, ${key}) < (?, ?, ?)`, ...before];
}

/** A part of time, both ends included, in milliseconds since the epoch. */
export interface Span {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** How far the time of a row may lie from that of its id, by clocks that were set back. */
const SLACK_MS = 60_000;
/** After each character that an id has. */
const AFTER_ALL = '{';

/**
 * For a page of the rows of a part of time. Their ids are ordered by it, and each index ends with the id: a bound of the id is
 * what the index is searched by, the time itself only tells what lies close to it. The bound is one condition, since SQLite
 * takes the primary key for the best index where there are two.
 * @param prefix of the ids @param before the id that the page begins after
 */
export function within(column: string, prefix: string, { from, to }: Span, before?: string): (Condition | undefined)[] {
  if (from === undefined && to === undefined) return [earlier(column, before)];
  const first = from === undefined ? prefix : firstIdAt(prefix, from - SLACK_MS);
  const last = to === undefined ? prefix + AFTER_ALL : firstIdAt(prefix, to + SLACK_MS + 1);
  return [
    [`${column} BETWEEN ? AND ?`, first, before === undefined || last < before ? last : before],
    before === undefined ? undefined : [`${column} <> ?`, before],
    from === undefined ? undefined : ['created_at >= ?', from],
    to === undefined ? undefined : ['created_at <= ?', to],
  ];
}

/** Amounts of one currency, or of each, both ends included. */
export interface AmountFilter {
  readonly currency?: string;
  /** In minor units of a currency. */
  boundsIn(currency: string): { readonly least?: number | undefined; readonly most?: number | undefined };
}

export function isAmong({ currency, boundsIn }: AmountFilter, of: string, minor: number): boolean {
  if (currency !== undefined && currency !== of) return false;
  const { least = 0, most = MOST_MINOR } = boundsIn(of);
  return minor >= least && minor <= most;
}

/** `column = ?` for a filter that was given. */
export function equal(column: string, value: Value | undefined): Condition | undefined {
  return value === undefined ? undefined : [`${column} = ?`, value];
}

/** The two words for a row that is open until it expires, and for one that has expired. */
interface Lifetime {
  readonly open: string;
  readonly over: string;
}

/**
 * A page of rows by their status at a time: open rows past their time count as over before a worker has updated them.
 * Those are a page of their own that joins the page of those updated already, since no index has both in one order.
 * @param status undefined for any
 */
export function listPageAt<T extends Table>(
  from: T,
  { open, over }: Lifetime,
  { status, now }: { readonly status: string | undefined; readonly now: number },
  conditions: readonly (Condition | undefined)[],
  order: string,
  limit: number,
): Script<RowOf<T>[]> {
  if (status === open) {
    return listPage(from, [...conditions, equal('status', open), ['expires_at > ?', now]], order, limit);
  }
  if (status !== over) return listPage(from, [...conditions, equal('status', status)], order, limit);
  const settled = allOf([...conditions, equal('status', over)]);
  const overdue = allOf([...conditions, equal('status', open), ['expires_at <= ?', now]]);
  const page = (where: string) => `SELECT * FROM ${from.name} WHERE ${where} ORDER BY ${order} LIMIT ?`;
  const sql = `SELECT * FROM (SELECT * FROM (${page(settled.where)}) AS settled
     UNION ALL SELECT * FROM (${page(overdue.where)}) AS overdue) AS either ORDER BY ${order} LIMIT ?`;
  return all(sql, ...settled.args, limit, ...overdue.args, limit, limit);
}

const BATCH_SIZES = [64, 8, 1] as const;

/** Splits a list into batches of few different sizes, so that few statements have to be prepared for them. */
export function inBatches<T>(items: readonly T[]): T[][] {
  const batches: T[][] = [];
  let from = 0;
  for (const size of BATCH_SIZES) {
    for (; items.length - from >= size; from += size) batches.push(items.slice(from, from + size));
  }
  return batches;
}

/** The most that a JSON number carries exactly; a sum of minor units stops there, on either engine. */
export const MOST_MINOR = Number.MAX_SAFE_INTEGER;

/** Adds to a sum that saturates. */
export function addMinor(sum: number, amountMinor: number): number {
  return Math.min(sum + amountMinor, MOST_MINOR);
}

/** The low part of one amount is less than this. */
export const SPLIT = 2 ** 26;

interface MinorParts {
  readonly high: number;
  readonly low: number;
}

/** The two parts that an amount is added by. */
export function split(amount: number): MinorParts {
  return { high: Math.trunc(amount / SPLIT), low: amount % SPLIT };
}

export function exactAmount({ high, low }: MinorParts): bigint {
  return BigInt(high) * BigInt(SPLIT) + BigInt(low);
}

/** A sum as a number, which stops where numbers are not exact any more. */
export function saturated(amount: bigint): number {
  return amount > MOST_MINOR ? MOST_MINOR : Number(amount);
}

/** A number of rows and the sum of their amounts, which may be larger than a number is exact. */
export interface ExactSum {
  readonly currency: string;
  readonly transactions: number;
  readonly amount: bigint;
}

/** Amounts of a table summed in two parts: columns of a SELECT. @param column minor units */
export function sumColumns(column: string): string {
  return `COUNT(*) AS transactions, CAST(SUM(${column} / ${SPLIT}) AS BIGINT) AS high,
     CAST(SUM(${column} % ${SPLIT}) AS BIGINT) AS low`;
}

/** @param sql a query that gives sums by currency, in two parts */
export function* readSums(sql: string, ...args: Value[]): Script<ExactSum[]> {
  const rows = yield* all<MinorParts & Omit<ExactSum, 'amount'>>(sql, ...args);
  return rows.map((row) => ({ currency: row.currency, transactions: row.transactions, amount: exactAmount(row) }));
}
