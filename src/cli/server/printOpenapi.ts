/** `countersign openapi`: the document of the REST facade, without a node. */
import { describeNode } from '../../node/describeNode.ts';
import { configFrom } from '../input/configOf.ts';
import { endWithReader } from '../output/print.ts';

export async function printOpenapi(options: { readonly baseUrl: string; readonly json?: boolean }): Promise<void> {
  endWithReader();
  const document = await describeNode(configFrom({ BASE_URL: options.baseUrl }));
  console.log(JSON.stringify(document, null, options.json === true ? 0 : 2));
}
