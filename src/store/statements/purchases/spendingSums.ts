/**
 * What intents reserve and payments come to, summed over short stretches of time. A window that has to be counted anew, or
 * that nobody used for long, is summed from these: reading each of its rows would hold up all other requests.
 */
import { all, type Script } from '../../store.ts';
import { deleteOldest, MOST_MINOR } from '../queries.ts';
import { insertManyInto, integer, table, text } from '../tableDefinition.ts';

export const spendingSums = table('spending_sums', ['tenant_id', 'scope', 'bucket', 'currency'], {
  tenant_id: text,
  /** An agent's DID, or POLICY_SCOPE for all agents of the tenant together. */
  scope: text,
  /** A stretch of time: the text that ids made in it begin with, or `paid_` and a number. */
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

/** Adds to the sums of an agent, and of all agents together. @param amount minor units, negative to take them back */
export function addToSums(
  tenantId: string,
  agentDid: string,
  bucket: string,
  { transactions, currency, amount }: Sum,
): Script<number> {
  const sums = { bucket, currency, transactions, high: Math.trunc(amount / SPLIT), low: amount % SPLIT };
  return insertOrAdd([agentDid, POLICY_SCOPE].map((scope) => ({ tenant_id: tenantId, scope, ...sums })));
}

const SUMS = `SELECT currency, CAST(SUM(transactions) AS BIGINT) AS transactions, CAST(SUM(high) AS BIGINT) AS high,
     CAST(SUM(low) AS BIGINT) AS low FROM spending_sums
     WHERE tenant_id = ? AND scope = ? AND bucket > ? AND bucket < ? GROUP BY currency`;

/** The sums of the stretches between two of them, those two not included. */
export function* sumBuckets(tenantId: string, scope: string, after: string, before: string): Script<Sum[]> {
  interface Row {
    readonly currency: string;
    readonly transactions: number;
    readonly high: number;
    readonly low: number;
  }
  const rows = yield* all<Row>(SUMS, tenantId, scope, after, before);
  return rows.map(({ currency, transactions, high, low }) => {
    const amount = BigInt(high) * BigInt(SPLIT) + BigInt(low);
    return { currency, transactions, amount: amount > MOST_MINOR ? MOST_MINOR : Number(amount) };
  });
}

/** @param args the first bucket of a kind, and the first one that stays */
export const deleteSumsBefore = deleteOldest(spendingSums, 'bucket >= ? AND bucket < ?', 'bucket');
