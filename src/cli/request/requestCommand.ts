/** `countersign request`: what its commands take. */
import type { Command } from 'commander';
import { choice } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareRequest(program: Command, env: NodeJS.ProcessEnv): void {
  const request = program.command('request').description('Sign requests, so that merchants let an agent in.');
  targetOptions(request.command('sign <purchase> <method> <url>'), 'write')
    .description(
      'Sign one request to the merchant of a payment (pm_…) or intent (intent_…); prints the headers to send.',
    )
    .addOption(choice('--as <rules>', 'by which rules the merchant knows agents', ['web-bot-auth', 'tap']))
    .addOption(choice('--form <form>', 'how Signature-Agent is written', ['string', 'dictionary']))
    .option('--body <file>', 'what will be sent; only its hash goes to the node')
    .action(async (purchase, method, url, options) =>
      (await import('./requestActions.ts')).signRequest(env, { purchase, method, url }, options),
    );
}
