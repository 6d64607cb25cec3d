/**
 * Two nodes against one on one PostgreSQL, with one tenant and with several: purchases a second, and how long a tenant's lock is
 * held for them. Where nodes, server and load share the same cores, the rate of two says little; the share of the time in which one
 * node holds the lock says how many nodes could take it in turn.
 */
import { join } from 'node:path';
import pg from 'pg';
import { lockOf } from '../src/store/postgres/tenantLock.ts';
import type { JsonObject, Peer } from '../test/support/peer.ts';
import { buyerOf, makeCarts, openBuyer } from './buyer.ts';
import { postgres } from './history/measureHistory.ts';
import { type BenchNode, serveNode, startBenchNode } from './node.ts';
import type { Options } from './options.ts';
import { median, type Target } from './report.ts';
import type { Server } from './server.ts';

const CLIENTS = 64;
const TENANTS = 8;
const WARM_UP_SECONDS = 4;
const LOOK_MS = 3;
const LEAST = { 1: 1.6, [TENANTS]: 1.8 } as const;

interface Round {
  readonly purchases: number;
  readonly commits: number;
  readonly scripts: number;
  /** The share of the looks at which each tenant's lock was held, summed over the tenants. */
  readonly held: number;
  readonly seconds: number;
}

export async function measureScale(options: Options, folder: string): Promise<Target[]> {
  const targets: Target[] = [];
  const engine = await postgres();
  try {
    for (const tenants of [1, TENANTS] as const) {
      const url = String(await engine.create(`tenants_${tenants}`));
      const node = await startBenchNode(`of ${tenants}`, folder, CLIENTS, { DATABASE_URL: url });
      const ids = await divide(url, tenants);
      const second = await serveNode('second', join(folder, 'second'), {
        DATABASE_URL: url,
        ISSUER_KEY_FILE: join(node.dataDir, 'issuer.key'),
        ROOT_KEY_FILE: join(node.dataDir, 'root.key'),
      });
      try {
        targets.push(...(await compare(options, { node, second, url, ids })));
      } finally {
        await Promise.all([node.server.stop(), second.stop()]);
      }
    }
  } finally {
    await engine.stop();
  }
  return targets;
}

interface Nodes {
  readonly node: BenchNode;
  readonly second: Server;
  readonly url: string;
  /** Of the tenants. */
  readonly ids: readonly string[];
}

/** Gives each tenant its part of the agents, and the policy and the merchant of the first one. */
async function divide(url: string, count: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const first = String((await client.query('SELECT id FROM tenants')).rows[0].id);
    const ids = [first];
    for (let number = 1; number < count; number++) {
      const id = `${first}${number}`;
      await client.query("INSERT INTO tenants (id, name, created_at, webhooks_version) VALUES ($1, 'bench', 0, '')", [
        id,
      ]);
      for (const table of ['policies', 'merchants']) await copyRows(client, table, first, id);
      const part = 'SELECT did FROM agents WHERE tenant_id = $2 ORDER BY did LIMIT $3';
      await client.query(`UPDATE agents SET tenant_id = $1 WHERE did IN (${part})`, [id, first, CLIENTS / count]);
      ids.push(id);
    }
    return ids;
  } finally {
    await client.end();
  }
}

async function copyRows(client: pg.Client, table: string, from: string, to: string): Promise<void> {
  const { rows } = await client.query<Record<string, unknown>>(`SELECT * FROM ${table} WHERE tenant_id = $1`, [from]);
  for (const row of rows) {
    const copy = { ...row, tenant_id: to, id: `${row['id']}${to.slice(from.length)}` };
    const names = Object.keys(copy);
    const places = names.map((_, index) => `$${index + 1}`);
    await client.query(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`, Object.values(copy));
  }
}

/** One node and both in turn. */
async function compare(options: Options, nodes: Nodes): Promise<Target[]> {
  const { node, second, ids } = nodes;
  const sides = [[node.server], [node.server, second]];
  for (const servers of sides) await runRound(nodes, servers, WARM_UP_SECONDS);
  const ratios: number[] = [];
  const shares: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const measured: Round[] = [];
    for (const servers of sides) {
      const found = await runRound(nodes, servers, options.seconds);
      console.log(lineOf(servers.length, ids.length, found));
      measured.push(found);
    }
    const [alone, together] = measured as [Round, Round];
    ratios.push(together.purchases / together.seconds / (alone.purchases / alone.seconds));
    shares.push(ids.length / alone.held);
  }
  const of = `with ${ids.length === 1 ? 'one tenant' : `${ids.length} tenants`}`;
  const target = LEAST[ids.length as keyof typeof LEAST];
  return [
    {
      name: `purchases of two nodes against one, ${of}`,
      figure: median(ratios),
      target,
      better: 'higher',
      rounds: ratios,
    },
    {
      name: `nodes that could take the lock in turn, ${of}`,
      figure: median(shares),
      target,
      better: 'higher',
      rounds: shares,
    },
  ];
}

async function runRound({ node, url, ids }: Nodes, servers: readonly Server[], seconds: number): Promise<Round> {
  const buy = buyerOf(node, 'A2A');
  const carts: JsonObject[] = [];
  const watch = await watchLocks(url, ids);
  const before = await countsOf(servers);
  const started = performance.now();
  const end = started + seconds * 1000;
  let purchases = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, index) => {
      const server = servers[index % servers.length] as Server;
      const client = await openBuyer({ ...node, server }, 'A2A');
      while (performance.now() < end) {
        if (carts.length === 0) carts.push(...makeCarts(node, 64));
        await buy(client, node.agents[index] as Peer, carts.pop() as JsonObject);
        purchases += 1;
      }
      client.close();
    }),
  );
  const took = (performance.now() - started) / 1000;
  const after = await countsOf(servers);
  const held = await watch.stop();
  const { commits, scripts } = after;
  return { purchases, commits: commits - before.commits, scripts: scripts - before.scripts, held, seconds: took };
}

async function countsOf(servers: readonly Server[]): Promise<{ commits: number; scripts: number }> {
  let commits = 0;
  let scripts = 0;
  for (const { address } of servers) {
    const text = await (await fetch(`${address}/metrics`)).text();
    const value = (name: string) => Number(new RegExp(`^countersign_${name} (\\S+)`, 'm').exec(text)?.[1]);
    commits += value('commits_total');
    scripts += value('commits_total') * value('commit_group_size');
  }
  return { commits, scripts };
}

/** Looks at the tenants' locks every few milliseconds. */
async function watchLocks(url: string, ids: readonly string[]): Promise<{ stop(): Promise<number> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const sql = `SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory' AND granted
    AND ((classid::bigint << 32) | objid::bigint) = ANY($1::bigint[])`;
  const locks = ids.map((id) => lockOf(id).toString());
  let looks = 0;
  let held = 0;
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      const { rows } = await client.query<{ held: number }>({ name: 'locks', text: sql, values: [locks] });
      looks += 1;
      held += rows[0]?.held ?? 0;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await looking;
      await client.end();
      return held / looks;
    },
  };
}

function lineOf(nodes: number, tenants: number, { purchases, commits, scripts, held, seconds }: Round): string {
  const holdMs = (held * seconds * 1000) / commits;
  return (
    `${nodes === 1 ? 'one node ' : 'two nodes'}, ${tenants} tenants: ${(purchases / seconds).toFixed(0)} purchases a second; ` +
    `${(scripts / commits).toFixed(1)} scripts a commit, a lock is held ${((held / tenants) * 100).toFixed(0)} % of the time, ` +
    `${holdMs.toFixed(2)} ms for a commit and ${((holdMs * commits) / scripts).toFixed(2)} ms for a script`
  );
}
