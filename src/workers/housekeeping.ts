/**
 * Deletes what is no longer needed, in commits of a few rows each with pauses between them, so that a purchase waits for
 * one such commit at most, however much there is to delete.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { firstIdAt } from '../../protocol/wire/id.ts';
import { listTenants } from '../store/statements/node/tenants.ts';
import { deleteIdlePaidWindows, listIdlePaidWindows } from '../store/statements/purchases/paymentWindows.ts';
import { deleteIdleWindows, listIdleWindows } from '../store/statements/purchases/velocityWindows.ts';
import { type Purge, RETENTION } from '../store/statements/retention.ts';
import type { Deps } from '../usecase/deps.ts';

/** Rows in one commit. Decided is 1,000 at most; fewer make it shorter, and cost little more. */
const ROWS = 250;
/** No window is longer, and after as much time again nothing that was in it can return. */
const LONGEST_WINDOW_MS = 31 * 24 * 3600 * 1000;

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
  await attempt(deps, 'velocity_windows', () => deleteAllIdleWindows(deps));
  await attempt(deps, 'payment_windows', () => deleteAllIdlePaidWindows(deps));
}

async function attempt(deps: HousekeepingDeps, table: string, work: () => Promise<void>): Promise<void> {
  if (deps.stopping.aborted) return;
  await work().catch((error: unknown) => deps.log.error('housekeeping.failed', { table, error: String(error) }));
}

async function deleteAll(
  deps: HousekeepingDeps,
  purge: (limit: number, now: number) => ReturnType<Purge>,
): Promise<void> {
  while (!deps.stopping.aborted) {
    const started = performance.now();
    const deleted = await deps.store.write('housekeeping', (now) => purge(ROWS, now));
    if (deleted < ROWS) return;
    // Half of the time belongs to others, on a slow disk as well.
    await pause(performance.now() - started);
  }
}

/** Found beside the writer, since it takes a look at every window. */
async function deleteAllIdleWindows(deps: HousekeepingDeps): Promise<void> {
  while (!deps.stopping.aborted) {
    const { bound, windows } = await deps.store.readApart(function* (now) {
      const bound = firstIdAt('intent_', now - 2 * LONGEST_WINDOW_MS);
      return { bound, windows: yield* listIdleWindows(bound, ROWS) };
    });
    if (windows.length > 0) await deps.store.write('housekeeping', () => deleteIdleWindows(bound, windows));
    if (windows.length < ROWS) return;
  }
}

/** As deleteAllIdleWindows, for the windows of payments. */
async function deleteAllIdlePaidWindows(deps: HousekeepingDeps): Promise<void> {
  while (!deps.stopping.aborted) {
    const { bound, windows } = await deps.store.readApart(function* (now) {
      const bound = now - 2 * LONGEST_WINDOW_MS;
      return { bound, windows: yield* listIdlePaidWindows(bound, ROWS) };
    });
    if (windows.length > 0) await deps.store.write('housekeeping', () => deleteIdlePaidWindows(bound, windows));
    if (windows.length < ROWS) return;
  }
}
