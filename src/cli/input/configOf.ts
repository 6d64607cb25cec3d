/** The configuration that a command works with; a wrong one is wrong use of the command. */
import { type Config, ConfigError, readConfig } from '../../node/config.ts';
import { WrongUse } from '../commandFailure.ts';

/** @throws WrongUse that names every variable at fault */
export function configOf(env: NodeJS.ProcessEnv): Config {
  try {
    return readConfig(env);
  } catch (error) {
    throw configFailure(error);
  }
}

/** A ConfigError as a failure with a line for each variable at fault; any other error as it is. */
export function configFailure(error: unknown): unknown {
  if (!(error instanceof ConfigError)) return error;
  const lines = error.message.split('\n');
  const details = lines.map((line) => ({ path: line.slice(0, line.indexOf('=')), message: line }));
  return new WrongUse('The environment cannot be used:', { code: 'INVALID_CONFIGURATION', details, lines });
}
