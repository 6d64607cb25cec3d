/**
 * The row cache: rows that nearly every request asks for and that hardly ever change (an agent, a policy, an API key)
 * are answered from memory until a statement changes a table that they were read from. Changes by other processes are for
 * the owner of the cache to notice.
 */
import type { Result, Statement } from '../store.ts';

/**
 * What all answers may take, about: some 15,000 agents with what is asked of each. Beyond it the answers of the statement that
 * has most go, so that callers who make one statement ask for many things leave those of the others alone.
 */
const CAPACITY_BYTES = 16 * 1024 ** 2;
/** Of an answer, a row and a member, beside the characters of texts. */
const ANSWER_BYTES = 200;
const ROW_BYTES = 50;
const MEMBER_BYTES = 32;
const CHANGED_TABLE = /^\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(\w+)/i;

/** Of one statement. */
interface Answers {
  /** Whether its arguments are the key of the row that it finds. */
  readonly byKey: boolean;
  readonly byArguments: Map<unknown, Result & { readonly bytes: number }>;
  bytes: number;
}

interface RowCache {
  /** What this very statement gave last, unless one of its tables may have changed since. */
  find(statement: Statement): Result | undefined;
  /**
   * Keeps the rows of a statement that may be cached. Where none were found, that is kept only if the statement says so:
   * guesses at keys leave nothing behind.
   */
  add(statement: Statement, rows: readonly unknown[]): void;
  /**
   * @param table see `changedTable`; everything is dropped where that is unknown
   * @param row the key of the only row of it that was changed
   */
  drop(table?: string, row?: Statement['row']): void;
}

/** The table that a statement changes; undefined when its text does not say. */
export function changedTable(sql: string): string | undefined {
  return CHANGED_TABLE.exec(sql)?.[1];
}

export function rowCache(capacityBytes: number = CAPACITY_BYTES): RowCache {
  /** By text of the statement. */
  const statements = new Map<string, Answers>();
  /** The answers of each statement that reads a table. */
  const readers = new Map<string, Set<Answers>>();
  let bytes = 0;

  function answersOf(sql: string, { tables, byKey = false }: NonNullable<Statement['cached']>): Answers {
    let answers = statements.get(sql);
    if (answers === undefined) {
      answers = { byKey, byArguments: new Map(), bytes: 0 };
      statements.set(sql, answers);
      for (const table of tables) readers.set(table, (readers.get(table) ?? new Set()).add(answers));
    }
    return answers;
  }

  function clear(answers: Answers): void {
    answers.byArguments.clear();
    bytes -= answers.bytes;
    answers.bytes = 0;
  }

  function forget(answers: Answers, key: unknown): void {
    const size = answers.byArguments.get(key)?.bytes ?? 0;
    answers.byArguments.delete(key);
    answers.bytes -= size;
    bytes -= size;
  }

  function clearLargest(): void {
    let largest: Answers | undefined;
    for (const answers of statements.values()) if (answers.bytes > (largest?.bytes ?? 0)) largest = answers;
    if (largest !== undefined) clear(largest);
  }

  return {
    find: ({ sql, args, cached }) =>
      cached === undefined ? undefined : statements.get(sql)?.byArguments.get(keyOf(args)),
    add({ sql, args, cached }, rows) {
      if (cached === undefined || (rows.length === 0 && cached.empty !== true)) return;
      const answers = answersOf(sql, cached);
      const key = keyOf(args);
      const size = bytesOf(key, rows);
      const more = size - (answers.byArguments.get(key)?.bytes ?? 0);
      answers.byArguments.set(key, { rows, changes: 0, bytes: size });
      answers.bytes += more;
      bytes += more;
      while (bytes > capacityBytes) clearLargest();
    },
    drop(table, row) {
      const dropped = table === undefined ? statements.values() : (readers.get(table) ?? []);
      for (const answers of dropped) {
        if (answers.byKey && row !== undefined) forget(answers, keyOf(row));
        else clear(answers);
      }
    },
  };
}

function bytesOf(key: unknown, rows: readonly unknown[]): number {
  let bytes = ANSWER_BYTES + lengthOf(key);
  for (const row of rows as readonly Readonly<Record<string, unknown>>[]) {
    bytes += ROW_BYTES;
    for (const name in row) bytes += MEMBER_BYTES + lengthOf(row[name]);
  }
  return bytes;
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}

/** Text cannot contain the separator: the store refuses that character. */
function keyOf(args: Statement['args']): unknown {
  let key = args[0];
  for (let index = 1; index < args.length; index++) key = `${key}\0${args[index]}`;
  return key;
}
