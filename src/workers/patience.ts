/**
 * What a worker works on row by row. A row that fails is set aside for longer each time, so that it keeps no other row from
 * its turn; a round ends when everything that it began has ended.
 */
import { Fault } from '../../protocol/wire/fault.ts';
import type { Deps } from '../usecase/deps.ts';
import type { Patience } from '../usecase/schedule.ts';

/** Waits of a row after its first, second … failure; the last one repeats. */
const WAITS_MS = [1000, 5000, 30_000, 120_000, 600_000];
/** Rows that are worked on side by side. */
const BATCH = 200;

interface Wait {
  readonly failures: number;
  /** In the milliseconds of a clock that only goes forward. */
  readonly until: number;
}

/** @param clock milliseconds of a clock that only goes forward */
export function patience(deps: Pick<Deps, 'log'>, name: string, clock = () => performance.now()): Patience {
  const waits = new Map<string, Wait>();
  const setAside = (key: string) => {
    const failures = (waits.get(key)?.failures ?? 0) + 1;
    const wait = WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] as number;
    waits.set(key, { failures, until: clock() + wait });
  };
  return {
    isWaiting: (key) => (waits.get(key)?.until ?? 0) > clock(),
    get waiting() {
      return waits.size;
    },
    async attempt(key, work) {
      try {
        if ((await work()) === false) setAside(key);
        else waits.delete(key);
      } catch (error) {
        if (error instanceof Fault && error.code === 'UNAVAILABLE') throw error;
        setAside(key);
        deps.log.error('worker.rowFailed', { name, row: key, error: String(error) });
      }
    },
    keepOnly(keys) {
      for (const key of waits.keys()) if (!keys.has(key)) waits.delete(key);
    },
  };
}

interface Work<Row> {
  /** What is due, the longest waiting first. */
  list(limit: number): Promise<readonly Row[]>;
  keyOf(row: Row): string;
  /** Gives `false` where it cannot be done yet. */
  settle(row: Row): Promise<unknown>;
}

/**
 * Works off what is due, each row once.
 * @returns how many rows were tried
 */
export async function workOff<Row>(
  deps: Pick<Deps, 'stopping'>,
  waiting: Patience,
  { list, keyOf, settle }: Work<Row>,
): Promise<number> {
  const tried = new Set<string>();
  while (!deps.stopping.aborted) {
    // Those set aside are still listed, so that as many more have to be.
    const limit = BATCH + waiting.waiting;
    const listed = await list(limit);
    if (listed.length < limit) waiting.keepOnly(new Set(listed.map(keyOf)));
    const due = listed.filter((row) => !tried.has(keyOf(row)) && !waiting.isWaiting(keyOf(row))).slice(0, BATCH);
    const ends = await Promise.allSettled(due.map((row) => waiting.attempt(keyOf(row), () => settle(row))));
    for (const row of due) tried.add(keyOf(row));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    if (due.length < BATCH) break;
  }
  return tried.size;
}
