/** What a window of any length holds of what counts in limits: a few sums, and the rows at its edge, however long the history is. */
import { isWithin, type Narrowing } from '../../../../protocol/policy/values/spendingLimit.ts';
import { firstIdAt, timeOfId } from '../../../../protocol/wire/id.ts';
import { all, type Script, type Value } from '../../store.ts';
import { type IntentRow, intents } from '../purchases/intents.ts';
import { addMinor, equal, exactAmount, listPage, SPLIT, saturated } from '../queries.ts';
import {
  BUCKET_QUARTERS,
  type BucketMeasure,
  type CountedScope,
  keysOf,
  QUARTER_MS,
  scopeKey,
  UNCAPTURED,
} from './limitBuckets.ts';
import { listNarrowings } from './limitNarrowings.ts';

/** What a window holds. */
export interface WindowUse {
  readonly transactions: number;
  /** By currency. */
  readonly counts: Readonly<Record<string, number>>;
  /** By currency in minor units. A sum stops where numbers are not exact any more. */
  readonly amounts: Readonly<Record<string, number>>;
}

interface Window extends CountedScope {
  readonly tenantId: string;
  /** The first millisecond in it. It has no end: what a clock that was ahead has dated later counts as well. */
  readonly from: number;
}

/** What of the windows' purchases is held, and what is paid. */
export interface HeldUse {
  readonly held: WindowUse;
  readonly spent: WindowUse;
}

/** The intents made in a window, and what they reserve. */
export function* useByIntents(window: Window): Script<WindowUse> {
  return (yield* sumWindow(['issued'], window)).issued;
}

/** The payments authorized in a window, or not decided yet, but for those that failed or were canceled. */
export function* useByPayments(window: Window): Script<WindowUse> {
  return (yield* sumWindow(['paid'], window)).paid;
}

/**
 * What is held by intents made in a window, and what was paid in it. Of a merchant or a category that no limit has named yet, as a
 * draft may do, there are no sums: all rows of the window are read.
 */
export function* useByHolds(window: Window): Script<HeldUse> {
  const { tenantId, narrowing } = window;
  const isSummed = narrowing === undefined || (yield* listNarrowings(tenantId)).some((each) => isSame(each, narrowing));
  return isSummed ? yield* sumWindow(['held', 'spent'], window) : yield* sumRows(window, narrowing);
}

function isSame(one: Narrowing, other: Narrowing): boolean {
  return one.merchant === other.merchant && one.category === other.category;
}

function* sumRows(window: Window, narrowing: Narrowing): Script<HeldUse> {
  const { tenantId, from } = window;
  const key = scopeKey({ ...window, narrowing: undefined });
  const used = { held: emptyUse(), spent: emptyUse() };
  for (const measure of ['held', 'spent'] as const) {
    for (const row of yield* listHistory(measure, tenantId, from, Number.MAX_SAFE_INTEGER)) {
      const { agent_did: agentDid, governed_did: governedDid } = row;
      if (!isWithin(narrowing, row) || !keysOf({ agentDid, governedDid }, [undefined]).includes(key)) continue;
      const sum = used[measure];
      const { currency, transactions } = row;
      sum.transactions += transactions;
      sum.counts[currency] = (sum.counts[currency] ?? 0) + transactions;
      sum.amounts[currency] = addMinor(sum.amounts[currency] ?? 0, saturated(exactAmount(row)));
    }
  }
  return used;
}

function emptyUse(): { transactions: number; counts: Record<string, number>; amounts: Record<string, number> } {
  return { transactions: 0, counts: {}, amounts: {} };
}

type UseRow = {
  readonly currency: string;
  /** `*` of sums; of a row at the edge, where it was bought. */
  readonly merchant: string | null;
  readonly mcc: string | null;
} & Readonly<Record<BucketMeasure | `${BucketMeasure}_high` | `${BucketMeasure}_low`, number>>;

function* sumWindow<Each extends BucketMeasure>(
  measures: readonly Each[],
  window: Window,
): Script<Record<Each, WindowUse>> {
  const { tenantId, from, narrowing } = window;
  const scope = scopeKey(window);
  const firstQuarter = Math.ceil(from / QUARTER_MS);
  const args: Value[] = [];
  let first = firstQuarter;
  for (const [index, quarters] of BUCKET_QUARTERS.entries()) {
    const longer = BUCKET_QUARTERS[index + 1];
    // Up to where a bucket of the next length begins.
    const end = longer === undefined ? Number.MAX_SAFE_INTEGER : Math.ceil((first * quarters) / longer) * longer;
    args.push(tenantId, scope, quarters, first, longer === undefined ? end : end / quarters);
    first = longer === undefined ? first : end / longer;
  }
  args.push(tenantId, scope, firstQuarter);
  const edgeEnd = firstQuarter * QUARTER_MS;
  const hasEdge = from < edgeEnd;
  const whose = whoseOf(window);
  if (hasEdge) {
    const own = whose.did === undefined ? [tenantId] : [tenantId, whose.did];
    for (const measure of measures) args.push(...own, ...EDGES[measure].bounds(from, edgeEnd));
  }
  const rows = yield* all<UseRow>(textOf(measures, whose.column, hasEdge, narrowing !== undefined), ...args);
  const counted = rows.filter(
    ({ merchant, mcc }) => narrowing === undefined || merchant === '*' || isWithin(narrowing, { merchant, mcc }),
  );
  return Object.fromEntries(measures.map((measure) => [measure, useOf(measure, counted)])) as Record<Each, WindowUse>;
}

function useOf(measure: BucketMeasure, rows: readonly UseRow[]): WindowUse {
  const sums = new Map<string, bigint>();
  const counts: Record<string, number> = {};
  let transactions = 0;
  for (const row of rows) {
    const { currency, [measure]: count } = row;
    const [high, low] = [row[`${measure}_high`], row[`${measure}_low`]];
    transactions += count;
    counts[currency] = (counts[currency] ?? 0) + count;
    sums.set(currency, (sums.get(currency) ?? 0n) + exactAmount({ high, low }));
  }
  const amounts = Object.fromEntries([...sums].map(([currency, amount]) => [currency, saturated(amount)]));
  return { transactions, counts, amounts };
}

/** Whose rows count at the edge of a window. */
function whoseOf({ scope, agentDid, governedDid }: CountedScope): {
  readonly column?: 'agent_did' | 'governed_did';
  readonly did?: string;
} {
  if (scope === 'policy') return {};
  if (scope === 'principal' && governedDid !== null) return { column: 'governed_did', did: governedDid };
  return { column: 'agent_did', did: agentDid };
}

const OF_INTENTS = {
  merchant: 'held_merchant',
  mcc: 'held_mcc',
  condition: 'mandate_id >= ? AND mandate_id < ?',
  bounds: (from: number, to: number): Value[] => [firstIdAt('intent_', from), firstIdAt('intent_', to)],
};
const OF_PAYMENTS = {
  rows: "payments WHERE status NOT IN ('FAILED', 'CANCELED') AND tenant_id = ?",
  merchant: 'merchant',
  mcc: 'mcc',
  condition: 'authorized_at >= ? AND authorized_at < ?',
  bounds: (from: number, to: number): Value[] => [from, to],
};

/** The rows between the beginning of a window and its first whole bucket: a condition, and what bounds it. */
const EDGES: Readonly<Record<BucketMeasure, typeof OF_PAYMENTS & { readonly amount: string }>> = {
  issued: { ...OF_INTENTS, rows: 'intents WHERE tenant_id = ?', amount: 'reserved_minor' },
  held: { ...OF_INTENTS, rows: 'intents WHERE held_minor > 0 AND tenant_id = ?', amount: 'held_minor' },
  paid: { ...OF_PAYMENTS, amount: 'amount_minor' },
  spent: {
    ...OF_PAYMENTS,
    amount: `CASE WHEN status IN (${UNCAPTURED.map((status) => `'${status}'`).join(', ')}) THEN amount_minor ELSE captured_minor END`,
  },
};

const texts = new Map<string, string>();

/** There are few different texts, each of which is made once. */
function textOf(
  measures: readonly BucketMeasure[],
  column: string | undefined,
  hasEdge: boolean,
  isNarrowed: boolean,
): string {
  const key = [measures.join(), column, hasEdge, isNarrowed].join(' ');
  const text = texts.get(key) ?? makeText(measures, column, hasEdge, isNarrowed);
  texts.set(key, text);
  return text;
}

function makeText(
  measures: readonly BucketMeasure[],
  column: string | undefined,
  hasEdge: boolean,
  isNarrowed: boolean,
): string {
  const sums = measures.flatMap((measure) => [measure, `${measure}_high`, `${measure}_low`]);
  const summed = `SELECT currency, CAST('*' AS TEXT) AS merchant, CAST(NULL AS TEXT) AS mcc, ${sums.join(', ')}`;
  const buckets = `${summed} FROM limit_buckets
    WHERE tenant_id = ? AND scope = ? AND bucket_quarters = ? AND bucket >= ? AND bucket < ?`;
  const tail = `${summed} FROM limit_tails WHERE tenant_id = ? AND scope = ? AND bucket >= ?`;
  const edgeOf = (measure: BucketMeasure) => {
    const { rows, amount, condition, merchant, mcc } = EDGES[measure];
    const own = measures.map((each) =>
      each === measure ? `1, (${amount}) / ${SPLIT}, (${amount}) % ${SPLIT}` : '0, 0, 0',
    );
    const where = isNarrowed ? `${merchant}, ${mcc}` : "'*', NULL";
    return `SELECT currency, ${where}, ${own.join(', ')}
      FROM ${rows} ${column === undefined ? '' : `AND ${column} = ?`} AND ${condition}`;
  };
  const parts = [...BUCKET_QUARTERS.map(() => buckets), tail, ...(hasEdge ? measures.map(edgeOf) : [])].join(
    '\n  UNION ALL ',
  );
  return `SELECT currency, merchant, mcc, ${sums.map((sum) => `CAST(SUM(${sum}) AS BIGINT) AS ${sum}`).join(', ')}
    FROM (${parts}) AS spending GROUP BY currency, merchant, mcc`;
}

/** The oldest intents of a window, as they leave it. */
export function listIssued(
  { tenantId, from, ...scope }: Window,
  limit: number,
): Script<Pick<IntentRow, 'mandate_id' | 'currency' | 'reserved_minor'>[]> {
  const { column, did } = whoseOf(scope);
  const conditions = [
    equal('tenant_id', tenantId),
    column === undefined ? undefined : equal(column, did),
    ['mandate_id >= ?', firstIdAt('intent_', from)] as const,
  ];
  return listPage(intents, conditions, 'mandate_id', limit);
}

/** What counts in a window that is summed by useByHolds. */
interface CountedPurchase {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly currency: string;
  readonly amountMinor: number;
}

/** The oldest purchases of a window that hold or have paid something, as they leave it. */
export function* listHeld(window: Window, limit: number): Script<CountedPurchase[]> {
  const { tenantId, from, narrowing } = window;
  const { column, did } = whoseOf(window);
  const whose = column === undefined ? '' : `AND ${column} = ?`;
  const own = did === undefined ? [tenantId] : [tenantId, did];
  type Row = {
    readonly currency: string;
    readonly merchant: string | null;
    readonly mcc: string | null;
    readonly amount: number;
  };
  const holds = yield* all<Row & { readonly mandate_id: string }>(
    `SELECT mandate_id, currency, held_merchant AS merchant, held_mcc AS mcc, held_minor AS amount
     FROM ${EDGES.held.rows} ${whose} AND mandate_id >= ? ORDER BY mandate_id LIMIT ?`,
    ...own,
    firstIdAt('intent_', from),
    limit,
  );
  const payments = yield* all<Row & { readonly at: number }>(
    `SELECT authorized_at AS at, currency, merchant, mcc, ${EDGES.spent.amount} AS amount
     FROM ${EDGES.spent.rows} ${whose} AND authorized_at >= ? ORDER BY authorized_at LIMIT ?`,
    ...own,
    from,
    limit,
  );
  return [...holds.map((row) => ({ ...row, at: timeOfId(row.mandate_id) })), ...payments]
    .filter(({ merchant, mcc }) => narrowing === undefined || isWithin(narrowing, { merchant, mcc }))
    .sort((one, other) => one.at - other.at)
    .slice(0, limit)
    .map(({ at, currency, amount: amountMinor }) => ({ at, currency, amountMinor }));
}

/** What a window holds without one purchase of its own. */
export function withoutOne(use: WindowUse, currency: string, amountMinor: number): WindowUse {
  const { transactions, counts, amounts } = use;
  return {
    transactions: transactions - 1,
    counts: { ...counts, [currency]: (counts[currency] ?? 0) - 1 },
    amounts: { ...amounts, [currency]: addMinor(amounts[currency] ?? 0, -amountMinor) },
  };
}

interface HistoryRow {
  readonly agent_did: string;
  readonly governed_did: string | null;
  readonly merchant: string | null;
  readonly mcc: string | null;
  readonly currency: string;
  /** Milliseconds since the epoch, within the quarter of an hour. */
  readonly at: number;
  readonly transactions: number;
  readonly high: number;
  readonly low: number;
}

/** What was bought in a time, by the quarter of an hour where there are no sums of it. */
export function* listHistory(
  measure: 'held' | 'spent',
  tenantId: string,
  from: number,
  to: number,
): Script<HistoryRow[]> {
  const { amount } = EDGES[measure];
  if (measure === 'held') {
    type Row = Omit<HistoryRow, 'at' | 'transactions'> & { readonly mandate_id: string };
    const holds = yield* all<Row>(
      `SELECT mandate_id, agent_did, governed_did, held_merchant AS merchant, held_mcc AS mcc, currency,
         held_minor / ${SPLIT} AS high, held_minor % ${SPLIT} AS low
       FROM intents WHERE status = 'ACTIVE' AND held_minor > 0 AND tenant_id = ?`,
      tenantId,
    );
    return holds
      .map((row) => ({ ...row, at: timeOfId(row.mandate_id), transactions: 1 }))
      .filter(({ at }) => at >= from);
  }
  return yield* all<HistoryRow>(
    `SELECT agent_did, governed_did, merchant, mcc, currency, authorized_at / ${QUARTER_MS} * ${QUARTER_MS} AS at,
       COUNT(*) AS transactions, CAST(SUM((${amount}) / ${SPLIT}) AS BIGINT) AS high, CAST(SUM((${amount}) % ${SPLIT}) AS BIGINT) AS low
     FROM ${EDGES.spent.rows} AND authorized_at >= ? AND authorized_at < ? GROUP BY 1, 2, 3, 4, 5, 6`,
    tenantId,
    from,
    to,
  );
}
