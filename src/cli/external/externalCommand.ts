/** `countersign external`: what its commands take. */
import type { Command } from 'commander';
import { operationOptions } from '../input/operationOptions.ts';
import { amount } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareExternal(program: Command, env: NodeJS.ProcessEnv): void {
  const external = program
    .command('external')
    .description('Reserve before a payment elsewhere, and tell what came of it; compare an account’s statement.');
  operationOptions(targetOptions(external.command('reserve'), 'write'), 'reserveExternally')
    .description('Reserve an amount for a payment elsewhere; a repeated call has the same --purchase.')
    .option('--purchase <name>', 'names the purchase; made of the other options and this hour when absent')
    .action(async (options) => (await import('./externalActions.ts')).reserve(env, options));
  targetOptions(external.command('commit <id>'), 'write')
    .description('Tell what was paid; the rest of what was reserved is free again.')
    .addOption(amount('--amount <amount>', 'what was paid; all that is reserved when absent'))
    .option('--reference <text>', 'what the merchant calls it, such as the number of an order')
    .option('--receipt <file>', 'a document that shows it; only its hash goes to the node')
    .option('--note <text>', 'stands in the evidence')
    .action(async (id, options) => (await import('./externalActions.ts')).commit(env, id, options));
  operationOptions(targetOptions(external.command('release <id>'), 'write'), 'releaseReservation')
    .description('Tell that nothing was paid.')
    .action(async (id, options) => (await import('./externalActions.ts')).release(env, id, options));
  targetOptions(external.command('statement <file>'), 'admin')
    .description('Compare an account’s statement, as JSON, with what was reserved.')
    .action(async (file, options) => (await import('./externalActions.ts')).readStatement(env, file, options));
}
