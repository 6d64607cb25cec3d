/**
 * Fills the indexes that only searches and lists use, and the sums of what was spent: thousands of rows at a time while many
 * come, all of them once none come. What is not in them yet is found all the same, row by row.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../handlers/core/deps.ts';
import { findUnmerged, MERGE_STEPS, nextBatch } from '../store/statements/evidence/search.ts';
import { listTenants } from '../store/statements/node/tenants.ts';
import { countUnlisted, LATE, listRows } from '../store/statements/purchases/lateRows.ts';
import { fillSpend, isSpendUnfilled } from '../store/statements/purchases/spendSums.ts';
import type { Patience } from './patience.ts';

/**
 * So many at once: the more there are, the more of them share a page of an index. A commit takes some milliseconds, and what waits
 * is read row by row.
 */
const AT_ONCE = { events: 4000, rows: 2000, old: 1000 };
/** After so long without an event, what waits is taken however little it is. */
const QUIET_MS = 1000;
/** For so long old payments are summed in each round. */
const FILL_MS = 1000;

export async function fillLateIndexes(deps: Deps, waiting: Patience): Promise<void> {
  for (const { id } of await deps.store.read(listTenants)) {
    if (!waiting.isWaiting(id)) await waiting.attempt(id, () => fillOf(deps, id));
  }
}

async function fillOf(deps: Deps, tenantId: string): Promise<void> {
  const { store, stopping } = deps;
  for (let isDone = false; !isDone && !stopping.aborted; ) {
    const found = await store.read(function* (now) {
      const { count: events, newestAt } = yield* findUnmerged(tenantId);
      // A time ahead is that of a clock that was set back since.
      const isQuiet = newestAt > now || newestAt + QUIET_MS <= now;
      const leastRows = isQuiet ? 1 : AT_ONCE.rows;
      const areRowsDue = (yield* countUnlisted(tenantId, leastRows)) >= leastRows;
      return { areEventsDue: events >= (isQuiet ? 1 : AT_ONCE.events), areRowsDue };
    });
    if (found.areEventsDue) await mergeEvents(deps, tenantId);
    if (found.areRowsDue) {
      for (const late of LATE) await store.write(tenantId, () => listRows(tenantId, late, AT_ONCE.rows));
    }
    isDone = !found.areEventsDue && !found.areRowsDue;
  }
  await fillOldSpend(deps, tenantId);
}

/**
 * Adds payments from before there were sums of spending to these, once after an upgrade. A round does not take long, since other
 * rows and other tenants wait for the next one.
 */
async function fillOldSpend({ store, stopping }: Deps, tenantId: string): Promise<void> {
  const until = performance.now() + FILL_MS;
  let isMore = await store.read(() => isSpendUnfilled(tenantId));
  while (isMore && !stopping.aborted && performance.now() < until) {
    const started = performance.now();
    isMore = await store.write(tenantId, () => fillSpend(tenantId, AT_ONCE.old));
    // Half of the time belongs to others.
    await pause(performance.now() - started);
  }
}

async function mergeEvents({ store }: Deps, tenantId: string): Promise<void> {
  const batch = await store.read(() => nextBatch(tenantId, AT_ONCE.events));
  if (batch === undefined) return;
  for (const merge of MERGE_STEPS) await store.write(tenantId, () => merge(tenantId, batch));
}
