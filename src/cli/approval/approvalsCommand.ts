/** `countersign approvals`: what its commands take. */
import type { Command } from 'commander';
import { APPROVAL_STATUSES } from '../input/closedLists.ts';
import { choice, count, limit, moment } from '../input/optionTypes.ts';
import { targetOptions } from '../target/targetOptions.ts';

export function declareApprovals(program: Command, env: NodeJS.ProcessEnv): void {
  const approvals = program.command('approvals').description('Show what waits for a person, and deny it.');
  targetOptions(approvals.command('list'), 'read')
    .description('List requests for approval, newest first, with the link of each that waits.')
    .addOption(choice('--status <status>', 'only these', APPROVAL_STATUSES))
    .option('--agent <agent>', 'only of this agent, by its DID or name')
    .option('--merchant <domain>', 'only at this merchant')
    .addOption(moment('--from <moment>', 'from this moment on'))
    .addOption(moment('--to <moment>', 'up to this moment'))
    .addOption(limit())
    .action(async (options) => (await import('./approvalActions.ts')).listApprovals(env, options));
  targetOptions(approvals.command('show <id>'), 'read')
    .description('Show a request: what is bought, why people are asked, and who has approved.')
    .action(async (id, options) => (await import('./approvalActions.ts')).showApproval(env, id, options));
  targetOptions(approvals.command('escalation [users...]'), 'admin')
    .description('Show or set who is told, one after the other, of an approval that is not decided.')
    .addOption(
      count('--after <minutes>', 'tell the next one after so many minutes, if half of the time left is longer'),
    )
    .option('--off', 'tell all of them at once')
    .action(async (users, options) => (await import('./approvalActions.ts')).manageEscalation(env, users, options));
  targetOptions(approvals.command('deny <id>'), 'write')
    .description('Deny a request; the agent that waits learns it at once.')
    .action(async (id, options) => (await import('./approvalActions.ts')).denyApproval(env, id, options));
}
