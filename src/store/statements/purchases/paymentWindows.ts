/**
 * Sliding windows of payments by the time at which they were authorized. A window's row holds its present sums, the time up to
 * which payments have left it, and when the oldest that it holds was authorized. Each use moves that bound, and once it has
 * passed the oldest, asks for the few payments that have left: its cost does not grow with history.
 */
import { all, run, type Script } from '../../store.ts';
import { addMinor, isSaturated } from '../queries.ts';
import { integer, nullable, type RowOf, table, text, upsertInto } from '../tableDefinition.ts';
import { keptWindows } from './keptWindows.ts';
import { type PaymentRow, payments } from './payments.ts';
import {
  addToSums,
  addUp,
  bucketOfTime,
  type Entries,
  endOfBucket,
  POLICY_SCOPE,
  startOfBucket,
  sumEntries,
} from './spendingSums.ts';

export const paymentWindows = table('payment_windows', ['tenant_id', 'scope', 'window_ms'], {
  tenant_id: text,
  /** An agent's DID, or POLICY_SCOPE for all agents of the tenant together. */
  scope: text,
  window_ms: integer,
  transactions: integer,
  /** JSON: what the payments in it come to, by currency in minor units. */
  amounts: text,
  /** Milliseconds since the epoch: the row counts what was authorized at this time or later. */
  left_until: integer,
  /** No payment in it was authorized before this time. Null where that is not known; it says nothing of a window that holds none. */
  oldest: nullable(integer),
});

type WindowRow = RowOf<typeof paymentWindows>;
type WindowKey = Pick<WindowRow, 'tenant_id' | 'scope' | 'window_ms'>;
type Counted = Pick<
  PaymentRow,
  'tenant_id' | 'mandate_id' | 'agent_did' | 'status' | 'amount_minor' | 'currency' | 'created_at' | 'authorized_at'
>;

/** Payments in a window. */
interface PaidUse {
  readonly transactions: number;
  /** By currency in minor units. */
  readonly amounts: Readonly<Record<string, number>>;
}

interface PaidWindow {
  readonly row: WindowRow;
  /** True once payments were summed for it, which the next to ask need not do again if it is saved. */
  readonly isSummed: boolean;
}

/** The windows that an agent's payments count in, its own and those of all agents together, as a script has moved them. */
export type PaidWindows = Map<string, PaidWindow>;

const kept = keptWindows(paymentWindows.name, upsertInto(paymentWindows, ['tenant_id', 'scope']));

const PAYMENTS: Entries<number> = {
  table: payments.name,
  place: 'authorized_at',
  amount: 'amount_minor',
  // One that failed or was canceled moved no money; one that is not decided yet may.
  counts: "status NOT IN ('FAILED', 'CANCELED')",
  bucketOf: bucketOfTime,
  startOf: startOfBucket,
  endOf: endOfBucket,
};

export function* loadPaidWindows(tenantId: string, agentDid: string): Script<PaidWindows> {
  const rows = yield* kept.listOf(tenantId, agentDid);
  return new Map(rows.map((row) => [nameOf(row), { row, isSummed: false }]));
}

function nameOf({ scope, window_ms: windowMs }: WindowKey): string {
  return `${windowMs} ${scope}`;
}

/**
 * The use of a window by the payments authorized after `now - windowMs`, and of those that are not decided yet.
 * @param windows where the window is moved; `countPaid` or `keepPaid` saves it
 */
export function* advancePaid(windows: PaidWindows, window: WindowKey, now: number): Script<PaidUse> {
  const found = windows.get(nameOf(window));
  const moved = yield* move(found, window, now);
  windows.set(nameOf(window), moved);
  const { transactions, amounts } = moved.row;
  return { transactions, amounts: JSON.parse(amounts) };
}

function* move(found: PaidWindow | undefined, window: WindowKey, now: number): Script<PaidWindow> {
  const { window_ms: windowMs } = window;
  const bound = now - windowMs + 1;
  // One that was not used for as long again is counted anew too: how far back the sums go is bounded. So is one that a clock
  // which was ahead has moved on: payments of now would be behind it, and never leave.
  const isUsable =
    found !== undefined &&
    !isSaturated(JSON.parse(found.row.amounts)) &&
    found.row.left_until >= now - 2 * windowMs &&
    found.row.left_until <= now + 1;
  if (!isUsable) return { row: yield* countAnew(window, bound), isSummed: true };
  const { row } = found;
  // After the clock was set back, payments that have left must not return.
  if (bound <= row.left_until) return found;
  const isWhole = row.transactions === 0 || (row.oldest !== null && bound <= row.oldest);
  if (isWhole) return { ...found, row: { ...row, left_until: bound } };
  return { row: yield* leave(row, bound), isSummed: true };
}

function* countAnew({ tenant_id, scope, window_ms }: WindowKey, bound: number): Script<WindowRow> {
  const amounts: Record<string, number> = {};
  const { sums, oldest } = yield* sumEntries(PAYMENTS, { tenantId: tenant_id, scope, from: bound });
  const transactions = addUp(amounts, sums, 1);
  return { tenant_id, scope, window_ms, transactions, amounts: JSON.stringify(amounts), left_until: bound, oldest };
}

/** Takes the payments from before a time out of a window. */
function* leave(row: WindowRow, bound: number): Script<WindowRow> {
  const { tenant_id: tenantId, scope, oldest, left_until: leftUntil } = row;
  const amounts = JSON.parse(row.amounts) as Record<string, number>;
  const from = Math.max(oldest ?? leftUntil, leftUntil);
  const left = yield* sumEntries(PAYMENTS, { tenantId, scope, from, to: bound });
  const transactions = row.transactions + addUp(amounts, left.sums, -1);
  return { ...row, transactions, amounts: JSON.stringify(amounts), left_until: bound, oldest: left.oldest };
}

/** Saves the windows that payments were summed for, so that a refusal does not leave the summing to the next request. */
export function* keepPaid(windows: PaidWindows): Script<void> {
  for (const { row, isSummed } of windows.values()) if (isSummed) yield* kept.save(row);
}

/** Counts a payment that was just stored. @param windows of its agent, as they stand at the time of the payment */
export function* countPaid(payment: Counted, windows: PaidWindows): Script<void> {
  yield* addToSums(...sumOf(payment, 1));
  for (const { row, isSummed } of windows.values()) {
    if (row.left_until <= payment.authorized_at) yield* kept.save(withPayment(row, payment, 1));
    else if (isSummed) yield* kept.save(row);
  }
}

/**
 * A subquery: from when on there is a window that holds what is authorized then, and not what was authorized at a time. Null
 * where there is none.
 */
export function nextBound(tenant: string, agent: string, time: string): string {
  return `(SELECT MIN(left_until) FROM payment_windows WHERE tenant_id = ${tenant} AND scope IN (${agent}, '${POLICY_SCOPE}')
    AND left_until > ${time})`;
}

/**
 * Follows a transition: a payment that came to nothing counts no more, one that was authorized counts from then on.
 * @param isBetween false where it is known that no window holds the payment by one of the two times only
 */
export function* recountPaid(before: Counted, after: Counted, isBetween = true): Script<void> {
  const counts = isCounted(after);
  const countedBefore = isCounted(before);
  if (counts && before.authorized_at === after.authorized_at) return;
  const isSameStretch = bucketOfTime(before.authorized_at) === bucketOfTime(after.authorized_at);
  if (!(counts && countedBefore && isSameStretch)) {
    if (countedBefore) yield* addToSums(...sumOf(before, -1));
    if (counts) yield* addToSums(...sumOf(after, 1));
  }
  if (counts && countedBefore && !isBetween) return;
  for (const row of yield* kept.listOf(after.tenant_id, after.agent_did)) {
    const held = countedBefore && row.left_until <= before.authorized_at;
    const holds = counts && row.left_until <= after.authorized_at;
    if (held !== holds) yield* kept.save(withPayment(row, after, holds ? 1 : -1));
  }
}

/** What a payment adds to the sums, or takes from them. */
function sumOf(payment: Counted, sign: 1 | -1): Parameters<typeof addToSums> {
  const { tenant_id: tenantId, agent_did: agentDid, currency, amount_minor: amountMinor } = payment;
  const sum = { transactions: sign, currency, amount: sign * amountMinor };
  return [tenantId, agentDid, bucketOfTime(payment.authorized_at), sum];
}

function isCounted({ status }: Counted): boolean {
  return status !== 'FAILED' && status !== 'CANCELED';
}

/** A window with one payment more, or less. */
function withPayment(row: WindowRow, payment: Counted, sign: 1 | -1): WindowRow {
  const { currency, amount_minor: amountMinor, authorized_at: at } = payment;
  const amounts = JSON.parse(row.amounts) as Record<string, number>;
  // A saturated sum is counted anew at its next use.
  if (!isSaturated(amounts)) amounts[currency] = addMinor(amounts[currency] ?? 0, sign * amountMinor);
  const isOldest = sign === 1 && (row.transactions === 0 || (row.oldest !== null && at < row.oldest));
  const oldest = isOldest ? at : row.oldest;
  return { ...row, transactions: row.transactions + sign, amounts: JSON.stringify(amounts), oldest };
}

/** Windows that nothing has used since a time; the next use counts them anew. No index leads to them. */
export function listIdlePaidWindows(bound: number, limit: number): Script<WindowKey[]> {
  return all('SELECT tenant_id, scope, window_ms FROM payment_windows WHERE left_until < ? LIMIT ?', bound, limit);
}

/** Deletes those of the windows that are idle still. */
export function* deleteIdlePaidWindows(bound: number, windows: readonly WindowKey[]): Script<number> {
  const sql = 'DELETE FROM payment_windows WHERE tenant_id = ? AND scope = ? AND window_ms = ? AND left_until < ?';
  let deleted = 0;
  for (const { tenant_id: tenantId, scope, window_ms: windowMs } of windows) {
    deleted += yield* run(sql, tenantId, scope, windowMs, bound);
  }
  return deleted;
}
