/**
 * The row cache: rows that nearly every request asks for and that hardly ever change (an agent, a policy, an API key)
 * are answered from memory until a statement changes their table. Changes by other processes are for the owner of the
 * cache to notice.
 */
import type { Statement } from '../store.ts';

/** Answers cached of one statement; when there are as many, all of them are dropped. */
const CAPACITY = 10_000;
const CHANGED_TABLE = /^\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(\w+)/i;

interface RowCache {
  /** What this very statement gave last, unless its table may have changed since. */
  find(table: string, statement: Statement): readonly unknown[] | undefined;
  /** Only rows that were found are cached, so that guesses at keys leave nothing behind. */
  add(table: string, statement: Statement, rows: readonly unknown[]): void;
  /** @param table see `changedTable`; everything is dropped where that is unknown */
  drop(table?: string): void;
}

/** The table that a statement changes; undefined when its text does not say. */
export function changedTable(sql: string): string | undefined {
  return CHANGED_TABLE.exec(sql)?.[1];
}

export function rowCache(capacity: number = CAPACITY): RowCache {
  /** By table, by text of the statement, by arguments. */
  const tables = new Map<string, Map<string, Map<unknown, readonly unknown[]>>>();
  return {
    find: (table, { sql, args }) => tables.get(table)?.get(sql)?.get(keyOf(args)),
    add(table, { sql, args }, rows) {
      if (rows.length === 0) return;
      const answers = entryOf(entryOf(tables, table), sql);
      if (answers.size >= capacity) answers.clear();
      answers.set(keyOf(args), rows);
    },
    drop(table) {
      if (table === undefined) tables.clear();
      else tables.delete(table);
    },
  };
}

function entryOf<Key, Value>(map: Map<Key, Map<unknown, Value>>, key: Key): Map<unknown, Value> {
  let entry = map.get(key);
  if (entry === undefined) {
    entry = new Map();
    map.set(key, entry);
  }
  return entry;
}

/** Text cannot contain the separator: the store refuses that character. */
function keyOf(args: Statement['args']): unknown {
  return args.length === 1 ? args[0] : args.join('\0');
}
