/**
 * The real driver of PostgreSQL, whose connections pass through the world. It stands where `src/store/postgres/` finds `pg`. Its own
 * time limits go by the world's timers; those that it asks of the server are the world's too, since the server knows real time only.
 */
import type { Duplex } from 'node:stream';
import pg from 'pg';

/** Limits of the server, in milliseconds; 0 for none. */
export interface ServerLimits {
  readonly lock: number;
  readonly statement: number;
  readonly idleInTransaction: number;
}

let connect: ((limits: ServerLimits) => Duplex) | undefined;

/** From here on all connections are made by that. */
export function connectThrough(given: (limits: ServerLimits) => Duplex): void {
  connect = given;
}

class Pool extends pg.Pool {
  constructor({ lock_timeout, statement_timeout, idle_in_transaction_session_timeout, ...options }: pg.PoolConfig) {
    const limits = {
      lock: lock_timeout ?? 0,
      statement: Number(statement_timeout || 0),
      idleInTransaction: idle_in_transaction_session_timeout ?? 0,
    };
    const stream = () => {
      if (connect === undefined) throw new Error('The world has no PostgreSQL.');
      return connect(limits);
    };
    super({ ...options, stream });
  }
}

const { Client, types, DatabaseError } = pg;

export default { Client, Pool, types, DatabaseError };
