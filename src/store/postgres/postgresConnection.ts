/** Connections to PostgreSQL: the pool, the conversion of values, and each SQL text prepared once per connection. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { numberPlaceholders } from '../sqlText.ts';
import type { Result, Statement } from '../store.ts';

/** Time limits, so that a node that hangs neither holds a tenant's lock nor waits for one for ever. */
const TIME_LIMITS = {
  lock_timeout: 10_000,
  // Between two statements a node only computes. One that was stopped there, or is cut off, loses its transaction to those
  // who wait for the lock, and runs it again when it wakes.
  idle_in_transaction_session_timeout: 1000,
  statement_timeout: 15_000,
  // Longer than the others: it applies when the network lost the query or the answer.
  query_timeout: 20_000,
};

export interface PoolOptions {
  readonly maxConnections?: number;
  /** False for work that may take minutes, such as a migration. */
  readonly timeLimits?: boolean;
}

/**
 * The planner takes a page at a random place for four times as dear as the next one, as on a disk that turns. It then reads
 * whole tables in the order of their keys to find rows that an index would show not to be there.
 */
const PLANNING = 'SET random_page_cost = 1.1';

/** Creates the pool; connections are opened when they are first used. */
export function makePool(url: string, options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    fallback_application_name: 'countersign',
    // Statements are sent without waiting for BEGIN and savepoints, which saves a round trip each.
    pipeline: true,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    ...(options.timeLimits === false ? {} : TIME_LIMITS),
  });
  // Without listeners a restart of the server would end this process. A query in progress is rejected anyway, and the
  // pool drops an idle connection anyway.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', (error) => ends.set(client, error));
    // A server of another make may not have the setting, and does without.
    void client.query(PLANNING).catch(() => {});
  });
  return pool;
}

const ends = new WeakMap<object, unknown>();

/** The server's own reason for ending a connection, where it gave one; each use of the connection fails with another. */
export function endOf(client: pg.PoolClient): unknown {
  const end = ends.get(client);
  return end instanceof pg.DatabaseError ? end : undefined;
}

interface PreparedQuery {
  readonly name: string;
  readonly text: string;
}

const prepared = new Map<string, PreparedQuery>();

/** Runs one statement. @throws the server's error, with its SQLSTATE as `code` */
export async function execute(client: pg.PoolClient, { sql, args }: Statement): Promise<Result> {
  const { name, text } = prepare(sql);
  holdForOneTurn(client);
  const result = await client.query<Record<string, unknown>>({ name, text, values: [...args] });
  return { rows: result.rows, changes: result.command === 'SELECT' ? 0 : (result.rowCount ?? 0) };
}

/** Sends commands without arguments. */
export function command(client: pg.PoolClient, commands: string): Promise<pg.QueryResult> {
  holdForOneTurn(client);
  return client.query(commands);
}

/** What is sent in one turn of the event loop goes out in one piece, or the server would answer the first part by itself. */
function holdForOneTurn(client: pg.PoolClient): void {
  if (!(client instanceof pg.Client)) return;
  const { stream } = client.connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

function prepare(sql: string): PreparedQuery {
  let statement = prepared.get(sql);
  if (statement === undefined) {
    const name = createHash('sha256').update(sql).digest('hex').slice(0, 32);
    statement = { name, text: numberPlaceholders(sql) };
    prepared.set(sql, statement);
  }
  return statement;
}

const { BOOL, INT8, NUMERIC } = pg.types.builtins;

/** Converts values as SQLite returns them: integers as numbers, booleans as 0 or 1. */
function parserOf(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === INT8 || oid === NUMERIC) return parseInteger;
  if (oid === BOOL) return (text) => (text === 't' ? 1 : 0);
  return pg.types.getTypeParser(oid, format);
}

function parseInteger(text: string): number {
  const value = Number(text);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new RangeError('A column holds an integer beyond 2^53 - 1.');
  return value;
}
