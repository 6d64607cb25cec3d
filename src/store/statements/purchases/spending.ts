/**
 * What counts in limits, summed by stretches of time: intents from the moment they were made, payments from the moment they were
 * authorized. The sums change in the commit of what they sum. A window of any length takes a few of them and the rows at its edge,
 * however long the history is.
 */
import { isWithin, type Narrowing } from '../../../../protocol/policy/values/spendingLimit.ts';
import { firstIdAt, timeOfId } from '../../../../protocol/wire/id.ts';
import { all, type Script, type Value } from '../../store.ts';
import { addMinor, deleteOldest, equal, listPage } from '../queries.ts';
import { insertManyInto, integer, type RowOf, table, text } from '../tableDefinition.ts';
import { type IntentRow, intents } from './intents.ts';
import { listNarrowings } from './limitNarrowings.ts';
import { exactAmount, SPLIT, saturated, split } from './minorSums.ts';
import type { PaymentRow } from './payments.ts';

export const spendingSums = table('spending_sums', ['tenant_id', 'scope', 'quarters', 'stretch', 'currency'], {
  tenant_id: text,
  /** Whose purchases, and where or of what: see scopeKey. */
  scope: text,
  /** How many quarters of an hour a stretch is: one of LENGTHS. */
  quarters: integer,
  /** The number of the stretch, from 1970 on. */
  stretch: integer,
  currency: text,
  /** Intents made in the stretch, those that have ended too, and what they reserve. */
  issued: integer,
  issued_high: integer,
  issued_low: integer,
  /** Payments authorized in the stretch that neither failed nor were canceled, and what was authorized. */
  paid: integer,
  paid_high: integer,
  paid_low: integer,
  /** Intents made in the stretch that are neither paid nor ended, and what they hold. */
  held: integer,
  held_high: integer,
  held_low: integer,
  /** As paid, of which a partial capture has freed the rest. */
  spent: integer,
  spent_high: integer,
  spent_low: integer,
});

/** What is counted. Intents count by the time of their ids, payments by the time at which they were authorized. */
type Measure = 'issued' | 'paid' | 'held' | 'spent';

/** The scope that counts all agents of a tenant together. */
const POLICY_SCOPE = 'policy';
const PRINCIPAL = 'principal ';

/** Whose purchases count together, and where or of what. */
interface CountedScope {
  readonly scope: 'agent' | 'principal' | 'policy';
  readonly agentDid: string;
  /** The principal whose money it is, where it is governed: for a mere name the agent stands. */
  readonly governedDid: string | null;
  readonly narrowing?: Narrowing | undefined;
}

/** The key of sums. No DID, domain or category contains a space, and no DID begins as the names of the other scopes. */
function scopeKey({ scope, agentDid, governedDid, narrowing }: CountedScope): string {
  const principal = governedDid === null ? agentDid : PRINCIPAL + governedDid;
  const whose = { agent: agentDid, principal, policy: POLICY_SCOPE }[scope];
  return narrowing === undefined ? whose : `${whose} ${narrowing.merchant ?? ''} ${narrowing.category ?? ''}`;
}

/** No time zone's midnight lies within a quarter of an hour. */
const QUARTER_MS = 15 * 60 * 1000;
/** A stretch, 32 of them, and 32 of those, in quarters of an hour: a year is some 70 stretches of these lengths. */
const LENGTHS = [1, 32, 1024] as const;

/** What a window holds. */
export interface WindowUse {
  readonly transactions: number;
  /** By currency. */
  readonly counts: Readonly<Record<string, number>>;
  /** By currency in minor units. A sum stops where numbers are not exact any more. */
  readonly amounts: Readonly<Record<string, number>>;
}

/** What is added to the sums; negative to take it back. */
interface Addition {
  readonly measure: Measure;
  readonly tenantId: string;
  readonly agentDid: string;
  readonly governedDid: string | null;
  /** Where it was bought, and of which category, as far as that is known. */
  readonly merchant: string | null;
  readonly mcc: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly currency: string;
  readonly transactions: number;
  readonly amountMinor: number;
}

const MEASURES = ['issued', 'paid', 'held', 'spent'] as const satisfies readonly Measure[];
const SUMS = MEASURES.flatMap((measure) => [measure, `${measure}_high`, `${measure}_low`] as const);

const addRows = insertManyInto(
  spendingSums,
  `ON CONFLICT (${spendingSums.key.join(', ')}) DO UPDATE SET
     ${SUMS.map((sum) => `${sum} = spending_sums.${sum} + excluded.${sum}`).join(', ')}`,
);

type SumRow = RowOf<typeof spendingSums>;

/** Rows to be added, by their keys: most additions of a commit are of the same stretches. */
class Additions {
  readonly #rows = new Map<string, SumRow>();

  add(scope: string, { measure, tenantId, at, currency, transactions, high, low }: SummedAddition): void {
    for (const quarters of LENGTHS) {
      const stretch = Math.floor(at / (quarters * QUARTER_MS));
      const key = `${scope} ${quarters} ${stretch} ${currency}`;
      const row = this.#rows.get(key) ?? { tenant_id: tenantId, scope, quarters, stretch, currency, ...NOTHING };
      this.#rows.set(key, {
        ...row,
        [measure]: row[measure] + transactions,
        [`${measure}_high`]: row[`${measure}_high`] + high,
        [`${measure}_low`]: row[`${measure}_low`] + low,
      });
    }
  }

  /** Those that change something: what moves within a stretch changes nothing. */
  rows(): SumRow[] {
    return [...this.#rows.values()].filter((row) => SUMS.some((sum) => row[sum] !== 0));
  }
}

type SummedAddition = Pick<Addition, 'measure' | 'tenantId' | 'at' | 'currency' | 'transactions'> & {
  readonly high: number;
  readonly low: number;
};

/** In one statement, however many there are. */
function* add(additions: readonly Addition[]): Script<void> {
  const [first] = additions;
  if (first === undefined) return;
  const narrowings = yield* listNarrowings(first.tenantId);
  const sums = new Additions();
  for (const addition of additions) {
    const summed = { ...addition, ...split(addition.amountMinor) };
    for (const scope of scopesOf(addition, narrowings)) sums.add(scope, summed);
  }
  const rows = sums.rows();
  if (rows.length > 0) yield* addRows(rows);
}

const NOTHING = Object.fromEntries(SUMS.map((sum) => [sum, 0])) as Record<(typeof SUMS)[number], number>;

const SCOPES = ['agent', 'principal', 'policy'] as const;

/** The keys under which something counts. What was issued, and paid of it, counts for risk.velocity_limit, which knows agent and policy. */
function scopesOf(
  { measure, merchant, mcc, agentDid, governedDid }: Addition,
  narrowings: readonly Narrowing[],
): readonly string[] {
  if (measure === 'issued' || measure === 'paid') return [agentDid, POLICY_SCOPE];
  const within = narrowings.filter((narrowing) => isWithin(narrowing, { merchant, mcc }));
  return keysOf({ agentDid, governedDid }, [undefined, ...within]);
}

/** Where the agent stands for the principal, both have one key. */
function keysOf(
  who: Pick<CountedScope, 'agentDid' | 'governedDid'>,
  narrowings: readonly (Narrowing | undefined)[],
): readonly string[] {
  const keys = narrowings.flatMap((narrowing) => SCOPES.map((scope) => scopeKey({ scope, ...who, narrowing })));
  return [...new Set(keys)];
}

type CountedIntent = Pick<
  IntentRow,
  | 'tenant_id'
  | 'mandate_id'
  | 'agent_did'
  | 'governed_did'
  | 'currency'
  | 'reserved_minor'
  | 'held_minor'
  | 'held_merchant'
  | 'held_mcc'
>;

/** Counts an intent that was just stored. */
export function countIntent(intent: CountedIntent): Script<void> {
  return add([{ ...issuedBy(intent), transactions: 1, amountMinor: intent.reserved_minor }, ...heldBy(intent, 1)]);
}

/** Follows an intent that reserves and holds nothing any more. @param intent as it was until then */
export function releaseIntent(intent: CountedIntent): Script<void> {
  return add([...reservedBy(intent, -intent.reserved_minor), ...heldBy(intent, -1)]);
}

/** Follows a change of what an intent holds, and where. @param before as it was until then @param after as it is from then on */
export function moveHold(before: CountedIntent, after: CountedIntent): Script<void> {
  return add([...heldBy(before, -1), ...heldBy(after, 1)]);
}

/** @param deltaMinor negative where it reserves less from then on */
function reservedBy(intent: CountedIntent, deltaMinor: number): readonly Addition[] {
  return deltaMinor === 0 ? [] : [{ ...issuedBy(intent), transactions: 0, amountMinor: deltaMinor }];
}

function issuedBy(intent: CountedIntent) {
  const { tenant_id: tenantId, mandate_id: mandateId, agent_did: agentDid, governed_did: governedDid } = intent;
  const { currency, held_merchant: merchant, held_mcc: mcc } = intent;
  return {
    measure: 'issued',
    tenantId,
    agentDid,
    governedDid,
    merchant,
    mcc,
    at: timeOfId(mandateId),
    currency,
  } as const;
}

function heldBy(intent: CountedIntent, sign: 1 | -1): readonly Addition[] {
  const { held_minor: held } = intent;
  return held === 0 ? [] : [{ ...issuedBy(intent), measure: 'held', transactions: sign, amountMinor: sign * held }];
}

type CountedPayment = Pick<
  PaymentRow,
  | 'tenant_id'
  | 'agent_did'
  | 'governed_did'
  | 'merchant'
  | 'mcc'
  | 'status'
  | 'amount_minor'
  | 'captured_minor'
  | 'currency'
  | 'authorized_at'
>;

/**
 * Counts a payment that was just stored, since one that is not decided yet may move money. What its intent reserves is from then on
 * what is paid, and it holds nothing any more.
 * @param intent as it was until then
 */
export function countPayment(payment: CountedPayment, intent: CountedIntent): Script<void> {
  return add([
    ...reservedBy(intent, payment.amount_minor - intent.reserved_minor),
    ...heldBy(intent, -1),
    ...paidBy(payment, 1),
  ]);
}

/**
 * Follows a transition: a payment that failed or was canceled counts no more, one that was authorized counts from then on, and one
 * that was captured in part counts with that part.
 */
export function* recountPayment(before: CountedPayment, after: CountedPayment): Script<void> {
  const isSame =
    isCounted(before) === isCounted(after) &&
    quarterOf(before) === quarterOf(after) &&
    spentMinorOf(before) === spentMinorOf(after);
  if (!isSame) yield* add([...paidBy(before, -1), ...paidBy(after, 1)]);
}

function paidBy(payment: CountedPayment, sign: 1 | -1): readonly Addition[] {
  if (!isCounted(payment)) return [];
  const { tenant_id: tenantId, agent_did: agentDid, governed_did: governedDid, merchant, mcc } = payment;
  const { authorized_at: at, currency, amount_minor: amount } = payment;
  const paid = { tenantId, agentDid, governedDid, merchant, mcc, at, currency, transactions: sign };
  return [
    { ...paid, measure: 'paid', amountMinor: sign * amount },
    { ...paid, measure: 'spent', amountMinor: sign * spentMinorOf(payment) },
  ];
}

function isCounted({ status }: CountedPayment): boolean {
  return status !== 'FAILED' && status !== 'CANCELED';
}

/** The states in which nothing was captured yet, so that all that was asked for is held. */
const UNCAPTURED: readonly string[] = ['PENDING', 'UNKNOWN', 'AUTHORIZED'];

function spentMinorOf({ status, amount_minor: amount, captured_minor: captured }: CountedPayment): number {
  return UNCAPTURED.includes(status) ? amount : captured;
}

function quarterOf({ authorized_at: at }: CountedPayment): number {
  return Math.floor(at / QUARTER_MS);
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
} & Readonly<Record<Measure | `${Measure}_high` | `${Measure}_low`, number>>;

function* sumWindow<Each extends Measure>(measures: readonly Each[], window: Window): Script<Record<Each, WindowUse>> {
  const { tenantId, from, narrowing } = window;
  const scope = scopeKey(window);
  const firstQuarter = Math.ceil(from / QUARTER_MS);
  const args: Value[] = [];
  let first = firstQuarter;
  for (const [index, quarters] of LENGTHS.entries()) {
    const longer = LENGTHS[index + 1];
    // Up to where a stretch of the next length begins.
    const end = longer === undefined ? Number.MAX_SAFE_INTEGER : Math.ceil((first * quarters) / longer) * longer;
    args.push(tenantId, scope, quarters, first, longer === undefined ? end : end / quarters);
    first = longer === undefined ? first : end / longer;
  }
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

function useOf(measure: Measure, rows: readonly UseRow[]): WindowUse {
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

/** The rows between the beginning of a window and its first whole stretch: a condition, and what bounds it. */
const EDGES: Readonly<Record<Measure, typeof OF_PAYMENTS & { readonly amount: string }>> = {
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
  measures: readonly Measure[],
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
  measures: readonly Measure[],
  column: string | undefined,
  hasEdge: boolean,
  isNarrowed: boolean,
): string {
  const sums = measures.flatMap((measure) => [measure, `${measure}_high`, `${measure}_low`]);
  const stretches = `SELECT currency, CAST('*' AS TEXT) AS merchant, CAST(NULL AS TEXT) AS mcc, ${sums.join(', ')} FROM spending_sums
    WHERE tenant_id = ? AND scope = ? AND quarters = ? AND stretch >= ? AND stretch < ?`;
  const edgeOf = (measure: Measure) => {
    const { rows, amount, condition, merchant, mcc } = EDGES[measure];
    const own = measures.map((each) =>
      each === measure ? `1, (${amount}) / ${SPLIT}, (${amount}) % ${SPLIT}` : '0, 0, 0',
    );
    const where = isNarrowed ? `${merchant}, ${mcc}` : "'*', NULL";
    return `SELECT currency, ${where}, ${own.join(', ')}
      FROM ${rows} ${column === undefined ? '' : `AND ${column} = ?`} AND ${condition}`;
  };
  const parts = [...LENGTHS.map(() => stretches), ...(hasEdge ? measures.map(edgeOf) : [])].join('\n  UNION ALL ');
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

const deleteStretches = deleteOldest(spendingSums, 'quarters = ? AND stretch < ?', 'stretch');

/** Deletes the sums of stretches that ended before a time, up to so many rows of each length. */
export function* deleteSumsBefore(limit: number, time: number): Script<number> {
  let deleted = 0;
  for (const quarters of LENGTHS) {
    deleted += yield* deleteStretches(limit - deleted, quarters, Math.floor(time / (quarters * QUARTER_MS)));
  }
  return deleted;
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

/** Sums are counted over so long at once, and so many of their rows go into one statement. */
const SPAN_MS = 30 * 24 * 3600 * 1000;
const MOST_ROWS = 64;

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
  const rows = sums.rows();
  for (let start = 0; start < rows.length; start += MOST_ROWS) yield* addRows(rows.slice(start, start + MOST_ROWS));
}

/** The last has no end: what a clock that was ahead has dated later counts as well. */
function spansOf(from: number, now: number): [number, number][] {
  const spans: [number, number][] = [];
  for (let begin = from; begin <= now; begin += SPAN_MS) spans.push([begin, begin + SPAN_MS]);
  const last = spans.at(-1);
  if (last !== undefined) last[1] = Number.MAX_SAFE_INTEGER;
  return spans;
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

function* listHistory(measure: 'held' | 'spent', tenantId: string, from: number, to: number): Script<HistoryRow[]> {
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
