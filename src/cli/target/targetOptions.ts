/** The options by which a command is told which node it works on. */
import type { Command } from 'commander';

/** Where a node listens unless it is told otherwise. */
export const DEFAULT_URL = 'http://localhost:8402';

export interface TargetOptions {
  readonly url?: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** Adds the options. @param permission what the key must allow */
export function targetOptions(command: Command, permission: string): Command {
  return command
    .option('--url <address>', 'a running node; without it the data folder is opened (COUNTERSIGN_URL)')
    .option('--key <key>', `a key of that node with the permission ${permission} (COUNTERSIGN_API_KEY)`)
    .option('--profile <name>', 'the node that you logged in at under this name (COUNTERSIGN_PROFILE)')
    .option('--json', 'answer in JSON');
}

/** Whether a text is an http or https address. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/./.test(text) && URL.canParse(text);
}
