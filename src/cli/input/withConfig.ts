/** Runs what works on the database of the configuration, and names the database where it cannot be used. */
import { join } from 'node:path';
import { remedyOf } from '../../maintenance/damage.ts';
import { DATABASE } from '../../maintenance/manifest.ts';
import type { Config } from '../../node/config/config.ts';
import { codeOf } from '../../store/failure.ts';
import { Failure } from '../commandFailure.ts';
import { configFailure, configOf } from './configOf.ts';

const DAMAGE: ReadonlySet<string> = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);

/** @throws WrongUse for a configuration that cannot be used, Failure for a database file that cannot */
export async function withConfig(env: NodeJS.ProcessEnv, act: (config: Config) => Promise<void>): Promise<void> {
  const config = configOf(env);
  try {
    await act(config);
  } catch (error) {
    throw databaseFailure(configFailure(error), join(config.dataDir, DATABASE), config.dataDir);
  }
}

/** An error of SQLite as a failure that names the file; any other error as it is. */
export function databaseFailure(error: unknown, file: string, dataDir?: string): unknown {
  const [found] = [error, error instanceof Error ? error.cause : undefined].filter((one) =>
    codeOf(one)?.startsWith('SQLITE_'),
  );
  const code = codeOf(found);
  // Every other SQLite error passes: another process holds the file, or a disk is full for a while.
  if (found === undefined || (found !== error && !DAMAGE.has(String(code)))) return error;
  const remedy =
    DAMAGE.has(String(code)) && dataDir !== undefined ? remedyOf(dataDir) : '"countersign doctor" names the remedy.';
  const message = `${file} cannot be used: ${(found as Error).message}; ${remedy}`;
  return new Failure(message, { code: 'FAILED', exitCode: 1, cause: error });
}
