/** `countersign credential`: what its commands take. */
import type { Command } from 'commander';
import { choice } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareCredential(program: Command, env: NodeJS.ProcessEnv): void {
  const credential = program
    .command('credential')
    .description('Show mandates in the forms that others verify, and verify them.');
  targetOptions(credential.command('show <id>'), 'read')
    .description('Print the mandate of an intent (intent_…) or of a payment (pm_…), and nothing else.')
    .addOption(choice('--as <form>', 'a document of the data model 2.0, or a signed token', ['vc', 'vc+jwt']))
    .action(async (id, options) => (await import('./credentialActions.ts')).showCredential(env, id, options));
  credential
    .command('verify')
    .description('Verify a mandate without any node; exit code 1 where it does not hold.')
    .argument('<file>', 'a mandate in any form; - for standard input')
    .option('--issuer <did>', 'the DID of the node, as you know it')
    .option('--status <list>', 'its status list, a file or an address: whether it was revoked')
    .option('--json', 'answer in JSON')
    .action(async (file, options) => (await import('./credentialActions.ts')).verifyCredential(file, options));
}
