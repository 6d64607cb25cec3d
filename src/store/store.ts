/**
 * The interface of the store. A script is a generator that yields statements and receives their rows; it can do nothing
 * but SQL, so no transaction contains a network call, a timer or an await.
 */
export type Value = string | number | null;

/** One SQL statement with `?` placeholders, in the dialect that both engines share. */
export interface Statement {
  readonly sql: string;
  readonly args: readonly Value[];
  /** Given where its rows may be answered from the row cache until a table that it reads changes. */
  readonly cached?: CachePolicy;
  /** The rows that a query of the row cache gives from now on: it is not run, and they are put there. */
  readonly known?: readonly unknown[];
  /** True where the script does not read its result, so that an engine need not wait for it before the commit. */
  readonly unread?: true;
  /** The key of the only row that it changes. */
  readonly row?: readonly Value[];
}

interface CachePolicy {
  /** All tables that the statement reads. */
  readonly tables: readonly string[];
  /** Whether an answer without rows is kept as well. Say so only where the caller is registered: guesses would fill the cache. */
  readonly empty?: boolean;
  /** Whether its arguments are the key of the row that it finds: a statement that says which other row it changes leaves the answer. */
  readonly byKey?: boolean;
}

/**
 * The result of a statement: its rows (none for one that returns no rows) and how many rows it changed (0 for a query). For
 * several statements that were yielded at once, its rows are their results.
 */
export interface Result {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

/** What a script yields: a statement, or those of several scripts that run together. */
export type Step = Statement | readonly Statement[];

export type Script<T> = Generator<Step, T, Result>;

/** Creates a script for a time, in milliseconds since the epoch. */
export type TimedScript<T> = (now: number) => Script<T>;

/** What a script loads before it decides. An engine that gains nothing by knowing it beforehand does not ask. */
export type Load = () => readonly Script<unknown>[];

/** All rows of a query, columns typed by the caller. */
export function* all<Row>(sql: string, ...args: Value[]): Script<Row[]> {
  const { rows } = yield { sql, args };
  return rows as Row[];
}

/** The first row of a query, or undefined. */
export function* get<Row>(sql: string, ...args: Value[]): Script<Row | undefined> {
  const { rows } = yield { sql, args };
  return rows[0] as Row | undefined;
}

/**
 * All rows of a query that nearly every request makes and whose answer hardly ever changes. An engine that sees every
 * change answers it from its row cache.
 */
export function* allCached<Row>(cached: CachePolicy, sql: string, ...args: Value[]): Script<readonly Row[]> {
  const { rows } = yield { sql, args, cached };
  return rows as readonly Row[];
}

/** Tells the row cache what a query gives from now on, after the script has changed that itself. */
export function* putCached(cached: CachePolicy, rows: readonly object[], sql: string, ...args: Value[]): Script<void> {
  yield { sql, args, cached, known: rows };
}

/** Whether a query finds a row. */
export function* exists(sql: string, ...args: Value[]): Script<boolean> {
  const { rows } = yield { sql, args };
  return rows.length > 0;
}

/** The number that `SELECT COUNT(*) AS count …` gives. */
export function* count(sql: string, ...args: Value[]): Script<number> {
  const { rows } = yield { sql, args };
  return (rows[0] as { readonly count: number }).count;
}

/** Runs a statement for its effect and returns the number of rows changed. */
export function* run(sql: string, ...args: Value[]): Script<number> {
  const { changes } = yield { sql, args };
  return changes;
}

/** Runs a statement for its effect and says whether it changed any row. */
export function* changed(sql: string, ...args: Value[]): Script<boolean> {
  const { changes } = yield { sql, args };
  return changes > 0;
}

/** Runs a statement for its effect alone. PostgreSQL is not waited for: where it fails, the script runs once more. */
export function* send(sql: string, ...args: Value[]): Script<void> {
  yield { sql, args, unread: true };
}

/**
 * As send, with its arguments as a list.
 * @param row where it changes one row: the key that queries of the row cache find that row by
 */
export function* sendAll(sql: string, args: readonly Value[], row?: readonly Value[]): Script<void> {
  yield row === undefined ? { sql, args, unread: true } : { sql, args, unread: true, row };
}

type ValuesOf<Scripts extends readonly Script<unknown>[]> = {
  -readonly [Index in keyof Scripts]: Scripts[Index] extends Script<infer T> ? T : never;
};

/**
 * Runs scripts that only read, and need nothing of each other: the first statements of all of them go to PostgreSQL in one
 * trip, then the second ones of those that have more, and so on.
 */
export function* together<Scripts extends readonly Script<unknown>[]>(...scripts: Scripts): Script<ValuesOf<Scripts>> {
  const steps = scripts.map((script) => script.next());
  for (;;) {
    const asked: Statement[] = [];
    for (const { done, value } of steps) {
      if (done === true) continue;
      if ('sql' in value) asked.push(value);
      else asked.push(...value);
    }
    if (asked.length === 0) return steps.map(({ value }) => value) as ValuesOf<Scripts>;
    const results = (yield asked).rows as Result[];
    let given = 0;
    for (let index = 0; index < steps.length; index++) {
      const { done, value } = steps[index] as IteratorResult<Step>;
      if (done === true) continue;
      const from = given;
      given += 'sql' in value ? 1 : value.length;
      const result = 'sql' in value ? results[from] : { rows: results.slice(from, given), changes: 0 };
      steps[index] = (scripts[index] as Script<unknown>).next(result as Result);
    }
  }
}

/** The statements of a step. */
export function statementsOf(step: Step): readonly Statement[] {
  return 'sql' in step ? [step] : step;
}

export interface StoreStats {
  /** Commits made since the store was opened. */
  readonly commits: number;
  /** Scripts in those commits; scripts / commits is the mean group size. */
  readonly scripts: number;
  /** Statements that the engine ran; those that the row cache answered are not among them, nor is what ends a script. */
  readonly statements: number;
  /** How far views are that lie beside the ledger; absent where lists read the ledger itself. */
  readonly views?: ViewsState;
}

/** Views that are written after the ledger. Lists have all rows in any case: those that views lack are read from the ledger. */
export interface ViewsState {
  /** How long ago the first commit was that they have not reached; 0 where they have all. */
  readonly behindMs: number;
  /** Whether so much is to come that lists read the ledger, beside the writer, and take longer. */
  readonly isFar: boolean;
  /** Why they could not be written at the last attempt. */
  readonly failure: string | undefined;
}

/** What reads the store. */
export interface Reader {
  readonly engine: 'sqlite' | 'postgres';
  /** Runs a script that only reads; a statement that writes is refused. */
  read<T>(script: TimedScript<T>): Promise<T>;
}

export interface Store extends Reader {
  /**
   * Runs a script in a transaction and resolves with its result once that is on disk. Scripts waiting at the same
   * time share one commit, and one that throws undoes only its own statements.
   * The factory may be called more than once: a group runs again after a serialization failure, and where one of its scripts
   * failed after it wrote.
   * @param tenantId scripts of one tenant run one after the other, so that its evidence chain has one order
   * @param script receives the time in milliseconds since the epoch, read once the script holds the tenant's lock, so
   *   that a script which waited uses the present time, and the times of a tenant's rows are in the order of its commits
   * @param load scripts that read, whose first statements the script will make at any time: PostgreSQL reads their
   *   rows in the trip that takes the lock
   * @throws what the script throws. A failed statement is thrown into the script, which may translate the error (see
   *   isUniqueViolation) but not go on after it. Fault UNAVAILABLE when the store cannot commit: nothing has happened
   *   then, unless the message says that the outcome is unknown
   */
  write<T>(tenantId: string, script: TimedScript<T>, load?: Load): Promise<T>;
  /** Runs a script that only reads, on one consistent snapshot of this time; a statement that writes is refused. */
  read<T>(script: TimedScript<T>): Promise<T>;
  /**
   * As read, for what may take long: beside the writer, so that no other script waits for it. What has just been written
   * is there. A page of a long read is a script of its own.
   */
  readApart<T>(script: TimedScript<T>): Promise<T>;
  /**
   * Gives work of many scripts one snapshot to read, beside the writer. It holds up no writer, and costs the store the more the
   * longer it is held.
   */
  onSnapshot<T>(work: (snapshot: Reader) => Promise<T>): Promise<T>;
  stats(): StoreStats;
  /** Finishes what is queued and closes. */
  close(): Promise<void>;
}
