/** `countersign openapi`: the document of the REST facade, without a node. */
import { Command } from 'commander';
import { readConfig } from '../../node/config.ts';
import { describeNode } from '../../node/describeNode.ts';

export function openapiCommand(): Command {
  return new Command('openapi')
    .description('Print the OpenAPI 3.1 document of the REST facade; no node is needed.')
    .option('--base-url <address>', 'the address it names', 'http://localhost:8402')
    .option('--json', 'on one line')
    .action(async (options: { baseUrl: string; json?: boolean }) => {
      const document = await describeNode(readConfig({ BASE_URL: options.baseUrl }));
      console.log(JSON.stringify(document, null, options.json === true ? 0 : 2));
    });
}
