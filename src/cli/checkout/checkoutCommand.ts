/** `countersign checkout`: what its commands take. */
import type { Command } from 'commander';
import { operationOptions } from '../input/operationOptions.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareCheckout(program: Command, env: NodeJS.ProcessEnv): void {
  const checkout = program.command('checkout').description('Have checkouts of UCP and ACP judged.');
  targetOptions(checkout.command('validate <file>'), 'write')
    .description(
      'Have a checkout judged as its business sent it, and print the approval token; exit code 1 where it is refused.',
    )
    .requiredOption('--intent <id>', 'the intent that it is for')
    .requiredOption('--merchant <domain>', 'the domain of the business that it came from')
    .option('--jwt <file>', 'the JWT that the business made of it, where it made one')
    .action(async (file, options) => (await import('./checkoutActions.ts')).validateCheckout(env, file, options));
  operationOptions(targetOptions(checkout.command('acp <file>'), 'write'), 'validateAcpSession')
    .description(
      'Have a session of ACP judged as its shop sent it, and print what its /complete takes; exit code 1 where it is refused.',
    )
    .action(async (file, options) => (await import('./checkoutActions.ts')).validateAcpSession(env, file, options));
}
