/** Counts for a limit that names a merchant or a category for the first time what was bought there before. */
import { isWithin, type Narrowing } from '../../../../protocol/policy/values/spendingLimit.ts';
import type { Script } from '../../store.ts';
import { insertManyInto, type RowOf } from '../tableDefinition.ts';
import { Additions, addingTo, BUCKET_QUARTERS, keysOf, limitBuckets, SUMS, type TailRow } from './limitBuckets.ts';
import { listHistory } from './windowUse.ts';

/** Sums are counted over so long at once, and so many of their rows go into one statement. */
const SPAN_MS = 30 * 24 * 3600 * 1000;
const MOST_ROWS = 64;

const addToBuckets = insertManyInto(limitBuckets, addingTo(limitBuckets));
type BucketRow = RowOf<typeof limitBuckets>;

/**
 * Counts what was bought before where no limit has named it yet: payments from a time on, and what intents hold.
 * @param narrowings those that are named now for the first time
 * @param from milliseconds since the epoch @param now the same
 */
export function* countHistory(
  tenantId: string,
  narrowings: readonly Narrowing[],
  from: number,
  now: number,
): Script<void> {
  const sums = new Additions();
  for (const measure of ['held', 'spent'] as const) {
    // There are few holds.
    for (const [begin, end] of measure === 'held' ? [[from, from] as const] : spansOf(from, now)) {
      for (const row of yield* listHistory(measure, tenantId, begin, end)) {
        const { agent_did: agentDid, governed_did: governedDid, merchant, mcc, at, currency, transactions } = row;
        const within = narrowings.filter((narrowing) => isWithin(narrowing, { merchant, mcc }));
        const summed = { measure, tenantId, at, currency, transactions, high: row.high, low: row.low };
        for (const scope of keysOf({ agentDid, governedDid }, within)) sums.add(scope, summed);
      }
    }
  }
  // Those of a year are too many to wait in limit_tails.
  const rows = bucketsOf(sums.rows());
  for (let start = 0; start < rows.length; start += MOST_ROWS)
    yield* addToBuckets(rows.slice(start, start + MOST_ROWS));
}

/** What a row of each quarter of an hour adds to the buckets of each length. */
function bucketsOf(tails: readonly TailRow[]): BucketRow[] {
  const buckets = new Map<string, { -readonly [Name in keyof BucketRow]: BucketRow[Name] }>();
  for (const tail of tails) {
    for (const quarters of BUCKET_QUARTERS) {
      const bucket = Math.floor(tail.bucket / quarters);
      const key = `${tail.scope} ${quarters} ${bucket} ${tail.currency}`;
      const former = buckets.get(key);
      if (former === undefined) buckets.set(key, { ...tail, bucket_quarters: quarters, bucket });
      else for (const sum of SUMS) former[sum] += tail[sum];
    }
  }
  return [...buckets.values()];
}

/** The last has no end: what a clock that was ahead has dated later counts as well. */
function spansOf(from: number, now: number): [number, number][] {
  const spans: [number, number][] = [];
  for (let begin = from; begin <= now; begin += SPAN_MS) spans.push([begin, begin + SPAN_MS]);
  const last = spans.at(-1);
  if (last !== undefined) last[1] = Number.MAX_SAFE_INTEGER;
  return spans;
}
