/** How commands reach a node's data: a running node over REST, or the data folder when no address is given. */
import type { Command } from 'commander';
import type { Caller } from '../../access/caller.ts';
import type { Deps } from '../../handlers/core/deps.ts';
import { readConfig } from '../../node/config.ts';
import { openOffline } from '../../node/openFolder.ts';
import { Unreachable, WrongUse } from '../exit.ts';

export interface Where {
  readonly url?: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** Adds the options that say where. @param permission what a key must be allowed */
export function whereOptions(command: Command, permission: string): Command {
  return command
    .option('--url <address>', 'a running node; without it the data folder is opened (COUNTERSIGN_URL)')
    .option('--key <key>', `a key of that node with the permission ${permission} (COUNTERSIGN_API_KEY)`)
    .option('--json', 'answer in JSON');
}

/** One request to a running node; throws an Error with the node's own words when it refuses. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Runs one of two ways of doing the same, depending on where the node is. */
export async function reach<Result>(
  env: NodeJS.ProcessEnv,
  where: Where,
  ways: {
    readonly node: (ask: Ask) => Promise<Result>;
    readonly folder: (deps: Deps, caller: Caller) => Promise<Result>;
  },
): Promise<Result> {
  const url = where.url ?? env['COUNTERSIGN_URL'];
  const key = where.key ?? env['COUNTERSIGN_API_KEY'];
  if (url !== undefined) {
    if (key === undefined) throw new WrongUse('A running node wants a key: give --key, or set COUNTERSIGN_API_KEY.');
    return ways.node(askNode(url, key));
  }
  const { deps, caller, close } = await openOffline(readConfig(env));
  try {
    return await ways.folder(deps, caller);
  } finally {
    await close();
  }
}

export function print(where: Where, facts: unknown, text: string): void {
  console.log(where.json === true ? JSON.stringify(facts) : text);
}

/** @param key with the permission that the request needs */
export function askNode(url: string, key: string): Ask {
  return async (method, path, body) => {
    const response = await fetch(url.replace(/\/+$/, '') + path, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Unreachable(`No node answers at ${url}.`);
    });
    const text = await response.text();
    if (!response.ok) throw new Error(refusal(response.status, text));
    return text === '' ? undefined : JSON.parse(text);
  };
}

function refusal(status: number, text: string): string {
  try {
    const { error } = JSON.parse(text);
    return `${error.code}: ${error.message}`;
  } catch {
    return `The node answered with status ${status}.`;
  }
}
