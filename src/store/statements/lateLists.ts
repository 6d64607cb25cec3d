/**
 * Lists of rows whose indexes get them many at a time (purchases/lateRows.ts). A row is in the indexes under the status in `listed_as`, and in none of
 * them while that is empty. A list is made of two parts: the rows that are listed as they are now, by the indexes of lists,
 * and those that are not, which are few and have one index for all lists.
 */
import { all, type Script, type Value } from '../store.ts';
import { allOf, type Condition, inBatches } from './queries.ts';
import { type Column, placeholders, type RowOf, type Table } from './tableDefinition.ts';

/** The parts of a list of rows with a status, or with any: the conditions of each. A row is in one of them at most. */
export function lateParts(status: string | undefined): readonly (readonly Condition[])[] {
  const listed: Condition = ["listed_as <> ''"];
  const unlisted: Condition = ['unlisted = 1'];
  if (status === undefined) return [[listed], [unlisted, ["listed_as = ''"]]];
  return [
    [listed, ['listed_as = ?', status], ['status = ?', status]],
    [unlisted, ['status = ?', status]],
  ];
}

/**
 * A page of rows that meet any of several sets of conditions, no two of which one row meets.
 * @param order by what all their indexes end with
 */
export function listAnyOf<T extends Table>(
  from: T,
  parts: readonly (readonly (Condition | undefined)[])[],
  order: string,
  limit: number,
): Script<RowOf<T>[]> {
  return listColumns(from, '*', parts, order, limit);
}

/** As listAnyOf, with some columns alone. */
export function listColumns<Row>(
  from: Table,
  columns: string,
  parts: readonly (readonly (Condition | undefined)[])[],
  order: string,
  limit: number,
): Script<Row[]> {
  const found = parts.map((part) => allOf(part));
  const pages = found.map(
    ({ where }, index) =>
      `SELECT * FROM (SELECT ${columns} FROM ${from.name} WHERE ${where} ORDER BY ${order} LIMIT ?) AS part${index}`,
  );
  const args: Value[] = found.flatMap((part) => [...part.args, limit]);
  return all(`SELECT * FROM (${pages.join(' UNION ALL ')}) AS any_of ORDER BY ${order} LIMIT ?`, ...args, limit);
}

/** What a bounded walk through a list has found. */
export interface Walked<Row> {
  readonly rows: readonly Row[];
  /** The id up to which it went, where it ended before the list did and before it had found enough. */
  readonly upTo?: string;
}

/** Rows that one look at a list takes, of which only what it is looked through for is read. */
const WALKED_AT_ONCE = 1000;

type Mandates = Table<{
  readonly tenant_id: Column<string>;
  readonly mandate_id: Column<string>;
  readonly currency: Column<string>;
}>;

/**
 * As listAnyOf, newest first, for rows that no index leads to: a number of rows is looked through, however few are found.
 * @param columns by which rows are told @param fits whether a row is wanted
 */
export function* walkAnyOf<T extends Mandates, Name extends keyof T['columns'] & string>(
  from: T,
  tenantId: string,
  {
    parts,
    columns,
    fits,
  }: {
    readonly parts: readonly (readonly (Condition | undefined)[])[];
    readonly columns: readonly Name[];
    readonly fits: (row: Pick<RowOf<T>, Name>) => boolean;
  },
  limit: number,
): Script<Walked<RowOf<T>>> {
  type Seen = Pick<RowOf<T>, Name> & { readonly mandate_id: string };
  const names = ['mandate_id', ...columns].join(', ');
  const seen = yield* listColumns<Seen>(from, names, parts, 'mandate_id DESC', WALKED_AT_ONCE);
  const ids = seen
    .filter(fits)
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
