/**
 * Rows that are asked for at nearly every request and hardly ever change (an agent, a policy, an API key), kept until
 * a statement changes their table. Whoever keeps them says when another process may have changed it.
 */
import type { Statement } from '../store.ts';

/** Answers kept of one statement; when there are as many all of them are forgotten. */
const CAPACITY = 10_000;
const CHANGED_TABLE = /^\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(\w+)/i;

interface KeptRows {
  /** What this very statement gave, unless it has to be asked again. */
  recall(table: string, statement: Statement): readonly unknown[] | undefined;
  /** Only what was found is kept, so that guesses at keys leave nothing behind. */
  keep(table: string, statement: Statement, rows: readonly unknown[]): void;
  /** @param table see `changedTable`; all rows are forgotten where that is unknown */
  forget(table?: string): void;
}

/** The table that a statement changes; undefined when its text does not say. */
export function changedTable(sql: string): string | undefined {
  return CHANGED_TABLE.exec(sql)?.[1];
}

export function keptRows(capacity: number = CAPACITY): KeptRows {
  /** By table, by text of the statement, by arguments. */
  const tables = new Map<string, Map<string, Map<unknown, readonly unknown[]>>>();
  return {
    recall: (table, { sql, args }) => tables.get(table)?.get(sql)?.get(nameOf(args)),
    keep(table, { sql, args }, rows) {
      if (rows.length === 0) return;
      const statements = entryOf(tables, table);
      const kept = entryOf(statements, sql);
      if (kept.size >= capacity) kept.clear();
      kept.set(nameOf(args), rows);
    },
    forget(table) {
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
function nameOf(args: Statement['args']): unknown {
  return args.length === 1 ? args[0] : args.join('\0');
}
