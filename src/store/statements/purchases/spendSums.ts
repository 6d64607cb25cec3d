/**
 * Sums of payments by the time at which they were made: of all agents by the quarter of an hour, of each agent and at each merchant
 * by the day of UTC. They change in the commit that stores or changes a payment, so that an answer is exact at every moment.
 */
import type { PaymentStatus } from '../../../../protocol/payment.ts';
import {
  type ClockSpan,
  clockSpans,
  type DateClock,
  dateClockOf,
  startOfDay,
} from '../../../../protocol/wire/timezone.ts';
import { all, type Script, type Value } from '../../store.ts';
import { allOf, equal, exactAmount, SPLIT, split, within } from '../queries.ts';
import { insertManyInto, integer, oneOf, type RowOf, table, text } from '../tableDefinition.ts';
import { noteMerchant } from './agentMerchants.ts';
import { type PaymentRow, updatePayment, wasAuthorized } from './payments.ts';

export const spendSums = table(
  'spend_sums',
  ['tenant_id', 'scope', 'quarters', 'stretch', 'name', 'currency'],
  {
    tenant_id: text,
    scope: oneOf<'all' | SpendBy>(),
    /** How many quarters of an hour a stretch is: 1, DAY or LONG. */
    quarters: integer,
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
  },
  {
    retention: { kept: 'as long as the payments that they sum' },
    isTestData: true,
  },
);

type SpendBy = 'agent' | 'merchant';
/** What no sums are kept of: payments are summed row by row. */
type SummedBy = 'mcc' | 'principal';

const QUARTER_MS = 15 * 60 * 1000;
/** In quarters of an hour. */
const DAY = 96;
/** In quarters of an hour: a year is a dozen of them, and some days at both ends. */
const LONG = 32 * DAY;
const DAY_MS = DAY * QUARTER_MS;
const LONG_DAYS = LONG / DAY;

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
  disputed: ofThose(TAKEN, 'payments.disputed_minor'),
};
const COUNTS = ofThose([...HELD, ...TAKEN], '1');

function ofThose(states: readonly PaymentStatus[], value: string): string {
  return `CASE WHEN payments.status IN (${states.map((state) => `'${state}'`).join(', ')}) THEN ${value} ELSE 0 END`;
}

/** About how much was taken or is held. */
const LARGE = `(paid_high + held_high) * 1.0 * ${SPLIT} + paid_low + held_low`;

const SUM_COLUMNS = ['payments', ...AMOUNTS.flatMap((amount) => [`${amount}_high`, `${amount}_low`])];

/** The sums that a payment is part of. Those of all agents are few, so that they serve a day that begins at midnight in any time zone. */
const STRETCHES = [
  ['all', 1],
  ['agent', DAY],
  ['agent', LONG],
  ['merchant', DAY],
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
function spendOf({ status, amount_minor, captured_minor, refunded_minor, disputed_minor }: PaymentRow): Spend {
  if (HELD.includes(status)) return { ...NONE, payments: 1, held: amount_minor };
  if (!TAKEN.includes(status)) return NONE;
  return { payments: 1, held: 0, paid: captured_minor, refunded: refunded_minor, disputed: disputed_minor };
}

/** Moves the sums of a payment from what it added to them before to what it adds now. */
function* moveSums(payment: PaymentRow, before: Spend, after: Spend): Script<void> {
  if ((['payments', ...AMOUNTS] as const).every((name) => before[name] === after[name])) return;
  const { tenant_id, agent_did, merchant, currency, created_at: at } = payment;
  const payments = after.payments - before.payments;
  const held = split(after.held - before.held);
  const paid = split(after.paid - before.paid);
  const refunded = split(after.refunded - before.refunded);
  const disputed = split(after.disputed - before.disputed);
  const names = { all: '', agent: agent_did, merchant };
  const rows = STRETCHES.map(
    ([scope, quarters]): RowOf<typeof spendSums> => ({
      tenant_id,
      scope,
      quarters,
      stretch: Math.floor(at / (quarters * QUARTER_MS)),
      name: names[scope],
      currency,
      payments,
      held_high: held.high,
      held_low: held.low,
      paid_high: paid.high,
      paid_low: paid.low,
      refunded_high: refunded.high,
      refunded_low: refunded.low,
      disputed_high: disputed.high,
      disputed_low: disputed.low,
    }),
  );
  yield* addRows(rows);
}

/** Adds a payment that was just stored to the sums. */
export function addNewSpend(payment: PaymentRow): Script<void> {
  return moveSums(payment, NONE, spendOf(payment));
}

/**
 * Stores a payment that has changed, moves the sums, and notes the merchant of one that was authorized.
 * @param before as it stands until then @param isNoted whether the merchant is known to be noted already
 */
export function* changePayment(before: PaymentRow, after: PaymentRow, isNoted = false): Script<void> {
  yield* updatePayment(after);
  if (!isNoted && wasAuthorized(after) && !wasAuthorized(before)) yield* noteMerchant(after);
  yield* moveSums(before, spendOf(before), spendOf(after));
}

/** Which payments are summed, and how. */
interface SpendFilter {
  readonly by: SpendBy | SummedBy | 'day' | undefined;
  /** The first and the last day, by their numbers from 1970 on; undefined for no bound. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** In which days begin at midnight, as Timezone took it; UTC when absent. */
  readonly timezone?: string | undefined;
  readonly currency: string | undefined;
  /** Whose money; there are no sums of it, so that the principal's payments are summed row by row. */
  readonly principalDid?: string | undefined;
}

/** What some payments come to, in minor units, which may be more than a number is exact. */
export interface SpendSum extends Readonly<Record<Amount, bigint>> {
  /** The number of the day, where sums are by day. */
  readonly day: number;
  /** The agent, the merchant, the principal or the code of a category, where sums are by these; empty for none. */
  readonly name: string;
  readonly currency: string;
  readonly payments: number;
}

type SpendRow = Omit<RowOf<typeof spendSums>, 'tenant_id' | 'scope' | 'quarters' | 'stretch'> & {
  readonly day: number;
};

/** @param most so many for each currency: the latest days, or those at whom the most was taken or is held */
export function* sumSpend(tenantId: string, filter: SpendFilter, most: number): Script<SpendSum[]> {
  const parts = partsOf(tenantId, filter, yield* spansOf(tenantId, filter));
  if (parts.length === 0) return [];
  const sums = SUM_COLUMNS.map((sum) => `CAST(SUM(${sum}) AS BIGINT) AS ${sum}`).join(', ');
  const order = filter.by === 'day' ? 'day DESC' : `${LARGE} DESC, name`;
  const summed = `SELECT day, name, currency, ${sums} FROM (${parts.map((part) => part.sql).join(' UNION ALL ')}) AS parts
     GROUP BY day, name, currency HAVING SUM(payments) > 0`;
  const placed = `SELECT summed.*, ROW_NUMBER() OVER (PARTITION BY currency ORDER BY ${order}) AS place FROM (${summed}) AS summed`;
  const sql = `SELECT * FROM (${placed}) AS placed WHERE place <= ? ORDER BY currency, place`;
  const rows = yield* all<SpendRow>(sql, ...parts.flatMap(({ args }) => args), most);
  return rows.map(exactSums);
}

/** A SELECT of sums, which are added up. */
interface Part {
  readonly sql: string;
  readonly args: readonly Value[];
}

/** The last moment of a clock, in milliseconds; a whole day. */
const FOREVER_MS = 8.64e15;

/** The time between the two midnights; for sums by day, as long as there are payments and between the changes of the zone's clock. */
function* spansOf(tenantId: string, { by, first, last, timezone = 'UTC' }: SpendFilter): Script<ClockSpan[]> {
  const clock = dateClockOf(timezone) as DateClock;
  const from = first === undefined ? 0 : Math.max(0, startOfDay(clock, first));
  const to = last === undefined ? FOREVER_MS : startOfDay(clock, last + 1);
  if (by !== 'day') return from < to ? [{ from, to, offset: 0 }] : [];
  const spent = yield* timeOfSpend(tenantId);
  return spent === undefined ? [] : clockSpans(clock, Math.max(from, spent.from), Math.min(to, spent.to));
}

/** @returns between which times payments were made, in milliseconds and to the quarter of an hour; undefined where there are none */
function* timeOfSpend(tenantId: string): Script<{ readonly from: number; readonly to: number } | undefined> {
  const ends: number[] = [];
  for (const order of ['', 'DESC']) {
    const sql = `SELECT stretch FROM spend_sums WHERE tenant_id = ? AND scope = 'all' AND quarters = 1 ORDER BY stretch ${order} LIMIT 1`;
    const [row] = yield* all<{ stretch: number }>(sql, tenantId);
    if (row === undefined) return undefined;
    ends.push(row.stretch);
  }
  const [first = 0, last = 0] = ends;
  return { from: first * QUARTER_MS, to: (last + 1) * QUARTER_MS };
}

function partsOf(tenantId: string, filter: SpendFilter, spans: readonly ClockSpan[]): Part[] {
  const rowsOf = (span: ClockSpan) => rowsPart(tenantId, filter, span);
  if (filter.principalDid !== undefined || filter.by === 'mcc' || filter.by === 'principal') return spans.map(rowsOf);
  if (!isNamed(filter.by)) return spans.map((span) => quartersPart(tenantId, filter, span));
  // Of an agent and of a merchant there are sums of whole days of UTC; at both ends of the time there are payments of some hours.
  return spans.flatMap((span) => {
    const first = Math.ceil(span.from / DAY_MS);
    const end = Math.floor(span.to / DAY_MS);
    if (first >= end) return [rowsOf(span)];
    const ends = [
      { ...span, to: first * DAY_MS },
      { ...span, from: end * DAY_MS },
    ];
    return [
      ...stretchesOf(first, end).map((range) => daysPart(tenantId, filter, range)),
      ...ends.filter(({ from, to }) => from < to).map(rowsOf),
    ];
  });
}

/** Stretches of one length, the last one excluded, that are added or taken away. */
interface Stretches {
  readonly quarters: number;
  readonly first: number;
  readonly end: number;
  readonly sign: '' | '-';
}

/**
 * The stretches that make a range of days: long ones, and days that are added to them or taken away from them at both ends,
 * whichever are fewer.
 */
function stretchesOf(first: number, end: number): Stretches[] {
  if (end - first < LONG_DAYS) return [{ quarters: DAY, first, end, sign: '' }];
  const from = Math.round(first / LONG_DAYS);
  const to = Math.round(end / LONG_DAYS);
  const long: Stretches = { quarters: LONG, first: from, end: to, sign: '' };
  return [long, daysBetween(first, from * LONG_DAYS, ''), daysBetween(end, to * LONG_DAYS, '-')].filter(
    (range) => range.first < range.end,
  );
}

/** The days from one to another one, which is not included; the sign is the other one where they lie the other way round. */
function daysBetween(one: number, other: number, sign: '' | '-'): Stretches {
  if (one <= other) return { quarters: DAY, first: one, end: other, sign };
  return { quarters: DAY, first: other, end: one, sign: sign === '' ? '-' : '' };
}

function isNamed(by: SpendFilter['by']): by is SpendBy {
  return by === 'agent' || by === 'merchant';
}

function daysPart(tenantId: string, { by, currency }: SpendFilter, { quarters, first, end, sign }: Stretches): Part {
  const { where, args } = allOf([
    ['tenant_id = ? AND scope = ? AND quarters = ?', tenantId, by as SpendBy, quarters],
    ['stretch >= ? AND stretch < ?', first, end],
    equal('currency', currency),
  ]);
  const sums = SUM_COLUMNS.map((sum) => `${sign}${sum} AS ${sum}`).join(', ');
  return { sql: `SELECT 0 AS day, name, currency, ${sums} FROM spend_sums WHERE ${where}`, args };
}

/** Sums of all agents by the quarter of an hour. */
function quartersPart(tenantId: string, { by, currency }: SpendFilter, { from, to, offset }: ClockSpan): Part {
  const { where, args } = allOf([
    [`tenant_id = ? AND scope = 'all' AND quarters = 1`, tenantId],
    ['stretch >= ? AND stretch < ?', Math.ceil(from / QUARTER_MS), Math.ceil(to / QUARTER_MS)],
    equal('currency', currency),
  ]);
  const day = by === 'day' ? `(stretch + (${offset / QUARTER_MS})) / ${DAY}` : '0';
  return {
    sql: `SELECT ${day} AS day, name, currency, ${SUM_COLUMNS.join(', ')} FROM spend_sums WHERE ${where}`,
    args,
  };
}

const NAMES: Readonly<Record<NonNullable<SpendFilter['by']>, string>> = {
  agent: 'payments.agent_did',
  merchant: 'payments.merchant',
  principal: 'payments.principal_did',
  mcc: "COALESCE(payments.mcc, '')",
  day: "''",
};

/** Payments, row by row. */
function rowsPart(tenantId: string, filter: SpendFilter, { from, to, offset }: ClockSpan): Part {
  const { by, currency, principalDid } = filter;
  const { where, args } = allOf([
    ['payments.tenant_id = ?', tenantId],
    // By its index a principal's payments are found by their time, others by their ids.
    ...(principalDid === undefined
      ? within('mandate_id', 'pm_', { from, to: to - 1 })
      : ([
          [
            `payments.mandate_id IN (SELECT mandate_id FROM payment_lists
               WHERE tenant_id = ? AND principal_did = ? AND created_at >= ? AND created_at < ?)`,
            tenantId,
            principalDid,
            from,
            to,
          ],
        ] as const)),
    equal('payments.currency', currency),
  ]);
  const amounts = AMOUNTS.flatMap((amount) => [
    `(${ADDS[amount]}) / ${SPLIT} AS ${amount}_high`,
    `(${ADDS[amount]}) % ${SPLIT} AS ${amount}_low`,
  ]);
  const day = by === 'day' ? `(payments.created_at + (${offset})) / ${DAY_MS}` : '0';
  const sql = `SELECT ${day} AS day, ${by === undefined ? "''" : NAMES[by]} AS name, payments.currency AS currency,
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
