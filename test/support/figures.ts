/** Figures that long tests measure. `npm run test:long` writes them into docs/explanation/reliability.md (scripts/figures.mjs). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join('dist', 'figures');

/** @param what the row of the table @param measured one line; kept only where the run is a long one */
export function noteFigure(what: string, measured: string): void {
  if (process.env['LONG'] !== '1') return;
  mkdirSync(FOLDER, { recursive: true });
  const file = `${what.replaceAll(/[^a-z0-9]+/gi, '-')}.json`;
  writeFileSync(join(FOLDER, file), JSON.stringify({ what, measured }));
}
