/** The table of mutants in docs/explanation/reliability.md, between its marks. Rows of bugs that a run did not try stay as they are. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MUTANTS, type Mutant } from './mutants.ts';

const PAGE = join('docs', 'explanation', 'reliability.md');
const TABLE = /(<!-- mutants -->\n)([\s\S]*?)(<!-- end of mutants -->)/;
const HEAD = '| Bug | Caught by | Seed | Steps | Seconds |\n|---|---|---|---|---|\n';

/** What came of hunting one bug. */
export interface Row {
  readonly mutant: Mutant;
  /** The invariant; undefined where it stayed unseen. */
  readonly caught: string | undefined;
  readonly seed: number | undefined;
  readonly steps: number | undefined;
  readonly seconds: number;
  /** What the simulator said. */
  readonly sentence: string | undefined;
}

/** @param root the project's folder */
export function writeRows(root: string, rows: readonly Row[]): void {
  const page = readFileSync(join(root, PAGE), 'utf8');
  writeFileSync(join(root, PAGE), withRows(page, rows));
}

/** @returns the page with these rows in the table, in the order of the mutants; rows of bugs that are no more go */
export function withRows(page: string, rows: readonly Row[]): string {
  const kept = rowsIn(page);
  for (const { mutant, caught, seed, steps, seconds } of rows) {
    const cells = [bugOf(mutant), caught ?? 'nothing', seed ?? '', steps ?? '', seconds];
    kept.set(bugOf(mutant), `| ${cells.join(' | ')} |`);
  }
  const lines = MUTANTS.flatMap((mutant) => kept.get(bugOf(mutant)) ?? []).map((line) => `${line}\n`);
  return page.replace(TABLE, (_, begin, __, end) => begin + HEAD + lines.join('') + end);
}

/** The lines of the table by their bug. */
export function rowsIn(page: string): Map<string, string> {
  const lines = (TABLE.exec(page)?.[2] ?? '')
    .split('\n')
    .slice(2)
    .filter((line) => line.startsWith('| '));
  return new Map(lines.map((line) => [line.slice(2).split(' | ')[0] as string, line]));
}

export function bugOf({ name, breaks }: Mutant): string {
  return `**${name}**: ${breaks}`;
}
