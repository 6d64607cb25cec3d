/** `countersign spend` and what else people look at first: what the commands take. */
import type { Command } from 'commander';
import { operationOptions } from '../input/operationOptions.ts';
import { count } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareOverview(program: Command, env: NodeJS.ProcessEnv): void {
  operationOptions(targetOptions(program.command('spend'), 'read'), 'showSpend')
    .description('Show what was paid, what came back and what is held, by currency.')
    .option('--csv', 'as CSV')
    .action(async (options) => (await import('./overviewActions.ts')).showSpend(env, options));
  targetOptions(program.command('limits'), 'read')
    .description(
      'Show what limits over time allow, and what of it is used now: those that all agents share, or of one.',
    )
    .option('--agent <agent>', 'those that hold for this agent, by its DID or name')
    .option('--principal <principal>', 'also those of the agents that spend this money, by its owner’s DID or name')
    .action(async (options) => (await import('./overviewActions.ts')).showLimits(env, options));
  targetOptions(program.command('attention'), 'read')
    .description('Show what needs a person, the most urgent first.')
    .action(async (options) => (await import('./overviewActions.ts')).showAttention(env, options));
  targetOptions(program.command('search <text>'), 'read')
    .description(
      'Find agents, payments, intents, merchants, webhooks and whose money it is by id, name, domain or amount.',
    )
    .addOption(count('--limit <count>', 'how many of each kind, 20 at most').default(5))
    .action(async (text, options) => (await import('./overviewActions.ts')).search(env, text, options));
}
