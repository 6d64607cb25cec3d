/**
 * What one group has read already: rows of cached queries until their table changes, and rows that a script read ahead until
 * anything changes. The tenant's lock keeps other writers away from them, so nothing outlives the group.
 */
import { changedTable } from '../sqlite/rowCache.ts';
import type { Statement } from '../store.ts';

const QUERY = /^\s*SELECT\b/i;

interface Known {
  /** Undefined where the statement does not say which table it reads. */
  readonly table: string | undefined;
  readonly rows: readonly unknown[];
}

export class KnownRows {
  readonly #known = new Map<string, Known>();

  find(statement: Statement): readonly unknown[] | undefined {
    return this.#known.size === 0 ? undefined : this.#known.get(keyOf(statement))?.rows;
  }

  add(statement: Statement, rows: readonly unknown[]): void {
    this.#known.set(keyOf(statement), { table: statement.cachedTable, rows });
  }

  /** Drops what a statement may change. */
  dropFor({ sql }: Statement): void {
    if (this.#known.size === 0 || QUERY.test(sql)) return;
    const changed = changedTable(sql);
    for (const [key, { table }] of this.#known) {
      if (changed === undefined || table === undefined || table === changed) this.#known.delete(key);
    }
  }

  drop(): void {
    this.#known.clear();
  }
}

/** Text cannot contain the separator: the store refuses that character. */
function keyOf({ sql, args }: Statement): string {
  return [sql, ...args].join('\0');
}
