/**
 * This tree beside another one (`--against folder`, whose program has been built): purchases by turns, first on the one and then on
 * the other, so that what slows the machine slows both.
 */
import { join, resolve } from 'node:path';
import { postgres } from './history/measureHistory.ts';
import { type BenchNode, startBenchNode } from './node.ts';
import type { Options } from './options.ts';
import { CLIENTS, nodeSide, type Round, rowOf, runRound, type Side } from './purchases.ts';
import { median, type Target, tableOf } from './report.ts';
import { targetOf } from './targets.ts';

const GATES = ['REST', 'A2A'] as const;
const WARM_UP_SECONDS = 4;

export async function measureAgainst({ against, engine, seconds, rounds }: Options, folder: string): Promise<Target[]> {
  if (against === undefined) throw new Error('--only against needs --against FOLDER.');
  const engines = (['sqlite', 'postgres'] as const).filter((each) => engine === undefined || engine === each);
  const targets: Target[] = [];
  for (const each of engines) {
    const server = each === 'postgres' ? await postgres() : undefined;
    const start = async (name: string, program?: string): Promise<BenchNode> => {
      const env: Record<string, string> = {};
      const url = server === undefined ? undefined : await server.create(name);
      if (url !== undefined) env.DATABASE_URL = url;
      return startBenchNode(`${name} on ${each}`, folder, CLIENTS, env, program);
    };
    const nodes = [await start('this'), await start('other', join(resolve(against), 'bin/countersign.js'))];
    try {
      for (const gate of GATES) {
        const sides = nodes.map((node) => nodeSide(node, gate));
        const measured = await byTurns(sides, seconds, rounds);
        console.log(`\npurchases over ${gate} on ${each}, ${CLIENTS} clients\n`);
        console.log(tableOf(nodes.map((node, index) => rowOf(node.server, measured[index] as Round[]))));
        const costs = measured.map((all) => all.map(costOf));
        const ratios = (costs[0] as number[]).map((own, index) => own / (costs[1]?.[index] as number));
        targets.push(targetOf(`processor time of a purchase over ${gate} on ${each}, against the other tree`, ratios));
      }
      targets.push(await compareAlone(nodes, each, seconds, rounds));
    } finally {
      for (const { server: node } of nodes) await node.stop();
      await server?.stop();
    }
  }
  return targets;
}

/** One client, which waits for its own commits alone. */
async function compareAlone(
  nodes: readonly BenchNode[],
  engine: 'sqlite' | 'postgres',
  seconds: number,
  rounds: number,
): Promise<Target> {
  const sides = nodes.map((node) => nodeSide(node, 'REST'));
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const middle: number[] = [];
    for (const side of sides) middle.push(median((await runRound(side, seconds, seconds * 1000, 1)).latenciesMs));
    console.log(`one client on ${engine}, p50 in ms: ${middle.map((each) => each.toFixed(2)).join(' and ')}`);
    ratios.push((middle[0] as number) / (middle[1] as number));
  }
  return targetOf(`p50 of one client’s purchases over REST on ${engine}, against the other tree`, ratios);
}

/** The rounds of each side. */
async function byTurns(sides: readonly Side[], seconds: number, rounds: number): Promise<Round[][]> {
  const measured = sides.map((): Round[] => []);
  const counts: number[] = [];
  for (const side of sides) {
    const { latenciesMs } = await runRound(side, WARM_UP_SECONDS, 20_000);
    counts.push(Math.ceil((latenciesMs.length / WARM_UP_SECONDS) * seconds * 3) + 500);
  }
  for (let round = 0; round < rounds; round++) {
    for (const [index, side] of sides.entries()) {
      measured[index]?.push(await runRound(side, seconds, counts[index] as number));
    }
  }
  return measured;
}

function costOf({ latenciesMs, serverCpuSeconds }: Round): number {
  return (serverCpuSeconds * 1e6) / latenciesMs.length;
}
