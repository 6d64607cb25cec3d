/** Merges new events into the index that searches use: a thousand at a time while many come, all of them once none come. */
import type { Deps } from '../handlers/core/deps.ts';
import { findUnmerged, mergeEvidence } from '../store/statements/evidence/search.ts';
import { listTenants } from '../store/statements/node/tenants.ts';
import type { Patience } from './patience.ts';

/** In one commit, which takes some milliseconds. Fewer would write nearly as many pages. */
const AT_ONCE = 1000;
/** After so long without an event, those that wait are merged however few they are. */
const QUIET_MS = 1000;

export async function mergeEvidenceIndex(deps: Deps, waiting: Patience): Promise<void> {
  for (const { id } of await deps.store.read(listTenants)) {
    if (!waiting.isWaiting(id)) await waiting.attempt(id, () => mergeTenant(deps, id));
  }
}

async function mergeTenant(deps: Deps, tenantId: string): Promise<void> {
  for (let isDue = true; isDue && !deps.stopping.aborted; ) {
    const { count, newestAt, now } = await deps.store.read(function* (time) {
      return { ...(yield* findUnmerged(tenantId)), now: time };
    });
    // A time ahead is that of a clock that was set back since.
    const isQuiet = newestAt > now || newestAt + QUIET_MS <= now;
    isDue = count >= AT_ONCE || (count > 0 && isQuiet);
    if (isDue) await deps.store.write(tenantId, () => mergeEvidence(tenantId, AT_ONCE));
  }
}
