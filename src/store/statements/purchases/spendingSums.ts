/**
 * What intents reserve and payments come to, summed over short stretches of time, and shared payment tokens by status. A window
 * that has to be counted anew, or that was not used for long, is summed from these: reading each of its rows would hold up all
 * other requests. They change in the commit of what they sum.
 */
import { all, type Script, type Value } from '../../store.ts';
import { addMinor, deleteOldest, MOST_MINOR } from '../queries.ts';
import { insertManyInto, integer, table, text } from '../tableDefinition.ts';

export const spendingSums = table('spending_sums', ['tenant_id', 'scope', 'bucket', 'currency'], {
  tenant_id: text,
  /** An agent's DID, or POLICY_SCOPE for all agents of the tenant together; for tokens, their status. */
  scope: text,
  /** A stretch of time: the text that ids made in it begin with, or `paid_` and a number; `spt_` for all tokens. */
  bucket: text,
  currency: text,
  transactions: integer,
  /** The sum of minor units in two parts, `high * SPLIT + low`, so that it never overflows and can be taken back exactly. */
  high: integer,
  low: integer,
});

/** The scope that counts all agents of a tenant together. */
export const POLICY_SCOPE = 'policy';

/** How long a stretch is: as the last three characters of the time in an id count. */
const BUCKET_MS = 32 ** 3;
/** The low part of a sum is less than this. */
export const SPLIT = 2 ** 26;
/** Before the name of a long stretch. */
const COARSE = 'c_';

/** Numbers and sums by currency. */
export interface Sum {
  readonly transactions: number;
  readonly currency: string;
  readonly amount: number;
}

/** So many characters of an intent's id name its stretch. */
const BUCKET_LENGTH = 'intent_'.length + 7;

/** The stretch in which an intent's id was made. */
export function bucketOfIntent(mandateId: string): string {
  return mandateId.slice(0, BUCKET_LENGTH);
}

/** The stretch of a time. The number has eleven digits, so that it is ordered as a text. */
export function bucketOfTime(time: number): string {
  return `paid_${10_000_000_000 + Math.floor(time / BUCKET_MS)}`;
}

/** A long stretch, of a thousand short ones: what their names begin with. */
export function coarseOf(bucket: string): string {
  return COARSE + bucket.slice(0, bucket.startsWith('paid_') ? -3 : -2);
}

/** What the names of the short stretches in a long one begin with. */
function fineOf(coarse: string): string {
  return coarse.slice(COARSE.length);
}

/** The first millisecond of the stretch of a time. */
export function startOfBucket(time: number): number {
  return Math.floor(time / BUCKET_MS) * BUCKET_MS;
}

/** The first millisecond after the stretch of a time. */
export function endOfBucket(time: number): number {
  return startOfBucket(time) + BUCKET_MS;
}

const insertOrAdd = insertManyInto(
  spendingSums,
  `ON CONFLICT (tenant_id, scope, bucket, currency) DO UPDATE SET
     transactions = spending_sums.transactions + excluded.transactions,
     high = spending_sums.high + excluded.high, low = spending_sums.low + excluded.low`,
);

/** The bucket of what is not summed by time. */
const ALL_TIME = 'spt_';

/** Adds shared payment tokens of a status to its sum, or takes them back. */
export function addTokens(tenantId: string, status: string, { transactions, currency, amount }: Sum): Script<void> {
  return insertOrAdd([
    { tenant_id: tenantId, scope: status, bucket: ALL_TIME, currency, transactions, ...split(amount) },
  ]);
}

/** The sums of the shared payment tokens that have a status, as it is stored. */
export function sumTokens(tenantId: string, status: string): Script<ExactSum[]> {
  return readSums(
    'SELECT currency, transactions, high, low FROM spending_sums WHERE tenant_id = ? AND scope = ? AND bucket = ?',
    tenantId,
    status,
    ALL_TIME,
  );
}

/**
 * Adds an entry to the sums of its agent and of all agents together, or changes what they have of it.
 * @param sum negative to take it back
 */
export function addToSums(tenantId: string, agentDid: string, bucket: string, { amount, ...sum }: Sum): Script<void> {
  const added = { tenant_id: tenantId, ...sum, ...split(amount) };
  return insertOrAdd(
    [agentDid, POLICY_SCOPE].flatMap((scope) =>
      [bucket, coarseOf(bucket)].map((each) => ({ ...added, scope, bucket: each })),
    ),
  );
}

/** The two parts that a sum of minor units is kept in. */
export function split(amount: number): { readonly high: number; readonly low: number } {
  return { high: Math.trunc(amount / SPLIT), low: amount % SPLIT };
}

/** What windows count: rows of a table, in the order of one of its columns. */
export interface Entries<Place extends string | number> {
  readonly table: string;
  /** The column that says where an entry stands. */
  readonly place: string;
  /** The column of minor units. */
  readonly amount: string;
  /** A condition for those that count; what stands there without counting is passed over. */
  readonly counts: string;
  /** The short stretch that a place is in. */
  bucketOf(place: Place): string;
  /** The first place of that stretch. */
  startOf(place: Place): Place;
  /** The first place after it. */
  endOf(place: Place): Place;
}

/** The entries of a scope from a place on, and before another one where there is one. */
interface Range<Place> {
  readonly tenantId: string;
  readonly scope: string;
  readonly from: Place;
  readonly to?: Place | undefined;
}

/** One of the queries of a statement. */
interface Part {
  readonly sql: string;
  readonly args: readonly Value[];
}

interface SumRow {
  readonly currency: string;
  readonly transactions: number;
  readonly high: number;
  readonly low: number;
}

/**
 * Sums entries up in one statement: whole stretches by their sums, and one by one what lies in part of a stretch.
 * @returns the sums, and where the first entry stands after them, or the first of them where they go to the end; null for none
 */
export function* sumEntries<Place extends string | number>(
  of: Entries<Place>,
  range: Range<Place>,
): Script<{ readonly sums: readonly Sum[]; readonly oldest: Place | null }> {
  const { from, to } = range;
  const end = of.endOf(from);
  const parts = [oldestOf(of, range, to ?? from)];
  if (to !== undefined && to <= end) parts.push(entriesOf(of, range, { from, to }));
  else {
    parts.push(entriesOf(of, range, { from, to: end }));
    parts.push(...bucketsOf(range, of.bucketOf(from), to === undefined ? undefined : of.bucketOf(to)));
    if (to !== undefined) parts.push(entriesOf(of, range, { from: of.startOf(to), to }));
  }
  const sql = parts.map((part) => part.sql).join('\nUNION ALL ');
  const rows = yield* all<SumRow & { readonly oldest: Place | null }>(sql, ...parts.flatMap(({ args }) => args));
  return {
    sums: rows
      .filter(({ currency }) => currency !== '')
      .map((row) => ({ ...row, amount: saturated(exactAmount(row)) })),
    oldest: rows.find(({ currency }) => currency === '')?.oldest ?? null,
  };
}

/** A row without a currency. All entries are looked at, so that however many do not count, this reads one. */
function oldestOf<Place extends string | number>(of: Entries<Place>, range: Range<Place>, from: Place): Part {
  const { sql: whose, args } = whoseOf(range);
  const first = `SELECT MIN(${of.place}) FROM ${of.table} WHERE ${whose} AND ${of.place} >= ?`;
  const sql = `SELECT '' AS currency, 0 AS transactions, 0 AS high, 0 AS low, (${first}) AS oldest`;
  return { sql, args: [...args, from] };
}

function entriesOf<Place extends string | number>(
  of: Entries<Place>,
  range: Range<Place>,
  { from, to }: Pick<Range<Place>, 'from' | 'to'>,
): Part {
  const { sql: whose, args } = whoseOf(range);
  const until = to === undefined ? '' : `AND ${of.place} < ?`;
  return {
    sql: `SELECT currency, ${sumColumns(of.amount)}, NULL AS oldest FROM ${of.table}
     WHERE ${whose} AND ${of.place} >= ? ${until} AND ${of.counts} GROUP BY currency`,
    args: [...args, from, ...(to === undefined ? [] : [to])],
  };
}

function whoseOf<Place>({ tenantId, scope }: Range<Place>): Part {
  if (scope === POLICY_SCOPE) return { sql: 'tenant_id = ?', args: [tenantId] };
  return { sql: 'tenant_id = ? AND agent_did = ?', args: [tenantId, scope] };
}

const BUCKETS = `SELECT currency, CAST(SUM(transactions) AS BIGINT) AS transactions, CAST(SUM(high) AS BIGINT) AS high,
     CAST(SUM(low) AS BIGINT) AS low, NULL AS oldest FROM spending_sums
     WHERE tenant_id = ? AND scope = ? AND bucket > ? AND bucket < ? GROUP BY currency`;

/** After each character of a bucket. */
const AFTER_ALL = '{';

/**
 * The stretches after one of them, and before another one, those two not included: long stretches, and short ones at both ends.
 * @param before undefined for all that follow
 */
function bucketsOf(
  { tenantId, scope }: { readonly tenantId: string; readonly scope: string },
  after: string,
  before: string | undefined,
): Part[] {
  const between = (from: string, to: string): Part => ({ sql: BUCKETS, args: [tenantId, scope, from, to] });
  const first = coarseOf(after);
  if (before === undefined) {
    const all = first.slice(0, first.lastIndexOf('_') + 1) + AFTER_ALL;
    return [between(after, fineOf(first) + AFTER_ALL), between(first, all)];
  }
  const last = coarseOf(before);
  if (first === last) return [between(after, before)];
  return [between(after, fineOf(first) + AFTER_ALL), between(first, last), between(fineOf(last), before)];
}

/** Adds sums to amounts by currency, or takes them away. @returns the number of transactions that came or went */
export function addUp(amounts: Record<string, number>, sums: readonly Sum[], sign: 1 | -1): number {
  let transactions = 0;
  for (const { currency, transactions: number, amount } of sums) {
    transactions += sign * number;
    amounts[currency] = addMinor(amounts[currency] ?? 0, sign * amount);
  }
  return transactions;
}

/** A sum as a number, which stops where numbers are not exact any more. */
export function saturated(amount: bigint): number {
  return amount > MOST_MINOR ? MOST_MINOR : Number(amount);
}

/** A sum that may be larger than a number is exact. */
export type ExactSum = Omit<Sum, 'amount'> & { readonly amount: bigint };

/** Amounts of a table summed as they are kept here: columns of a SELECT. @param column minor units */
export function sumColumns(column: string): string {
  return `COUNT(*) AS transactions, CAST(SUM(${column} / ${SPLIT}) AS BIGINT) AS high,
     CAST(SUM(${column} % ${SPLIT}) AS BIGINT) AS low`;
}

/** @param sql a query that gives sums by currency */
export function* readSums(sql: string, ...args: Value[]): Script<ExactSum[]> {
  return (yield* all<SumRow>(sql, ...args)).map((row) => ({
    currency: row.currency,
    transactions: row.transactions,
    amount: exactAmount(row),
  }));
}

export function exactAmount({ high, low }: Pick<SumRow, 'high' | 'low'>): bigint {
  return BigInt(high) * BigInt(SPLIT) + BigInt(low);
}

/** @param args the first bucket of a kind, and the first one that stays */
export const deleteSumsBefore = deleteOldest(spendingSums, 'bucket >= ? AND bucket < ?', 'bucket');
