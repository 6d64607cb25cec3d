/**
 * Fills the indexes that only searches and lists use, and the sums of what was spent: a thousand rows at a time while many come,
 * all of them once none come. What is not in them yet is found all the same, row by row.
 */
import type { Deps } from '../handlers/core/deps.ts';
import { findUnmerged, mergeEvidence } from '../store/statements/evidence/search.ts';
import { listTenants } from '../store/statements/node/tenants.ts';
import { countUnlisted, listRows } from '../store/statements/purchases/lateRows.ts';
import type { Patience } from './patience.ts';

/** In one commit, which takes some milliseconds. Fewer would write nearly as many pages. */
const AT_ONCE = 1000;
/** After so long without an event, what waits is taken however little it is. */
const QUIET_MS = 1000;

export async function fillLateIndexes(deps: Deps, waiting: Patience): Promise<void> {
  for (const { id } of await deps.store.read(listTenants)) {
    if (!waiting.isWaiting(id)) await waiting.attempt(id, () => fillOf(deps, id));
  }
}

async function fillOf({ store, stopping }: Deps, tenantId: string): Promise<void> {
  for (let isDone = false; !isDone && !stopping.aborted; ) {
    const found = await store.read(function* (now) {
      const { count: events, newestAt } = yield* findUnmerged(tenantId);
      // A time ahead is that of a clock that was set back since.
      const least = newestAt > now || newestAt + QUIET_MS <= now ? 1 : AT_ONCE;
      return { areEventsDue: events >= least, areRowsDue: (yield* countUnlisted(tenantId, least)) >= least };
    });
    if (found.areEventsDue) await store.write(tenantId, () => mergeEvidence(tenantId, AT_ONCE));
    if (found.areRowsDue) await store.write(tenantId, () => listRows(tenantId, AT_ONCE));
    isDone = !found.areEventsDue && !found.areRowsDue;
  }
}
