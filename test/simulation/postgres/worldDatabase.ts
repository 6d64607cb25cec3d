/**
 * A database of a real PostgreSQL server for one world. It is made before the world's time begins, and its clock is a file that the
 * world writes: a function that is found before the server's own gives what stands there.
 */
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const MEMORY = '/dev/shm';
/** How often the server is asked until it takes connections again, and with which pauses. */
const TRIES = 600;
const PAUSE_MS = 50;

/** The real one, also once the world's own is in its place. */
const later = globalThis.setTimeout;

export class WorldDatabase {
  /** For the nodes: `postgres://user:password@host:port/database` */
  readonly url: string;
  readonly #server: string;
  readonly #name: string;
  readonly #folder: string;
  #client: pg.Client | undefined;
  /** What was asked last. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(server: string, name: string, folder: string) {
    const url = new URL(server);
    url.pathname = `/${name}`;
    this.url = url.href;
    this.#server = server;
    this.#name = name;
    this.#folder = folder;
  }

  /** @param server connects as superuser; what it is asked to do is done to the new database alone */
  static async make(server: string): Promise<WorldDatabase> {
    const name = `world_${process.pid}_${Date.now()}`;
    const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'countersign-clock-'));
    // The server runs as another user.
    chmodSync(folder, 0o755);
    const database = new WorldDatabase(server, name, folder);
    database.setClock(0);
    await once(server, [`CREATE DATABASE ${name}`]);
    await once(database.url, [
      `CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
       $$ SELECT pg_catalog.to_timestamp(pg_catalog.pg_read_file('${database.#file}')::double precision / 1000) $$`,
      `ALTER DATABASE ${name} SET search_path = public, pg_catalog`,
      // What is acknowledged is there after the server's own crash, though not after one of its machine.
      `ALTER DATABASE ${name} SET synchronous_commit = on`,
    ]);
    return database;
  }

  /** @param ms since the epoch, which the server takes for the time from now on */
  setClock(ms: number): void {
    // A reader meanwhile gets the one or the other.
    writeFileSync(`${this.#file}.next`, String(ms), { mode: 0o644 });
    renameSync(`${this.#file}.next`, this.#file);
  }

  /** Asks beside the nodes. @returns the rows @throws the server's error, unless it only lost the connection */
  ask<Row extends object>(sql: string): Promise<Row[]> {
    const asked = this.#last.then(() => this.#ask<Row>(sql));
    this.#last = asked.catch(() => {});
    return asked;
  }

  async #ask<Row extends object>(sql: string): Promise<Row[]> {
    for (let tries = 1; ; tries++) {
      try {
        this.#client ??= await connected(this.url);
        return (await this.#client.query<Row>(sql)).rows;
      } catch (error) {
        this.#client = undefined;
        const isOfServer = error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? '');
        if (isOfServer || tries === TRIES) throw error;
        await new Promise((resolve) => later(resolve, PAUSE_MS));
      }
    }
  }

  /** Another session beside the nodes, such as one that holds a lock. */
  session(): Promise<pg.Client> {
    return connected(this.url);
  }

  /** Removes it, and ends every connection to it. */
  async drop(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
    await this.ask('SELECT 1');
    await once(this.#server, [`DROP DATABASE ${this.#name} WITH (FORCE)`]);
  }

  get #file(): string {
    return join(this.#folder, 'time');
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function once(url: string, statements: readonly string[]): Promise<void> {
  const client = await connected(url);
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}
