/** Reads a table: its rows in order, their number, and a digest over them that is the same on both engines. */
import { createHash } from 'node:crypto';
import { columnNames, type RowOf, readValues, type Table } from '../store/statements/tableDefinition.ts';
import { all, count, type Reader, type Value } from '../store/store.ts';

export interface TableState {
  readonly rows: number;
  /** SHA-256 over the rows in the order of their key, in hexadecimal. */
  readonly sha256: string;
}

const ROWS_AT_ONCE = 500;

export function countRows(store: Reader, table: Table): Promise<number> {
  return store.read(() => count(`SELECT COUNT(*) AS count FROM ${table.name}`));
}

/** The rows of a table in pieces, in the order of its key. */
export async function* readRows(store: Reader, table: Table): AsyncGenerator<RowOf<Table>[]> {
  const { name, key } = table;
  const columns = columnNames(table).join(', ');
  const order = key.join(', ');
  const marks = key.map(() => '?').join(', ');
  let last: Value[] | undefined;
  for (;;) {
    const after = last === undefined ? '' : ` WHERE (${order}) > (${marks})`;
    const sql = `SELECT ${columns} FROM ${name}${after} ORDER BY ${order} LIMIT ${ROWS_AT_ONCE}`;
    const args = last ?? [];
    const found = await store.read(() => all<RowOf<Table>>(sql, ...args));
    const end = found.at(-1);
    if (end === undefined) return;
    yield found;
    if (found.length < ROWS_AT_ONCE) return;
    last = readValues(key, end);
  }
}

interface Digest {
  add(rows: readonly RowOf<Table>[]): void;
  end(): TableState;
}

export function digest(table: Table): Digest {
  const columns = columnNames(table);
  const hash = createHash('sha256');
  let count = 0;
  return {
    add(rows) {
      count += rows.length;
      for (const row of rows) hash.update(`${JSON.stringify(readValues(columns, row))}\n`);
    },
    end: () => ({ rows: count, sha256: hash.digest('hex') }),
  };
}

/** Reads a whole table. @param onRows receives how many rows were read since the last call */
export async function digestTable(
  store: Reader,
  table: Table,
  onRows: (count: number) => void = () => {},
): Promise<TableState> {
  const total = digest(table);
  for await (const rows of readRows(store, table)) {
    total.add(rows);
    onRows(rows.length);
  }
  return total.end();
}
