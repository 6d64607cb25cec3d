/** Formats records for people: aligned columns, a name and a value on a line, moments in this machine's time zone. */
import { formatAmount } from '../../../protocol/money.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { colour } from './print.ts';

const NO_RECORDS = 'There are none.';

/** A cell of a table. Its paint colours the text once it is aligned. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

/** @returns a table with its heads, or a sentence where there are no rows */
export function columns(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return NO_RECORDS;
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => textOf(row[at]).length)));
  const last = heads.length - 1;
  const padded = (text: string, at: number) => (at === last ? text : text.padEnd(widths[at] ?? 0));
  const lines = rows.map((row) => row.map((cell, at) => paintOf(cell)(padded(textOf(cell), at))).join('  '));
  return [heads.map((head, at) => colour.dim(padded(head, at))).join('  '), ...lines].join('\n');
}

/** A name and a value on each line, without those that have no value. */
export function facts(members: Readonly<Record<string, Cell | undefined>>): string {
  const known = Object.entries(members).flatMap(([name, cell]) => (cell === undefined ? [] : [[name, cell] as const]));
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, cell]) => `${colour.dim(name.padEnd(width))}  ${paintOf(cell)(textOf(cell))}`).join('\n');
}

/** A moment in this machine's time zone, such as 2026-03-01 14:05:09. @param iso as ISO 8601 */
export function localTime(iso: string): string {
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** @param amount in units of its currency */
export function money(amount: number, currency: string): string {
  return formatAmount(amount, currency);
}

const GOOD = new Set(['ACTIVE', 'AUTHORIZED', 'CAPTURED', 'APPROVED']);
const BAD = new Set(['REVOKED', 'FAILED', 'DISPUTED', 'UNKNOWN', 'DENIED']);

export function statusCell(status: string): Cell {
  return { text: status, paint: paintFor(status.toUpperCase()) };
}

function paintFor(status: string): (text: string) => string {
  if (GOOD.has(status)) return colour.green;
  return BAD.has(status) ? colour.red : colour.yellow;
}

/** Names are others' words: a terminal is not moved or painted by them. */
function textOf(cell: Cell | undefined): string {
  return inertText(typeof cell === 'object' ? cell.text : (cell ?? ''));
}

function paintOf(cell: Cell | undefined): (text: string) => string {
  return typeof cell === 'object' ? cell.paint : (text) => text;
}
