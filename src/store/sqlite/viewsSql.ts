/** Views in a file beside an SQLite database: how they are made, filled and read. */
import { VIEWS_GENERATION } from '../statements/node/viewsGeneration.ts';
import type { View } from '../views/view.ts';

/** The ledger's generation; null until one has ended. */
const LEDGER_GENERATION = `(SELECT value FROM main.settings WHERE name = '${VIEWS_GENERATION}')`;
export const IS_CURRENT = `(SELECT generation FROM views.state) IS ${LEDGER_GENERATION}`;

/** Up to which place in the ledger the view has its rows. */
function placeOf({ name }: View): string {
  return `(SELECT CASE WHEN ${IS_CURRENT} THEN COALESCE((SELECT MAX(place) FROM views.${name}), 0) ELSE 0 END)`;
}

/** The file has this table at all times; its row says which views there are. */
export const CREATE_STATE = 'CREATE TABLE IF NOT EXISTS views.state (form TEXT NOT NULL, generation TEXT)';
/** The statement changes nothing, and keeps others from writing until the transaction ends. */
export const LOCK_VIEWS = 'DELETE FROM views.state WHERE FALSE';
/** Tables of any form, also those that a former version made. */
export const LIST_TABLES = "SELECT name FROM views.sqlite_master WHERE type = 'table'";

/** Statements that make an empty file. The place of a row is its rowid in the ledger, where each new row has the greatest one. */
export function createViews(views: readonly View[]): string[] {
  const tables = views.flatMap(({ name, columns, readOut = {}, indexes }) => [
    `CREATE TABLE views.${name} (place INTEGER PRIMARY KEY, ${[
      ...Object.entries(columns).map(([column, type]) => `${column} ${type}`),
      ...Object.entries(readOut).map(([column, { type }]) => `${column} ${type}`),
    ].join(', ')})`,
    ...Object.entries(indexes).map(([index, of]) => `CREATE INDEX views.${index} ON ${name} ${of}`),
  ]);
  return [CREATE_STATE, ...tables];
}

/** Says which views the file has, and of which generation; its argument is their form. */
export const NOTE_VIEWS = `INSERT INTO views.state VALUES (?, ${LEDGER_GENERATION})`;

/** Changes with what createViews makes. */
export function formOf(views: readonly View[]): string {
  return JSON.stringify(views.map(({ name, columns, readOut, indexes }) => [name, columns, readOut, indexes]));
}

/** The columns of a view, and what each is of a row of the ledger. */
function columnsOf({ columns, readOut = {} }: View): { readonly names: string; readonly cells: string } {
  const own = Object.keys(columns);
  const read = Object.entries(readOut);
  return {
    names: [...own, ...read.map(([column]) => column)].join(', '),
    cells: [...own, ...read.map(([column, { of }]) => `${of} AS ${column}`)].join(', '),
  };
}

/** Adds the next rows of the ledger; its argument is how many at most. */
export function fillView(view: View): string {
  const { name, source } = view;
  const { names, cells } = columnsOf(view);
  return `INSERT INTO views.${name} (place, ${names}) SELECT rowid, ${cells} FROM main.${source}
    WHERE rowid > ${placeOf(view)} ORDER BY rowid LIMIT ?`;
}

/** Whether the newest row of a view is that of the ledger: it is not where another database was put in the ledger's place. */
export function compareView({ name, source, columns }: View): string {
  const same = Object.keys(columns).map((column) => `l.${column} IS v.${column}`);
  return `SELECT 1 AS differs FROM views.${name} v WHERE place = (SELECT MAX(place) FROM views.${name})
    AND NOT EXISTS (SELECT 1 FROM main.${source} l WHERE l.rowid = v.place AND ${same.join(' AND ')})`;
}

/** Whether the ledger has rows that a view has not, more than its argument. */
export function isBehind(view: View): string {
  return `SELECT 1 AS behind FROM main.${view.source} WHERE rowid > ${placeOf(view)} ORDER BY rowid LIMIT 1 OFFSET ?`;
}

/**
 * What hides the query of the ledger that the schema has under the view's name: the rows of the file, and from the ledger those
 * that came since. NOT INDEXED has SQLite look for the latter by their places, and equal columns on both sides let it merge two
 * ordered lists.
 */
export function readView(view: View): string {
  const { name, source } = view;
  const { names, cells } = columnsOf(view);
  return `CREATE TEMP VIEW ${name} AS SELECT ${names} FROM views.${name} WHERE +place <= ${placeOf(view)}
    UNION ALL SELECT ${cells} FROM main.${source} NOT INDEXED WHERE rowid > ${placeOf(view)}`;
}
