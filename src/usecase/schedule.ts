/** What is done from time to time while a node serves. */
import type { Deps } from './deps.ts';

/** The rows of one worker that have failed. */
export interface Patience {
  isWaiting(key: string): boolean;
  /** How many rows wait. */
  readonly waiting: number;
  /**
   * Does a row's work. One that throws, or gives `false` as it cannot be done yet, is set aside.
   * @throws Fault UNAVAILABLE when the store is what fails: no row is to blame
   */
  attempt(key: string, work: () => Promise<unknown>): Promise<void>;
  /** Forgets the rows that are not among these. */
  keepOnly(keys: ReadonlySet<string>): void;
}

export interface Schedule {
  /** Of the worker, in logs and to wake it. */
  readonly name: string;
  /** Between the end of one round and the start of the next, in milliseconds. */
  readonly pauseMs: number;
  /** @param waiting the rows that have failed, from one round to the next */
  work(waiting: Patience, deps: Deps): Promise<unknown>;
}
