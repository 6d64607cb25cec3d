/** What an intent costs when the store is full: two nodes asked in turn, one request at a time. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Peer } from '../test/support/peer.ts';
import { type Client, openClient } from './client.ts';
import { fillIntents } from './fill.ts';
import { type BenchNode, intentBody, serveNode, signedCall, startBenchNode } from './node.ts';
import type { Options } from './options.ts';
import { percentile, type Target } from './report.ts';

const FEW = 1000;
const WARM_UP_REQUESTS = 1000;
/** Most that the full store may take, as a multiple of the almost empty one. */
const MOST = 1.15;

interface Subject {
  readonly intents: number;
  readonly node: BenchNode;
  readonly client: Client;
  /** By round. */
  readonly latenciesMs: number[][];
}

export async function measureLatency(options: Options, folder: string): Promise<Target[]> {
  const filled = [await startFilled(folder, FEW), await startFilled(folder, options.intents)];
  const subjects: Subject[] = [];
  // A connection that says nothing while the other store is filled would be closed.
  for (const each of filled) subjects.push({ ...each, client: await openClient(each.node.server.port, {}) });
  try {
    for (const subject of subjects) for (let i = 0; i < WARM_UP_REQUESTS; i++) await issueOne(subject);
    for (let round = 0; round < options.rounds; round++) {
      for (const { latenciesMs } of subjects) latenciesMs.push([]);
      const until = performance.now() + options.seconds * 2000;
      // Who goes first alternates, since the second one finds the disk a little less idle.
      while (performance.now() < until) {
        for (const subject of subjects) subject.latenciesMs.at(-1)?.push(await issueOne(subject));
        subjects.reverse();
      }
    }
    subjects.sort((a, b) => a.intents - b.intents);
    return report(subjects);
  } finally {
    for (const { client, node } of subjects) {
      client.close();
      await node.server.stop();
    }
  }
}

/** A node with one agent whose database holds that many intents. */
async function startFilled(folder: string, intents: number): Promise<Omit<Subject, 'client'>> {
  const fresh = await startBenchNode(`node with ${intents}`, folder, 1);
  const model = await openClient(fresh.server.port, {});
  await issueOne({ intents, node: fresh, client: model, latenciesMs: [] });
  model.close();
  await fresh.server.stop();
  const file = join(fresh.dataDir, 'countersign.db');
  fillIntents(file, intents - 1, Date.now(), randomBytes);
  checkFill(file, intents);
  const server = await serveNode(fresh.server.name, fresh.dataDir);
  return { intents, node: { ...fresh, server }, latenciesMs: [] };
}

function checkFill(file: string, intents: number): void {
  const db = new Database(file, { readonly: true });
  const { count } = db.prepare('SELECT COUNT(*) AS count FROM intents').get() as { count: number };
  db.close();
  if (count !== intents) throw new Error(`The store holds ${count} intents, not ${intents}.`);
}

/** @returns the time from the first byte sent to the last received, in milliseconds */
async function issueOne({ node, client }: Subject): Promise<number> {
  const agent = node.agents[0] as Peer;
  const call = signedCall(node, agent, 'IntentMandate', intentBody(node, agent));
  const started = performance.now();
  const { status, text } = await client.post('/a2a/gateway', call);
  const took = performance.now() - started;
  if (status !== 200 || !text.includes('"allowed":true')) throw new Error(`An intent answered ${status}: ${text}`);
  return took;
}

function report(subjects: readonly Subject[]): Target[] {
  console.log('A2A intents of one agent, one request at a time\n');
  for (const { intents, latenciesMs, node } of subjects) {
    const all = latenciesMs.flat();
    const figures = [50, 90, 99].map((percent) => `p${percent} ${percentile(all, percent).toFixed(3)} ms`);
    const peak = `peak ${node.server.peakMib().toFixed(0)} MiB`;
    console.log(`${String(intents).padStart(7)} intents: ${figures.join(', ')}, ${peak}, ${all.length} requests`);
  }
  const [few, many] = subjects as [Subject, Subject];
  return [50, 99].map((percent) => {
    const ratio = (a: readonly number[], b: readonly number[]) => percentile(a, percent) / percentile(b, percent);
    return {
      name: `p${percent} of an intent with ${many.intents} in the store against ${few.intents}`,
      figure: ratio(many.latenciesMs.flat(), few.latenciesMs.flat()),
      target: MOST,
      better: 'lower',
      rounds: many.latenciesMs.map((round, i) => ratio(round, few.latenciesMs[i] ?? [])),
    };
  });
}
