/**
 * What a long history costs: every list and filter, bundles, searches and statistics with a thousand intents in the store and
 * with a million, while purchases go on; and how much later a purchase is because of reads beside it.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openPostgres } from '../../src/store/postgres/postgresStore.ts';
import { openSqlite } from '../../src/store/sqlite/sqliteStore.ts';
import { makeCart, type Peer } from '../../test/support/peer.ts';
import { startPostgres } from '../../test/support/postgresServer.ts';
import { buyerOf, openBuyer } from '../buyer.ts';
import { adminRequest, type BenchNode, SHOP, serveNode, startBenchNode } from '../node.ts';
import type { Options } from '../options.ts';
import { median, type Target } from '../report.ts';
import { buyOnce } from './buyOnce.ts';
import { fillHistory, readModel } from './fillHistory.ts';
import { type Operation, operationsOf } from './operations.ts';
import { type PurchaseWatch, type Usual, watchPurchases } from './watchPurchases.ts';

const FEW = 1000;
const AGENTS = 20;
const TIMES = 9;
const MOST_RATIO = 5;
const MOST_DELAY_MS = 50;
/** What is over a bound is measured again, so often: what the machine did meanwhile does not repeat. */
const AGAIN = 3;

/** Milliseconds: the middle one at each history, and how much longer than usual the longest purchase took meanwhile. */
interface Cost {
  readonly fewMs: number;
  readonly manyMs: number;
  readonly delayMs: number;
}

/** An engine that each history has a database of its own on. */
export interface Engine {
  readonly name: string;
  /** Makes a database. @returns what leads a node to it; nothing where that is the node's own folder */
  create(name: string): Promise<string | undefined>;
  stop(): Promise<void>;
}

export interface History {
  readonly node: BenchNode;
  readonly webhookId: string;
}

export async function measureHistory(options: Options, folder: string): Promise<Target[]> {
  const targets: Target[] = [];
  for (const [name, start] of Object.entries({ sqlite, postgres })) {
    if (options.engine !== undefined && options.engine !== name) continue;
    const engine = await start();
    try {
      targets.push(...(await measureEngine(engine, options, folder)));
    } finally {
      await engine.stop();
    }
  }
  return targets;
}

export async function sqlite(): Promise<Engine> {
  return { name: 'SQLite', create: async () => undefined, stop: async () => {} };
}

export async function postgres(): Promise<Engine> {
  const { url, stop } = await startPostgres(true);
  return {
    name: 'PostgreSQL',
    async create(name) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`).finally(() => client.end());
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    stop,
  };
}

/** Both histories are served at once, and asked in turn, so that a machine that gets busier favours neither. */
async function measureEngine(engine: Engine, options: Options, folder: string): Promise<Target[]> {
  const histories: History[] = [];
  try {
    for (const size of [FEW, options.intents]) {
      const started = performance.now();
      histories.push(await makeHistory(engine, folder, size));
      console.log(`${engine.name}: ${size} intents in ${((performance.now() - started) / 1000).toFixed(0)} s`);
    }
    const [few, many] = histories as [History, History];
    const { costs, usual } = await measureBoth(few, many, options.intents);
    console.log(`\n${engine.name}\n\n${tableOf(costs, options.intents)}\n`);
    const alone = `${usual.medianMs.toFixed(1)} ms, the longest of ten ${usual.longestMs.toFixed(1)} ms`;
    console.log(`A purchase without reads beside it: ${alone}.\n`);
    return targetsOf(engine.name, costs, options.intents);
  } finally {
    for (const { node } of histories) await node.server.stop();
    rmSync(join(folder, engine.name), { recursive: true, force: true });
  }
}

/** A node whose store has so many intents and their purchases. */
export async function makeHistory(engine: Engine, folder: string, size: number, agentCount = AGENTS): Promise<History> {
  const databaseUrl = await engine.create(`intents_${size}`);
  const env: Record<string, string> = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  const node = await startBenchNode(String(size), join(folder, engine.name), agentCount, env);
  const { transactionId, tenantId, webhookId } = await buyOnce(node).finally(() => node.server.stop());
  const store =
    databaseUrl === undefined
      ? openSqlite(join(node.dataDir, 'countersign.db'), Date.now)
      : await openPostgres(databaseUrl, Date.now, { timeLimits: false });
  const agents = node.agents.map(({ did }) => did);
  const model = await readModel(store, transactionId);
  await fillHistory(store, model, { tenantId, issuer: node.issuerDid, agents, webhookId }, size, Date.now());
  await store.close();
  // The chain began anew.
  rmSync(join(node.dataDir, 'checkpoint'), { force: true });
  return { node: { ...node, server: await serveNode(String(size), node.dataDir, env) }, webhookId };
}

/** Purchases go on at the long history all the while. */
async function measureBoth(
  few: History,
  many: History,
  intents: number,
): Promise<{ costs: Map<string, Cost>; usual: Usual }> {
  // A checkpoint over all of it, which the first reading would make.
  for (const { node } of [few, many]) await waitForCheckpoint(node);
  const { node } = many;
  const client = await openBuyer(node, 'REST');
  const buy = buyerOf(node, 'REST');
  const watch = watchPurchases(async (number) => {
    const agent = node.agents[number % node.agents.length] as Peer;
    const items = [{ name: `Thing number ${number}`, price: 12.5, quantity: 1 }];
    await buy(client, agent, makeCart(node.merchant, { domain: SHOP, items, total: 12.5, currency: 'USD' }));
  });
  try {
    await watch.quiet(10);
    const usual = await watch.quiet(20);
    const costs = new Map<string, Cost>();
    const atFew = await operationsOf(few.node, few.webhookId, FEW);
    const atMany = await operationsOf(node, many.webhookId, intents);
    for (const [index, operation] of atMany.entries()) {
      costs.set(operation.name, await measureBounded([atFew[index] as Operation, operation], watch, usual));
    }
    return { costs, usual };
  } finally {
    await watch.stop();
    client.close();
  }
}

async function waitForCheckpoint(node: BenchNode): Promise<void> {
  for (let waited = 0; waited < 120; waited++) {
    const { data } = await adminRequest(node.server, 'GET', '/ap2/evidence/checkpoints?limit=1');
    if ((data as unknown[]).length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('The node signed no checkpoint within a minute.');
}

type Both = readonly [few: Operation, many: Operation];

async function measureBounded(both: Both, watch: PurchaseWatch, usual: Usual): Promise<Cost> {
  let cost = await measure(both, watch, usual, 0);
  for (let again = 1; again <= AGAIN; again++) {
    if (ratioOf(cost) <= MOST_RATIO && cost.delayMs <= MOST_DELAY_MS) break;
    const next = await measure(both, watch, usual, again);
    const better = ratioOf(next) < ratioOf(cost) ? next : cost;
    cost = { ...better, delayMs: Math.min(cost.delayMs, next.delayMs) };
  }
  return cost;
}

async function measure([few, many]: Both, watch: PurchaseWatch, usual: Usual, again: number): Promise<Cost> {
  const took: { few: number[]; many: number[] } = { few: [], many: [] };
  let longestMs = 0;
  for (let time = 0; time < TIMES; time++) {
    const round = again * TIMES + time;
    took.few.push(await timeOf(() => few.ask(round)));
    const beside = await watch.during(async () => void took.many.push(await timeOf(() => many.ask(round))));
    longestMs = Math.max(longestMs, beside.longestMs);
  }
  // The first ones are compiled and cached.
  const [fewMs, manyMs] = [median(took.few.slice(2)), median(took.many.slice(2))];
  return { fewMs, manyMs, delayMs: Math.max(0, longestMs - usual.longestMs) };
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function ratioOf({ fewMs, manyMs }: Cost): number {
  return manyMs / fewMs;
}

function tableOf(costs: ReadonlyMap<string, Cost>, intents: number): string {
  const [few, many] = [FEW, intents].map((size) => `${size.toLocaleString('en')}, ms`);
  const lines = [`| Operation | ${few} | ${many} | Ratio | A purchase later by, ms |`, '|---|---:|---:|---:|---:|'];
  const marked = (text: string, isOver: boolean) => (isOver ? `**${text}**` : text);
  for (const [name, cost] of costs) {
    const ratio = marked(ratioOf(cost).toFixed(1), ratioOf(cost) > MOST_RATIO);
    const delay = marked(cost.delayMs.toFixed(0), cost.delayMs > MOST_DELAY_MS);
    lines.push(`| ${name} | ${cost.fewMs.toFixed(1)} | ${cost.manyMs.toFixed(1)} | ${ratio} | ${delay} |`);
  }
  return lines.join('\n');
}

function targetsOf(engine: string, costs: ReadonlyMap<string, Cost>, intents: number): Target[] {
  const target = (name: string, values: readonly number[], most: number): Target => {
    const figure = Math.max(...values);
    return { name: `${name} on ${engine}`, figure, target: most, better: 'lower', rounds: [figure] };
  };
  const all = [...costs.values()];
  return [
    target(
      `worst ratio of ${intents.toLocaleString('en')} intents to ${FEW.toLocaleString('en')}`,
      all.map(ratioOf),
      MOST_RATIO,
    ),
    target(
      'most that a reading delays a purchase, ms,',
      all.map(({ delayMs }) => delayMs),
      MOST_DELAY_MS,
    ),
  ];
}
