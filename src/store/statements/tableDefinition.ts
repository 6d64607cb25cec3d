/**
 * Tables as data. Each column is declared once; the type of a row, the INSERT and UPDATE texts and the copy between
 * engines are derived from the declaration. Texts are built when a module loads, not per call: engines prepare by text.
 */
import { changed, type Script, sendAll, type Value } from '../store.ts';

/** A column with cells of the type `Cell`. */
export interface Column<Cell extends Value = Value> {
  readonly type: 'TEXT' | 'BIGINT';
  readonly nullable: boolean;
  /** False for a column that an INSERT leaves to its default. */
  readonly inserted: boolean;
  /** Never set; it only carries the type. */
  readonly cell?: Cell;
}

export const DAY_MS = 24 * 3600 * 1000;

/** Deletes at most `limit` rows, which an index leads to. @param now milliseconds since the epoch @param tenantId where it goes by tenant */
export type Purge = (limit: number, now: number, tenantId: string) => Script<number>;

/** How long the rows of a table stay: for ever, and why, or until housekeeping deletes them. */
export type Retention =
  /** Kept for ever, or until its owner removes it. */
  | { readonly kept: string }
  /** Deleted elsewhere, by a worker of its own. */
  | { readonly deletedBy: string }
  | {
      /** When a row goes. */
      readonly goes: string;
      readonly purges: readonly Purge[];
      /** True where the rows are looked for in one tenant after the other. */
      readonly byTenant?: true;
    };

interface TableRules {
  readonly retention: Retention;
  /** True for what purchases create, which a reset of the sandbox deletes; false for what was configured. */
  readonly isTestData: boolean;
}

export interface Table<Columns extends Readonly<Record<string, Column>> = Readonly<Record<string, Column>>>
  extends TableRules {
  readonly name: string;
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  readonly columns: Columns;
}

type NameIn<T extends Table> = keyof T['columns'] & string;
type CellOf<C> = C extends Column<infer Cell> ? Cell : never;

/** A row as `SELECT *` gives it. */
export type RowOf<T extends Table> = { readonly [Name in keyof T['columns']]: CellOf<T['columns'][Name]> };

/** A row for an INSERT, without the columns that are left to their defaults. */
export type NewRow<T extends Table> = {
  readonly [Name in keyof T['columns'] as T['columns'][Name] extends { readonly inserted: false }
    ? never
    : Name]: CellOf<T['columns'][Name]>;
};

export const text: Column<string> = { type: 'TEXT', nullable: false, inserted: true };
export const integer: Column<number> = { type: 'BIGINT', nullable: false, inserted: true };
/** 0 or 1. */
export const flag = integer as Column<0 | 1>;

/** One of a few words. */
export function oneOf<Word extends string>(): Column<Word> {
  return text as Column<Word>;
}

export function nullable<Cell extends Value>(column: Column<Cell>): Column<Cell | null> {
  return { ...column, nullable: true };
}

/** A column that only an UPDATE sets: an INSERT leaves it to its default, which is NULL where the schema has none. */
export function later<Cell extends Value>(column: Column<Cell>): Column<Cell> & { readonly inserted: false } {
  return { ...column, inserted: false };
}

/** Declares a table of `data/schema`; a test compares the two. */
export function table<Columns extends Readonly<Record<string, Column>>>(
  name: string,
  key: readonly NoInfer<keyof Columns & string>[],
  columns: Columns,
  rules: TableRules,
): Table<Columns> {
  return { name, key, columns, ...rules };
}

/** All columns of a table, in the order in which they are declared. */
export function columnNames({ columns }: Table): string[] {
  return Object.keys(columns);
}

/**
 * `INSERT INTO table (…) VALUES (…)` of one row.
 * @returns a script that inserts a row; with a conflict clause it says whether it changed the table
 */
export function insertInto<T extends Table>(into: T): (row: NewRow<T>) => Script<void>;
/** @param conflict the clause for a row that exists already, such as `ON CONFLICT (did) DO NOTHING` */
export function insertInto<T extends Table>(into: T, conflict: string): (row: NewRow<T>) => Script<boolean>;
export function insertInto(into: Table, conflict?: string): (row: never) => Script<unknown> {
  const names = insertedNames(into);
  return conflict === undefined
    ? sendRow(insertionOf(into, names), names)
    : changeByRow(`${insertionOf(into, names)} ${conflict}`, names);
}

/**
 * As insertInto; a row with the same key that exists already gets the new values in all other columns.
 * @param cachedBy the columns that queries of the row cache (`byKey`) find rows of this table by: an upsert then drops only the
 *   answers for its own values in them, and otherwise all answers from the table
 */
export function upsertInto<T extends Table>(
  into: T,
  cachedBy?: readonly NameIn<T>[],
): (row: NewRow<T>) => Script<void> {
  const names = insertedNames(into);
  const changes = names.filter((name) => !into.key.includes(name)).map((name) => `${name} = excluded.${name}`);
  const conflict = `ON CONFLICT (${into.key.join(', ')}) DO UPDATE SET ${changes.join(', ')}`;
  return sendRow(`${insertionOf(into, names)} ${conflict}`, names, cachedBy);
}

function insertionOf({ name }: Table, names: readonly string[]): string {
  return `INSERT INTO ${name} (${names.join(', ')}) VALUES ${placeholders(names)}`;
}

/**
 * As insertInto, for many rows in one statement, with all their columns.
 * @param conflict the clause for rows that exist already
 * @returns a script that inserts rows; each number of rows is a text to be prepared, so use few different numbers
 */
export function insertManyInto<T extends Table>(into: T, conflict = ''): (rows: readonly RowOf<T>[]) => Script<void> {
  const names = columnNames(into);
  const texts = new Map<number, string>();
  return (rows) => {
    let sql = texts.get(rows.length);
    if (sql === undefined) {
      const values = rows.map(() => placeholders(names)).join(', ');
      sql = `INSERT INTO ${into.name} (${names.join(', ')}) VALUES ${values} ${conflict}`;
      texts.set(rows.length, sql);
    }
    return sendAll(sql, readAllValues(names, rows));
  };
}

/** `UPDATE table SET column = ?, … WHERE column = ? AND …`, all values taken from one row. */
export function updateOf<T extends Table, Name extends NameIn<T>>(
  of: T,
  { set, where }: { readonly set: readonly Name[]; readonly where: readonly Name[] },
): (row: Pick<RowOf<T>, Name>) => Script<void> {
  const changes = set.map((name) => `${name} = ?`).join(', ');
  const condition = where.map((name) => `${name} = ?`).join(' AND ');
  return sendRow(`UPDATE ${of.name} SET ${changes} WHERE ${condition}`, [...set, ...where]);
}

function insertedNames({ columns }: Table): string[] {
  return Object.keys(columns).filter((name) => columns[name]?.inserted);
}

/** `(?, ?)`, with a placeholder for each. */
export function placeholders(each: readonly unknown[]): string {
  return `(${each.map(() => '?').join(', ')})`;
}

function sendRow(sql: string, names: readonly string[], cachedBy?: readonly string[]): (row: object) => Script<void> {
  return (row) => sendAll(sql, readValues(names, row), cachedBy && readValues(cachedBy, row));
}

function changeByRow(sql: string, names: readonly string[]): (row: object) => Script<boolean> {
  return (row) => changed(sql, ...readValues(names, row));
}

/** The values of a row's columns, in the order of their names. */
export function readValues(names: readonly string[], row: object): Value[] {
  const values = new Array<Value>(names.length);
  putValues(values, 0, names, row);
  return values;
}

/** As readValues, of rows one after the other. */
function readAllValues(names: readonly string[], rows: readonly object[]): Value[] {
  const values = new Array<Value>(names.length * rows.length);
  for (let index = 0; index < rows.length; index++) {
    putValues(values, index * names.length, names, rows[index] as object);
  }
  return values;
}

function putValues(values: Value[], from: number, names: readonly string[], row: object): void {
  const cells = row as Readonly<Record<string, Value>>;
  for (let index = 0; index < names.length; index++) {
    values[from + index] = cells[names[index] as string] as Value;
  }
}
