/** `countersign mcp`: the tools over stdio. Nothing but the protocol goes to standard output. */
import { type Client, countersign } from '../../../client/rest.ts';
import type { Extension } from '../../extensions/extension.ts';
import { extensions } from '../../extensions/list.ts';
import { loadTools } from '../../extensions/nodeOperations.ts';
import { version } from '../../node/version.ts';
import { WrongUse } from '../commandFailure.ts';
import { keyOf } from '../input/configOf.ts';
import { isWebAddress } from '../target/targetOptions.ts';

interface Options {
  readonly url: string;
  readonly key?: string;
  readonly agent?: string;
}

/** @throws WrongUse without a key */
export async function serveMcp(env: NodeJS.ProcessEnv, { url, key, agent }: Options): Promise<void> {
  // COUNTERSIGN_KEY is its former name.
  const apiKey = key ?? keyOf(env) ?? env['COUNTERSIGN_KEY'];
  if (apiKey === undefined) throw new WrongUse('Give a key of the node by --key or COUNTERSIGN_API_KEY.');
  if (!isWebAddress(url)) throw new WrongUse(`--url must be an http or https address; it is ${JSON.stringify(url)}.`);
  const client: Client = countersign({ baseUrl: url, credential: { apiKey } });
  const server = (extensions as readonly Extension[]).find(({ stdio }) => stdio !== undefined);
  await server?.stdio?.(client, { agent, version, parts: await loadTools() });
}
