/** Lists as CSV (RFC 4180): all that a list's filter finds, page after page, as a program for tables reads it. */
import type { Caller } from '../../access/caller.ts';
import { ByteStream } from '../byteStream.ts';
import type { Deps } from '../deps.ts';
import { type CsvCell, type CsvForm, call, type UseCase } from '../useCase.ts';

export const CSV = 'text/csv';
/** Pages are as large as they may be. */
const PAGE = 200;

/**
 * The first page is read before anything is sent, so that what is wrong with the request is answered as such.
 * @throws what the use case throws
 */
export async function csvOf(
  deps: Deps,
  caller: Caller,
  { run, csv }: Pick<UseCase, 'run'> & { readonly csv: CsvForm<never> },
  input: object,
): Promise<ByteStream> {
  const form = csv as CsvForm;
  const paged = form.cursorOf === undefined ? input : { ...input, limit: PAGE };
  const first = await call(run, deps, caller, paged);
  return new ByteStream(`${CSV}; charset=utf-8; header=present`, pages(), form.fileName);

  async function* pages(): AsyncGenerator<string> {
    yield csvLine(form.header);
    let output: unknown = first;
    for (;;) {
      const facts = await form.load?.(deps, caller, output);
      yield form.rows(output, facts).map(csvLine).join('');
      const cursor = form.cursorOf?.(output) ?? null;
      if (cursor === null) return;
      output = await call(run, deps, caller, { ...paged, cursor });
    }
  }
}

export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

/**
 * What begins a formula (OWASP, CSV injection), or a cell that programs for tables cut off where `;` separates cells or a line ends;
 * they skip white space, and some read the full-width signs.
 */
const FORMULA = /(^|[;\r\n\t])(?=\s*[=+\-@＝＋－＠])/g;

/** A text that begins like a formula would be run by programs for tables: it gets a sign before it that makes it text. */
function cellText(cell: CsvCell): string {
  if (cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = (/^[\t\r]/.test(cell) ? `'${cell}` : cell).replace(FORMULA, "$1'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
