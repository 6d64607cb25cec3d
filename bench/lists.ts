/**
 * Lists at a long history on SQLite: how long each takes, how long the views that they read take to be made anew, and how far these
 * are behind while purchases come as fast as they can.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { makeHistory, sqlite } from './history/measureHistory.ts';
import { operationsOf } from './history/operations.ts';
import type { BenchNode } from './node.ts';
import type { Options } from './options.ts';
import { nodeSide, rateOf, runRound } from './purchases.ts';
import { percentile, type Target } from './report.ts';
import { targetOf } from './targets.ts';

const TIMES = 30;
/** Of the names of operations, what a list is called by. */
const LIST = /^(list|search)/;
const LOOK_MS = 100;

export async function measureLists({ intents, seconds }: Options, folder: string): Promise<Target[]> {
  const { node, webhookId } = await makeHistory(await sqlite(), folder, intents, 64);
  try {
    // The history was written without a node, so that the views have nothing of it yet.
    const minutes = await timeOfRebuild(node);
    const took: number[] = [];
    const slowest: { name: string; p50: number; p99: number }[] = [];
    for (const { name, ask } of await operationsOf(node, webhookId, intents)) {
      if (!LIST.test(name)) continue;
      const own: number[] = [];
      for (let time = 0; time < TIMES; time++) {
        const started = performance.now();
        await ask(time);
        own.push(performance.now() - started);
      }
      took.push(...own);
      slowest.push({ name, p50: percentile(own, 50), p99: percentile(own, 99) });
    }
    slowest.sort((a, b) => b.p99 - a.p99);
    console.log(`${slowest.length} lists, ${TIMES} times each; the slowest, p99 and p50 in ms:`);
    for (const { name, p50, p99 } of slowest.slice(0, 5))
      console.log(`  ${p99.toFixed(1)}  ${p50.toFixed(1)}  ${name}`);
    return [
      targetOf('views rebuilt, minutes', [minutes]),
      targetOf('p99 of lists, ms', [percentile(took, 99)]),
      targetOf('views behind under full load, s', [await behindUnderLoad(node, seconds)]),
    ];
  } finally {
    await node.server.stop();
  }
}

async function timeOfRebuild(node: BenchNode): Promise<number> {
  const started = performance.now();
  while ((await secondsBehind(node)) > 0) await sleep(LOOK_MS);
  return (performance.now() - started) / 60_000;
}

/** The 99th percentile of looks while purchases come. */
async function behindUnderLoad(node: BenchNode, seconds: number): Promise<number> {
  const side = nodeSide(node, 'REST');
  const rate = rateOf(await runRound(side, 2, 10_000));
  const round = runRound(side, seconds, Math.ceil(rate * seconds * 3) + 500);
  let isOver = false;
  const ended = round.finally(() => {
    isOver = true;
  });
  const looks: number[] = [];
  while (!isOver) {
    looks.push(await secondsBehind(node));
    await sleep(LOOK_MS);
  }
  await ended;
  return percentile(looks, 99);
}

async function secondsBehind({ server, adminKey }: BenchNode): Promise<number> {
  const response = await fetch(`${server.address}/metrics`, { headers: { Authorization: `Bearer ${adminKey}` } });
  const found = /^countersign_views_behind_seconds ([\d.e+-]+)$/m.exec(await response.text());
  if (found === null) throw new Error('The node does not say how far its views are behind.');
  return Number(found[1]);
}
