/**
 * Rows that are asked for at nearly every request and hardly ever change (an agent, a policy, an API key), kept until
 * a statement changes their table. Whoever keeps them says when another process may have changed it.
 */
import type { Statement } from './store.ts';

/** Rows kept of one table; when it is full all of them are forgotten. */
const CAPACITY = 10_000;
const CHANGED_TABLE = /^\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(\w+)/i;

export interface KeptRows {
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
  const tables = new Map<string, Map<string, readonly unknown[]>>();
  return {
    recall: (table, statement) => tables.get(table)?.get(nameOf(statement)),
    keep(table, statement, rows) {
      if (rows.length === 0) return;
      let kept = tables.get(table);
      if (kept === undefined) {
        kept = new Map();
        tables.set(table, kept);
      }
      if (kept.size >= capacity) kept.clear();
      kept.set(nameOf(statement), rows);
    },
    forget(table) {
      if (table === undefined) tables.clear();
      else tables.delete(table);
    },
  };
}

/** Arguments cannot contain the separator: the store refuses that character. */
function nameOf({ sql, args }: Statement): string {
  return `${args.join('\0')}\0${sql}`;
}
