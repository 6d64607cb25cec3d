/**
 * A real PostgreSQL in the world's time. The server works when it wants to, beside all that happens in the world; the world only
 * keeps its clock from running away: while a statement is executed, nothing happens that is due later than in a moment. A
 * statement that waits for a lock does not hold the world up, since the session with the lock may need the world's time to give it back.
 */
import { type Chance, chance } from '../machine/chance.ts';
import type { EventLoop, Owner } from '../machine/eventLoop.ts';
import { Link } from './link.ts';
import { connectThrough } from './simulatedPostgres.ts';
import type { WorldDatabase } from './worldDatabase.ts';

/** What is due so soon may happen while the server works, in milliseconds of the world's time. */
const SOON_MS = 2;
/** How long an answer is waited for before something of that kind happens, in milliseconds of this machine's time. */
const GLANCE_MS = 1;
/** After so long it is asked who waits for a lock. Longer than the 20 ms after which a node that starts gives one up. */
const PATIENCE_MS = 25;
/** The same where all that is waited for was found to wait for a lock a moment ago. */
const STILL_BLOCKED_MS = 4;
/** A server that says nothing for so long is broken. */
const MOST_SILENCE_MS = 60_000;
/** How long a message is on its way to the server or back, at most. */
const WAY_MS = 1.5;

const realTimers = { set: globalThis.setTimeout, clear: globalThis.clearTimeout };
const kill = process.kill.bind(process);

export interface DatabaseServerOptions {
  readonly seed: string;
  readonly loop: EventLoop;
  readonly database: WorldDatabase;
  /** Ends the process at a statement where that was wished. @returns whether it is gone */
  endsAt(owner: Owner): boolean;
}

export class DatabaseServer {
  readonly loop: EventLoop;
  readonly database: WorldDatabase;
  readonly endsAt: (owner: Owner) => boolean;
  readonly #chance: Chance;
  /** How often something that is due happens before an answer that may come at any moment, in a thousand. */
  readonly #haste: number;
  readonly #links = new Set<Link>();
  readonly #stalls = new Map<Owner, number>();
  /** After how many halves of statements of a process the connection that has the last one breaks. */
  readonly #cuts = new Map<Owner, number>();
  #isDown = false;
  #wake: (() => void) | undefined;
  #clockMs = 0;

  constructor({ seed, loop, database, endsAt }: DatabaseServerOptions) {
    this.loop = loop;
    this.database = database;
    this.endsAt = endsAt;
    this.#chance = chance(`${seed} server`);
    this.#haste = this.#chance.of([50, 300, 700]);
    loop.outside = this;
    connectThrough((limits) => new Link(this, loop.current, limits));
  }

  /** Whether it takes no connections at present. */
  get isDown(): boolean {
    return this.#isDown;
  }

  /** How long a message is on its way, in milliseconds. */
  delay(): number {
    return 0.05 + this.#chance.fraction() ** 4 * WAY_MS;
  }

  /** Until when nothing passes between a process and the server; 0 where everything does. */
  stalledUntil(owner: Owner): number {
    return this.#stalls.get(owner) ?? 0;
  }

  opened(link: Link): void {
    this.#links.add(link);
    this.#changed();
  }

  sends(link: Link): void {
    this.#links.add(link);
    const now = Math.floor(this.loop.time);
    if (now !== this.#clockMs) this.database.setClock(now);
    this.#clockMs = now;
    this.#changed();
  }

  hears(): void {
    this.#changed();
    this.#wake?.();
  }

  closed(link: Link): void {
    this.#links.delete(link);
    this.hears();
  }

  /** Answers arrive together, or some of them a moment earlier. */
  cutInTwo<T>(messages: readonly T[]): readonly (readonly T[])[] {
    if (!this.#chance.permille(100)) return [messages];
    const place = this.#chance.below(messages.length + 1);
    return [messages.slice(0, place), messages.slice(place)];
  }

  /** Lets the next thing of the world happen once the server cannot come before it. @throws Error for a server that hangs */
  async turn(): Promise<void> {
    let silentMs = 0;
    for (;;) {
      const busy = [...this.#links].filter((link) => link.isAwaited && !link.isBlocked);
      if (busy.length === 0) return;
      const { nextAt } = this.loop;
      const isSoon = nextAt !== undefined && nextAt <= this.loop.now + SOON_MS;
      if (isSoon && (this.#chance.permille(this.#haste) || !(await this.#hear(GLANCE_MS)))) return;
      if (isSoon) continue;
      const patienceMs = busy.every(({ answers, blockedAfter }) => blockedAfter === answers)
        ? STILL_BLOCKED_MS
        : PATIENCE_MS;
      if (await this.#hear(patienceMs)) {
        silentMs = 0;
        continue;
      }
      silentMs += patienceMs;
      if (silentMs > MOST_SILENCE_MS) throw new Error('PostgreSQL has not answered for a minute.');
      await this.#findBlocked(busy);
    }
  }

  /** Ends one session from the server's side, as an administrator does. */
  endSession(link: Link): void {
    if (link.process !== undefined) this.#command(`SELECT pg_terminate_backend(${link.process})`);
  }

  /** The connections of a process that has ended; with its machine, what it sent last is lost as well. */
  abandon(owner: Owner): void {
    const isAtOnce = this.#chance.permille(300);
    for (const link of this.linksOf(owner)) link.abandon(isAtOnce);
    this.#stalls.delete(owner);
    this.#cuts.delete(owner);
  }

  linksOf(owner: Owner): readonly Link[] {
    return [...this.#links].filter((link) => link.owner === owner);
  }

  /** Breaks the connection of a process that goes on, before or after the statement that is so many halves away. */
  cutAfter(owner: Owner, halves: number): void {
    this.#cuts.set(owner, halves);
  }

  /** Counts half a statement. @returns whether its connection breaks there */
  cutsAt(owner: Owner): boolean {
    const left = this.#cuts.get(owner);
    if (left === undefined) return false;
    if (left > 1) this.#cuts.set(owner, left - 1);
    else this.#cuts.delete(owner);
    return left <= 1;
  }

  /** Nothing passes between a process and the server for so long. */
  stall(owner: Owner, ms: number): void {
    this.#stalls.set(owner, this.loop.now + ms);
  }

  /** From here on everything passes. */
  calm(): void {
    this.#stalls.clear();
    this.#cuts.clear();
  }

  /** Crashes it as a whole: it ends every session, and recovers from its log. @returns whether a session was connected */
  async crash(): Promise<boolean> {
    const victim = [...this.#links].find((link) => link.isOpen && link.process !== undefined);
    if (victim?.process === undefined) return false;
    this.#isDown = true;
    // The server ends all others and recovers, since one that was killed may have damaged what they share.
    kill(victim.process, 'SIGKILL');
    const { loop } = this;
    await loop.whole(async () => {
      for (let tries = 0; this.#links.size > 0 && tries < 200; tries++) await this.#hear(PATIENCE_MS);
    });
    return true;
  }

  /** It takes connections again, once it has recovered. */
  async restart(): Promise<void> {
    if (!this.#isDown) return;
    await this.loop.whole(() => this.database.ask('SELECT 1'));
    this.#isDown = false;
  }

  /** A session that waits for a lock may have got it. */
  #changed(): void {
    for (const link of this.#links) link.isBlocked = false;
  }

  async #findBlocked(busy: readonly Link[]): Promise<void> {
    const rows = await this.database.ask<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    const waiting = new Set(rows.map(({ pid }) => pid));
    for (const link of busy) {
      if (link.process === undefined || !waiting.has(link.process) || !link.isAwaited) continue;
      link.isBlocked = true;
      if (link.blockedAfter === link.answers) continue;
      link.blockedAfter = link.answers;
      this.#limit(link, link.limits.lock, () => link.rename('57014', '55P03'));
      this.#limit(link, link.limits.statement, () => {});
    }
  }

  /** Ends what the server does for a connection after a while, as its own limit would. */
  #limit(link: Link, ms: number, before: () => void): void {
    if (ms === 0) return;
    const { answers, process: pid } = link;
    this.loop.schedule(this.loop.newOwner('PostgreSQL'), ms, 'limit of the server', () => {
      if (link.answers !== answers || !link.isAwaited) return;
      before();
      this.#command(`SELECT pg_cancel_backend(${pid})`);
    });
  }

  #command(sql: string): void {
    void this.loop.whole(() => this.database.ask(sql));
  }

  /** @returns whether the server has said anything within that time of this machine */
  #hear(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = realTimers.set(() => {
        this.#wake = undefined;
        resolve(false);
      }, ms);
      this.#wake = () => {
        this.#wake = undefined;
        realTimers.clear(timer);
        resolve(true);
      };
    });
  }
}
