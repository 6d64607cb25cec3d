/**
 * The world's time and its queue. One thing happens at a time, and everything that follows from it without waiting (promises,
 * next ticks) ends before the next one is picked. Time moves only from one thing to the next.
 */
import { createHash } from 'node:crypto';

/** The real one; the world's own is put in its place (realParts.ts). */
const turn = globalThis.setImmediate;

/** Whose timers, messages and randomness something is: a run of a node, or an actor. */
export interface Owner {
  readonly name: string;
  /** Nothing of a dead one happens any more. */
  dead: boolean;
  /** By how much its wall clock is ahead of the true time, in milliseconds. */
  skewMs: number;
  /** True time at which its steady clock began. */
  readonly bornAt: number;
}

/** So many characters are hashed at once. */
const TRACED = 65_536;

interface Due {
  readonly at: number;
  readonly number: number;
  readonly owner: Owner;
  readonly label: string;
  readonly run: () => void;
  cancelled: boolean;
}

/** What works beside the world, such as a database server. */
export interface Outside {
  /** Returns once the next thing may happen; it may have something else happen first. */
  turn(): Promise<void>;
}

/** A scheduled task, which can be cancelled. */
export type Scheduled = Pick<Due, 'cancelled'>;

export class EventLoop {
  /** Milliseconds of the steady time that all timers go by, with fractions; it begins as the true time does. */
  now: number;
  /** By how much the true time has leapt ahead of it: no process ran meanwhile, as on machines that sleep. */
  leapsMs = 0;
  /** Who acts at present. */
  current: Owner;
  /** How many things have happened. */
  steps = 0;
  /** Work on real threads, which is waited for before the next thing is picked. */
  underWay = 0;
  outside: Outside | undefined;
  readonly #queue: Due[] = [];
  readonly #trace = createHash('sha256');
  /** What goes into the trace next: hashing little by little takes longer than hashing. */
  #traced = '';
  #number = 0;

  constructor(start: number) {
    this.now = start;
    this.current = this.newOwner('the world');
  }

  /** True time, in milliseconds since the epoch. */
  get time(): number {
    return this.now + this.leapsMs;
  }

  newOwner(name: string, skewMs = 0): Owner {
    return { name, dead: false, skewMs, bornAt: this.now };
  }

  /** @param afterMs from now, at least 0 @param label what it is, for the trace */
  schedule(owner: Owner, afterMs: number, label: string, run: () => void): Scheduled {
    const due = { at: this.now + afterMs, number: this.#number++, owner, label, run, cancelled: false };
    push(this.#queue, due);
    return due;
  }

  /** Puts what happened into the trace. */
  note(text: string): void {
    this.#traced += text;
    if (this.#traced.length > TRACED) this.#hash();
  }

  /** The hash of all that has happened so far. */
  get traceHash(): string {
    this.#hash();
    return this.#trace.copy().digest('hex');
  }

  #hash(): void {
    this.#trace.update(this.#traced);
    this.#traced = '';
  }

  /** When the next thing is due; undefined when nothing is. */
  get nextAt(): number | undefined {
    for (let first = this.#queue[0]; first !== undefined; first = this.#queue[0]) {
      if (!first.cancelled && !first.owner.dead) return first.at;
      pop(this.#queue);
    }
    return undefined;
  }

  /** Has the next thing happen, with all that follows from it at once. @returns false when nothing is left */
  async step(): Promise<boolean> {
    for (;;) {
      if (this.outside !== undefined) await this.outside.turn();
      const due = pop(this.#queue);
      if (due === undefined) return false;
      if (due.cancelled || due.owner.dead) continue;
      this.now = Math.max(this.now, due.at);
      this.steps += 1;
      this.note(`${this.time} ${due.owner.name} ${due.label}\n`);
      this.current = due.owner;
      due.run();
      await this.settle();
      return true;
    }
  }

  /** Drops what will not happen, such as a timer of a day of a node that is gone, and of all that it holds. */
  sweep(): void {
    const left = this.#queue.filter(({ cancelled, owner }) => !cancelled && !owner.dead);
    this.#queue.length = 0;
    for (const due of left) push(this.#queue, due);
  }

  /** Everything that waits for nothing but the processor is done. */
  async settle(): Promise<void> {
    do await new Promise((resolve) => turn(resolve));
    while (this.underWay > 0);
  }

  /** Work on a real thread: nothing else happens until it has ended, however long it takes. */
  async whole<T>(work: () => Promise<T>): Promise<T> {
    const { current } = this;
    this.underWay += 1;
    try {
      return await work();
    } finally {
      this.current = current;
      this.underWay -= 1;
    }
  }
}

function isBefore(one: Due, other: Due): boolean {
  return one.at < other.at || (one.at === other.at && one.number < other.number);
}

function push(heap: Due[], due: Due): void {
  let place = heap.length;
  heap.push(due);
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const above = heap[parent] as Due;
    if (!isBefore(due, above)) break;
    heap[place] = above;
    place = parent;
  }
  heap[place] = due;
}

function pop(heap: Due[]): Due | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Due, heap[child] as Due)) child += 1;
    if (!isBefore(heap[child] as Due, last)) break;
    heap[place] = heap[child] as Due;
    place = child;
  }
  heap[place] = last;
  return first;
}
