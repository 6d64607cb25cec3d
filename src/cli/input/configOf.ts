/** The configuration that a command works with; a wrong one is wrong use of the command. */
import { type Config, ConfigError, readConfig } from '../../node/config/config.ts';
import { readSecret, readSettings } from '../../node/config/settingLayers.ts';
import { WrongUse } from '../commandFailure.ts';

/** @throws WrongUse that names every setting at fault */
export function configOf(env: NodeJS.ProcessEnv): Config {
  return checked(() => readConfig(readSettings(env).values));
}

/** The configuration of a node that is not on this machine, of which no file of settings tells. @throws WrongUse */
export function configFrom(values: Readonly<Record<string, string>>): Config {
  return checked(() => readConfig(values));
}

/** The API key for a running node: COUNTERSIGN_API_KEY, or the one in the file that COUNTERSIGN_API_KEY_FILE names. @throws WrongUse */
export function keyOf(env: NodeJS.ProcessEnv): string | undefined {
  return checked(() => readSecret(env, 'COUNTERSIGN_API_KEY'));
}

function checked<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw configFailure(error);
  }
}

/** A ConfigError as a failure with a line for each setting at fault; any other error as it is. */
export function configFailure(error: unknown): unknown {
  if (!(error instanceof ConfigError)) return error;
  const lines = error.message.split('\n');
  const details = lines.map((line) => ({ path: line.slice(0, line.indexOf('=')), message: line }));
  return new WrongUse('The settings cannot be used:', { code: 'INVALID_CONFIGURATION', details, lines });
}
