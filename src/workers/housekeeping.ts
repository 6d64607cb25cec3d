/**
 * Deletes what is no longer needed, in commits of a few rows each with pauses between them, so that a purchase waits for
 * one such commit at most, however much there is to delete.
 */
import { listTenants } from '../store/statements/node/tenants.ts';
import { RETENTION } from '../store/statements/retention.ts';
import type { Purge } from '../store/statements/tableDefinition.ts';
import type { Deps } from '../usecase/deps.ts';
import { inTurns } from './inTurns.ts';

/** Rows in one commit. Decided is 1,000 at most; fewer make it shorter, and cost little more. */
const ROWS = 250;
type HousekeepingDeps = Pick<Deps, 'store' | 'stopping' | 'log'>;

/** One round. What fails does not keep the rest from being done. */
export async function keepHouse(deps: HousekeepingDeps): Promise<void> {
  const tenants = await deps.store.read(listTenants);
  for (const retention of RETENTION) {
    if (!('purges' in retention)) continue;
    for (const { id } of retention.byTenant === true ? tenants : [{ id: '' }]) {
      for (const purge of retention.purges) {
        await attempt(deps, retention.table.name, () => deleteAll(deps, (limit, now) => purge(limit, now, id)));
      }
    }
  }
}

async function attempt(deps: HousekeepingDeps, table: string, work: () => Promise<void>): Promise<void> {
  if (deps.stopping.aborted) return;
  await work().catch((error: unknown) => deps.log.error('housekeeping.failed', { table, error: String(error) }));
}

async function deleteAll(
  deps: HousekeepingDeps,
  purge: (limit: number, now: number) => ReturnType<Purge>,
): Promise<void> {
  await inTurns(deps.stopping, async () => (await deps.store.write('housekeeping', (now) => purge(ROWS, now))) >= ROWS);
}
