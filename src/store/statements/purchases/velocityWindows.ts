/**
 * Sliding windows of allowed intents. A window's row holds its present sums and the id up to which intents have left it.
 * Each use moves that bound over the few intents that have left since, so its cost does not grow with history.
 */
import { firstIdAt } from '../../../../protocol/wire/id.ts';
import { all, get, run, type Script } from '../../store.ts';
import { addMinor, isSaturated, saturatingSum } from '../queries.ts';
import { integer, type RowOf, table, text, upsertInto } from '../tableDefinition.ts';

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

/** The scope of the windows that count all agents of a tenant together. */
export const POLICY_SCOPE = 'policy';

type WindowRow = RowOf<typeof velocityWindows>;

interface EntryRow {
  readonly transactions: number;
  readonly currency: string;
  readonly amount: number;
}

/** The use of a window at a time: of the intents issued after `now - windowMs`. */
export function* advanceWindow(tenantId: string, scope: string, windowMs: number, now: number): Script<WindowUse> {
  const bound = firstIdAt('intent_', now - windowMs + 1);
  const find = 'SELECT * FROM velocity_windows WHERE tenant_id = ? AND scope = ? AND window_ms = ?';
  const row = yield* get<WindowRow>(find, tenantId, scope, windowMs);
  const kept = row === undefined ? {} : (JSON.parse(row.amounts) as Record<string, number>);
  if (row === undefined || isSaturated(kept)) {
    const amounts: Record<string, number> = {};
    const transactions = addUp(amounts, yield* sumEntries(tenantId, scope, bound, undefined), 1);
    return { transactions, amounts, leftThrough: bound, recounted: true };
  }
  const amounts = kept;
  // After the clock was set back, intents that have left must not return.
  if (bound <= row.left_through) return { transactions: row.transactions, amounts, leftThrough: row.left_through };
  const left = yield* sumEntries(tenantId, scope, row.left_through, bound);
  return { transactions: row.transactions + addUp(amounts, left, -1), amounts, leftThrough: bound };
}

const upsertWindow = upsertInto(velocityWindows);

export function saveWindow(tenantId: string, scope: string, windowMs: number, use: WindowUse): Script<boolean> {
  return upsertWindow({
    tenant_id: tenantId,
    scope,
    window_ms: windowMs,
    transactions: use.transactions,
    amounts: JSON.stringify(use.amounts),
    left_through: use.leftThrough,
  });
}

/** Applies a change of one intent's reservation to every window that still holds it. */
export function* adjustWindows(
  tenantId: string,
  intent: { readonly agentDid: string; readonly mandateId: string; readonly currency: string },
  deltaMinor: number,
): Script<void> {
  if (deltaMinor === 0) return;
  for (const scope of [intent.agentDid, POLICY_SCOPE]) {
    const holding = 'SELECT * FROM velocity_windows WHERE tenant_id = ? AND scope = ? AND left_through <= ?';
    for (const row of yield* all<WindowRow>(holding, tenantId, scope, intent.mandateId)) {
      const amounts = JSON.parse(row.amounts) as Record<string, number>;
      // A saturated sum is counted anew at its next use.
      if (isSaturated(amounts)) continue;
      amounts[intent.currency] = addMinor(amounts[intent.currency] ?? 0, deltaMinor);
      yield* upsertWindow({ ...row, amounts: JSON.stringify(amounts) });
    }
  }
}

/** Deletes windows after a change of limits; the next use counts them anew. */
export function* deleteWindows(tenantId: string, scope?: string): Script<void> {
  if (scope === undefined) yield* run('DELETE FROM velocity_windows WHERE tenant_id = ?', tenantId);
  else yield* run('DELETE FROM velocity_windows WHERE tenant_id = ? AND scope = ?', tenantId, scope);
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

function* sumEntries(tenantId: string, scope: string, from: string, to: string | undefined): Script<EntryRow[]> {
  const ofAgent = scope === POLICY_SCOPE ? '' : 'AND agent_did = ?';
  const args = scope === POLICY_SCOPE ? [tenantId, from] : [tenantId, scope, from];
  return yield* all<EntryRow>(
    `SELECT currency, COUNT(*) AS transactions, ${saturatingSum('reserved_minor')} AS amount FROM intents
     WHERE tenant_id = ? ${ofAgent} AND mandate_id >= ? ${to === undefined ? '' : 'AND mandate_id < ?'}
     GROUP BY currency`,
    ...args,
    ...(to === undefined ? [] : [to]),
  );
}

function addUp(amounts: Record<string, number>, entries: readonly EntryRow[], sign: 1 | -1): number {
  let transactions = 0;
  for (const entry of entries) {
    transactions += sign * entry.transactions;
    amounts[entry.currency] = addMinor(amounts[entry.currency] ?? 0, sign * entry.amount);
  }
  return transactions;
}
