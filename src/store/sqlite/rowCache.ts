/**
 * The row cache: rows that nearly every request asks for and that hardly ever change (an agent, a policy, an API key)
 * are answered from memory until a statement changes a table that they were read from. Changes by other processes are for
 * the owner of the cache to notice.
 */
import type { Statement } from '../store.ts';

/** Answers cached of one statement; when there are as many, all of them are dropped. */
const CAPACITY = 10_000;
const CHANGED_TABLE = /^\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(\w+)/i;

interface Answer {
  readonly rows: readonly unknown[];
  /** By which commit there was this answer: its number among those of the connection. */
  readonly commit: number;
}

/** The answers to a statement, by its arguments. */
interface Answers {
  readonly byKey: boolean;
  readonly found: Map<unknown, Answer>;
}

interface RowCache {
  /** What this very statement gave last, unless one of its tables may have changed since. */
  find(statement: Statement): Answer | undefined;
  /**
   * Keeps the rows of a statement that may be cached. Where none were found, that is kept only if the statement says so:
   * guesses at keys leave nothing behind.
   */
  add(statement: Statement, answer: Answer): void;
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

export function rowCache(capacity: number = CAPACITY): RowCache {
  /** By text of the statement, by arguments. */
  const statements = new Map<string, Answers>();
  /** The answers of each statement that reads a table. */
  const readers = new Map<string, Set<Answers>>();

  function answersOf(sql: string, { tables, byKey = false }: NonNullable<Statement['cached']>): Answers {
    let answers = statements.get(sql);
    if (answers === undefined) {
      answers = { byKey, found: new Map() };
      statements.set(sql, answers);
      for (const table of tables) readers.set(table, (readers.get(table) ?? new Set()).add(answers));
    }
    return answers;
  }

  return {
    find: ({ sql, args, cached }) => (cached === undefined ? undefined : statements.get(sql)?.found.get(keyOf(args))),
    add({ sql, args, cached }, answer) {
      if (cached === undefined || (answer.rows.length === 0 && cached.empty !== true)) return;
      const { found } = answersOf(sql, cached);
      if (found.size >= capacity) found.clear();
      found.set(keyOf(args), answer);
    },
    drop(table, row) {
      const dropped = table === undefined ? statements.values() : (readers.get(table) ?? []);
      for (const { byKey, found } of dropped) {
        if (byKey && row !== undefined) found.delete(keyOf(row));
        else found.clear();
      }
    },
  };
}

/** Text cannot contain the separator: the store refuses that character. */
function keyOf(args: Statement['args']): unknown {
  return args.length === 1 ? args[0] : args.join('\0');
}
