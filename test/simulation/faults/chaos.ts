/**
 * What goes wrong in a world, by its chance: processes are killed, the power is cut, clocks jump, the network and the rail lose
 * and delay, the disk is full or takes no sync. Each world has some of these faults only, so that some lives are about one thing.
 */
import { ALL, CALM, type RailMood } from '../actors/railLine.ts';
import type { Owner } from '../machine/eventLoop.ts';
import { FAIR } from '../machine/network.ts';
import type { World } from '../world.ts';
import { DATABASE_FAULTS, DatabaseFaults } from './databaseFaults.ts';
import { Upgrade } from './upgrade.ts';

const SECOND = 1000;
/** How long a machine takes to start a node again, at most. */
const DOWN_MS = 20 * SECOND;
/** After what comes a node that could not start. */
const REFUSED_MS = 5 * SECOND;

type Fault = (chaos: Chaos, place: number) => void;

const FAULTS: Readonly<Record<string, Fault>> = {
  kill: (chaos, place) => chaos.kill(place),
  killAtStatement: ({ world }, place) => world.site.killAfter(place, 1 + world.chance.below(400)),
  cutPower: (chaos) => chaos.cutPower(),
  stop: ({ world }, place) => world.site.stop(place),
  storm: (chaos) => chaos.storm(),
  rail: (chaos) => chaos.upsetRail(),
  clock: (chaos, place) => chaos.setClock(place),
  fullDisk: (chaos, place) => chaos.fillDisk(place),
  fullAtStatement: (chaos, place) => chaos.fillAtStatement(place),
  failingSync: (chaos, place) => chaos.failSync(place),
  receiver: (chaos) => chaos.upsetReceiver(),
  upgrade: ({ upgrade }) => upgrade.begin(),
  ...Object.fromEntries(
    Object.entries(DATABASE_FAULTS).map(([kind, fault]): [string, Fault] => [
      kind,
      (chaos, place) => fault(chaos.database, place),
    ]),
  ),
};

/** How often each happens, beside the others. */
const WEIGHTS: Readonly<Record<string, number>> = {
  kill: 4,
  killAtStatement: 8,
  cutPower: 3,
  stop: 2,
  storm: 6,
  rail: 8,
  clock: 3,
  fullDisk: 2,
  failingSync: 1,
  receiver: 4,
  fullAtStatement: 6,
  upgrade: 2,
  cutConnections: 3,
  cutAtStatement: 8,
  stallConnections: 3,
  lockTable: 3,
  crashServer: 2,
};

/** Where a plan leaves so few kinds, it wants each of them. */
const FEW = 5;

/** Kinds that only one of the engines knows. */
const OF_ENGINE: Readonly<Record<string, World['engine']>> = {
  fullDisk: 'sqlite',
  fullAtStatement: 'sqlite',
  failingSync: 'sqlite',
  cutConnections: 'postgres',
  cutAtStatement: 'postgres',
  stallConnections: 'postgres',
  lockTable: 'postgres',
  crashServer: 'postgres',
};

export interface ChaosOptions {
  /** The longest time between two faults. */
  readonly pauseMs: number;
  /** Kinds that do not happen. */
  readonly without: readonly string[];
  /** Of receivers. */
  readonly endpoints: readonly string[];
  /** What an upgrade does to the data; versions of the world's own unless given. */
  readonly migration?: string | undefined;
}

export class Chaos {
  /** Of faults. */
  static readonly kinds: readonly string[] = Object.keys(WEIGHTS);

  readonly world: World;
  readonly database: DatabaseFaults;
  readonly upgrade: Upgrade;
  readonly #owner: Owner;
  readonly #kinds: readonly string[];
  readonly #pauseMs: number;
  readonly #skews: number[];
  readonly #endpoints: readonly string[];
  #isOver = false;
  /** Until when the rail answers nothing. */
  #silentUntil = 0;

  constructor(world: World, { pauseMs, without, endpoints, migration }: ChaosOptions) {
    this.world = world;
    this.database = new DatabaseFaults(world);
    this.upgrade = new Upgrade(world, { migration, start: (place) => this.#startLater(place, 0) });
    this.#owner = world.loop.newOwner('chaos');
    const { chance, engine } = world;
    this.#pauseMs = pauseMs;
    this.#endpoints = endpoints;
    const known = Object.entries(WEIGHTS).filter(([kind]) => (OF_ENGINE[kind] ?? engine) === engine);
    // Drawn for each, so that what is left out changes nothing of the others.
    const drawn = known.map(([kind, weight]) => ({ kind, weight, isIn: chance.permille(600) }));
    const left = drawn.filter(({ kind }) => !without.includes(kind));
    this.#kinds = left.flatMap(({ kind, weight, isIn }) => {
      const isWanted = left.length <= FEW || (kind === 'upgrade' && migration !== undefined);
      return isIn || isWanted ? Array.from({ length: weight }, () => kind) : [];
    });
    // Clocks of good machines differ a little.
    const most = without.includes('clock') ? 0 : 1500;
    this.#skews = Array.from({ length: world.options.nodes }, () => chance.between(-most, most));
    world.ended = (place, wasRefused) => this.#startLater(place, wasRefused ? REFUSED_MS : chance.below(DOWN_MS));
  }

  startAll(): void {
    for (const [place, skew] of this.#skews.entries()) this.world.site.start(place, skew);
  }

  /** Has things go wrong from now on. */
  begin(): void {
    const { chance, loop, options } = this.world;
    if (this.#kinds.length === 0) return;
    loop.schedule(this.#owner, chance.below(this.#pauseMs), 'chaos', () => {
      if (this.#isOver) return;
      const kind = chance.of(this.#kinds);
      FAULTS[kind]?.(this, chance.below(options.nodes));
      this.begin();
    });
  }

  /** Ends all faults: from here on everything works. */
  end(): void {
    this.#isOver = true;
    const { world } = this;
    world.network.weather = FAIR;
    world.rail.mood = CALM;
    world.receivers.calm();
    world.site.failingSyncs = 0;
    this.database.end();
    this.upgrade.end();
    for (let place = 0; place < world.options.nodes; place++) {
      world.site.killAfter(place, 0);
      world.site.fullAfter(place, 0);
      world.site.limitPages(place, undefined);
      this.#skews[place] = 0;
      const life = world.site.life(place);
      if (life !== undefined) life.owner.skewMs = 0;
    }
    world.fault(-1, 'end of faults', 'every clock is right, and everything works');
  }

  kill(place: number): void {
    const { site } = this.world;
    if (site.life(place) === undefined) return;
    site.kill(place);
    this.world.fault(place, 'crash', 'killed');
    this.#startLater(place, this.world.chance.below(DOWN_MS));
  }

  cutPower(): void {
    const { site, options, chance } = this.world;
    const places = Array.from({ length: options.nodes }, (_, place) => place).filter(
      (place) => site.life(place) !== undefined,
    );
    if (places.length === 0) return;
    site.cutPower();
    this.world.fault(-1, 'power cut', `of nodes ${places.join(', ')}`);
    const down = chance.below(DOWN_MS);
    for (const place of places) this.#startLater(place, down + chance.below(SECOND));
  }

  storm(): void {
    const { network, chance } = this.world;
    const some = () => (chance.permille(500) ? chance.below(300) : 0);
    network.weather = { requestLost: some(), requestTwice: some(), answerLost: some(), late: some() };
    this.world.fault(-1, 'storm', JSON.stringify(network.weather));
    this.#after(60 * SECOND, () => {
      network.weather = FAIR;
    });
  }

  upsetRail(): void {
    const { rail, chance, loop } = this.world;
    if (loop.now < this.#silentUntil) return;
    const some = () => (chance.permille(500) ? chance.below(400) : 0);
    const mood: RailMood = {
      deaf: some(),
      late: some(),
      mute: some(),
      slow: some(),
      confused: some(),
      twice: some(),
      declining: some(),
    };
    if (chance.permille(150)) this.#silence(mood);
    rail.mood = mood;
    this.world.fault(-1, 'rail upset', JSON.stringify(mood));
    this.#after(90 * SECOND, () => {
      if (rail.mood === mood && loop.now >= this.#silentUntil) rail.mood = CALM;
    });
  }

  /** Nothing comes back for so long that a node gives up repeating, and looks. */
  #silence(mood: RailMood): void {
    const { rail, chance, loop } = this.world;
    mood[chance.of(['deaf', 'mute', 'mute'] as const)] = ALL;
    const forMs = chance.between(60, 180) * SECOND;
    this.#silentUntil = loop.now + forMs;
    loop.schedule(this.#owner, forMs, 'chaos ends', () => {
      if (rail.mood === mood) rail.mood = CALM;
    });
  }

  setClock(place: number): void {
    const { site, chance } = this.world;
    const far = chance.of([5, 60, 600, 3600]) * SECOND;
    const skew = chance.between(-far, far);
    this.#skews[place] = skew;
    const life = site.life(place);
    if (life !== undefined) life.owner.skewMs = skew;
    this.world.fault(place, 'clock jump', `${skew} ms ahead of true time`);
    this.#after(300 * SECOND, () => {
      const right = chance.between(-1500, 1500);
      this.#skews[place] = right;
      const then = site.life(place);
      if (then !== undefined) then.owner.skewMs = right;
      this.world.fault(place, 'clock jump', `${right} ms ahead of true time`);
    });
  }

  fillDisk(place: number): void {
    const { site, chance } = this.world;
    if (site.life(place)?.node === undefined) return;
    const pages = chance.below(10);
    for (let each = 0; each < this.world.options.nodes; each++) site.limitPages(each, pages);
    this.world.fault(-1, 'disk full', `${pages} pages are left`);
    this.#after(30 * SECOND, () => {
      for (let each = 0; each < this.world.options.nodes; each++) site.limitPages(each, undefined);
    });
  }

  fillAtStatement(place: number): void {
    const { site, chance } = this.world;
    const statements = 1 + chance.below(400);
    if (site.life(place)?.node === undefined) return;
    site.fullAfter(place, statements);
    this.world.fault(place, 'disk full at a statement', `at a change after ${statements} statements`);
  }

  failSync(place: number): void {
    if (this.world.site.life(place)?.node === undefined) return;
    this.world.site.failingSyncs = 1;
    this.world.fault(place, 'failing sync', 'the next commit finds that the disk takes no sync');
  }

  upsetReceiver(): void {
    const { receivers, chance } = this.world;
    if (this.#endpoints.length === 0) return;
    receivers.upset(chance.of(this.#endpoints));
    this.#after(chance.of([60, 600]) * SECOND, () => receivers.calm());
  }

  #after(mostMs: number, run: () => void): void {
    this.world.loop.schedule(this.#owner, this.world.chance.below(mostMs), 'chaos ends', () => {
      if (!this.#isOver) run();
    });
  }

  #startLater(place: number, afterMs: number): void {
    this.world.loop.schedule(this.#owner, afterMs + 1, 'start again', () => {
      if (this.world.site.life(place) !== undefined || this.upgrade.isHolding) return;
      this.world.site.start(place, this.#skews[place] ?? 0);
    });
  }
}
