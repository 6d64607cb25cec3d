/** Whole purchases per second on one core, against a bare server that does only the unavoidable part. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, Peer } from '../test/support/peer.ts';
import { buyerOf, checkPurchase, type Exchange, type Gate, makeCarts, openBuyer, type Purchase } from './buyer.ts';
import { type Client, openClient } from './client.ts';
import { floorSteps } from './floor.ts';
import { type BenchNode, GATE_BESIDE, startBenchNode } from './node.ts';
import type { Options } from './options.ts';
import { median, percentile, type Row, type Target, tableOf } from './report.ts';
import { type Server, startServer } from './server.ts';
import { targetOf } from './targets.ts';

export const CLIENTS = 64;
/** Until every side runs compiled code. */
const WARM_UP_SECONDS = 5;
const CHECK_EVERY = 50;

/** One side of a pair; `purchase` is one whole purchase by one of the clients. */
export interface Side {
  readonly server: Server;
  open(): Promise<Client>;
  /** What the next round needs, made before it is timed. */
  prepare(count: number): void;
  purchase(client: Client, clientIndex: number): Promise<void>;
}

export interface Round {
  readonly latenciesMs: readonly number[];
  readonly seconds: number;
  readonly serverCpuSeconds: number;
  readonly clientCpuSeconds: number;
}

export async function measurePurchases(options: Options, folder: string): Promise<Target[]> {
  const targets: Target[] = [];
  for (const gate of ['REST', 'A2A'] as const) targets.push(...(await measureGate(gate, options, folder)));
  return targets;
}

async function measureGate(gate: Gate, options: Options, folder: string): Promise<Target[]> {
  const node = await startBenchNode(`countersign ${gate}`, folder, CLIENTS);
  const servers = [node.server];
  try {
    const floor = await startFloor(gate, folder, await record(node, gate));
    servers.push(floor.server);
    const beside = await startBenchNode(`countersign ${gate}, gate beside`, folder, CLIENTS, GATE_BESIDE);
    servers.push(beside.server);
    const sides = [nodeSide(node, gate), nodeSide(beside, gate), floorSide(floor.server, floor.exchanges)];
    const rounds = sides.map((): Round[] => []);
    const rates: number[] = [];
    for (const side of sides) rates.push(rateOf(await runRound(side, WARM_UP_SECONDS, 20_000)));
    for (let round = 0; round < options.rounds; round++) {
      for (const [index, side] of sides.entries()) {
        const count = Math.ceil((rates[index] as number) * options.seconds * 4) + 500;
        rounds[index]?.push(await runRound(side, options.seconds, count));
      }
    }
    console.log(`\npurchases over ${gate}, ${CLIENTS} clients\n`);
    console.log(tableOf(sides.map(({ server }, i) => rowOf(server, rounds[i] ?? []))));
    return [0, 1].map((side) => {
      const ratios = (rounds[side] ?? []).map((own, i) => rateOf(own) / rateOf(rounds[2]?.[i]));
      return targetOf(`purchases over ${gate} against the floor${side === 0 ? '' : ', gate beside'}`, ratios);
    });
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function record(node: BenchNode, gate: Gate): Promise<readonly Exchange[]> {
  const client = await openBuyer(node, gate);
  const [cart] = makeCarts(node, 1);
  const { exchanges } = await buyerOf(node, gate)(client, node.agents[0] as Peer, cart as JsonObject);
  client.close();
  return exchanges;
}

async function startFloor(gate: Gate, folder: string, exchanges: readonly Exchange[]) {
  const stepsFile = join(folder, `floor-${gate}.json`);
  writeFileSync(stepsFile, JSON.stringify(floorSteps(gate, exchanges)));
  const server = await startServer(`floor ${gate}`, ['--import', 'tsx', 'bench/floorServer.ts'], {
    BENCH_STEPS: stepsFile,
    BENCH_DATABASE: join(folder, `floor-${gate}.db`),
  });
  return { server, exchanges };
}

export function nodeSide(node: BenchNode, gate: Gate): Side {
  const buy = buyerOf(node, gate);
  let carts: JsonObject[] = [];
  let bought = 0;
  return {
    server: node.server,
    open: () => openBuyer(node, gate),
    prepare(count) {
      carts = makeCarts(node, count);
    },
    async purchase(client, clientIndex) {
      const cart = carts.pop();
      if (cart === undefined) throw new Error('The prepared carts ran out before the time was up.');
      const purchase: Purchase = await buy(client, node.agents[clientIndex] as Peer, cart);
      bought += 1;
      if (bought % CHECK_EVERY === 0) checkPurchase(node, purchase);
    },
  };
}

function floorSide(server: Server, exchanges: readonly Exchange[]): Side {
  return {
    server,
    open: () => openClient(server.port, {}),
    prepare() {},
    async purchase(client) {
      for (const [index, { request }] of exchanges.entries()) {
        const { status, text } = await client.post(`/${index}`, request);
        if (status !== 200) throw new Error(`The floor answered ${status}: ${text}`);
        JSON.parse(text);
      }
    },
  };
}

/** @param count of carts that are prepared @param clients that purchase at once */
export async function runRound(side: Side, seconds: number, count: number, clientCount = CLIENTS): Promise<Round> {
  side.prepare(count);
  const clients = await Promise.all(Array.from({ length: clientCount }, () => side.open()));
  const latenciesMs: number[] = [];
  const cpuBefore = process.cpuUsage();
  const serverBefore = side.server.cpuSeconds();
  const started = performance.now();
  const until = started + seconds * 1000;
  await Promise.all(
    clients.map(async (client, index) => {
      for (let now = performance.now(); now < until; ) {
        await side.purchase(client, index);
        const after = performance.now();
        latenciesMs.push(after - now);
        now = after;
      }
    }),
  );
  const used = process.cpuUsage(cpuBefore);
  const round = {
    latenciesMs,
    seconds: (performance.now() - started) / 1000,
    serverCpuSeconds: side.server.cpuSeconds() - serverBefore,
    clientCpuSeconds: (used.user + used.system) / 1e6,
  };
  for (const client of clients) client.close();
  return round;
}

export function rateOf(round: Round | undefined): number {
  return round === undefined ? Number.NaN : round.latenciesMs.length / round.seconds;
}

export function rowOf(server: Server, rounds: readonly Round[]): Row {
  const all = rounds.flatMap(({ latenciesMs }) => latenciesMs);
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0);
  return {
    name: server.name,
    perSecond: median(rounds.map(rateOf)),
    p50Ms: median(all),
    p99Ms: percentile(all, 99),
    cpuMicroseconds: (sum(({ serverCpuSeconds }) => serverCpuSeconds) * 1e6) / all.length,
    peakMib: server.peakMib(),
    generatorShare: sum(({ clientCpuSeconds }) => clientCpuSeconds) / sum(({ seconds }) => seconds),
  };
}
