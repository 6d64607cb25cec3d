/** Plays one world from its seed: a life with faults for so many steps, then rest, then the books. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePeer, type Peer } from '../support/peer.ts';
import type { Loose } from '../support/world.ts';
import { buy } from './actors/buyer.ts';
import { Desk, OWNER } from './actors/desk.ts';
import { type Cast, govern, setUp } from './actors/governor.ts';
import { keepCheckpoints } from './actors/outsider.ts';
import { trick } from './actors/trickster.ts';
import { readBooks } from './books.ts';
import { Chaos } from './faults/chaos.ts';
import type { Happening, Violation } from './history.ts';
import { type Chance, chance } from './machine/chance.ts';
import type { Owner } from './machine/eventLoop.ts';
import { makeOracle } from './oracle/makeOracle.ts';
import type { Plan } from './oracle/shrink.ts';
import { World } from './world.ts';

/** What came of a world. */
export interface Played {
  readonly plan: Plan;
  readonly nodes: number;
  /** Steps until all was at rest and read. */
  readonly stepsAtRest: number;
  /** Of the world's time. */
  readonly hours: number;
  /** Of this machine's time. */
  readonly seconds: number;
  readonly faults: Readonly<Record<string, number>>;
  /** How often each call was answered with each status. */
  readonly answers: Readonly<Record<string, number>>;
  /** The same for the same plan and the same sources. */
  readonly trace: string;
  readonly violations: readonly Violation[];
  /** The step at which the first one was seen. */
  readonly violatedAt: number | undefined;
}

export interface Life {
  readonly played: Played;
  readonly history: readonly Happening[];
}

const MEMORY = '/dev/shm';
const AGENTS = 6;
const SHOPS = 3;
const ENDPOINTS = 3;

/** All that a plan can leave out. */
export const PARTS: readonly string[] = [
  ...Array.from({ length: AGENTS }, (_, index) => `agent ${index}`),
  'trickster 0',
  'trickster 1',
  'governor',
  'outsider',
  ...Chaos.kinds,
];

export async function playWorld(plan: Plan): Promise<Life> {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'countersign-world-'));
  const began = process.hrtime.bigint();
  try {
    const nodes = chance(`${plan.seed} nodes`).of([1, 1, 2, 3]);
    const world = new World({ seed: plan.seed, nodes, folder, oracle: makeOracle() });
    await new Script(world, plan).play();
    const seconds = Number(process.hrtime.bigint() - began) / 1e9;
    return { played: summaryOf(world, plan, seconds), history: world.history };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Who lives in a world, and for how long. */
class Script {
  readonly #world: World;
  readonly #plan: Plan;
  readonly #chaos: Chaos;
  readonly #cast: Cast;
  readonly #chance: Chance;
  #isOpen = true;

  constructor(world: World, plan: Plan) {
    this.#world = world;
    this.#plan = plan;
    this.#chance = chance(`${plan.seed} script`);
    const keys = chance(`${plan.seed} keys`);
    const peers = (count: number): Peer[] => Array.from({ length: count }, () => makePeer(keys.bytes(32)));
    this.#cast = {
      agents: peers(1 + this.#chance.below(AGENTS)),
      principals: peers(2),
      shops: peers(1 + this.#chance.below(SHOPS)).map((peer, index) => ({ domain: `shop${index}.example`, peer })),
      endpoints: Array.from(
        { length: this.#chance.below(ENDPOINTS + 1) },
        (_, n) => `http://receiver${n}.example/hook`,
      ),
    };
    this.#chaos = new Chaos(world, {
      pauseMs: this.#chance.of([2_000, 10_000, 40_000]),
      without: plan.without,
      endpoints: this.#cast.endpoints,
    });
  }

  async play(): Promise<void> {
    const world = this.#world;
    this.#chaos.startAll();
    world.act('owner', (owner) => this.#begin(new Desk(world, owner, OWNER)));
    while (world.loop.steps < this.#plan.steps && world.failure === undefined && (await world.loop.step()));
    this.#isOpen = false;
    this.#chaos.end();
    let isRead = false;
    world.act('reader', async (owner) => {
      await restOf(world, owner);
      world.conclude(await readBooks(new Desk(world, owner, OWNER)));
      isRead = true;
    });
    while (!isRead && world.failure === undefined && (await world.loop.step()));
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
    if (!this.#isOpen) return;
    const isOpen = () => this.#isOpen;
    this.#act('governor', (own) => govern(own, this.#cast, policyId, isOpen));
    this.#act('outsider', (own) => keepCheckpoints(own, isOpen));
    const { principals, shops } = this.#cast;
    const messages = this.#chance.of([0, 300, 1000]);
    const pauseMs = this.#chance.of([300, 3000, 10_000]);
    this.#beginTricks(isOpen);
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
          nodeDid: nodeDidOf(card.body),
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

  #act(name: string, script: (desk: Desk) => Promise<void>): void {
    if (this.#plan.without.includes(name)) return;
    this.#world.act(name, (owner) => script(new Desk(this.#world, owner, OWNER)));
  }
}

/** So long nobody asks anything any more, in milliseconds: agents that have begun a purchase bring it to its end. */
const REST_MS = 15_000;

/** A request that takes longer does not end. */
const MOST_MS = 600_000;

async function restOf(world: World, owner: Owner): Promise<void> {
  const until = world.loop.now + MOST_MS;
  for (let waited = 0; waited < REST_MS && world.loop.now < until; waited = world.open.size === 0 ? waited + 1000 : 0) {
    await world.pause(owner, 1000);
  }
}

/** The DID that a card names for the extension by which messages are signed. */
function nodeDidOf(card: Loose): string {
  const extensions = [...(card.extensions ?? []), ...(card.capabilities?.extensions ?? [])];
  const named = extensions.find(({ params }: Loose) => typeof params?.did === 'string');
  return named.params.did;
}

function summaryOf(world: World, plan: Plan, seconds: number): Played {
  const { loop, history, faults, violations, options } = world;
  const answers = new Map<string, number>();
  const calls = new Map<number, string>();
  for (const happening of history) {
    if (happening.kind === 'asked') calls.set(happening.id, happening.call);
    if (happening.kind !== 'answered' && happening.kind !== 'unanswered') continue;
    const name = `${calls.get(happening.id)} ${happening.kind === 'answered' ? happening.status : 'none'}`;
    answers.set(name, (answers.get(name) ?? 0) + 1);
  }
  return {
    plan,
    nodes: options.nodes,
    stepsAtRest: loop.steps - plan.steps,
    hours: ((history.at(-1)?.at ?? 0) - (history[0]?.at ?? 0)) / 3_600_000,
    seconds,
    faults: Object.fromEntries([...faults].sort()),
    answers: Object.fromEntries([...answers].sort()),
    trace: loop.traceHash,
    violations,
    violatedAt: world.violatedAt,
  };
}
