/** `countersign mcp`: which node the tools are of, and by which key. */
import { WrongUse } from '../commandFailure.ts';
import { runExtensionProgram } from '../extensionProgram.ts';
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
  await runExtensionProgram('mcp', { url, apiKey, agent });
}
