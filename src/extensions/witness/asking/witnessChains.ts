/** Has witnesses cosign the newest checkpoint of each chain, and raises and ends the alarms about them. */
import { listTenants } from '../../../store/statements/node/tenants.ts';
import type { Patience, Schedule } from '../../../usecase/schedule.ts';
import { askWitnesses } from './askWitnesses.ts';
import type { WitnessDeps, Witnesses } from './witnesses.ts';
import { standingOf } from './witnessStanding.ts';

/** Tenants whose witnesses are asked at the same time: one that does not answer holds each of them up for seconds. */
const SIDE_BY_SIDE = 20;

export function witnessSchedule(witnesses: Witnesses): Schedule {
  return {
    name: 'witnesses',
    pauseMs: 5000,
    work: (waiting, deps) => witnessChains({ ...deps, witnesses }, waiting),
  };
}

async function witnessChains(deps: WitnessDeps, waiting: Patience): Promise<void> {
  const tenants = (await deps.store.read(listTenants)).filter(({ id }) => !waiting.isWaiting(id));
  for (let at = 0; at < tenants.length && !deps.stopping.aborted; at += SIDE_BY_SIDE) {
    await Promise.all(
      tenants.slice(at, at + SIDE_BY_SIDE).map(({ id }) =>
        waiting.attempt(id, async () => {
          await askWitnesses(deps, id);
          await watchWitnesses(deps, id);
        }),
      ),
    );
  }
}

/** Compares how a chain stands with what was found before, and tells of what has changed. */
async function watchWitnesses(deps: WitnessDeps, tenantId: string): Promise<void> {
  const { store, log, witnesses } = deps;
  const { refused, missing } = await store.read((now) => standingOf(witnesses, tenantId, store.engine, now));
  const before = witnesses.alarms.get(tenantId);
  for (const reason of refused) {
    if (before?.refused.includes(reason) !== true) log.error('witness.refused', { tenantId, reason });
  }
  if (missing !== undefined && before?.missing !== missing) log.error('witness.missing', { tenantId, reason: missing });
  if (refused.length > 0 || missing !== undefined) witnesses.alarms.set(tenantId, { refused, missing });
  else if (witnesses.alarms.delete(tenantId)) log.info('witness.agreed', { tenantId });
}
