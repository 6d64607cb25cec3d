/** Lists that are filtered by what no index has: a bounded part of a list is looked through, and the answer says how far. */
import { all, type Script, type Value } from '../store.ts';
import { allOf, type Condition, inBatches } from './queries.ts';
import { placeholders, type RowOf, readValues, type Table } from './tableDefinition.ts';

/** What a bounded walk through a list has found. */
export interface WalkResult<Row, Position = string> {
  readonly rows: readonly Row[];
  /** Where it went to, where it ended before the list did and before it had found enough. */
  readonly upTo?: Position;
}

/** Rows that one walk takes, of which only the columns that tell them are read. */
export const WALKED_AT_ONCE = 1000;

/**
 * The rows of a list that are wanted, newest first: a number of its rows is looked through, however few are found.
 * @param list.conditions of the list, which an index leads to in its order
 * @param list.order columns that say where a row stands, the last row of the list having the least
 * @param list.placeOf where a row stands, as the list says it
 * @param list.columns by which a row is told @param list.fits whether a row is wanted
 */
export function* walkNewest<
  T extends Table,
  Place extends keyof T['columns'] & string,
  Name extends keyof T['columns'] & string,
  Position,
>(
  from: T,
  list: {
    readonly conditions: readonly (Condition | undefined)[];
    readonly order: readonly Place[];
    readonly placeOf: (row: Pick<RowOf<T>, Place>) => Position;
    readonly columns: readonly Name[];
    readonly fits: (row: Pick<RowOf<T>, Name>) => boolean;
  },
  limit: number,
): Script<WalkResult<RowOf<T>, Position>> {
  type Seen = Pick<RowOf<T>, Name | Place>;
  const { where, args } = allOf(list.conditions);
  const columns = [...new Set([...from.key, ...list.order, ...list.columns])].join(', ');
  const order = list.order.map((column) => `${column} DESC`).join(', ');
  const walked = `SELECT ${columns} FROM ${from.name} WHERE ${where} ORDER BY ${order} LIMIT ?`;
  const seen = yield* all<Seen>(walked, ...args, WALKED_AT_ONCE);
  const chosen = seen.filter(list.fits).slice(0, limit);
  const rows: RowOf<T>[] = [];
  for (const batch of inBatches(chosen)) {
    const keys = batch.map((row): Value[] => readValues(from.key, row));
    const among = `(${from.key.join(', ')}) IN (VALUES ${keys.map(placeholders).join(', ')})`;
    rows.push(...(yield* all<RowOf<T>>(`SELECT * FROM ${from.name} WHERE ${among} ORDER BY ${order}`, ...keys.flat())));
  }
  const last = seen.at(-1);
  return seen.length < WALKED_AT_ONCE || rows.length === limit || last === undefined
    ? { rows }
    : { rows, upTo: list.placeOf(last) };
}
