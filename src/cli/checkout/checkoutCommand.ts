/** `countersign checkout`: what its commands take. */
import type { Command } from 'commander';
import { operationOptions } from '../input/operationOptions.ts';
import { targetOptions } from '../target/targetOptions.ts';

/** The noun alone: its commands are of two extensions. @param hidden where neither is there */
export function declareCheckout(program: Command, hidden: boolean): Command {
  return program.command('checkout', { hidden }).description('Have checkouts of UCP and ACP judged.');
}

export function declareUcpCheckout(checkout: Command, env: NodeJS.ProcessEnv): void {
  targetOptions(checkout.command('validate <file>'), 'write')
    .description(
      'Have a checkout judged as its business sent it, and print the approval token; exit code 1 where it is refused.',
    )
    .requiredOption('--intent <id>', 'the intent that it is for')
    .requiredOption('--merchant <domain>', 'the domain of the business that it came from')
    .option('--jwt <file>', 'the JWT that the business made of it, where it made one')
    .action(async (file, options) => (await import('./checkoutActions.ts')).validateCheckout(env, file, options));
}

export function declareAcpCheckout(checkout: Command, env: NodeJS.ProcessEnv): void {
  operationOptions(targetOptions(checkout.command('acp <file>'), 'write'), 'validateAcpSession')
    .description(
      'Have a session of ACP judged as its shop sent it, and print what its /complete takes; exit code 1 where it is refused.',
    )
    .action(async (file, options) => (await import('./checkoutActions.ts')).validateAcpSession(env, file, options));
}
