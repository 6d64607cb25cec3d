/** Puts a known bug into a source. */
import type { Mutant } from './mutants.ts';

/** @returns the source with the bug @throws Error where its text does not stand there exactly once */
export function plant(source: string, { name, file, before, after }: Mutant): string {
  const times = source.split(before).length - 1;
  if (times !== 1) throw new Error(`The text of "${name}" stands ${times} times in ${file}.`);
  return source.replace(before, () => after);
}
