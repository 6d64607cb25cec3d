/**
 * What one group has read already: rows of cached queries, and those that its scripts load. They are known until a statement
 * changes one of their tables. The lock keeps other writers away from them, so nothing outlives the group.
 */
import { changedTable } from '../sqlite/rowCache.ts';
import type { Statement, Value } from '../store.ts';

const QUERY = /^\s*SELECT\b/i;

const TABLE = /\b(?:FROM|JOIN)\s+(\w+)/gi;
/** More tables than one after a FROM. */
const LIST = /\bFROM\s+\w+(?:\s+(?:AS\s+)?\w+)?\s*,/i;

interface CacheEntry {
  readonly rows: readonly unknown[];
  /** The key of the rows, where its arguments are that: a statement that says which other row it changes leaves them. */
  readonly rowKey: string | undefined;
}

/** In place of the tables of a query whose text does not say which it reads. */
const ANY: ReadonlySet<string> = new Set(['']);

export class TransactionRowCache {
  readonly #known = new Map<string, CacheEntry>();
  /** The keys of what was read from each table. */
  readonly #readers = new Map<string, Set<string>>();

  find(statement: Statement): readonly unknown[] | undefined {
    return this.#known.size === 0 ? undefined : this.#known.get(keyOf(statement))?.rows;
  }

  add(statement: Statement, rows: readonly unknown[]): void {
    const { sql, args, cached } = statement;
    const tables = tablesOf(sql) ?? ANY;
    // What reads no table may be the time, which goes on.
    if (tables.size === 0) return;
    const key = keyOf(statement);
    this.#known.set(key, { rows, rowKey: cached?.byKey === true ? textOf(args) : undefined });
    for (const table of tables) this.#readers.set(table, (this.#readers.get(table) ?? new Set()).add(key));
  }

  /** Drops what a statement may change. */
  dropFor({ sql, row }: Statement): void {
    if (this.#known.size === 0 || QUERY.test(sql)) return;
    const changed = changedTable(sql);
    if (changed === undefined) {
      this.drop();
      return;
    }
    const rowKey = row === undefined ? undefined : textOf(row);
    for (const table of [changed, ...ANY]) {
      for (const key of this.#readers.get(table) ?? []) {
        const read = this.#known.get(key)?.rowKey;
        if (rowKey === undefined || read === undefined || read === rowKey) this.#known.delete(key);
      }
    }
  }

  drop(): void {
    this.#known.clear();
    this.#readers.clear();
  }
}

const tablesByText = new Map<string, ReadonlySet<string> | undefined>();

/** The tables that a query reads, those of its subqueries too; undefined where its text does not say. */
export function tablesOf(sql: string): ReadonlySet<string> | undefined {
  if (!tablesByText.has(sql)) {
    const names = [...sql.matchAll(TABLE)].map(([, name]) => String(name));
    tablesByText.set(sql, LIST.test(sql) ? undefined : new Set(names));
  }
  return tablesByText.get(sql);
}

/** Text cannot contain the separator: the store refuses that character. */
export function keyOf({ sql, args }: Statement): string {
  return [sql, ...args].join('\0');
}

function textOf(key: readonly Value[]): string {
  return key.join('\0');
}
