/** `countersign approvals`: what waits for a person, and saying no for them. */
import { Command, Option } from 'commander';
import { APPROVAL_STATUSES, type Approval, ListApprovals } from '../../../protocol/approval.ts';
import type { Page } from '../../../protocol/wire/page.ts';
import { denyApproval, listApprovals } from '../../handlers/approvals/listApprovals.ts';
import { parseInput } from '../../handlers/core/parseInput.ts';
import { call } from '../../handlers/core/useCase.ts';
import { type Cell, columns, localTime, money, statusCell } from '../output/layout.ts';
import { print, reach, type Where, whereOptions } from '../target/reach.ts';

export function approvalsCommand(env: NodeJS.ProcessEnv): Command {
  const command = new Command('approvals').description('See what waits for a person, and deny it.');
  whereOptions(command.command('list'), 'read')
    .description('List requests for approval, newest first.')
    .addOption(new Option('--status <status>', 'only these').choices(APPROVAL_STATUSES))
    .option('--limit <count>', 'how many, at most 200', '50')
    .action(async (options: Where & { status?: string; limit: string }) => {
      const asked = { limit: options.limit, ...(options.status === undefined ? {} : { status: options.status }) };
      const { data } = await reach<Page<Approval>>(env, options, {
        node: async (ask) => (await ask('GET', `/ap2/approvals?${new URLSearchParams(asked)}`)) as Page<Approval>,
        folder: (deps, caller) => call(listApprovals.run, deps, caller, parseInput(ListApprovals, asked)),
      });
      print(options, data, columns(['REQUEST', 'STATUS', 'WHEN', 'AMOUNT', 'MERCHANT'], data.map(row)));
    });
  whereOptions(command.command('deny <id>'), 'write')
    .description('Deny one; the agent that waits hears it at once.')
    .action(async (id: string, options: Where) => {
      const denied = await reach<Approval>(env, options, {
        node: async (ask) => (await ask('POST', `/ap2/approvals/${encodeURIComponent(id)}/deny`, {})) as Approval,
        folder: (deps, caller) => call(denyApproval.run, deps, caller, { id }),
      });
      print(options, denied, `${denied.id} is denied.`);
    });
  return command;
}

function row({ id, status, amount, currency, merchant, createdAt }: Approval): Cell[] {
  return [id, statusCell(status), localTime(createdAt), money(amount, currency), merchant];
}
