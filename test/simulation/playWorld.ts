/** Plays one world from its seed: a life with faults for so many steps, then rest, then the books. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePeer, type Peer } from '../support/peer.ts';
import type { Loose } from '../support/world.ts';
import { beginningOfWorld, limiting } from './actors/budgets.ts';
import { buy } from './actors/buyer.ts';
import { reservingElsewhere } from './actors/cardHolder.ts';
import { askingPerson, beginCompany, COMPANY, hasCardHolders, hasTasks } from './actors/company.ts';
import { completeCheckouts } from './actors/completer.ts';
import { buyByMandates } from './actors/delegate.ts';
import { Desk, OWNER } from './actors/desk.ts';
import { type Cast, govern, setUp } from './actors/governor.ts';
import { keepCheckpoints } from './actors/outsider.ts';
import { beThrifty } from './actors/thrifty.ts';
import { trick } from './actors/trickster.ts';
import { readBooks } from './books.ts';
import { Chaos } from './faults/chaos.ts';
import type { Happening, Violation } from './history.ts';
import { type Chance, chance } from './machine/chance.ts';
import { makeOracle } from './oracle/makeOracle.ts';
import type { Plan } from './oracle/shrink.ts';
import { WorldDatabase } from './postgres/worldDatabase.ts';
import { World } from './world.ts';
import { YEAR_START } from './year/calendar.ts';
import { LONG, playDays } from './year/playDays.ts';

/** What came of a world. */
export interface Played {
  readonly plan: WorldPlan;
  readonly engine: World['engine'];
  readonly nodes: number;
  /** All that happened. */
  readonly steps: number;
  /** Of these, so many until all was at rest and read. */
  readonly stepsAtRest: number;
  /** Of the world's time. */
  readonly hours: number;
  /** Of this machine's time. */
  readonly seconds: number;
  /** Of its processors' time. */
  readonly processorSeconds: number;
  /** The most memory that this process had. */
  readonly megabytes: number;
  readonly faults: Readonly<Record<string, number>>;
  /** How often each call was answered with each status. */
  readonly answers: Readonly<Record<string, number>>;
  /** How often people and the owner did each thing, where days were played. */
  readonly done: Readonly<Record<string, number>>;
  /** The same for the same plan and the same sources. */
  readonly trace: string;
  readonly violations: readonly Violation[];
  /** The step at which the first one was seen. */
  readonly violatedAt: number | undefined;
}

export interface Life {
  readonly played: Played;
  readonly history: readonly Happening[];
  /** How many happenings before these were forgotten. */
  readonly forgotten: number;
}

const MEMORY = '/dev/shm';
const AGENTS = 6;
const SHOPS = 3;
const ENDPOINTS = 3;
const PURCHASES_A_DAY = 1000;

const DELEGATE = 'delegate';
const COMPLETER = 'completer';
const THRIFTY: readonly string[] = ['thrifty 0', 'thrifty 1'];

/** All that a plan can leave out. */
export const PARTS: readonly string[] = [
  ...Array.from({ length: AGENTS }, (_, index) => `agent ${index}`),
  'trickster 0',
  'trickster 1',
  ...THRIFTY,
  DELEGATE,
  COMPLETER,
  'governor',
  'outsider',
  ...COMPANY,
  ...Chaos.kinds,
];

/** A plan, or days in place of its steps. */
export interface WorldPlan extends Plan {
  readonly days?: number;
  /** Of an ordinary day, where days are played. */
  readonly purchases?: number;
  /** Of PostgreSQL: the URL of its superuser; SQLite unless given. */
  readonly server?: string;
  /** SQL of a migration that is played as an upgrade, in place of the world's own. */
  readonly migration?: string;
}

/** @param told given a line for each day, where days are played */
export async function playWorld(plan: WorldPlan, told: (line: string) => void = () => {}): Promise<Life> {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'countersign-world-'));
  const database = plan.server === undefined ? undefined : await WorldDatabase.make(plan.server);
  const began = process.hrtime.bigint();
  const before = process.cpuUsage();
  try {
    const { seed, days } = plan;
    const oracle = makeOracle();
    const nodes = days === undefined ? chance(`${seed} nodes`).of([1, 1, 2, 3]) : 1;
    const world =
      days === undefined
        ? new World({ seed, nodes, folder, start: beginningOfWorld(seed), oracle, database, disputed: true })
        : new World({ seed, nodes, folder, start: YEAR_START, oracle, ...LONG });
    if (days === undefined) await new Script(world, plan).play();
    else await playDays(world, { seed, days, purchases: plan.purchases ?? PURCHASES_A_DAY }, told);
    const seconds = Number(process.hrtime.bigint() - began) / 1e9;
    const { user, system } = process.cpuUsage(before);
    const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
    const took = { seconds, processorSeconds: (user + system) / 1e6, megabytes };
    return { played: summaryOf(world, plan, took), history: world.history, forgotten: world.forgotten };
  } finally {
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Who lives in a world, and for how long. */
class Script {
  readonly #world: World;
  readonly #plan: WorldPlan;
  readonly #chaos: Chaos;
  readonly #cast: Cast;
  readonly #chance: Chance;
  #isOpen = true;

  constructor(world: World, plan: WorldPlan) {
    this.#world = world;
    this.#plan = plan;
    this.#chance = chance(`${plan.seed} script`);
    const keys = chance(`${plan.seed} keys`);
    const peers = (count: number): Peer[] => Array.from({ length: count }, () => makePeer(keys.bytes(32)));
    const agents = peers(1 + this.#chance.below(AGENTS));
    const principals = peers(2);
    const sellers = peers(1 + this.#chance.below(SHOPS));
    const shops = sellers.map((peer, index) => ({ domain: `shop${index}.market.example`, peer }));
    this.#cast = {
      agents,
      principals,
      shops,
      endpoints: Array.from(
        { length: this.#chance.below(ENDPOINTS + 1) },
        (_, n) => `http://receiver${n}.example/hook`,
      ),
      askingPerson: askingPerson(world, plan.days === undefined ? plan.without : COMPANY),
      limiting: limiting(world, shops),
      reservingElsewhere: reservingElsewhere(world, plan.days === undefined && hasCardHolders(plan.without)),
      dice: chance(`${plan.seed} governor`),
    };
    // The endpoint is gone, so that each delivery fails as often as it may.
    const [, , gone] = this.#cast.endpoints;
    if (gone !== undefined) world.receivers.lose(gone);
    this.#chaos = new Chaos(world, {
      // On PostgreSQL each message to the server and back is a step, so that less time passes.
      pauseMs: this.#chance.of(world.engine === 'sqlite' ? [2_000, 10_000, 40_000] : [1_000, 3_000, 10_000]),
      without: plan.without,
      endpoints: this.#cast.endpoints,
      migration: plan.migration,
    });
  }

  async play(): Promise<void> {
    const world = this.#world;
    this.#chaos.startAll();
    world.act('owner', (owner) => this.#begin(new Desk(world, owner, OWNER)));
    await this.#run(() => world.loop.steps < this.#plan.steps);
    this.#isOpen = false;
    world.stepsLived = world.loop.steps;
    this.#chaos.end();
    let isRead = false;
    world.act('reader', async (owner) => {
      world.conclude(await readBooks(new Desk(world, owner, OWNER), hasTasks(this.#plan.without)));
      isRead = true;
    });
    await this.#run(() => !isRead);
  }

  /** Has things happen for as long as a condition holds. */
  async #run(holds: () => boolean): Promise<void> {
    const world = this.#world;
    while (holds() && world.failure === undefined && (await world.loop.step()));
    if (world.failure !== undefined) throw world.failure;
  }

  async #begin(desk: Desk): Promise<void> {
    const world = this.#world;
    const policyId = await setUp(desk, this.#cast);
    const card = await desk.surely({
      call: 'agentCard',
      route: ['GET', '/a2a/v1/.well-known/agent-card.json'],
      input: {},
    });
    const nodeDid = nodeDidOf(card.body);
    if (!this.#isOpen) return;
    const isOpen = () => this.#isOpen;
    this.#act('governor', (own) => govern(own, this.#cast, policyId, isOpen));
    this.#act('outsider', (own) => keepCheckpoints(own, isOpen));
    const { principals, shops } = this.#cast;
    const messages = this.#chance.of([0, 300, 1000]);
    const pauseMs = this.#chance.of([300, 3000, 10_000]);
    this.#beginTricks(isOpen);
    this.#beginThrift(isOpen);
    this.#beginMandated(isOpen);
    beginCompany(world, { ...this.#cast, nodeDid }, this.#plan.without, isOpen);
    for (const [index, agent] of this.#cast.agents.entries()) {
      const name = `agent ${index}`;
      if (this.#plan.without.includes(name)) continue;
      world.act(name, (owner) =>
        buy({
          desk: new Desk(world, owner, { peer: agent }),
          agent,
          principals,
          shops,
          pauseMs,
          nodeDid,
          isMessaging: () => world.chance.permille(messages),
          isOpen,
        }),
      );
    }
    this.#chaos.begin();
  }

  /** The first agent and the last cheat as well, each with what is the other's. */
  #beginTricks(isOpen: () => boolean): void {
    const { agents, principals, shops } = this.#cast;
    const pauseMs = this.#chance.of([1000, 5000]);
    const [one, other] = [agents[0] as Peer, agents.at(-1) as Peer];
    for (const [index, [agent, borrowed]] of [[one, other] as const, [other, one] as const].entries()) {
      this.#act(`trickster ${index}`, ({ owner }) => {
        const deskOf = (peer: Peer) => new Desk(this.#world, owner, { peer });
        const victim = { desk: deskOf(borrowed), agent: borrowed };
        return trick({ desk: deskOf(agent), agent, victim, principals, shops, pauseMs, isOpen });
      });
    }
  }

  /** The first agent and the last, which share a principal. */
  #beginThrift(isOpen: () => boolean): void {
    const { agents, principals, shops } = this.#cast;
    const pauseMs = chance(`${this.#plan.seed} thrift`).of([500, 2000]);
    for (const [index, agent] of [agents[0] as Peer, agents.at(-1) as Peer].entries()) {
      this.#act(THRIFTY[index] as string, ({ owner }) =>
        beThrifty({ desk: new Desk(this.#world, owner, { peer: agent }), agent, principals, shops, pauseMs, isOpen }),
      );
    }
  }

  /** The last agent, by mandates of AP2 and by checkouts of UCP. */
  #beginMandated(isOpen: () => boolean): void {
    const { agents, principals, shops } = this.#cast;
    const agent = agents.at(-1) as Peer;
    for (const [name, what, buy] of [
      [DELEGATE, 'mandates', buyByMandates],
      [COMPLETER, 'checkouts', completeCheckouts],
    ] as const) {
      const pauseMs = chance(`${this.#plan.seed} ${what}`).of([1000, 5000]);
      this.#act(name, (owner) => {
        const desk = new Desk(this.#world, owner.owner, { peer: agent });
        return buy({ desk, agent, principals, shops, pauseMs, isOpen }, owner);
      });
    }
  }

  #act(name: string, script: (desk: Desk) => Promise<void>): void {
    if (this.#plan.without.includes(name)) return;
    this.#world.act(name, (owner) => script(new Desk(this.#world, owner, OWNER)));
  }
}

/** The DID that a card names for the extension by which messages are signed. */
function nodeDidOf(card: Loose): string {
  const extensions = [...(card.extensions ?? []), ...(card.capabilities?.extensions ?? [])];
  const named = extensions.find(({ params }: Loose) => typeof params?.did === 'string');
  return named.params.did;
}

function summaryOf(
  world: World,
  plan: WorldPlan,
  took: Pick<Played, 'seconds' | 'processorSeconds' | 'megabytes'>,
): Played {
  const { loop, history, faults, violations, options, answers } = world;
  return {
    plan,
    engine: world.engine,
    nodes: options.nodes,
    steps: loop.steps,
    stepsAtRest: loop.steps - world.stepsLived,
    hours: ((history.at(-1)?.at ?? options.start) - options.start) / 3_600_000,
    ...took,
    faults: Object.fromEntries([...faults].sort()),
    answers: Object.fromEntries([...answers].sort()),
    done: Object.fromEntries([...world.done].sort()),
    trace: loop.traceHash,
    violations,
    violatedAt: world.violatedAt,
  };
}
