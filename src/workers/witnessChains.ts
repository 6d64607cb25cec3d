/** Has witnesses cosign the newest checkpoint of each chain, and raises and ends the alarms about them. */
import type { Deps } from '../handlers/core/deps.ts';
import { askWitnesses } from '../handlers/witnesses/askWitnesses.ts';
import { standingOf } from '../handlers/witnesses/witnessStanding.ts';
import { listTenants } from '../store/statements/node/tenants.ts';
import { patience } from './patience.ts';

export async function witnessChains(deps: Deps, waiting = patience(deps, 'witnesses')): Promise<void> {
  if (deps.witnesses.named.length === 0) return;
  for (const { id } of await deps.store.read(listTenants)) {
    if (deps.stopping.aborted) return;
    if (waiting.isWaiting(id)) continue;
    await waiting.attempt(id, async () => {
      await askWitnesses(deps, id);
      await watchWitnesses(deps, id);
    });
  }
}

/** Compares how a chain stands with what was found before, and tells of what has changed. */
async function watchWitnesses(deps: Deps, tenantId: string): Promise<void> {
  const { witnesses, store, log } = deps;
  const { refused, missing } = await store.read((now) => standingOf(witnesses, tenantId, store.engine, now));
  const before = witnesses.alarms.get(tenantId);
  for (const reason of refused) {
    if (before?.refused.includes(reason) !== true) log.error('witness.refused', { tenantId, reason });
  }
  if (missing !== undefined && before?.missing !== missing) log.error('witness.missing', { tenantId, reason: missing });
  if (refused.length > 0 || missing !== undefined) witnesses.alarms.set(tenantId, { refused, missing });
  else if (witnesses.alarms.delete(tenantId)) log.info('witness.agreed', { tenantId });
}
