/** Every store engine a contract runs on, each giving a fresh, migrated database for every call. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
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
    { name: 'sqlite', open: openSqliteDatabase },
    { name: 'postgres', open: openPostgresDatabase },
  ];
}

async function openSqliteDatabase(options: { readonly schemaFolder?: string } = {}): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-store-'));
  const file = join(folder, 'store.db');
  const removed = () => rm(folder, { recursive: true, force: true });
  return { ...(await opened({ file, clock: Date.now, ...options }, removed)), file };
}

async function openPostgresDatabase(options: { readonly schemaFolder?: string } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const server = await serverUrl();
  await asAdmin(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const removed = async () => {
    // Hooks run in the order of their registration, so a server of our own may have gone already, databases and all.
    if (givenServer() ?? ownServer) await asAdmin(server, `DROP DATABASE ${name} WITH (FORCE)`);
  };
  const source = { databaseUrl: url.href, file: '', clock: Date.now, ...options };
  return { ...(await opened(source, removed)), url: url.href };
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

/** The server that the test run started for all its files, or that somebody keeps for tests. */
function givenServer(): string | undefined {
  return process.env['TEST_DATABASE_URL'] || undefined;
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
