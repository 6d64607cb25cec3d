/** The outcome that the node has kept of an attempt, for rails that keep none themselves. */
import { RailOutcome } from '../../rails/rail.ts';
import { findRailAttempt } from '../../store/statements/purchases/railAttempts.ts';
import type { Store } from '../../store/store.ts';

export async function findKeptOutcome(
  store: Pick<Store, 'read'>,
  attemptKey: string,
): Promise<RailOutcome | undefined> {
  const outcome = (await store.read(() => findRailAttempt(attemptKey)))?.outcome ?? null;
  return outcome === null ? undefined : RailOutcome.parse(JSON.parse(outcome));
}
