/** Plays one world from its seed: a life with faults for so many steps, then rest, then the books. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePeer, type Peer } from '../support/peer.ts';
import { buy, type Shop } from './actors/buyer.ts';
import { Desk, OWNER } from './actors/desk.ts';
import { Chaos } from './faults/chaos.ts';
import { readBooks } from './books.ts';
import type { Violation } from './history.ts';
import { chance } from './machine/chance.ts';
import { plainOracle } from './plainOracle.ts';
import { World } from './world.ts';

export interface Played {
  readonly seed: string;
  readonly steps: number;
  /** Steps until all was at rest and read. */
  readonly stepsAtRest: number;
  readonly hours: number;
  readonly seconds: number;
  readonly stepsASecond: number;
  readonly happenings: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly answers: Readonly<Record<string, number>>;
  readonly trace: string;
  readonly violations: readonly Violation[];
}

export interface PlayOptions {
  readonly seed: string;
  readonly steps: number;
}

const MEMORY = '/dev/shm';

export async function playWorld({ seed, steps }: PlayOptions): Promise<Played> {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'countersign-world-'));
  const began = process.hrtime.bigint();
  try {
    const world = new World({ seed, nodes: 1 + (chance(`${seed} nodes`).below(2)), folder, oracle: plainOracle() });
    await live(world, seed, steps);
    const seconds = Number(process.hrtime.bigint() - began) / 1e9;
    return summaryOf(world, steps, seconds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function live(world: World, seed: string, steps: number): Promise<void> {
  const random = chance(`${seed} keys`);
  const peers = (count: number): Peer[] => Array.from({ length: count }, () => makePeer(random.bytes(32)));
  const agents = peers(3);
  const principals = peers(2);
  const shops: Shop[] = peers(2).map((peer, index) => ({ domain: `shop${index}.example`, peer }));
  let isOpen = true;
  let isDone = false;
  const chaos = new Chaos(world, 10_000);
  chaos.startAll();
  let nodeDid = '';
  world.act('owner', async (owner) => {
    const desk = new Desk(world, owner, OWNER);
    const rules = { version: '2.0', spend: { amount_cap: 50, currency: 'USD' } };
    await desk.surely({
      call: 'createPolicy',
      route: ['POST', '/ap2/admin/policies'],
      input: { name: 'Rules', rules },
    });
    for (const { domain, peer } of shops) {
      const input = { domain, did: peer.did };
      await desk.surely({ call: 'bindMerchant', route: ['POST', '/ap2/admin/merchants'], input });
    }
    for (const [index, { publicKey }] of agents.entries()) {
      const input = { name: `agent ${index}`, publicKey };
      await desk.surely({ call: 'registerAgent', route: ['POST', '/ap2/agents'], input });
    }
    const card = await desk.surely({ call: 'agentCard', route: ['GET', '/.well-known/did.json'], input: {} });
    nodeDid = card.body.id;
    chaos.begin();
    for (const [index, agent] of agents.entries()) {
      world.act(`agent ${index}`, (own) => {
        const credential = { peer: agent };
        return buy({
          desk: new Desk(world, own, credential),
          agent,
          principals,
          shops,
          pauseMs: 3000,
          isMessaging: () => world.chance.permille(400),
          isOpen: () => isOpen,
          nodeDid: () => nodeDid,
        });
      });
    }
  });
  while (world.loop.steps < steps && world.failure === undefined && (await world.loop.step()));
  isOpen = false;
  chaos.end();
  world.act('reader', async (owner) => {
    world.conclude(await readBooks(new Desk(world, owner, OWNER)));
    isDone = true;
  });
  while (!isDone && world.failure === undefined && (await world.loop.step()));
  if (world.failure !== undefined) throw world.failure;
}

function summaryOf(world: World, steps: number, seconds: number): Played {
  const { loop, history, faults, violations, options } = world;
  const answers: Record<string, number> = {};
  const calls = new Map<number, string>();
  for (const happening of history) {
    if (happening.kind === 'asked') calls.set(happening.id, happening.call);
    if (happening.kind !== 'answered' && happening.kind !== 'unanswered') continue;
    const end = happening.kind === 'answered' ? happening.status : 'none';
    const name = `${calls.get(happening.id)} ${end}`;
    answers[name] = (answers[name] ?? 0) + 1;
  }
  return {
    seed: options.seed,
    steps,
    stepsAtRest: loop.steps - steps,
    hours: Math.round(((history.at(-1)?.at ?? 0) - (history[0]?.at ?? 0)) / 36_000) / 100,
    seconds,
    stepsASecond: Math.round(loop.steps / seconds),
    happenings: history.length,
    faults: Object.fromEntries([...faults].sort()),
    answers,
    trace: loop.traceHash,
    violations,
  };
}
