/** What memory a node takes: the bytes it allocates for an intent and for a purchase, by function, and what is resident. */
import { freePort } from '../test/support/child.ts';
import { type Act, acts, type Kind, perform } from './acts.ts';
import { openProfiler } from './allocations.ts';
import { type BenchNode, startBenchNode } from './node.ts';
import type { Options } from './options.ts';
import type { Target } from './report.ts';

const AGENTS = 256;
const CLIENTS = 64;
/** Until the functions that are measured are compiled. */
const WARM_UP = { intent: 6000, purchase: 2000 };
const MEASURED = { intent: 2000, purchase: 1000 };
/** Enough that the database is larger than what is cached of it. */
const UNDER_LOAD = { intent: 15_000, purchase: 3000 };
const SETTLE_MS = 10_000;
const LARGEST = 20;
const MOST_BYTES: Readonly<Record<Kind, number>> = { intent: 69_000, purchase: 291_000 };
const MOST_MIB = 180;

export async function measureMemory(_options: Options, folder: string): Promise<Target[]> {
  const allocated = await countAllocations(folder);
  const bytes = [...allocated].map(([kind, each]) => most(`bytes allocated, ${kind}`, each, MOST_BYTES[kind]));
  return [...bytes, ...(await measureResident(folder))];
}

/** The bytes that a node allocates for each. */
export async function countAllocations(folder: string): Promise<ReadonlyMap<Kind, number>> {
  const port = await freePort();
  const inspected = { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` };
  const node = await startBenchNode('profiled', folder, AGENTS, inspected);
  const profiler = await openProfiler(port);
  const allocated = new Map<Kind, number>();
  try {
    for (const [kind, act] of acts(node, WARM_UP.purchase + MEASURED.purchase)) {
      await perform(node, act, CLIENTS, WARM_UP[kind]);
      const bytes = await profiler.during(() => perform(node, act, CLIENTS, MEASURED[kind]));
      const each = [...bytes].map(([name, all]): Share => [name, all / MEASURED[kind]]);
      const sum = each.reduce((total, [, own]) => total + own, 0);
      console.log(tableOf(`${kind}: ${sum.toFixed(0)} bytes allocated, the most by`, each.slice(0, LARGEST), sum));
      allocated.set(kind, sum);
    }
  } finally {
    profiler.close();
    await node.server.stop();
  }
  return allocated;
}

async function measureResident(folder: string): Promise<Target[]> {
  const node = await startBenchNode('resident', folder, AGENTS);
  const targets: Target[] = [];
  try {
    const idle = node.server.residentMib();
    console.log(`\nresident before any load: ${idle.toFixed(0)} MiB`);
    for (const [kind, act] of acts(node, UNDER_LOAD.purchase)) {
      const { peak, settled } = await load(node, act, UNDER_LOAD[kind]);
      console.log(
        `resident, ${UNDER_LOAD[kind]} of ${kind}: peak ${peak.toFixed(0)} MiB, settled ${settled.toFixed(0)} MiB`,
      );
      targets.push(most(`peak MiB, ${kind}`, peak, MOST_MIB));
    }
  } finally {
    await node.server.stop();
  }
  return targets;
}

async function load(node: BenchNode, act: Act, count: number): Promise<{ peak: number; settled: number }> {
  const started = performance.now();
  const cpu = node.server.cpuSeconds();
  await perform(node, act, CLIENTS, count);
  const seconds = (performance.now() - started) / 1000;
  const each = ((node.server.cpuSeconds() - cpu) * 1e6) / count;
  console.log(`${(count / seconds).toFixed(0)} a second, ${each.toFixed(0)} µs of processor time each`);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  return { peak: node.server.peakMib(), settled: node.server.residentMib() };
}

type Share = readonly [name: string, bytes: number];

function tableOf(title: string, shares: readonly Share[], sum: number): string {
  const lines = shares.map(([name, bytes]) => {
    const percent = ((bytes / sum) * 100).toFixed(1);
    return `${bytes.toFixed(0).padStart(9)}  ${percent.padStart(5)} %  ${name}`;
  });
  return `\n${title}\n${lines.join('\n')}`;
}

function most(name: string, figure: number, target: number): Target {
  return { name, figure, target, better: 'lower', rounds: [figure] };
}
