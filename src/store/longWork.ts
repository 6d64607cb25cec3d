/**
 * Shares the event loop between long work and requests. A purchase takes many turns of the loop, on PostgreSQL some dozens,
 * and long work could come between any two of them; so it takes a small part of the time while others are at work.
 */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Store } from './store.ts';

/** While others are at work, each piece is followed by a pause of so many times its length. */
const PAUSE_FACTOR = 5;
/** Others are at work until nothing was committed for so long. */
const QUIET_MS = 1000;

export interface LongWork {
  /** Runs a piece of work, which takes a few milliseconds; pieces of all long work of a node take turns. */
  piece<T>(work: () => T): Promise<T>;
}

/** @param store of the node, whose commits tell whether others are at work */
export function longWork(store: Pick<Store, 'stats'>): LongWork {
  let last: Promise<unknown> = Promise.resolve();
  let scripts = 0;
  let committedAt = Number.NEGATIVE_INFINITY;

  function areOthersAtWork(now: number): boolean {
    const found = store.stats().scripts;
    if (found !== scripts) committedAt = now;
    scripts = found;
    return now - committedAt < QUIET_MS;
  }

  return {
    piece(work) {
      const mine = last.then(async () => {
        await turn();
        const started = performance.now();
        const result = work();
        const took = performance.now() - started;
        if (areOthersAtWork(started)) await pause(took * PAUSE_FACTOR);
        return result;
      });
      last = mine.catch(() => {});
      return mine;
    },
  };
}
