/** Values of a model row as SQL, with the names of another purchase in place of the model's. */
import type { Value } from '../../src/store/store.ts';

/** Splits a text at the names, which stay as pieces of their own. */
export function tokenPattern(names: readonly string[]): RegExp {
  return new RegExp(`(${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`);
}

/** @param names by the name as the model has it: the SQL that gives another one */
export function expressionOf(value: Value, names: ReadonlyMap<string, string>): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  const pieces = value.split(tokenPattern([...names.keys()])).filter((piece) => piece !== '');
  if (pieces.length === 0) return "''";
  return pieces.map((piece) => names.get(piece) ?? quoted(piece)).join(' || ');
}

/** A quoted text of SQL, which both engines read the same. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
