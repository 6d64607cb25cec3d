/** Signs each tenant's evidence chain once an hour and once in a thousand events, while it grows; and watches it. */

import { makeCheckpoint, watchCheckpoint } from '../domain/checkpoints/makeCheckpoint.ts';
import { findLastCheckpoint } from '../store/statements/evidence/checkpoints.ts';
import { findChainHead } from '../store/statements/evidence/events.ts';
import { listTenants } from '../store/statements/node/tenants.ts';
import type { Deps } from '../usecase/deps.ts';
import { patience } from './patience.ts';

const EVENTS = 1000;
const HOUR_MS = 3_600_000;

export async function signDueCheckpoints(deps: Deps, waiting = patience(deps, 'checkpoints')): Promise<void> {
  for (const { id } of await deps.store.read(listTenants)) {
    if (deps.stopping.aborted) return;
    if (!waiting.isWaiting(id)) await waiting.attempt(id, () => signWhenDue(deps, id));
  }
}

async function signWhenDue(deps: Deps, tenantId: string): Promise<void> {
  // One that does not extend the last checkpoint is not signed; the alarm is raised there.
  if ((await watchCheckpoint(deps, tenantId, false)) !== undefined) return;
  const isDue = await deps.store.read(function* (now) {
    const size = (yield* findChainHead(tenantId))?.seq ?? 0;
    const last = yield* findLastCheckpoint(tenantId);
    if (size === (last?.size ?? 0)) return false;
    return size - (last?.size ?? 0) >= EVENTS || now - (last?.created_at ?? 0) >= HOUR_MS;
  });
  if (isDue) await makeCheckpoint(deps, tenantId);
}
