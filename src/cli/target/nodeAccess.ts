/** A node as commands see it: a running one by its address and a key, or the data folder it left or still works on. */
import { CountersignError } from '../../../client/error.ts';
import { type Client, countersign } from '../../../client/rest.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { Streamed } from '../../handlers/core/streamed.ts';
import { readConfig } from '../../node/config.ts';
import { openOffline } from '../../node/openFolder.ts';
import { Unreachable, WrongUse } from '../exit.ts';
import { folderClient, performOffline } from './folderClient.ts';
import type { Where } from './reach.ts';

export interface NodeAccess {
  readonly client: Client;
  /** The pieces of an export, as they come. @param input as exportEvidence takes it */
  exportEvidence(input: Readonly<Record<string, string>>): AsyncIterable<string>;
}

/**
 * @param needsNode why the data folder will not do, where it will not
 * @throws Unreachable when nothing answers, Error in the node's own words when it refuses
 */
export async function withNode(
  env: NodeJS.ProcessEnv,
  where: Where,
  act: (node: NodeAccess) => Promise<void>,
  needsNode?: string,
): Promise<void> {
  const url = where.url ?? env['COUNTERSIGN_URL'];
  if (url === undefined && needsNode !== undefined) {
    throw new WrongUse(`${needsNode} Name a running node with --url, or set COUNTERSIGN_URL.`);
  }
  try {
    await (url === undefined ? inFolder(env, act) : act(running(url, where.key ?? env['COUNTERSIGN_API_KEY'])));
  } catch (error) {
    throw explained(error, url);
  }
}

async function inFolder(env: NodeJS.ProcessEnv, act: (node: NodeAccess) => Promise<void>): Promise<void> {
  const { deps, caller, close } = await openOffline(readConfig(env));
  try {
    await act({
      client: folderClient(deps, caller),
      async *exportEvidence(input) {
        const output = await performOffline(deps, caller, 'exportEvidence', input);
        if (output instanceof Streamed) yield* output.pieces;
      },
    });
  } finally {
    await close();
  }
}

function running(url: string, key: string | undefined): NodeAccess {
  if (key === undefined) throw new WrongUse('A running node wants a key: give --key, or set COUNTERSIGN_API_KEY.');
  const baseUrl = url.replace(/\/+$/, '');
  if (!URL.canParse(baseUrl)) throw new WrongUse(`"${url}" is no address; one looks like http://localhost:8402.`);
  return {
    client: countersign({ baseUrl, credential: { apiKey: key }, attempts: 2 }),
    async *exportEvidence(input) {
      const headers = { Authorization: `Bearer ${key}` };
      const address = `${baseUrl}/ap2/evidence/export?${new URLSearchParams(input)}`;
      const response = await fetch(address, { headers }).catch((cause) => {
        throw new CountersignError('NETWORK', 'No answer came from the node.', { status: 0, cause });
      });
      if (!response.ok || response.body === null) throw refusalOf(await response.text(), response.status);
      yield* response.body.pipeThrough(new TextDecoderStream());
    },
  };
}

function refusalOf(text: string, status: number): Error {
  try {
    const { error } = JSON.parse(text);
    return new CountersignError(error.code, error.message, { status, details: error.details });
  } catch {
    return new Error(`The node answered with status ${status}.`);
  }
}

/** In one sentence, with the members at fault below it where there are several. */
function explained(error: unknown, url: string | undefined): unknown {
  if (error instanceof CountersignError && error.code === 'NETWORK')
    return new Unreachable(`No node answers at ${url}.`);
  if (!(error instanceof CountersignError || error instanceof Fault)) return error;
  const details = (error.details ?? []).map(({ path, message }) => `\n  ${path} ${message}`);
  return new Error(`${error.code}: ${error.message}${details.length > 1 ? details.join('') : ''}`);
}
