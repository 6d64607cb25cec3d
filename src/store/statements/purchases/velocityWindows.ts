/**
 * Sliding windows of allowed intents. A window's row holds its present sums, the id up to which intents have left it, and the
 * oldest that it holds. Each use moves that bound, and once it has passed the oldest, asks for the few intents that have left:
 * its cost does not grow with history.
 */
import { firstIdAt } from '../../../../protocol/wire/id.ts';
import { all, run, type Script } from '../../store.ts';
import { addMinor, equal, isSaturated, listPage } from '../queries.ts';
import { integer, nullable, type RowOf, table, text, upsertInto } from '../tableDefinition.ts';
import { type IntentRow, intents } from './intents.ts';
import { keptWindows } from './keptWindows.ts';
import { addToSums, addUp, bucketOfIntent, type Entries, POLICY_SCOPE, sumEntries } from './spendingSums.ts';

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
  /** No intent in it has a smaller id. Null where that is not known; it says nothing of a window that holds none. */
  oldest: nullable(text),
});

/** Allowed intents in a window and what they reserve, by currency in minor units. */
export interface WindowUse {
  readonly transactions: number;
  readonly amounts: Readonly<Record<string, number>>;
  /** The id up to which intents have left the window. */
  readonly leftThrough: string;
  /** No intent in it has a smaller id; null where that is not known. */
  readonly oldest: string | null;
  /** True when the window was counted anew and is not stored yet. */
  readonly recounted?: boolean;
}

type WindowRow = RowOf<typeof velocityWindows>;

/** After each character that an id has. */
const AFTER_ALL = '{';

const INTENTS: Entries<string> = {
  table: intents.name,
  place: 'mandate_id',
  amount: 'reserved_minor',
  counts: 'TRUE',
  bucketOf: bucketOfIntent,
  startOf: bucketOfIntent,
  endOf: (mandateId) => `${bucketOfIntent(mandateId)}${AFTER_ALL}`,
};

const kept = keptWindows(velocityWindows.name, upsertInto(velocityWindows, ['tenant_id', 'scope']));

/** The windows that an agent's intents count in. */
export const listWindowsOf = kept.listOf;

/**
 * The use of a window at a time: of the intents issued after `now - windowMs`.
 * @param known the windows that are there
 */
export function* advanceWindow(
  known: readonly WindowRow[],
  { tenantId, scope, windowMs }: { readonly tenantId: string; readonly scope: string; readonly windowMs: number },
  now: number,
): Script<WindowUse> {
  const bound = firstIdAt('intent_', now - windowMs + 1);
  const row = known.find((each) => each.scope === scope && each.window_ms === windowMs);
  const amounts = row === undefined ? {} : (JSON.parse(row.amounts) as Record<string, number>);
  // One that was not used for as long again is counted anew too: how far back the sums go is bounded. So is one that a clock
  // which was ahead has moved on: intents of now would be behind it, and never leave.
  const isUsable =
    row !== undefined &&
    !isSaturated(amounts) &&
    row.left_through >= firstIdAt('intent_', now - 2 * windowMs) &&
    row.left_through <= firstIdAt('intent_', now + 1);
  if (!isUsable) {
    const counted: Record<string, number> = {};
    const { sums, oldest } = yield* sumEntries(INTENTS, { tenantId, scope, from: bound });
    const transactions = addUp(counted, sums, 1);
    return { transactions, amounts: counted, leftThrough: bound, oldest, recounted: true };
  }
  const { transactions, oldest, left_through: leftThrough } = row;
  // After the clock was set back, intents that have left must not return.
  if (bound <= leftThrough) return { transactions, amounts, leftThrough, oldest };
  const isWhole = transactions === 0 || (oldest !== null && bound <= oldest);
  if (isWhole) return { transactions, amounts, leftThrough: bound, oldest };
  const from = oldest !== null && oldest > leftThrough ? oldest : leftThrough;
  const left = yield* sumEntries(INTENTS, { tenantId, scope, from, to: bound });
  const staying = transactions + addUp(amounts, left.sums, -1);
  return { transactions: staying, amounts, leftThrough: bound, oldest: left.oldest };
}

export function saveWindow(tenantId: string, scope: string, windowMs: number, use: WindowUse): Script<void> {
  return kept.save({
    tenant_id: tenantId,
    scope,
    window_ms: windowMs,
    transactions: use.transactions,
    amounts: JSON.stringify(use.amounts),
    left_through: use.leftThrough,
    oldest: use.oldest,
  });
}

/** Counts an intent that was just allowed in a window, and saves it. */
export function countInWindow(
  tenantId: string,
  { scope, windowMs, use }: { readonly scope: string; readonly windowMs: number; readonly use: WindowUse },
  { mandateId, currency }: SummedIntent,
  reservedMinor: number,
): Script<void> {
  const { transactions, amounts, leftThrough, oldest } = use;
  // Ids of other nodes may be newer, by their clocks.
  const isOldest = transactions === 0 || (oldest !== null && mandateId < oldest);
  return saveWindow(tenantId, scope, windowMs, {
    transactions: transactions + 1,
    amounts: { ...amounts, [currency]: addMinor(amounts[currency] ?? 0, reservedMinor) },
    leftThrough,
    oldest: isOldest ? mandateId : oldest,
  });
}

/** The oldest intents of a window. @param from the id up to which intents have left it */
export function listHeld(
  tenantId: string,
  scope: string,
  from: string,
  limit: number,
): Script<Pick<IntentRow, 'mandate_id' | 'currency' | 'reserved_minor'>[]> {
  const conditions = [
    equal('tenant_id', tenantId),
    scope === POLICY_SCOPE ? undefined : equal('agent_did', scope),
    ['mandate_id >= ?', from] as const,
  ];
  return listPage(intents, conditions, 'mandate_id', limit);
}

/** What the sums need to know of an intent. */
export interface SummedIntent {
  readonly agentDid: string;
  readonly mandateId: string;
  readonly currency: string;
}

/** Adds an intent that was just allowed to the sums that windows are counted from. */
export function sumIntent(tenantId: string, intent: SummedIntent, reservedMinor: number): Script<void> {
  const { agentDid, mandateId, currency } = intent;
  const sum = { transactions: 1, currency, amount: reservedMinor };
  return addToSums(tenantId, agentDid, bucketOfIntent(mandateId), sum);
}

/**
 * Applies a change of one intent's reservation to the sums, and to every window that still holds it.
 */
export function* adjustWindows(
  tenantId: string,
  { agentDid, mandateId, currency }: SummedIntent,
  deltaMinor: number,
): Script<void> {
  if (deltaMinor === 0) return;
  yield* addToSums(tenantId, agentDid, bucketOfIntent(mandateId), { transactions: 0, currency, amount: deltaMinor });
  for (const row of yield* listWindowsOf(tenantId, agentDid)) {
    const amounts = JSON.parse(row.amounts) as Record<string, number>;
    // A saturated sum is counted anew at its next use.
    if (row.left_through > mandateId || isSaturated(amounts)) continue;
    amounts[currency] = addMinor(amounts[currency] ?? 0, deltaMinor);
    yield* kept.save({ ...row, amounts: JSON.stringify(amounts) });
  }
}

/** A window of one agent, or of all agents together. */
interface WindowKind {
  readonly scope: 'agent' | 'policy';
  readonly windowMs: number;
}

/** Whether two limits count in the same window; what they allow may differ. */
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
