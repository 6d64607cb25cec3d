/** What limits over a year cost: an intent beside a million payments against one on an almost empty node, and a shop named for the first time. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Peer } from '../test/support/peer.ts';
import { type Client, openClient } from './client.ts';
import { buyOnce } from './history/buyOnce.ts';
import { type Engine, postgres, sqlite } from './history/measureHistory.ts';
import { adminRequest, type BenchNode, intentBody, serveNode, signedCall, startBenchNode } from './node.ts';
import type { Options } from './options.ts';
import { percentile, type Target } from './report.ts';
import { fillYear } from './spend.ts';

const AGENTS = 20;
const WARM_UP = 500;
/** Most that the full node may take, as a multiple of the almost empty one. */
const MOST = 1.2;
/** A shop that is named for the first time holds the tenant up for so long at most. */
const MOST_NAMING_MS = 10_000;

/** One of those that half of the payments are at. */
const BUSY = 'shop1.example';

const LIMITS = [
  { name: 'year', max_amount: 1e12, window: '366d', scope: 'policy' },
  { name: 'agent', max_amount: 1e12, max_transactions: 1e9, window: 'year', timezone: 'Asia/Kathmandu' },
];
const AT_SHOP = { name: 'shop', max_amount: 1e12, window: '365d', scope: 'policy', merchant: BUSY };

interface Subject {
  readonly node: BenchNode;
  readonly client: Client;
  readonly latenciesMs: number[];
}

export async function measureYearLimit(options: Options, folder: string): Promise<Target[]> {
  const targets: Target[] = [];
  for (const [name, start] of Object.entries({ sqlite, postgres })) {
    if (options.engine !== undefined && options.engine !== name) continue;
    const engine = await start();
    try {
      targets.push(...(await measureEngine(engine, join(folder, name), options)));
    } finally {
      await engine.stop();
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
  return targets;
}

async function measureEngine(engine: Engine, folder: string, options: Options): Promise<Target[]> {
  const nodes = [await start(engine, folder, 0), await start(engine, folder, options.intents)] as const;
  const on = `on ${engine.name}`;
  const clients: Client[] = [];
  try {
    const named: number[] = [];
    for (const node of nodes) {
      const began = performance.now();
      await setLimits(node, [...LIMITS, AT_SHOP]);
      named.push(performance.now() - began);
    }
    // Only now: a node closes a connection on which no request comes.
    const subjects = [await connect(nodes[0]), await connect(nodes[1])] as const;
    clients.push(...subjects.map(({ client }) => client));
    const [few, many] = subjects;
    for (const subject of subjects) for (let i = 0; i < WARM_UP; i += 1) await issueOne(subject);
    for (const { latenciesMs } of subjects) latenciesMs.length = 0;
    const rounds: { few: number[]; many: number[] }[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      const from = [few.latenciesMs.length, many.latenciesMs.length] as const;
      const until = performance.now() + options.seconds * 2000;
      // Who goes first alternates, since the second one finds the disk a little less idle.
      for (let turn = 0; performance.now() < until; turn += 1) {
        for (const subject of turn % 2 === 0 ? [few, many] : [many, few]) await issueOne(subject);
      }
      rounds.push({ few: few.latenciesMs.slice(from[0]), many: many.latenciesMs.slice(from[1]) });
    }
    const ratios = [50, 99].map((percent) => ({
      name: `p${percent} of an intent in three limits over a year beside ${options.intents} payments, against none, ${on}`,
      figure: percentile(many.latenciesMs, percent) / percentile(few.latenciesMs, percent),
      target: MOST,
      better: 'lower' as const,
      rounds: rounds.map((each) => percentile(each.many, percent) / percentile(each.few, percent)),
    }));
    const naming = {
      name: `a shop named for the first time beside ${options.intents} payments, ms, ${on}`,
      target: MOST_NAMING_MS,
    };
    return [...ratios, { ...naming, figure: named[1] as number, better: 'lower', rounds: named }];
  } finally {
    for (const client of clients) client.close();
    for (const { server } of nodes) await server.stop();
  }
}

/** A node with two limits over a year, and so many payments in it. */
async function start(engine: Engine, folder: string, payments: number): Promise<BenchNode> {
  const name = `year${payments}`;
  const databaseUrl = await engine.create(name);
  const env: Record<string, string> = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  const fresh = await startBenchNode(name, folder, AGENTS, env);
  const { tenantId } = await buyOnce(fresh).finally(() => fresh.server.stop());
  if (payments > 0) await fillYear({ dataDir: fresh.dataDir, databaseUrl }, tenantId, fresh, payments);
  const server = await serveNode(name, fresh.dataDir, env);
  const node = { ...fresh, server };
  await setLimits(node, LIMITS);
  return node;
}

async function connect(node: BenchNode): Promise<Subject> {
  return { node, client: await openClient(node.server.port, {}), latenciesMs: [] };
}

async function setLimits({ server, rules }: BenchNode, limits: readonly object[]): Promise<void> {
  await adminRequest(server, 'POST', '/ap2/admin/policies', { name: 'Bench', rules: { ...rules, risk: { limits } } });
}

async function issueOne({ node, client, latenciesMs }: Subject): Promise<void> {
  const agent = node.agents[latenciesMs.length % AGENTS] as Peer;
  const request = { maxAmount: 42.5, currency: 'USD', vendorHints: { domain: BUSY } };
  const call = signedCall(node, agent, 'IntentMandate', intentBody(node, agent, { request }));
  const started = performance.now();
  const { status, text } = await client.post('/a2a/gateway', call);
  latenciesMs.push(performance.now() - started);
  if (status !== 200 || !text.includes('"allowed":true')) throw new Error(`An intent answered ${status}: ${text}`);
}
