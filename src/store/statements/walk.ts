/** Lists that are filtered by what no index has: a bounded part of a list is looked through, and the answer says how far. */
import { all, type Script } from '../store.ts';
import { allOf, type Condition, inBatches } from './queries.ts';
import { type Column, placeholders, type RowOf, type Table } from './tableDefinition.ts';

/** What a bounded walk through a list has found. */
export interface WalkResult<Row> {
  readonly rows: readonly Row[];
  /** The id up to which it went, where it ended before the list did and before it had found enough. */
  readonly upTo?: string;
}

/** Rows that one walk takes, of which only the columns that tell them are read. */
const WALKED_AT_ONCE = 1000;

type Mandates = Table<{ readonly tenant_id: Column<string>; readonly mandate_id: Column<string> }>;

/**
 * The rows of a list that are wanted, newest first: a number of its rows is looked through, however few are found.
 * @param list.conditions of the list, which an index leads to in its order
 * @param list.columns by which a row is told @param list.fits whether a row is wanted
 */
export function* walkNewest<T extends Mandates, Name extends keyof T['columns'] & string>(
  from: T,
  tenantId: string,
  list: {
    readonly conditions: readonly (Condition | undefined)[];
    readonly columns: readonly Name[];
    readonly fits: (row: Pick<RowOf<T>, Name>) => boolean;
  },
  limit: number,
): Script<WalkResult<RowOf<T>>> {
  type Seen = Pick<RowOf<T>, Name> & { readonly mandate_id: string };
  const { where, args } = allOf(list.conditions);
  const columns = ['mandate_id', ...list.columns].join(', ');
  const walked = `SELECT ${columns} FROM ${from.name} WHERE ${where} ORDER BY mandate_id DESC LIMIT ?`;
  const seen = yield* all<Seen>(walked, ...args, WALKED_AT_ONCE);
  const ids = seen
    .filter(list.fits)
    .slice(0, limit)
    .map((row) => row.mandate_id);
  const found: RowOf<T>[] = [];
  for (const batch of inBatches(ids)) {
    const sql = `SELECT * FROM ${from.name} WHERE tenant_id = ? AND mandate_id IN ${placeholders(batch)} ORDER BY mandate_id DESC`;
    found.push(...(yield* all<RowOf<T>>(sql, tenantId, ...batch)));
  }
  const last = seen.at(-1);
  const isCut = seen.length === WALKED_AT_ONCE && ids.length < limit && last !== undefined;
  return isCut ? { rows: found, upTo: last.mandate_id } : { rows: found };
}
