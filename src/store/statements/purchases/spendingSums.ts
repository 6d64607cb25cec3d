/**
 * What intents reserve and payments come to, summed over short stretches of time, and shared payment tokens by status. A window
 * that has to be counted anew, or that nobody used for long, is summed from these: reading each of its rows would hold up all
 * other requests.
 */
import { all, type Script, together, type Value } from '../../store.ts';
import { deleteOldest, MOST_MINOR } from '../queries.ts';
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
const SPLIT = 2 ** 26;
/** Before the name of a long stretch. */
const COARSE = 'c_';

/** Numbers and sums by currency. */
export interface Sum {
  readonly transactions: number;
  readonly currency: string;
  readonly amount: number;
}

/** The stretch in which an intent's id was made. */
export function bucketOfIntent(mandateId: string): string {
  return mandateId.slice(0, 'intent_'.length + 7);
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
  return insertOrAdd([rowOf(tenantId, status, ALL_TIME, { transactions, currency, amount })]);
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

/** Adds to the sums of an agent, and of all agents together. @param amount minor units, negative to take them back */
export function addToSums(tenantId: string, agentDid: string, bucket: string, sum: Sum): Script<void> {
  const buckets = [bucket, coarseOf(bucket)];
  return insertOrAdd(
    [agentDid, POLICY_SCOPE].flatMap((scope) => buckets.map((each) => rowOf(tenantId, scope, each, sum))),
  );
}

function rowOf(tenantId: string, scope: string, bucket: string, { transactions, currency, amount }: Sum) {
  const parts = { high: Math.trunc(amount / SPLIT), low: amount % SPLIT };
  return { tenant_id: tenantId, scope, bucket, currency, transactions, ...parts };
}

const SUMS = `SELECT currency, CAST(SUM(transactions) AS BIGINT) AS transactions, CAST(SUM(high) AS BIGINT) AS high,
     CAST(SUM(low) AS BIGINT) AS low FROM spending_sums
     WHERE tenant_id = ? AND scope = ? AND bucket > ? AND bucket < ? GROUP BY currency`;

/** After each character of a bucket. */
const AFTER_ALL = '{';

/**
 * The sums of the stretches after one of them, and before another one, those two not included: of long stretches, and of short
 * ones at both ends.
 * @param before undefined for all that follow
 */
export function* sumBuckets(tenantId: string, scope: string, after: string, before?: string): Script<Sum[]> {
  const sum = function* (from: string, to: string): Script<Sum[]> {
    const found = yield* readSums(SUMS, tenantId, scope, from, to);
    return found.map((each) => ({ ...each, amount: saturated(each.amount) }));
  };
  const first = coarseOf(after);
  const last = before === undefined ? first.slice(0, first.lastIndexOf('_') + 1) + AFTER_ALL : coarseOf(before);
  if (before !== undefined && first === last) return yield* sum(after, before);
  const sums = yield* together(
    sum(after, fineOf(first) + AFTER_ALL),
    sum(first, last),
    ...(before === undefined ? [] : [sum(fineOf(last), before)]),
  );
  return sums.flat();
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
  interface Row {
    readonly currency: string;
    readonly transactions: number;
    readonly high: number;
    readonly low: number;
  }
  return (yield* all<Row>(sql, ...args)).map(({ currency, transactions, high, low }) => {
    return { currency, transactions, amount: BigInt(high) * BigInt(SPLIT) + BigInt(low) };
  });
}

/** @param args the first bucket of a kind, and the first one that stays */
export const deleteSumsBefore = deleteOldest(spendingSums, 'bucket >= ? AND bucket < ?', 'bucket');
