/** Long polls: looks at the store until something is as the caller waits for it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Script } from '../store/store.ts';
import type { Deps } from './deps.ts';

/** The pause between two looks. It asks the store, so that what was decided on any node is seen. */
const LOOK_MS = 250;

/** @returns what was seen last: as it was waited for, or when the time is up */
export async function lookUntil<Seen>(
  deps: Pick<Deps, 'stopping' | 'store'>,
  seconds: number,
  look: (now: number) => Script<Seen>,
  isOver: (seen: Seen) => boolean,
): Promise<Seen> {
  // A wait is no record: it takes as long whether the clock is set meanwhile or not.
  const until = performance.now() + seconds * 1000;
  for (;;) {
    const seen = await deps.store.read(look);
    const left = until - performance.now();
    if (!isOver(seen) && left > 0 && (await paused(deps, Math.min(LOOK_MS, left)))) continue;
    return seen;
  }
}

/** False when the node is stopping: the caller gets its answer then, and may ask another node. */
function paused(deps: Pick<Deps, 'stopping'>, ms: number): Promise<boolean> {
  return pause(ms, true, { signal: deps.stopping }).catch(() => false);
}
