/** `countersign approvals`: what waits for a person, and saying no for them. */
import { Command, Option } from 'commander';
import type { Approval, Operations } from '../../../client/operations.ts';
import { APPROVAL_STATUSES } from '../../../protocol/approval.ts';
import { type Cell, columns, localTime, money, statusCell } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { DEFAULT_LIMIT, newest } from '../target/pages.ts';
import { type TargetOptions, targetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

interface ListOptions extends TargetOptions {
  readonly status?: NonNullable<Operations['listApprovals']['input']['status']>;
  readonly limit: string;
}

export function approvalsCommand(env: NodeJS.ProcessEnv): Command {
  const command = new Command('approvals').description('See what waits for a person, and deny it.');
  targetOptions(command.command('list'), 'read')
    .description('List requests for approval, newest first.')
    .addOption(new Option('--status <status>', 'only these').choices(APPROVAL_STATUSES))
    .option('--limit <count>', 'how many', DEFAULT_LIMIT)
    .action((options: ListOptions) =>
      withTarget(env, options, async ({ client }) => {
        const { status } = options;
        const read = (page: object) => client.listApprovals({ ...page, ...(status && { status }) });
        const approvals = await newest(options.limit, read);
        print(options, approvals, columns(['REQUEST', 'STATUS', 'WHEN', 'AMOUNT', 'MERCHANT'], approvals.map(row)));
      }),
    );
  targetOptions(command.command('deny <id>'), 'write')
    .description('Deny one; the agent that waits hears it at once.')
    .action((id: string, options: TargetOptions) =>
      withTarget(env, options, async ({ client }) => {
        const denied = await client.denyApproval({ id });
        print(options, denied, `${denied.id} is denied.`);
      }),
    );
  return command;
}

function row({ id, status, amount, currency, merchant, createdAt }: Approval): Cell[] {
  return [id, statusCell(status), localTime(createdAt), money(amount, currency), merchant];
}
