/** `countersign delegation`: what its commands take. */
import type { Command } from 'commander';
import { operationOptions } from '../input/operationOptions.ts';
import { limit } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareDelegation(program: Command, env: NodeJS.ProcessEnv): void {
  const delegation = program
    .command('delegation')
    .description('Register open payment mandates of AP2 for agents, show what they were used for, and revoke them.');
  targetOptions(delegation.command('add <file>'), 'write')
    .description('Register the open mandate in a file, or in standard input (-).')
    .requiredOption('--agent <agent>', 'the agent that may buy by it, by its DID or name')
    .option('--principal <principal>', 'whose money it is, by its DID or name')
    .option('--preview', 'only say what it allows, and keep nothing')
    .action(async (file, options) => (await import('./delegationActions.ts')).addDelegation(env, file, options));
  operationOptions(targetOptions(delegation.command('list'), 'read'), 'listDelegations')
    .description('List delegations, newest first.')
    .addOption(limit())
    .action(async (options) => (await import('./delegationActions.ts')).listDelegations(env, options));
  targetOptions(delegation.command('show <id>'), 'read')
    .description('Show one delegation: what it allows, and what it was used for.')
    .action(async (id, options) => (await import('./delegationActions.ts')).showDelegation(env, id, options));
  targetOptions(delegation.command('revoke <id>'), 'write')
    .description('Revoke an open mandate for good; its intents and approval tokens end, what is paid stays paid.')
    .action(async (id, options) => (await import('./delegationActions.ts')).revokeDelegation(env, id, options));
}
