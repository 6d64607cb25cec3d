/**
 * What one intent and one purchase over A2A make a node do, counted and not timed: pages that SQLite writes to its log, by
 * table and index, with one client and with many at once; statements; and how often a node waits for PostgreSQL.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { startProxy } from '../store/postgres/proxy.ts';
import { acts, type Kind, perform } from './acts.ts';
import { openBuyer } from './buyer.ts';
import { makeHistory, postgres, sqlite } from './history/measureHistory.ts';
import { type BenchNode, serveNode } from './node.ts';
import type { Options } from './options.ts';
import type { Target } from './report.ts';

/** Enough that keys in no order lie on different pages. */
const HISTORY = 20_000;
const AGENTS = 256;
const CLIENTS = 64;
const ALONE = 40;
/** Agents that have bought before. */
const USUAL = 8;
/** Few enough that the log does not begin anew meanwhile. */
const TOGETHER = { intent: 8 * CLIENTS, purchase: 2 * CLIENTS };
const CARTS = 4 * (ALONE + TOGETHER.purchase);
const SETTLE_MS = 3000;
const FRAME_HEADER = 24;
const LOG_HEADER = 32;
const MOST = { intent: { pages: 1.6, trips: 3 }, purchase: { pages: 7, statements: 25, trips: 12 } };

export async function measureWork(options: Options, folder: string): Promise<Target[]> {
  const targets: Target[] = [];
  if (options.engine !== 'postgres') targets.push(...(await onSqlite(folder)));
  if (options.engine !== 'sqlite') targets.push(...(await onPostgres(folder)));
  return targets;
}

async function onSqlite(folder: string): Promise<Target[]> {
  const { node } = await makeHistory(await sqlite(), folder, HISTORY, AGENTS);
  await node.server.stop();
  const pages = new Map<string, number>();
  const statements = new Map<Kind, number>();
  for (const [kind, act] of acts(node, CARTS)) {
    for (const clients of [1, CLIENTS]) {
      // With a log of its own.
      const server = await serveNode('countersign', node.dataDir);
      const count = clients === 1 ? ALONE : TOGETHER[kind];
      const database = join(node.dataDir, 'countersign.db');
      const log = new Log(`${database}-wal`);
      const served = { ...node, server };
      await perform(served, act, 1, 2);
      log.take();
      const before = await statementsOf(served);
      await perform(served, act, clients, count);
      if (clients === 1) statements.set(kind, ((await statementsOf(served)) - before) / count);
      // What is left to workers is part of the pages; they wait until nothing comes for a second.
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      const found = log.take();
      await server.stop();
      const title = `${kind}, ${clients === 1 ? 'one client' : `${clients} clients`}`;
      console.log(tableOf(title, found, pageNames(database), count));
      pages.set(title, found.length / count);
    }
  }
  for (const [kind, each] of statements) console.log(`statements, ${kind}, one client: ${each.toFixed(1)}`);
  const together = (kind: Kind) => pages.get(`${kind}, ${CLIENTS} clients`) ?? Number.NaN;
  return [
    most('pages of the log an intent', together('intent'), MOST.intent.pages),
    most('pages of the log a purchase', together('purchase'), MOST.purchase.pages),
    most('statements a purchase on SQLite', statements.get('purchase') ?? Number.NaN, MOST.purchase.statements),
  ];
}

async function onPostgres(folder: string): Promise<Target[]> {
  const engine = await postgres();
  let direct = '';
  try {
    const create = async (name: string) => (direct = (await engine.create(name)) ?? '');
    const { node } = await makeHistory({ ...engine, create }, folder, 1000, AGENTS);
    await node.server.stop();
    const proxy = await startProxy(direct);
    // Nothing but requests is to be counted: what works in rounds waits longer than this takes.
    const server = await serveNode('proxied', node.dataDir, { DATABASE_URL: proxy.url });
    const proxied = { ...node, server };
    try {
      const targets: Target[] = [];
      for (const [kind, act] of acts(proxied, CARTS)) {
        const client = await openBuyer(proxied, 'A2A');
        // An agent's first purchase counts its windows anew.
        for (let number = 0; number < USUAL; number++) await act(client, number);
        const trips: number[] = [];
        for (let number = 0; number < ALONE; number++) {
          const before = proxy.trips();
          await act(client, number % USUAL);
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

async function statementsOf(node: BenchNode): Promise<number> {
  const response = await fetch(`${node.server.address}/metrics`);
  return Number(/^countersign_statements_total (\d+)/m.exec(await response.text())?.[1]);
}

/** The pages that were written to a log; it must not begin anew meanwhile. Format: https://www.sqlite.org/walformat.html */
class Log {
  readonly #file: string;
  #read = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** The numbers of the pages written since the last call, one for each time. */
  take(): number[] {
    const { size } = statSync(this.#file);
    const descriptor = openSync(this.#file, 'r');
    const header = Buffer.alloc(LOG_HEADER);
    readSync(descriptor, header, 0, LOG_HEADER, 0);
    const frame = header.readUInt32BE(8) + FRAME_HEADER;
    const pages: number[] = [];
    if (size < this.#read) throw new Error('The log began anew.');
    for (let at = Math.max(LOG_HEADER, this.#read); at + frame <= size; at += frame) {
      const head = Buffer.alloc(FRAME_HEADER);
      readSync(descriptor, head, 0, FRAME_HEADER, at);
      pages.push(head.readUInt32BE(0));
      this.#read = at + frame;
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
