/** `countersign decisions`: what its commands take. */
import type { Command } from 'commander';
import { operationOptions } from '../input/operationOptions.ts';
import { limit } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareDecisions(program: Command, env: NodeJS.ProcessEnv): void {
  const decisions = program.command('decisions').description('Show what was allowed and refused, and why.');
  operationOptions(targetOptions(decisions.command('list'), 'read'), 'listDecisions')
    .description('List every intent and cart that was judged, newest first.')
    .option('--csv', 'all that is found as CSV, regardless of --limit')
    .addOption(limit())
    .action(async (options) => (await import('./decisionActions.ts')).listDecisions(env, options));
  targetOptions(decisions.command('show <transaction>'), 'read')
    .description('Show each judgement of a transaction rule by rule, and what would have passed at that moment.')
    .action(async (id, options) => (await import('./decisionActions.ts')).showDecisions(env, id, options));
}
