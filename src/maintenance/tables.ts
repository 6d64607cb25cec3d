/** The tables of the schema, as both engines have them, and what is in them. */
import { createHash } from 'node:crypto';
import { migrate } from '../store/schema/migrate.ts';
import { readSchema } from '../store/schema/schema.ts';
import { NO_CLOCK, openSqlite } from '../store/sqlite/sqliteStore.ts';
import { all, get, type Store, type Value } from '../store/store.ts';

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
}

export interface TableState {
  readonly rows: number;
  /** SHA-256 over the rows in the order of their key, in hexadecimal. */
  readonly sha256: string;
}

const ROWS_AT_ONCE = 500;

/**
 * Read from an empty database of this program's schema, since one text makes it on both engines. Tables that others
 * refer to come first; the record of migrations is left out, each database having its own.
 */
export async function readTables(): Promise<Table[]> {
  const empty = openSqlite(':memory:', NO_CLOCK);
  try {
    await migrate(empty, await readSchema());
    return await empty.read(function* () {
      const named = yield* all<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name <> 'tenants', name",
      );
      const tables: Table[] = [];
      for (const { name } of named) {
        if (name === 'schema_migrations') continue;
        const columns = yield* all<{ name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?)', name);
        const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
        tables.push({ name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) });
      }
      return tables;
    });
  } finally {
    await empty.close();
  }
}

export async function countRows(store: Store, table: Table): Promise<number> {
  const row = await store.read(() => get<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table.name}`));
  return row?.count ?? 0;
}

/** Reads a table in pieces, in the order of its key; each row is its values in the order of the columns. */
export async function* readRows(store: Store, table: Table): AsyncGenerator<Value[][]> {
  const { name, columns, key } = table;
  const order = key.join(', ');
  const marks = key.map(() => '?').join(', ');
  let last: Value[] | undefined;
  for (;;) {
    const after = last === undefined ? '' : ` WHERE (${order}) > (${marks})`;
    const sql = `SELECT ${columns.join(', ')} FROM ${name}${after} ORDER BY ${order} LIMIT ${ROWS_AT_ONCE}`;
    const args = last ?? [];
    const found = await store.read(() => all<Record<string, Value>>(sql, ...args));
    const end = found.at(-1);
    if (end === undefined) return;
    yield found.map((row) => columns.map((column) => row[column] ?? null));
    if (found.length < ROWS_AT_ONCE) return;
    last = key.map((column) => end[column] ?? null);
  }
}

/** Adds rows to what is digested. */
interface Digest {
  add(rows: readonly Value[][]): void;
  end(): TableState;
}

export function digest(): Digest {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add(rows) {
      count += rows.length;
      for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
    },
    end: () => ({ rows: count, sha256: hash.digest('hex') }),
  };
}

/** Reads all of a table. @param onRows how many rows were read since the last call */
export async function digestTable(
  store: Store,
  table: Table,
  onRows: (count: number) => void = () => {},
): Promise<TableState> {
  const total = digest();
  for await (const rows of readRows(store, table)) {
    total.add(rows);
    onRows(rows.length);
  }
  return total.end();
}
