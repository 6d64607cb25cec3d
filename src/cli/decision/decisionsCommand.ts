/** `countersign decisions`: what its commands take. */
import type { Command } from 'commander';
import { reasonCodes } from '../../../client/operations.ts';
import { DECISION_OUTCOMES } from '../input/closedLists.ts';
import { amount, choice, limit, moment } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareDecisions(program: Command, env: NodeJS.ProcessEnv): void {
  const decisions = program.command('decisions').description('Show what was allowed and refused, and why.');
  targetOptions(decisions.command('list'), 'read')
    .description('List every intent and cart that was judged, newest first.')
    .option('--agent <agent>', 'only of this agent, by its DID or name')
    .option('--merchant <domain>', 'only at this merchant')
    .addOption(choice('--outcome <outcome>', 'only these; approval: only a person was missing', DECISION_OUTCOMES))
    .addOption(choice('--reason <code>', 'only refused for this reason', reasonCodes))
    .addOption(moment('--from <moment>', 'from this moment on'))
    .addOption(moment('--to <moment>', 'up to this moment'))
    .addOption(amount('--min <amount>', 'of at least so much'))
    .addOption(amount('--max <amount>', 'of at most so much'))
    .option('--currency <code>', 'only in this currency')
    .option('--csv', 'all that is found as CSV, regardless of --limit')
    .addOption(limit())
    .action(async (options) => (await import('./decisionActions.ts')).listDecisions(env, options));
  targetOptions(decisions.command('show <transaction>'), 'read')
    .description('Show each judgement of a transaction rule by rule, and what would have passed at that moment.')
    .action(async (id, options) => (await import('./decisionActions.ts')).showDecisions(env, id, options));
}
