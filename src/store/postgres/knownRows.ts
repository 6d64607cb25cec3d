/**
 * What one group has read already: rows of cached queries, and those that its present script has read ahead. They are known
 * until a statement changes one of their tables. The lock keeps other writers away from them, so nothing outlives the group.
 */
import { changedTable } from '../sqlite/rowCache.ts';
import type { Statement } from '../store.ts';

const QUERY = /^\s*SELECT\b/i;

const TABLE = /\b(?:FROM|JOIN)\s+(\w+)/gi;
/** More tables than one after a FROM. */
const LIST = /\bFROM\s+\w+(?:\s+(?:AS\s+)?\w+)?\s*,/i;

interface Known {
  /** Undefined where its text does not say which tables it reads. */
  readonly tables: ReadonlySet<string> | undefined;
  readonly rows: readonly unknown[];
  readonly isCached: boolean;
}

export class KnownRows {
  readonly #known = new Map<string, Known>();

  find(statement: Statement): readonly unknown[] | undefined {
    return this.#known.size === 0 ? undefined : this.#known.get(keyOf(statement))?.rows;
  }

  add(statement: Statement, rows: readonly unknown[]): void {
    this.#known.set(keyOf(statement), {
      tables: tablesOf(statement.sql),
      rows,
      isCached: statement.cached !== undefined,
    });
  }

  /** Drops what a statement may change. */
  dropFor({ sql }: Statement): void {
    if (this.#known.size === 0 || QUERY.test(sql)) return;
    const changed = changedTable(sql);
    for (const [key, { tables }] of this.#known) {
      if (changed === undefined || tables === undefined || tables.has(changed)) this.#known.delete(key);
    }
  }

  /** Drops what one script has read ahead: the next one reads its own, such as the time. */
  dropAhead(): void {
    for (const [key, { isCached }] of this.#known) if (!isCached) this.#known.delete(key);
  }

  drop(): void {
    this.#known.clear();
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
function keyOf({ sql, args }: Statement): string {
  return [sql, ...args].join('\0');
}
