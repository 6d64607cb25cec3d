// Brings what long tests have measured (test/support/figures.ts) into the table of docs/explanation/reliability.md. Rows that this run did
// not measure stay as they are.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join('docs', 'explanation', 'reliability.md');
const TABLE = /(<!-- figures -->\n)([\s\S]*?)(<!-- end of figures -->)/;
const HEAD = '| Under | Measured | On |\n|---|---|---|\n';

/** @param root the project's folder @param day such as 2026-11-22 */
export function writeFigures(root, day) {
  const folder = join(root, 'dist', 'figures');
  const figures = filesIn(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
  rmSync(folder, { recursive: true, force: true });
  if (figures.length === 0) return;
  const page = readFileSync(join(root, PAGE), 'utf8');
  const rows = new Map(
    (TABLE.exec(page)?.[2] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| Under'))
      .map((line) => [line.split(' | ')[0].slice(2), line]),
  );
  for (const { what, measured } of figures) rows.set(what, `| ${what} | ${measured} | ${day} |`);
  const sorted = [...rows.values()].sort().map((row) => `${row}\n`);
  writeFileSync(
    join(root, PAGE),
    page.replace(TABLE, (_, begin, __, end) => begin + HEAD + sorted.join('') + end),
  );
}

function filesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
