/**
 * The store engines that tests run on. Each gives a new database for every call, copied from a template that has the schema: on
 * SQLite a file, on PostgreSQL a database of the server.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import pg from 'pg';
import { openStore, type StoreSource } from '../../src/store/openStore.ts';
import type { Store } from '../../src/store/store.ts';
import { type PostgresServer, startPostgres } from './postgresServer.ts';

export interface TestDatabase {
  readonly store: Store;
  /** Opens the same database once more, as a second node would; the stores before stay open. */
  reopen(): Promise<Store>;
  /** Closes every store opened here and removes the database. */
  drop(): Promise<void>;
  /** PostgreSQL only. */
  readonly url?: string;
  /** SQLite only. */
  readonly file?: string;
}

export interface Engine {
  readonly name: Store['engine'];
  /** @param options.schemaFolder in place of the program's own schema */
  open(options?: { readonly schemaFolder?: string }): Promise<TestDatabase>;
  /** A database for a node with this data folder: the settings that name it, and what removes it. */
  prepare(dataDir: string): Promise<{ readonly env: Readonly<Record<string, string>>; drop(): Promise<void> }>;
}

let ownServer: Promise<PostgresServer> | undefined;

/** Call it at the top of a test file: a server that had to be started is stopped when the file's tests are over. */
export function engines(): Engine[] {
  after(async () => {
    const server = await ownServer;
    ownServer = undefined;
    await server?.stop();
  });
  return [
    { name: 'sqlite', open: openSqliteDatabase, prepare: prepareSqlite },
    { name: 'postgres', open: openPostgresDatabase, prepare: preparePostgres },
  ];
}

/** The engines that a test of a whole node runs on: both, or the one that TEST_ENGINE names. */
export function everyEngine(): Engine[] {
  const only = process.env['TEST_ENGINE'];
  return engines().filter(({ name }) => only === undefined || only === name);
}

async function prepareSqlite(dataDir: string): ReturnType<Engine['prepare']> {
  await copyFile(await sqliteTemplate(), join(dataDir, 'countersign.db'));
  return { env: {}, drop: async () => {} };
}

async function preparePostgres(): ReturnType<Engine['prepare']> {
  const { url, drop } = await createDatabase(await postgresTemplate());
  return { env: { DATABASE_URL: url }, drop };
}

let ownTemplate: Promise<string> | undefined;

/** The file of a new database, made once in this process. */
function sqliteTemplate(): Promise<string> {
  ownTemplate ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-template-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'store.db');
    await (await openStore({ file, clock: Date.now })).close();
    return file;
  })();
  return ownTemplate;
}

const TEMPLATE = 'countersign_template';

/** A database of the server that others are copied from, made by the first process that asks. @returns its name */
async function postgresTemplate(): Promise<string> {
  const server = await serverUrl();
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(1)');
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (found.rowCount === 0) {
      await client.query(`CREATE DATABASE ${TEMPLATE}_draft`);
      const url = new URL(server);
      url.pathname = `/${TEMPLATE}_draft`;
      await (await openStore({ databaseUrl: url.href, file: '', clock: Date.now })).close();
      await client.query(`ALTER DATABASE ${TEMPLATE}_draft RENAME TO ${TEMPLATE}`);
    }
    return TEMPLATE;
  } finally {
    await client.end();
  }
}

/** @param template the database that it is a copy of; an empty one without */
async function createDatabase(template?: string): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const server = await serverUrl();
  await asAdmin(server, `CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      // Hooks run in the order of their registration, so a server of our own may have gone already, databases and all.
      if (givenServer() ?? ownServer) await asAdmin(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function openSqliteDatabase(options: { readonly schemaFolder?: string } = {}): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-store-'));
  const file = join(folder, 'store.db');
  if (options.schemaFolder === undefined) await copyFile(await sqliteTemplate(), file);
  const removed = () => rm(folder, { recursive: true, force: true });
  // As a node has them. A test that brings its own schema has no ledger that views are of.
  const views = options.schemaFolder === undefined;
  return { ...(await opened({ file, clock: Date.now, views, ...options }, removed)), file };
}

async function openPostgresDatabase(options: { readonly schemaFolder?: string } = {}): Promise<TestDatabase> {
  const { url, drop } = await createDatabase(options.schemaFolder === undefined ? await postgresTemplate() : undefined);
  const source = { databaseUrl: url, file: '', clock: Date.now, ...options };
  return { ...(await opened(source, drop)), url };
}

async function opened(source: StoreSource, removed: () => Promise<void>): Promise<TestDatabase> {
  const stores: Store[] = [];
  const open = async () => {
    const store = await openStore(source);
    stores.push(store);
    return store;
  };
  try {
    return {
      store: await open(),
      reopen: open,
      drop: async () => {
        await Promise.all(stores.map((store) => store.close()));
        await removed();
      },
    };
  } catch (error) {
    await removed();
    throw error;
  }
}

async function serverUrl(): Promise<string> {
  const given = givenServer();
  if (given !== undefined) return given;
  ownServer ??= startPostgres();
  return (await ownServer).url;
}

/** The server that the test run started for all its files, or one that is kept for tests. */
function givenServer(): string | undefined {
  return process.env['TEST_DATABASE_URL'] || undefined;
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
