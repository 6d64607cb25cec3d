/**
 * What one group has read already: rows of cached queries, and those that its scripts have read ahead. They are known until a
 * statement changes one of their tables. The lock keeps other writers away from them, so nothing outlives the group.
 */
import { changedTable } from '../sqlite/rowCache.ts';
import type { Statement, Value } from '../store.ts';

const QUERY = /^\s*SELECT\b/i;

const TABLE = /\b(?:FROM|JOIN)\s+(\w+)/gi;
/** More tables than one after a FROM. */
const LIST = /\bFROM\s+\w+(?:\s+(?:AS\s+)?\w+)?\s*,/i;

/** How long rows are known at most: for the script that asked for them, or for all scripts of the group. */
type Reach = 'script' | 'group';

export interface Known {
  readonly rows: readonly unknown[];
  /** Whether one of its tables has changed since, but hardly these rows: a script that uses them has to read again beside. */
  isDoubtful: boolean;
}

interface Entry extends Known {
  readonly args: ReadonlySet<Value>;
  readonly reach: Reach;
  /** What a script has announced may be kept in doubt; what is cached is asked for by all, and has to be right. */
  readonly mayBeDoubtful: boolean;
  /** The key of the rows, where its arguments are that: a statement that says which other row it changes leaves them. */
  readonly rowKey: string | undefined;
}

/** In place of the tables of a query whose text does not say which it reads. */
const ANY: ReadonlySet<string> = new Set(['']);

export class KnownRows {
  readonly #known = new Map<string, Entry>();
  /** The keys of what was read from each table. */
  readonly #readers = new Map<string, Set<string>>();
  readonly #keepsInDoubt: boolean;

  /** @param keepsInDoubt whether rows stay that a change of their table hardly concerns; otherwise they are dropped */
  constructor(keepsInDoubt: boolean) {
    this.#keepsInDoubt = keepsInDoubt;
  }

  find(statement: Statement): Known | undefined {
    return this.#known.size === 0 ? undefined : this.#known.get(keyOf(statement));
  }

  add(statement: Statement, rows: readonly unknown[], reach: Reach): void {
    const { sql, args, cached } = statement;
    const tables = tablesOf(sql);
    // What reads no table may be the time, which goes on.
    const isOfAll = cached !== undefined || (reach === 'group' && tables?.size !== 0);
    const key = keyOf(statement);
    this.#known.set(key, {
      rows,
      args: new Set(args),
      reach: isOfAll ? 'group' : 'script',
      isDoubtful: false,
      mayBeDoubtful: this.#keepsInDoubt && isOfAll && cached === undefined,
      rowKey: cached?.byKey === true ? textOf(args) : undefined,
    });
    for (const table of tables ?? ANY) this.#readers.set(table, (this.#readers.get(table) ?? new Set()).add(key));
  }

  /** Drops what a statement may change. */
  dropFor({ sql, args, row }: Statement): void {
    if (this.#known.size === 0 || QUERY.test(sql)) return;
    const changed = changedTable(sql);
    if (changed === undefined) {
      this.drop();
      return;
    }
    const values = new Set(args);
    const rowKey = row === undefined ? undefined : textOf(row);
    for (const table of [changed, ...ANY]) {
      for (const key of this.#readers.get(table) ?? []) this.#doubt(key, values, rowKey);
    }
  }

  /** Drops what one script alone has read ahead: the next one reads its own, such as the time. */
  dropOfScript(): void {
    for (const [key, { reach }] of this.#known) if (reach === 'script') this.#known.delete(key);
  }

  drop(): void {
    this.#known.clear();
    this.#readers.clear();
  }

  #doubt(key: string, changing: ReadonlySet<Value>, rowKey: string | undefined): void {
    const known = this.#known.get(key);
    if (rowKey !== undefined && known?.rowKey !== undefined && known.rowKey !== rowKey) return;
    if (known?.mayBeDoubtful === true && !isAboutTheSame(changing, known.args)) known.isDoubtful = true;
    else this.#known.delete(key);
  }
}

/**
 * Whether a statement shares more than the tenant with a query: an agent, a key, an id. Then it may well change its rows, as it
 * does those of a query about the whole tenant.
 */
function isAboutTheSame(changing: ReadonlySet<Value>, asked: ReadonlySet<Value>): boolean {
  const texts = [...asked].filter((value) => typeof value === 'string');
  return texts.filter((text) => changing.has(text)).length >= Math.min(texts.length, 2);
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
