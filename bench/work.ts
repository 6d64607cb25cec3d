/**
 * What one intent and one purchase over A2A make a node do, counted and not timed: pages that SQLite writes to its log, by
 * table and index, one by one and many at once; statements; and how often a node waits for PostgreSQL.
 *
 * What is counted is the steady state. The store is aged and the agents have bought before; so much comes that workers fill late
 * indexes in full batches, as they do under load, and what they do is counted in. A commit writes each page that it changes
 * once, so pages depend on how many requests share one: as many come at once as a busy node finds in a turn, however fast the
 * machine is.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { startProxy } from '../test/store/postgres/proxy.ts';
import type { JsonObject, Peer } from '../test/support/peer.ts';
import type { Kind } from './acts.ts';
import { makeCarts, openBuyer } from './buyer.ts';
import type { Client } from './client.ts';
import { makeHistory, postgres, sqlite } from './history/measureHistory.ts';
import { type BenchNode, intentBody, serveNode, signedCall } from './node.ts';
import type { Options } from './options.ts';
import { median, type Target } from './report.ts';

/** Enough that keys in no order lie on different pages. */
const HISTORY = 20_000;
const AGENTS = 256;
const AT_ONCE = 16;
const ALONE = 40;
/** Agents that have bought before. */
const USUAL = 8;
/** Whole batches of what workers take at once, which is four thousand events and two thousand rows. */
const TOGETHER = { intent: 4096, purchase: 2048 };
const SETTLE_MS = 3000;
/** So far that what the node sends without waiting has gone before there is an answer. Requests name whose they are, rounds of workers hardly ever. */
const FAR_AWAY = { delayMs: 3, counted: /tnt_|did:key:/ };
const FRAME_HEADER = 24;
const LOG_HEADER = 32;
const MOST = { intent: { pages: 1.6, trips: 3 }, purchase: { pages: 10, statements: 20, trips: 12 } };

/** Requests of so many agents at once, and again where a purchase needs several. */
type Act = (client: Client, numbers: readonly number[]) => Promise<void>;

export async function measureWork(options: Options, folder: string): Promise<Target[]> {
  const targets: Target[] = [];
  if (options.engine !== 'postgres') targets.push(...(await onSqlite(folder)));
  if (options.engine !== 'sqlite') targets.push(...(await onPostgres(folder)));
  return targets;
}

async function onSqlite(folder: string): Promise<Target[]> {
  const { pages, statements } = await countOnSqlite(folder, HISTORY);
  for (const [kind, each] of statements) console.log(`statements, ${kind}: ${each.toFixed(1)}`);
  const together = (kind: Kind) => pages.get(`${kind}, ${AT_ONCE} at once`) ?? Number.NaN;
  return [
    most('pages of the log an intent', together('intent'), MOST.intent.pages),
    most('pages of the log a purchase', together('purchase'), MOST.purchase.pages),
    most('statements a purchase on SQLite', statements.get('purchase') ?? Number.NaN, MOST.purchase.statements),
  ];
}

export interface Counts {
  /** Written to the log, by kind and how many came at once. */
  readonly pages: ReadonlyMap<string, number>;
  readonly statements: ReadonlyMap<Kind, number>;
}

/** @param history so many intents are in the store before @param together how many come at once, beside those that come alone */
export async function countOnSqlite(folder: string, history: number, together = [AT_ONCE]): Promise<Counts> {
  const { node } = await makeHistory(await sqlite(), folder, history, AGENTS);
  await node.server.stop();
  const pages = new Map<string, number>();
  const statements = new Map<Kind, number>();
  for (const [kind, act] of acts(node)) {
    for (const atOnce of [1, ...together]) {
      // With a log of its own.
      const server = await serveNode('countersign', node.dataDir);
      const served = { ...node, server };
      const title = `${kind}, ${atOnce} at once`;
      pages.set(title, await countPages(served, act, atOnce, atOnce === 1 ? ALONE : TOGETHER[kind], title));
      if (atOnce === 1) statements.set(kind, await countStatements(served, act));
      await server.stop();
    }
  }
  return { pages, statements };
}

/** Prints by table and index what so many requests, or purchases, write to the log. @returns pages for each of them */
async function countPages(node: BenchNode, act: Act, atOnce: number, count: number, title: string): Promise<number> {
  const database = join(node.dataDir, 'countersign.db');
  await perform(node, act, atOnce, atOnce);
  const log = new Log(database);
  const before = await totalOf(node, 'commits');
  await perform(node, act, atOnce, count);
  const commits = (await totalOf(node, 'commits')) - before;
  // What is left to workers waits until nothing comes for a second.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const found = log.take();
  log.close();
  console.log(tableOf(title, found, pageNames(database), count));
  console.log(`${(count / commits).toFixed(1)} for each commit, those of workers counted in`);
  return found.length / count;
}

/** The middle one of many, since workers ask in between. */
async function countStatements(node: BenchNode, act: Act): Promise<number> {
  const client = await openBuyer(node, 'A2A');
  const counts: number[] = [];
  for (let number = 0; number < USUAL + ALONE; number++) {
    const before = await totalOf(node, 'statements');
    // Asking for the figures costs some, too.
    const own = (await totalOf(node, 'statements')) - before;
    await act(client, [number % USUAL]);
    if (number >= USUAL) counts.push((await totalOf(node, 'statements')) - before - 2 * own);
  }
  client.close();
  return median(counts);
}

async function onPostgres(folder: string): Promise<Target[]> {
  const engine = await postgres();
  let direct = '';
  try {
    const create = async (name: string) => (direct = (await engine.create(name)) ?? '');
    const { node } = await makeHistory({ ...engine, create }, folder, 1000, AGENTS);
    await node.server.stop();
    const proxy = await startProxy(direct, FAR_AWAY);
    // Nothing but requests is to be counted: what works in rounds waits longer than this takes.
    const server = await serveNode('proxied', node.dataDir, { DATABASE_URL: proxy.url });
    const proxied = { ...node, server };
    try {
      const targets: Target[] = [];
      for (const [kind, act] of acts(proxied)) {
        const client = await openBuyer(proxied, 'A2A');
        // An agent's first purchase counts its windows anew.
        for (let number = 0; number < USUAL; number++) await act(client, [number]);
        const trips: number[] = [];
        for (let number = 0; number < ALONE; number++) {
          const before = proxy.trips();
          await act(client, [number % USUAL]);
          trips.push(proxy.trips() - before);
        }
        client.close();
        // Workers ask in between: the fewest are those of the request alone.
        targets.push(most(`waits for PostgreSQL, ${kind}`, Math.min(...trips), MOST[kind].trips));
      }
      return targets;
    } finally {
      await server.stop();
      await proxy.stop();
    }
  } finally {
    await engine.stop();
  }
}

function acts(node: BenchNode): ReadonlyMap<Kind, Act> {
  const carts = makeCarts(node, 2 * (2 * ALONE + AT_ONCE + TOGETHER.purchase));
  const agentsOf = (numbers: readonly number[]) =>
    numbers.map((number) => node.agents[(number * 37) % node.agents.length] as Peer);
  const issue = (client: Client, agents: readonly Peer[]) =>
    ask(client, node, agents, 'IntentMandate', (agent) => intentBody(node, agent));
  return new Map<Kind, Act>([
    ['intent', async (client, numbers) => void (await issue(client, agentsOf(numbers)))],
    [
      'purchase',
      async (client, numbers) => {
        const agents = agentsOf(numbers);
        const intents = await issue(client, agents);
        const offered = await ask(client, node, agents, 'CartMandate', (_agent, at) => {
          return { intentVc: intents[at]?.intentVc as JsonObject, cartVc: carts.pop() as JsonObject };
        });
        const approved = offered.map(({ approvalToken }) => approvalToken as string);
        await ask(client, node, agents, 'PaymentMandate', (_agent, at) => ({ approvalToken: approved[at] as string }));
      },
    ],
  ]);
}

/** One message of each agent, in a batch. @throws Error where one of them is refused */
async function ask(
  client: Client,
  node: BenchNode,
  agents: readonly Peer[],
  type: string,
  bodyOf: (agent: Peer, at: number) => JsonObject,
): Promise<JsonObject[]> {
  const calls = agents.map((agent, at) => signedCall(node, agent, type, bodyOf(agent, at)));
  const { status, text } = await client.post('/a2a/gateway', `[${calls.join(',')}]`);
  if (status !== 200) throw new Error(text);
  const answers = JSON.parse(text) as { readonly result?: { readonly message: { readonly body: JsonObject } } }[];
  return answers.map(({ result }) => {
    if (result === undefined || result.message.body.allowed === false) throw new Error(text);
    return result.message.body;
  });
}

/** So many at once, all in all so many. */
async function perform(node: BenchNode, act: Act, atOnce: number, count: number): Promise<void> {
  const client = await openBuyer(node, 'A2A');
  for (let begun = 0; begun < count; begun += atOnce) {
    await act(
      client,
      Array.from({ length: atOnce }, (_, index) => begun + index),
    );
  }
  client.close();
}

async function totalOf(node: BenchNode, what: 'commits' | 'statements'): Promise<number> {
  const response = await fetch(`${node.server.address}/metrics`);
  return Number(new RegExp(`^countersign_${what}_total (\\d+)`, 'm').exec(await response.text())?.[1]);
}

/** The pages that are written to a log from now on. Format: https://www.sqlite.org/walformat.html */
class Log {
  readonly #file: string;
  /** Reads a snapshot all the while, so that the log does not begin anew. */
  readonly #reader: Database.Database;
  readonly #from: number;

  constructor(database: string) {
    this.#file = `${database}-wal`;
    this.#reader = new Database(database, { readonly: true });
    this.#reader.exec('BEGIN');
    this.#reader.prepare('SELECT COUNT(*) FROM settings').get();
    this.#from = this.#frames().length;
  }

  /** The numbers of the pages written, one for each time. */
  take(): number[] {
    return this.#frames().slice(this.#from);
  }

  close(): void {
    this.#reader.close();
  }

  /** Those of the present log: what follows them in the file has the salts of a former one. */
  #frames(): number[] {
    const descriptor = openSync(this.#file, 'r');
    const read = (length: number, at: number): Buffer => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, length, at));
    };
    const header = read(LOG_HEADER, 0);
    const length = header.readUInt32BE(8) + FRAME_HEADER;
    const pages: number[] = [];
    for (let at = LOG_HEADER; ; at += length) {
      const head = read(FRAME_HEADER, at);
      if (head.length < FRAME_HEADER || !head.subarray(8, 16).equals(header.subarray(16, 24))) break;
      pages.push(head.readUInt32BE(0));
    }
    closeSync(descriptor);
    return pages;
  }
}

/** Whose page each is, as the engine tells it: https://www.sqlite.org/dbstat.html */
function pageNames(file: string): ReadonlyMap<number, string> {
  const database = new Database(file, { readonly: true });
  const rows = database.prepare('SELECT pageno, name FROM dbstat').all() as { pageno: number; name: string }[];
  database.close();
  return new Map(rows.map(({ pageno, name }) => [pageno, name]));
}

function tableOf(title: string, pages: readonly number[], names: ReadonlyMap<number, string>, count: number): string {
  const byName = new Map<string, number>();
  for (const page of pages) {
    const name = names.get(page) ?? 'none';
    byName.set(name, (byName.get(name) ?? 0) + 1);
  }
  const lines = [...byName]
    .sort(([, one], [, other]) => other - one)
    .map(([name, number]) => `  ${(number / count).toFixed(2).padStart(6)}  ${name}`);
  return `\npages of the log, ${title}: ${(pages.length / count).toFixed(2)} each\n${lines.join('\n')}`;
}

function most(name: string, figure: number, target: number): Target {
  return { name, figure, target, better: 'lower', rounds: [figure] };
}
