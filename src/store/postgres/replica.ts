/**
 * A replica of the server, for long reads. It gives them what the server itself would: it is asked only once it has all that was
 * committed before, and where it has not, or is not to be reached, the server is asked.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { GroupFailure } from './pipeline.ts';
import { makePool } from './postgresConnection.ts';

export interface ReplicaSource {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Told when long reads go to the replica from now on, and when they do not, with the reason. */
  readonly onChange: (unused: string | undefined) => void;
}

/** How long a read waits for what was committed before it. */
const MOST_LAG_MS = 1000;
const LOOK_MS = 10;
/** A replica that could not be used is left alone for so long. */
const REST_MS = 10_000;

const DATABASE = `current_database() || ' ' || (SELECT system_identifier FROM pg_control_system()) || ' ' ||`;
// Every answer that was given is on the server's disk, since it was committed. The name of the log begins with its timeline.
const POSITION = `SELECT CAST(pg_current_wal_flush_lsn() AS TEXT) AS position,
  ${DATABASE} substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8) AS database`;
const STATE = `SELECT pg_is_in_recovery() AS copies, pg_last_wal_replay_lsn() >= CAST($1 AS pg_lsn) AS has_all,
  ${DATABASE} (SELECT upper(lpad(to_hex(timeline_id), 8, '0')) FROM pg_control_checkpoint()) AS database`;

interface Position {
  readonly position: string;
  /** The name of the database, of the server that it was made on, and of its timeline, which each failover makes anew. */
  readonly database: string;
}

interface State extends Pick<Position, 'database'> {
  readonly copies: 0 | 1;
  readonly has_all: 0 | 1 | null;
}

export class Replica {
  readonly #server: Pool;
  readonly #pool: Pool;
  readonly #onChange: ReplicaSource['onChange'];
  #restsUntil = 0;
  /** What was told last; null before anything was. */
  #told: string | undefined | null = null;

  /** @param server whose replica it is */
  constructor(server: Pool, { url, onChange }: ReplicaSource) {
    this.#server = server;
    this.#pool = makePool(url, { maxConnections: 2 });
    this.#onChange = onChange;
  }

  /**
   * @param work only reads; it may run once more, on the server
   * @returns what it gave; nothing where the replica could not be used
   * @throws what the work throws
   */
  async read<T>(work: (client: PoolClient) => Promise<T>): Promise<{ readonly value: T } | undefined> {
    if (performance.now() < this.#restsUntil) return undefined;
    const client = await this.#connect();
    if (client === undefined) return undefined;
    let isBroken = false;
    try {
      return { value: await work(client) };
    } catch (error) {
      if (!(error instanceof GroupFailure)) throw error;
      isBroken = true;
      this.#rest(error.cause);
      return undefined;
    } finally {
      client.release(isBroken);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  /** A connection to the replica, which has all that was committed by now. */
  async #connect(): Promise<PoolClient | undefined> {
    // Where the server itself cannot be reached, the next statement sent to it fails and says so.
    const found = await this.#server.query<Position>(POSITION).catch(() => undefined);
    if (found === undefined) return undefined;
    let client: PoolClient | undefined;
    try {
      client = await this.#pool.connect();
      await requireAll(client, found.rows[0] as Position);
      this.#tell(undefined);
      return client;
    } catch (error) {
      client?.release(true);
      this.#rest(error);
      return undefined;
    }
  }

  #rest(cause: unknown): void {
    this.#restsUntil = performance.now() + REST_MS;
    this.#tell(cause instanceof Error ? cause.message || cause.name : String(cause));
  }

  #tell(unused: string | undefined): void {
    if (this.#told === unused) return;
    this.#told = unused;
    this.#onChange(unused);
  }
}

/** @throws Error with the reason why a read cannot go there */
async function requireAll(client: PoolClient, { position, database }: Position): Promise<void> {
  const until = performance.now() + MOST_LAG_MS;
  for (;;) {
    const { rows } = await client.query<State>(STATE, [position]);
    const state = rows[0] as State;
    // Another server, or one that went on beside this one before a failover, may be further on, and without what is here.
    if (state.copies === 0 || state.database !== database) {
      throw new Error('it is no replica of this database, or has not followed its last failover yet');
    }
    if (state.has_all === 1) return;
    if (performance.now() > until) throw new Error(`it has not had what was committed ${MOST_LAG_MS} ms before`);
    await pause(LOOK_MS);
  }
}
