/**
 * Sliding windows of allowed intents. A window's row holds its present sums and the id up to which intents have left it.
 * Each use moves that bound over the few intents that have left since, so its cost does not grow with history.
 */
import { firstIdAt } from '../../../../protocol/wire/id.ts';
import { all, get, run, type Script, together } from '../../store.ts';
import { addMinor, isSaturated, saturatingSum } from '../queries.ts';
import { integer, type RowOf, table, text, upsertInto } from '../tableDefinition.ts';
import { addToSums, bucketOfIntent, POLICY_SCOPE, type Sum, sumBuckets } from './spendingSums.ts';

export const velocityWindows = table('velocity_windows', ['tenant_id', 'scope', 'window_ms'], {
  tenant_id: text,
  /** An agent's DID, or POLICY_SCOPE for all agents of the tenant together. */
  scope: text,
  window_ms: integer,
  transactions: integer,
  /** JSON: what the intents in it reserve, by currency in minor units. */
  amounts: text,
  /** The id up to which intents have left it. */
  left_through: text,
});

/** Allowed intents in a window and what they reserve, by currency in minor units. */
export interface WindowUse {
  readonly transactions: number;
  readonly amounts: Readonly<Record<string, number>>;
  /** The id up to which intents have left the window. */
  readonly leftThrough: string;
  /** True when the window was counted anew and is not stored yet. */
  readonly recounted?: boolean;
}

type WindowRow = RowOf<typeof velocityWindows>;

/** The use of a window at a time: of the intents issued after `now - windowMs`. */
export function* advanceWindow(tenantId: string, scope: string, windowMs: number, now: number): Script<WindowUse> {
  const bound = firstIdAt('intent_', now - windowMs + 1);
  const find = 'SELECT * FROM velocity_windows WHERE tenant_id = ? AND scope = ? AND window_ms = ?';
  const row = yield* get<WindowRow>(find, tenantId, scope, windowMs);
  const amounts = row === undefined ? {} : (JSON.parse(row.amounts) as Record<string, number>);
  // One that nobody used for as long again is counted anew too: how far back the sums go is bounded. So is one that a clock
  // which was ahead has moved on: intents of now would be behind it, and never leave.
  const isUsable =
    row !== undefined &&
    !isSaturated(amounts) &&
    row.left_through >= firstIdAt('intent_', now - 2 * windowMs) &&
    row.left_through <= firstIdAt('intent_', now + 1);
  if (!isUsable) {
    const counted: Record<string, number> = {};
    const transactions = addUp(counted, yield* sumEntries(tenantId, scope, bound, undefined), 1);
    return { transactions, amounts: counted, leftThrough: bound, recounted: true };
  }
  // After the clock was set back, intents that have left must not return.
  if (bound <= row.left_through) return { transactions: row.transactions, amounts, leftThrough: row.left_through };
  const left = yield* sumEntries(tenantId, scope, row.left_through, bound);
  return { transactions: row.transactions + addUp(amounts, left, -1), amounts, leftThrough: bound };
}

const upsertWindow = upsertInto(velocityWindows);

export function saveWindow(tenantId: string, scope: string, windowMs: number, use: WindowUse): Script<void> {
  return upsertWindow({
    tenant_id: tenantId,
    scope,
    window_ms: windowMs,
    transactions: use.transactions,
    amounts: JSON.stringify(use.amounts),
    left_through: use.leftThrough,
  });
}

/** What the sums need to know of an intent. */
export interface SummedIntent {
  readonly agentDid: string;
  readonly mandateId: string;
  readonly currency: string;
}

/** Adds an intent that was just allowed to the sums that windows are counted from. */
export function* sumIntent(tenantId: string, intent: SummedIntent, reservedMinor: number): Script<void> {
  const { agentDid, mandateId, currency } = intent;
  yield* addToSums(tenantId, agentDid, bucketOfIntent(mandateId), { transactions: 1, currency, amount: reservedMinor });
}

/** The windows that still hold an intent. */
export function* listHolding(
  tenantId: string,
  { agentDid, mandateId }: Pick<SummedIntent, 'agentDid' | 'mandateId'>,
): Script<WindowRow[]> {
  const sql = 'SELECT * FROM velocity_windows WHERE tenant_id = ? AND scope = ? AND left_through <= ?';
  const found = yield* together(
    all<WindowRow>(sql, tenantId, agentDid, mandateId),
    all<WindowRow>(sql, tenantId, POLICY_SCOPE, mandateId),
  );
  return found.flat();
}

/** Applies a change of one intent's reservation to the sums, and to every window that still holds it. */
export function* adjustWindows(tenantId: string, intent: SummedIntent, deltaMinor: number): Script<void> {
  if (deltaMinor === 0) return;
  const { agentDid, mandateId, currency } = intent;
  yield* addToSums(tenantId, agentDid, bucketOfIntent(mandateId), { transactions: 0, currency, amount: deltaMinor });
  for (const row of yield* listHolding(tenantId, intent)) {
    const amounts = JSON.parse(row.amounts) as Record<string, number>;
    // A saturated sum is counted anew at its next use.
    if (isSaturated(amounts)) continue;
    amounts[currency] = addMinor(amounts[currency] ?? 0, deltaMinor);
    yield* upsertWindow({ ...row, amounts: JSON.stringify(amounts) });
  }
}

/** A window of one agent, or of all agents together. */
interface WindowKind {
  readonly scope: 'agent' | 'policy';
  readonly windowMs: number;
}

/** Whether two limits count in the same window, whatever they allow. */
export function sameWindow(one: WindowKind, other: WindowKind | undefined): boolean {
  return one.scope === other?.scope && one.windowMs === other.windowMs;
}

/** Deletes the windows of a limit that holds no more, since nothing counts in them from now on. @param agentDid of one agent */
export function deleteWindows(tenantId: string, { scope, windowMs }: WindowKind, agentDid?: string): Script<number> {
  const whose = agentDid !== undefined || scope === 'policy' ? 'scope = ?' : 'scope <> ?';
  const sql = `DELETE FROM velocity_windows WHERE tenant_id = ? AND ${whose} AND window_ms = ?`;
  return run(sql, tenantId, agentDid ?? POLICY_SCOPE, windowMs);
}

type WindowKey = Pick<WindowRow, 'tenant_id' | 'scope' | 'window_ms'>;

/** Windows that nothing has used since. No index leads to them: each purchase would pay for it. @param bound an id */
export function listIdleWindows(bound: string, limit: number): Script<WindowKey[]> {
  return all('SELECT tenant_id, scope, window_ms FROM velocity_windows WHERE left_through < ? LIMIT ?', bound, limit);
}

/** Deletes those of the windows that are idle still; the next use counts them anew. */
export function* deleteIdleWindows(bound: string, windows: readonly WindowKey[]): Script<number> {
  const sql = 'DELETE FROM velocity_windows WHERE tenant_id = ? AND scope = ? AND window_ms = ? AND left_through < ?';
  let deleted = 0;
  for (const { tenant_id: tenantId, scope, window_ms: windowMs } of windows) {
    deleted += yield* run(sql, tenantId, scope, windowMs, bound);
  }
  return deleted;
}

/** After each character that an id has. */
const AFTER_ALL = '{';

/** The sums of the intents from an id on, and before another one: of whole stretches, and of the intents at both ends. */
function* sumEntries(tenantId: string, scope: string, from: string, to: string | undefined): Script<Sum[]> {
  const first = bucketOfIntent(from);
  const last = to === undefined ? undefined : bucketOfIntent(to);
  if (to !== undefined && first === last) return yield* sumIntents(tenantId, scope, from, to);
  const sums = yield* together(
    sumIntents(tenantId, scope, from, `${first}${AFTER_ALL}`),
    sumBuckets(tenantId, scope, first, last),
    ...(to === undefined || last === undefined ? [] : [sumIntents(tenantId, scope, last, to)]),
  );
  return sums.flat();
}

function* sumIntents(tenantId: string, scope: string, from: string, to: string): Script<Sum[]> {
  const ofAgent = scope === POLICY_SCOPE ? '' : 'AND agent_did = ?';
  const args = scope === POLICY_SCOPE ? [tenantId, from, to] : [tenantId, scope, from, to];
  return yield* all<Sum>(
    `SELECT currency, COUNT(*) AS transactions, ${saturatingSum('reserved_minor')} AS amount FROM intents
     WHERE tenant_id = ? ${ofAgent} AND mandate_id >= ? AND mandate_id < ? GROUP BY currency`,
    ...args,
  );
}

function addUp(amounts: Record<string, number>, entries: readonly Sum[], sign: 1 | -1): number {
  let transactions = 0;
  for (const entry of entries) {
    transactions += sign * entry.transactions;
    amounts[entry.currency] = addMinor(amounts[entry.currency] ?? 0, sign * entry.amount);
  }
  return transactions;
}
