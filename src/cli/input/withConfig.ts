/** Runs what works on the database of the configuration, and names the database where it cannot be used. */
import { join } from 'node:path';
import { DATABASE } from '../../maintenance/manifest.ts';
import type { Config } from '../../node/config.ts';
import { Failure } from '../commandFailure.ts';
import { configFailure, configOf } from './configOf.ts';

/** @throws WrongUse for a configuration that cannot be used, Failure for a database file that cannot */
export async function withConfig(env: NodeJS.ProcessEnv, act: (config: Config) => Promise<void>): Promise<void> {
  const config = configOf(env);
  try {
    await act(config);
  } catch (error) {
    throw databaseFailure(configFailure(error), join(config.dataDir, DATABASE));
  }
}

/** An error of SQLite as a failure that names the file; any other error as it is. */
export function databaseFailure(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!code.startsWith('SQLITE_')) return error;
  const message = `${file} cannot be used: ${(error as Error).message}; "countersign doctor" names the remedy.`;
  return new Failure(message, { code: 'FAILED', exitCode: 1, cause: error });
}
