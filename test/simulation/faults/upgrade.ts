/**
 * An upgrade in the midst of a world, as docs/guides/upgrade.md says: all nodes are stopped, or end otherwise, and the next version
 * starts on their data, at all places at once. Now and then its first release cannot start, and it is killed while it migrates. On
 * PostgreSQL a version that only adds may be put in place by place, while the others go on.
 */
import type { Owner } from '../machine/eventLoop.ts';
import { readMore } from '../machine/schemaAtHand.ts';
import type { World } from '../world.ts';
import { filesBeyond, NEXT_VERSIONS, type Program, versionOf } from './nextVersions.ts';

const SECOND = 1000;
const LOOK_MS = 200;
/** A node that is asked to stop has ended by then. */
const STOP_MS = 20 * SECOND;
/** How many halves of statements a node lives at most that is killed while it migrates. */
const MOST_HALVES = 160;

export interface UpgradeOptions {
  /** What the one later version does, in place of the world's own versions. */
  readonly migration: string | undefined;
  /** Starts the node at a place, unless one runs there. */
  start(place: number): void;
}

export class Upgrade {
  readonly #world: World;
  readonly #owner: Owner;
  readonly #start: (place: number) => void;
  readonly #versions: typeof NEXT_VERSIONS;
  /** What is put in place at present. */
  #target: Program | undefined;
  #installed = 0;
  /** Whether no node may be started. */
  #isHolding = false;
  #isOver = false;

  constructor(world: World, { migration, start }: UpgradeOptions) {
    this.#world = world;
    this.#owner = world.loop.newOwner('operator');
    this.#start = start;
    this.#versions = migration === undefined ? NEXT_VERSIONS : [versionOf(migration)];
    readMore(() => {
      const program = world.site.acting;
      return (known) => filesBeyond(known, this.#versions, program);
    });
  }

  /** Whether nodes that have ended are not to be started again yet. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  begin(): void {
    const next = this.#versions[this.#installed];
    if (next === undefined || this.#target !== undefined) return;
    const { chance, engine } = this.#world;
    this.#installed += 1;
    const target = { version: this.#installed, isBroken: false };
    this.#target = target;
    if (engine === 'postgres' && next.isAddition && chance.permille(500)) {
      this.#tell('upgrade', `to "${next.name}", place by place`);
      this.#replace(0, target);
      return;
    }
    this.#tell('upgrade', `to "${next.name}", all nodes at once`);
    this.#endAll(() => {
      if (chance.permille(350)) this.#startAll({ ...target, isBroken: true }, () => this.#mend(target));
      else this.#startAll(target, () => this.#finish());
    });
  }

  /** What was begun is done: a node that does not run is started as it was to become, and one that is asked to stop comes again. */
  end(): void {
    const { site, options } = this.#world;
    this.#isOver = true;
    this.#isHolding = false;
    for (let place = 0; place < options.nodes; place++) {
      site.programs[place] = { version: this.#installed, isBroken: false };
      this.#start(place);
    }
  }

  /** One node after another, while the others go on with the version before. */
  #replace(place: number, target: Program): void {
    const { site, options, chance } = this.#world;
    if (place === options.nodes) {
      this.#finish();
      return;
    }
    site.programs[place] = target;
    this.#endOne(place);
    this.#later(chance.below(30 * SECOND), () => this.#replace(place + 1, target));
  }

  /** Nodes that cannot start are started again and again, until a release comes that can. */
  #mend(target: Program): void {
    this.#tell('upgrade mended', 'the release that could not start is replaced');
    this.#endAll(() => this.#startAll(target, () => this.#finish()));
  }

  /** The former program, started by mistake, has to refuse the data of the newer one (Site). */
  #finish(): void {
    const { site, chance, options } = this.#world;
    const { version } = this.#target ?? { version: 0 };
    this.#target = undefined;
    const place = chance.below(options.nodes);
    if (!site.hasRun(version) || !chance.permille(400)) return;
    const right = site.programs[place] as Program;
    const former = { version: version - 1, isBroken: false };
    site.programs[place] = former;
    this.#tell('former program', `is put back at place ${place} for a while`);
    this.#endOne(place);
    this.#later(10 * SECOND, () => {
      if (site.programs[place] === former) site.programs[place] = right;
    });
  }

  #endAll(then: () => void): void {
    const { options, site, loop } = this.#world;
    this.#isHolding = true;
    const until = loop.now + STOP_MS;
    for (let place = 0; place < options.nodes; place++) this.#endOne(place);
    const look = () => {
      if (site.lives.length === 0) {
        then();
        return;
      }
      if (loop.now > until) for (let place = 0; place < options.nodes; place++) site.kill(place);
      this.#later(LOOK_MS, look);
    };
    this.#later(LOOK_MS, look);
  }

  /** In order, or at once. */
  #endOne(place: number): void {
    const { site, chance } = this.#world;
    const life = site.life(place);
    if (life === undefined) return;
    if (life.node !== undefined && chance.permille(600)) {
      site.stop(place);
      return;
    }
    site.kill(place);
    this.#world.fault(place, 'crash', 'killed for an upgrade');
    this.#world.ended(place, false);
  }

  #startAll(program: Program, then: () => void): void {
    const { options, site, chance } = this.#world;
    this.#isHolding = false;
    for (let place = 0; place < options.nodes; place++) {
      site.programs[place] = program;
      this.#start(place);
      if (chance.permille(500)) site.killAfter(place, 1 + chance.below(MOST_HALVES));
    }
    this.#later(SECOND + chance.below(20 * SECOND), then);
  }

  #tell(what: string, detail: string): void {
    this.#world.fault(-1, what, detail);
  }

  /** Unless all faults have ended by then. */
  #later(ms: number, run: () => void): void {
    this.#world.loop.schedule(this.#owner, ms, 'upgrade', () => {
      if (!this.#isOver) run();
    });
  }
}
