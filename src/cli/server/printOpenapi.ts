/** `countersign openapi`: the document of the REST facade, without a node. */
import { describeNode } from '../../node/describeNode.ts';
import { configOf } from '../input/configOf.ts';
import { endWithReader } from '../output/print.ts';

export async function printOpenapi(options: { readonly baseUrl: string; readonly json?: boolean }): Promise<void> {
  endWithReader();
  const document = await describeNode(configOf({ BASE_URL: options.baseUrl }));
  console.log(JSON.stringify(document, null, options.json === true ? 0 : 2));
}
