/**
 * Sliding windows of payments by the time at which they were authorized. A window's row holds its present sums and the time
 * up to which payments have left it. Each use moves that bound over the few payments that have left since, so its cost does
 * not grow with history.
 */
import { all, get, run, type Script, together } from '../../store.ts';
import { addMinor, isSaturated, saturatingSum } from '../queries.ts';
import { integer, type RowOf, table, text, upsertInto } from '../tableDefinition.ts';
import type { PaymentRow } from './payments.ts';
import {
  addToSums,
  bucketOfTime,
  endOfBucket,
  POLICY_SCOPE,
  type Sum,
  startOfBucket,
  sumBuckets,
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
});

type WindowRow = RowOf<typeof paymentWindows>;
type Counted = Pick<
  PaymentRow,
  'tenant_id' | 'agent_did' | 'status' | 'amount_minor' | 'currency' | 'created_at' | 'authorized_at'
>;

/** Payments in a window. */
interface PaidUse {
  readonly transactions: number;
  /** By currency in minor units. */
  readonly amounts: Readonly<Record<string, number>>;
}

const upsertWindow = upsertInto(paymentWindows);

/** A payment that failed or was canceled moved no money; one that is not decided yet may. */
const COUNTED = "status NOT IN ('FAILED', 'CANCELED')";

/** The use of a window by the payments authorized after `now - windowMs`, and of those that are not decided yet. */
export function* advancePaid(tenantId: string, scope: string, windowMs: number, now: number): Script<PaidUse> {
  const bound = now - windowMs + 1;
  const find = 'SELECT * FROM payment_windows WHERE tenant_id = ? AND scope = ? AND window_ms = ?';
  const found = yield* get<WindowRow>(find, tenantId, scope, windowMs);
  // One that nobody used for as long again is counted anew too: how far back the sums go is bounded. So is one that a clock
  // which was ahead has moved on: payments of now would be behind it, and never leave.
  const isUsable =
    found !== undefined &&
    !isSaturated(JSON.parse(found.amounts)) &&
    found.left_until >= now - 2 * windowMs &&
    found.left_until <= now + 1;
  const row = isUsable ? found : undefined;
  const amounts = (row === undefined ? {} : JSON.parse(row.amounts)) as Record<string, number>;
  // After the clock was set back, payments that have left must not return.
  if (row !== undefined && bound <= row.left_until) return { transactions: row.transactions, amounts };
  const moved =
    row === undefined
      ? addUp(amounts, yield* sumPayments(tenantId, scope, bound), 1)
      : row.transactions + addUp(amounts, yield* sumPayments(tenantId, scope, row.left_until, bound), -1);
  yield* upsertWindow({
    tenant_id: tenantId,
    scope,
    window_ms: windowMs,
    transactions: moved,
    amounts: JSON.stringify(amounts),
    left_until: bound,
  });
  return { transactions: moved, amounts };
}

/** Counts a payment that was just stored. */
export function* countPaid(payment: Counted): Script<void> {
  yield* addPaid(payment, 1);
  yield* adjust(payment, 1, ({ left_until: from }) => from <= payment.authorized_at);
}

/** Follows a transition: a payment that came to nothing counts no more, one that was authorized counts from then on. */
export function* recountPaid(before: Counted, after: Counted): Script<void> {
  const counts = isCounted(after);
  const holdsBefore = (from: number) => isCounted(before) && from <= before.authorized_at;
  const holdsAfter = (from: number) => counts && from <= after.authorized_at;
  if (counts && before.authorized_at === after.authorized_at) return;
  if (isCounted(before)) yield* addPaid(before, -1);
  if (counts) yield* addPaid(after, 1);
  yield* adjust(after, counts ? 1 : -1, ({ left_until: from }) => holdsBefore(from) !== holdsAfter(from));
}

/** Adds a payment to the sums that windows are counted from, or takes it back. */
function addPaid(payment: Counted, sign: 1 | -1): Script<void> {
  const { tenant_id: tenantId, agent_did: agentDid, currency, amount_minor: amountMinor } = payment;
  const sum = { transactions: sign, currency, amount: sign * amountMinor };
  return addToSums(tenantId, agentDid, bucketOfTime(payment.authorized_at), sum);
}

function isCounted({ status }: Counted): boolean {
  return status !== 'FAILED' && status !== 'CANCELED';
}

function* adjust(payment: Counted, sign: 1 | -1, concerns: (row: WindowRow) => boolean): Script<void> {
  const { tenant_id: tenantId, agent_did: agentDid, currency, amount_minor: amountMinor } = payment;
  const find = 'SELECT * FROM payment_windows WHERE tenant_id = ? AND scope IN (?, ?)';
  for (const row of yield* all<WindowRow>(find, tenantId, agentDid, POLICY_SCOPE)) {
    if (!concerns(row)) continue;
    const amounts = JSON.parse(row.amounts) as Record<string, number>;
    // A saturated sum is counted anew at its next use.
    if (!isSaturated(amounts)) amounts[currency] = addMinor(amounts[currency] ?? 0, sign * amountMinor);
    yield* upsertWindow({ ...row, transactions: row.transactions + sign, amounts: JSON.stringify(amounts) });
  }
}

type WindowKey = Pick<WindowRow, 'tenant_id' | 'scope' | 'window_ms'>;

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

/** The sums of the payments authorized from a time on, and before another one: of whole stretches, and at both ends. */
function* sumPayments(tenantId: string, scope: string, from: number, to?: number): Script<Sum[]> {
  const end = endOfBucket(from);
  if (to !== undefined && to <= end) return yield* sumAuthorized(tenantId, scope, from, to);
  const last = to === undefined ? undefined : bucketOfTime(to);
  const sums = yield* together(
    sumAuthorized(tenantId, scope, from, end),
    sumBuckets(tenantId, scope, bucketOfTime(from), last),
    ...(to === undefined ? [] : [sumAuthorized(tenantId, scope, startOfBucket(to), to)]),
  );
  return sums.flat();
}

function sumAuthorized(tenantId: string, scope: string, from: number, to: number): Script<Sum[]> {
  const ofAgent = scope === POLICY_SCOPE ? '' : 'AND agent_did = ?';
  return all(
    `SELECT currency, COUNT(*) AS transactions, ${saturatingSum('amount_minor')} AS amount FROM payments
     WHERE tenant_id = ? ${ofAgent} AND authorized_at >= ? AND authorized_at < ? AND ${COUNTED} GROUP BY currency`,
    tenantId,
    ...(scope === POLICY_SCOPE ? [] : [scope]),
    from,
    to,
  );
}

function addUp(amounts: Record<string, number>, sums: readonly Sum[], sign: 1 | -1): number {
  let transactions = 0;
  for (const sum of sums) {
    transactions += sign * sum.transactions;
    amounts[sum.currency] = addMinor(amounts[sum.currency] ?? 0, sign * sum.amount);
  }
  return transactions;
}
