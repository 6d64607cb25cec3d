/**
 * The real SQLite library, whose statements the world sees: it can crash a node before or after any of them, and closes what a
 * node that is gone has left open. It stands where `src/store/sqlite/openDatabase.ts` finds `better-sqlite3`.
 */
import Database from 'better-sqlite3';

/** What the world does around statements. */
export interface DatabaseWatch {
  /** Whether the log is copied into the database often, so that it is seen in a short life. */
  readonly copiesOften: boolean;
  opened(database: Database.Database): void;
  /** @throws where the node crashes before the statement */
  before(database: Database.Database, sql: string): void;
  /** @throws where it crashes after it */
  after(database: Database.Database, sql: string): void;
  /** Waits for what runs on a thread before anything else happens. */
  whole<T>(work: () => Promise<T>): Promise<T>;
}

let watch: DatabaseWatch = { copiesOften: true, opened() {}, before() {}, after() {}, whole: (work) => work() };

/** From here on all databases tell that watch. */
export function watchDatabases(given: DatabaseWatch): void {
  watch = given;
}

/** A short log is copied into the database often enough to be seen in a short life. */
const CHECKPOINT_PAGES = 400;
const AS_PRODUCED = /(wal_autocheckpoint = )\d+/;

const turn = globalThis.setImmediate;

type Call = (...given: unknown[]) => unknown;

class SimulatedDatabase extends Database {
  constructor(file: string, options: Database.Options = {}) {
    // No other process runs during a statement: waiting for a lock would be waiting for oneself.
    super(file, { ...options, timeout: 0 });
    watch.opened(this);
  }

  override prepare<Bound extends unknown[] | object = unknown[], Result = unknown>(sql: string) {
    const statement = super.prepare<Bound, Result>(sql);
    for (const name of ['run', 'all', 'get'] as const) {
      const call = (statement[name] as Call).bind(statement);
      const watched = (...given: unknown[]) => {
        watch.before(this, sql);
        const result = call(...given);
        watch.after(this, sql);
        return result;
      };
      Object.defineProperty(statement, name, { value: watched });
    }
    return statement;
  }

  override backup(target: string, options?: Database.BackupOptions): Promise<Database.BackupMetadata> {
    return watch.whole(() => inRealTurns(() => super.backup(target, options)));
  }

  override pragma(source: string, options?: Database.PragmaOptions): unknown {
    watch.before(this, `PRAGMA ${source}`);
    const asked = watch.copiesOften ? source.replace(AS_PRODUCED, `$1${CHECKPOINT_PAGES}`) : source;
    const result = super.pragma(asked, options);
    watch.after(this, `PRAGMA ${source}`);
    return result;
  }
}

/** The library copies some pages a turn of the event loop, while the world's own stands still. */
async function inRealTurns<T>(work: () => Promise<T>): Promise<T> {
  const simulated = globalThis.setImmediate;
  globalThis.setImmediate = turn;
  try {
    return await work();
  } finally {
    globalThis.setImmediate = simulated;
  }
}

export default SimulatedDatabase;
