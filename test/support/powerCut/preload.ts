/** Builds the library that journals what a process does to the files of a folder. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Powered {
  /** Whose files are journaled: a whole path, without links. */
  readonly folder: string;
  readonly journal: string;
  /** How long each sync of a log takes at least. */
  readonly delayMicroseconds?: number;
  /** Whether a sync of a log answers and does nothing. */
  readonly lies?: boolean;
  /** From which sync of a log on some fail. */
  readonly failsFrom?: number;
  /** How many of them fail; all unless given. */
  readonly failures?: number;
}

/** Why there is none here; undefined where there is. In CI there is a compiler, or the test fails. */
export function missingPreload(): string | undefined {
  if (process.platform !== 'linux') return 'calls are journaled on Linux only';
  const hasCompiler = spawnSync('cc', ['--version']).status === 0;
  return hasCompiler || process.env['CI'] !== undefined ? undefined : 'there is no C compiler (cc) on this machine';
}

/** @param folder where the library goes @returns its file */
export function buildPreload(folder: string): string {
  const source = fileURLToPath(new URL('./journal.c', import.meta.url));
  const library = join(folder, 'journal.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-lpthread']);
  return library;
}

/** The environment in which a process is journaled. */
export function powered(library: string, { folder, journal, ...given }: Powered): Record<string, string> {
  return {
    LD_PRELOAD: library,
    POWER_CUT_FOLDER: folder,
    POWER_CUT_JOURNAL: journal,
    ...(given.delayMicroseconds && { POWER_CUT_DELAY: String(given.delayMicroseconds) }),
    ...(given.lies === true && { POWER_CUT_LIES: '1' }),
    ...(given.failsFrom && { POWER_CUT_FAILS: String(given.failsFrom) }),
    ...(given.failures && { POWER_CUT_FAILURES: String(given.failures) }),
  };
}
