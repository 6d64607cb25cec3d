/** Work that is done in many short commits: between two of them as much time is left to others as the last one took. */
import { setTimeout as pause } from 'node:timers/promises';

/** @param turn is done again while it says that there is more */
export async function inTurns(stopping: AbortSignal, turn: () => Promise<boolean>): Promise<void> {
  for (let isMore = true; isMore && !stopping.aborted; ) {
    const started = performance.now();
    isMore = await turn();
    // Half of the time belongs to others, on a slow disk as well.
    if (isMore) await pause(performance.now() - started);
  }
}
