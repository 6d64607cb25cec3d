/** What a year of payments takes to be summed: all of it, by day, agent and merchant, over a range that begins and ends amid stretches. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgres } from '../src/store/postgres/postgresStore.ts';
import { openSqlite } from '../src/store/sqlite/sqliteStore.ts';
import { type PaymentRow, payments } from '../src/store/statements/purchases/payments.ts';
import { columnNames } from '../src/store/statements/tableDefinition.ts';
import { all, run, type Store } from '../src/store/store.ts';
import { buyOnce } from './history/buyOnce.ts';
import { type Engine, postgres, sqlite } from './history/measureHistory.ts';
import { expressionOf } from './history/modelRow.ts';
import { adminRequest, type BenchNode, serveNode, startBenchNode } from './node.ts';
import type { Options } from './options.ts';
import { median, type Target } from './report.ts';
import { SUM_ANEW } from './sumAnew.ts';

const DAY_MS = 24 * 3600 * 1000;
const YEAR_DAYS = 365;
const AGENTS = 20;
const MERCHANTS = 1000;
const AT_ONCE = 20_000;
const TIMES = 9;
/** Asked before, since the first ones are compiled and cached. */
const UNMEASURED = 5;
const MOST_MS = 100;

export async function measureSpend(options: Options, folder: string): Promise<Target[]> {
  const targets: Target[] = [];
  for (const [name, start] of Object.entries({ sqlite, postgres })) {
    if (options.engine !== undefined && options.engine !== name) continue;
    const engine = await start();
    try {
      targets.push(...(await measureEngine(engine, join(folder, name), options.intents)));
    } finally {
      await engine.stop();
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
  return targets;
}

async function measureEngine(engine: Engine, folder: string, count: number): Promise<Target[]> {
  const databaseUrl = await engine.create('spend');
  const env: Record<string, string> = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  const node = await startBenchNode('spend', folder, AGENTS, env);
  const { tenantId } = await buyOnce(node).finally(() => node.server.stop());
  await fillYear({ dataDir: node.dataDir, databaseUrl }, tenantId, node, count);
  const server = await serveNode('spend', node.dataDir, env);
  try {
    return await ask({ ...node, server }, engine.name, count);
  } finally {
    await server.stop();
  }
}

/** Payments like the one that was made, evenly over the year; every tenth is in another currency, half of them at 20 merchants. */
export async function fillYear(
  { dataDir, databaseUrl }: { readonly dataDir: string; readonly databaseUrl: string | undefined },
  tenantId: string,
  { agents }: Pick<BenchNode, 'agents'>,
  count: number,
): Promise<void> {
  const store =
    databaseUrl === undefined
      ? openSqlite(join(dataDir, 'countersign.db'), Date.now)
      : await openPostgres(databaseUrl, Date.now, { timeLimits: false });
  await fill(store, tenantId, agents, count);
  await store.close();
}

async function fill(store: Store, tenantId: string, agents: BenchNode['agents'], count: number): Promise<void> {
  const [model] = await store.read(() => all<PaymentRow>('SELECT * FROM payments LIMIT 1'));
  if (model === undefined) throw new Error('Nothing was bought.');
  const id = (prefix: string) => `'${prefix}_y' || CAST(1000000000 + f.n AS TEXT)`;
  const start = Date.now() - YEAR_DAYS * DAY_MS;
  const renamed = new Map([
    [model.mandate_id, id('pm')],
    [model.intent_id, id('intent')],
    [model.transaction_id, id('txn')],
    [String(model.rail_id), id('rail')],
    [String(model.cart_hash), id('sha256:')],
  ]);
  const differing: Readonly<Record<string, string>> = {
    created_at: `${start} + CAST(f.n * ${(YEAR_DAYS * DAY_MS) / count} AS BIGINT)`,
    agent_did: `CASE f.n % ${agents.length} ${agents.map(({ did }, at) => `WHEN ${at} THEN '${did}'`).join(' ')} END`,
    merchant: `'shop' || CAST(CASE f.n % 2 WHEN 0 THEN f.n / 2 % 20 ELSE f.n * 7 % ${MERCHANTS} END AS TEXT) || '.example'`,
    currency: "CASE f.n % 10 WHEN 0 THEN 'EUR' ELSE 'USD' END",
  };
  const names = columnNames(payments);
  const cells = names.map((name) => differing[name] ?? expressionOf(model[name as keyof PaymentRow], renamed));
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT CAST(? AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?)`;
  const sql = `INSERT INTO payments (${names.join(', ')}) ${numbers} SELECT ${cells.join(', ')} FROM numbers AS f`;
  for (let from = 0; from < count; from += AT_ONCE) {
    await store.write(tenantId, () => run(sql, from, Math.min(count, from + AT_ONCE)));
  }
  for (const statement of SUM_ANEW) await store.write(tenantId, () => run(statement));
  if (store.engine === 'postgres') await store.write(tenantId, () => run('ANALYZE'));
}

async function ask(node: BenchNode, engine: string, count: number): Promise<Target[]> {
  const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  const targets: Target[] = [];
  for (const by of [undefined, 'day', 'agent', 'merchant']) {
    const query = new URLSearchParams({ from: dayOf(YEAR_DAYS - 9), to: dayOf(3), ...(by !== undefined && { by }) });
    const took: number[] = [];
    for (let time = -UNMEASURED; time < TIMES; time += 1) {
      const started = performance.now();
      const { totals } = (await adminRequest(node.server, 'GET', `/ap2/admin/spend?${query}`)) as { totals: unknown[] };
      if (time >= 0) took.push(performance.now() - started);
      if (totals.length !== 2) throw new Error(`The year was summed as ${JSON.stringify(totals)}.`);
    }
    const name = `${count.toLocaleString('en')} payments of a year${by === undefined ? '' : ` by ${by}`}, ms, on ${engine}`;
    targets.push({ name, figure: median(took), target: MOST_MS, better: 'lower', rounds: took });
  }
  return targets;
}
