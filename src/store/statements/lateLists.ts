/**
 * Lists of rows whose indexes get them many at a time (purchases/lateRows.ts). A row is in the indexes under the status in `listed_as`, and in none of
 * them while that is empty. A list is made of two parts: the rows that are listed as they are now, by the indexes of lists,
 * and those that are not, which are few and have one index for all lists.
 */
import { all, type Script, type Value } from '../store.ts';
import { allOf, type Condition } from './queries.ts';
import type { RowOf, Table } from './tableDefinition.ts';

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
  const found = parts.map((part) => allOf(part));
  const pages = found.map(
    ({ where }, index) =>
      `SELECT * FROM (SELECT * FROM ${from.name} WHERE ${where} ORDER BY ${order} LIMIT ?) AS part${index}`,
  );
  const args: Value[] = found.flatMap((part) => [...part.args, limit]);
  return all(`SELECT * FROM (${pages.join(' UNION ALL ')}) AS any_of ORDER BY ${order} LIMIT ?`, ...args, limit);
}
