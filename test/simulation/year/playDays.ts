/**
 * Plays days without faults: agents buy from morning to evening, machines sleep in between, and every night the owner reads the
 * books, which the oracle judges and then forgets. What a day needs stays in memory, and not what a year has.
 */
import { join } from 'node:path';
import { rotateIssuer } from '../../../src/cli/key/rotateKey.ts';
import { readIssuerKey } from '../../../src/crypto/issuerKey.ts';
import { Desk, OWNER } from '../actors/desk.ts';
import { chance } from '../machine/chance.ts';
import { runCommand } from '../machine/terminal.ts';
import type { World } from '../world.ts';
import { BOOK_HOUR, type Deed, dayStart, deedsOf, hoursOf } from './calendar.ts';
import { type Bookmark, readDay } from './dayBooks.ts';
import { Office, type Worker } from './office.ts';
import { Memory } from './retention.ts';
import { isBesideChange } from './rulesOfWeek.ts';
import { type Begun, begin, catchUp, payFor, purchase, takeCart } from './shopper.ts';
import { currentDid, doDeed, openOffice, prepare, tryRetiredKey } from './steward.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A node that has slept gives a sign of life first. */
const AWAKE_MS = 2100;
/** What the rail did stays known to it for so long. */
const RAIL_MS = 60 * DAY_MS;
/** Happenings that stay for a story. */
const STORY = 20_000;
/** Within which time the purchases of an hour begin: so long, and longer by so much for each. */
const SPREAD_MS = 200;
const EACH_MS = 8;
/** How many purchases each quarter of an hour beside a change of clocks has at least. */
const BESIDE_CHANGE = 8;

/** What a world that is played for long leaves out: it has settings as delivered, no cuts of the power, and fewer notices. */
export const LONG = { env: { APPROVAL_TTL_SECONDS: '300' }, copiesOften: false, noticed: 200 } as const;

interface DaysPlan {
  readonly seed: string;
  readonly days: number;
  /** Of an ordinary day. */
  readonly purchases: number;
}

/** @param told given a line for each day */
export function playDays(world: World, plan: DaysPlan, told: (line: string) => void): Promise<void> {
  return new DaysScript(world, plan, told).play();
}

class DaysScript {
  readonly #world: World;
  readonly #plan: DaysPlan;
  readonly #office: Office;
  readonly #mark: Bookmark = { seq: 0, intent: '', payment: '', delivery: '', checkpoint: 0 };
  readonly #memory: Memory;
  readonly #told: (line: string) => void;
  #seed: Buffer | undefined;

  /** @param told a line for each day */
  constructor(world: World, plan: DaysPlan, told: (line: string) => void) {
    this.#world = world;
    this.#plan = plan;
    this.#told = told;
    this.#office = new Office(world, world.loop.newOwner('owner'), plan.seed, plan.purchases);
    this.#memory = new Memory(this.#office);
  }

  async play(): Promise<void> {
    const { days, seed, purchases } = this.#plan;
    const hours = chance(`${seed} hours`);
    await this.#start();
    await this.#during(() => openOffice(this.#office));
    for (let day = 0; day < days && this.#isWell(); day++) {
      await this.#playDay(day, hoursOf(day, purchases, hours));
    }
    if (!this.#isWell()) return;
    await this.#sleepUntil(dayStart(days));
    await this.#during(() => this.#readBooks());
    if (this.#isWell()) await this.#during(() => this.#memory.compareAll());
    this.#world.violations.push(...this.#world.options.oracle.end());
  }

  /** The first violation ends it: what follows from it says nothing more. */
  #isWell(): boolean {
    return this.#world.violations.length === 0;
  }

  async #playDay(day: number, hours: readonly number[]): Promise<void> {
    const began = process.cpuUsage();
    const before = this.#world.done.get('purchases begun') ?? 0;
    for (const [hour, count] of hours.entries()) {
      if (hour === BOOK_HOUR) await this.#night(day);
      if (!this.#isWell()) return;
      await this.#playHour(day, hour, count);
    }
    const { user, system } = process.cpuUsage(began);
    const purchases = (this.#world.done.get('purchases begun') ?? 0) - before;
    const memory = Math.round(process.memoryUsage.rss() / 1024 ** 2);
    const date = new Date(dayStart(day)).toISOString().slice(0, 10);
    this.#told(
      `${date}: ${purchases} purchases, ${((user + system) / 1e6).toFixed(1)} s, ${memory} MiB, event ${this.#mark.seq}`,
    );
  }

  /** Purchases at some moment of the hour; beside a change of clocks in each of its quarters. */
  async #playHour(day: number, hour: number, count: number): Promise<void> {
    const begin = dayStart(day) + hour * HOUR_MS;
    const { chance: dice } = this.#office;
    const isBeside = isBesideChange(begin);
    // A night without purchases is slept through.
    if (count === 0 && !isBeside) return;
    const moments = isBeside ? [0.04, 0.29, 0.54, 0.79] : [0.05 + 0.8 * dice.fraction()];
    for (const moment of moments) {
      await this.#sleepUntil(begin + moment * HOUR_MS);
      const share = Math.ceil(count / moments.length);
      await this.#buy(day, isBeside ? Math.max(share, BESIDE_CHANGE) : share);
      if (isBeside) this.#office.count('quarters beside a change of clocks');
    }
  }

  /** All at nearly the same time, since what is committed together takes less time to play. */
  async #buy(day: number, count: number): Promise<void> {
    const { workers, chance: dice } = this.#office;
    const spread = SPREAD_MS + count * EACH_MS;
    await this.#together(
      Array.from({ length: count }, (_, index) => async () => {
        const worker = workers[(index + day) % workers.length] as Worker;
        await worker.desk.pause(dice.below(spread));
        await purchase(this.#office, worker, day);
      }),
    );
  }

  async #night(day: number): Promise<void> {
    const office = this.#office;
    await this.#sleepUntil(dayStart(day) + BOOK_HOUR * HOUR_MS);
    await this.#during(async () => {
      await catchUp(office, day);
      await this.#readBooks();
      await this.#memory.compare(day);
    });
    const deeds = deedsOf(day);
    await this.#during(() => prepare(office, day));
    for (const deed of deeds) if (this.#isWell()) await this.#do(deed, day);
  }

  async #do(deed: Deed, day: number): Promise<void> {
    if (deed === 'issuerKey') return this.#rotate(day);
    if (deed === 'restart') return this.#restart(async () => {});
    if (deed === 'thief') return this.#tryRetired();
    return this.#during(() => doDeed(this.#office, deed, day));
  }

  async #tryRetired(): Promise<void> {
    const seed = this.#seed;
    if (seed !== undefined) await this.#during(() => tryRetiredKey(this.#office, seed));
  }

  async #readBooks(): Promise<void> {
    const { desk } = this.#office;
    const books = await readDay(desk, this.#mark);
    this.#memory.keep(books);
    this.#world.tell({ at: this.#world.loop.time, kind: 'quiet', books });
    if (this.#isWell()) this.#world.forget(STORY);
    this.#world.loop.sweep();
    this.#world.rail.forget(this.#world.loop.time - RAIL_MS);
  }

  /** What was begun before the key is rotated is ended after it. */
  async #rotate(day: number): Promise<void> {
    const office = this.#office;
    const begun: Begun[] = [];
    await this.#together(
      office.workers.map((worker) => async () => {
        const one = await begin(office, worker);
        if (one === undefined) return;
        if (worker.chance.permille(500)) await takeCart(office, one);
        begun.push(one);
      }),
    );
    await this.#restart(async () => {
      this.#seed = Buffer.from(readIssuerKey(join(this.#world.options.folder, 'issuer.key'))?.seed ?? []);
      const rotated = (await runCommand(this.#world, (env) => rotateIssuer(env, { json: true }))) as { to: string };
      office.count('issuer keys rotated');
      if (rotated.to === office.nodeDid) throw new Error('The key that was rotated is the one before.');
    });
    await this.#together(
      begun.map((one) => async () => {
        if (one.token === undefined && !(await takeCart(office, one))) return;
        office.count('purchases carried over a rotation');
        await payFor(office, one, day);
      }),
    );
  }

  async #start(): Promise<void> {
    const { site, loop } = this.#world;
    site.start(0, 0);
    await this.#run(() => site.life(0)?.node === undefined);
    const awake = loop.now + AWAKE_MS;
    await this.#run(() => loop.now < awake);
  }

  /** @param meanwhile what is done while the node is stopped */
  async #restart(meanwhile: () => Promise<void>): Promise<void> {
    const { site } = this.#world;
    site.stop(0);
    await this.#run(() => site.life(0) !== undefined);
    await this.#during(meanwhile);
    await this.#start();
    await this.#during(async () => {
      this.#office.nodeDid = await currentDid(new Desk(this.#world, this.#office.desk.owner, OWNER));
    });
    this.#office.count('restarts');
  }

  /** All machines sleep, and wake up a moment before. */
  async #sleepUntil(time: number): Promise<void> {
    const { loop } = this.#world;
    const leap = time - AWAKE_MS - loop.time;
    // A busy hour may last into the next one.
    if (leap > 0) loop.leapsMs += leap;
    const awake = loop.now + AWAKE_MS;
    await this.#run(() => loop.now < awake);
  }

  /** Has things happen until some of the people have done something. */
  #during(work: () => Promise<void>): Promise<void> {
    return this.#together([work]);
  }

  async #together(works: readonly (() => Promise<void>)[]): Promise<void> {
    let open = works.length;
    for (const work of works) {
      work().then(
        () => {
          open -= 1;
        },
        (error: unknown) => {
          this.#world.failure ??= error;
        },
      );
    }
    await this.#run(() => open > 0);
  }

  async #run(holds: () => boolean): Promise<void> {
    const world = this.#world;
    while (holds() && world.failure === undefined && (await world.loop.step()));
    if (world.failure !== undefined) throw world.failure;
  }
}
