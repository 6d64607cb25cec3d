/** Exit codes of every command: 0 done, 1 refused or false, 2 wrong use, 3 no node answers. */
import type { Command, CommanderError } from 'commander';
import { ConfigError } from '../node/config.ts';

/** Nothing answers at the address that was given. */
export class Unreachable extends Error {}

/** The command cannot be carried out as it was given. */
export class WrongUse extends Error {}

/** Help and versions are no fault; anything else commander complains of is wrong use. */
export function exitByUse(command: Command): void {
  command.exitOverride((error: CommanderError) => process.exit(error.exitCode === 0 ? 0 : 2));
  for (const each of command.commands) exitByUse(each);
}

/** Says what went wrong in a sentence, with LOG_LEVEL=debug also where, and leaves the code for it. */
export function report(error: unknown): void {
  const wrongUse = error instanceof ConfigError;
  const debugging = process.env['LOG_LEVEL'] === 'debug' && !wrongUse;
  const text = error instanceof Error ? (debugging && error.stack) || error.message : String(error);
  console.error(wrongUse ? `The environment cannot be used:\n${text}` : text);
  process.exitCode = wrongUse || error instanceof WrongUse ? 2 : error instanceof Unreachable ? 3 : 1;
}
