/** What has happened to leases and is not on disk yet. It waits a moment, so that many outcomes share one commit. */
import type { Lease } from './endpointHealth.ts';
import type { Attempt } from './recordAttempts.ts';

/** How long outcomes wait for a commit to go with. */
const WAIT_MS = 40;
/** With so many of them a commit is worth its cost. */
const MANY = 1024;

export interface Outcomes {
  readonly attempts: readonly Attempt[];
  /** Leases to be given back, without an attempt. */
  readonly released: readonly Lease[];
}

export class AttemptBuffer {
  #attempts: Attempt[] = [];
  #released: Lease[] = [];
  /** When the first of them came, in milliseconds by this process's steady clock, like every time here. */
  #since = Number.POSITIVE_INFINITY;

  get count(): number {
    return this.#attempts.length + this.#released.length;
  }

  get hasAttempts(): boolean {
    return this.#attempts.length > 0;
  }

  get areMany(): boolean {
    return this.#attempts.length >= MANY;
  }

  /** When they must be recorded; Infinity while there are none. */
  get dueAt(): number {
    return this.#since + WAIT_MS;
  }

  addAttempt(attempt: Attempt, now: number): void {
    this.#attempts.push(attempt);
    this.#since = Math.min(this.#since, now);
  }

  addRelease(lease: Lease, now: number): void {
    this.#released.push(lease);
    this.#since = Math.min(this.#since, now);
  }

  take(): Outcomes {
    const taken = { attempts: this.#attempts, released: this.#released };
    this.#attempts = [];
    this.#released = [];
    this.#since = Number.POSITIVE_INFINITY;
    return taken;
  }

  /** After a commit that failed. */
  putBack({ attempts, released }: Outcomes, now: number): void {
    this.#attempts = [...attempts, ...this.#attempts];
    this.#released = [...released, ...this.#released];
    this.#since = now;
  }
}
