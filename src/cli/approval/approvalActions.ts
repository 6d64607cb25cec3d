/** What `countersign approvals` does: lists what waits for a person, and says no for them. */
import type { Approval } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { type Cell, columns, localTime, money, statusCell } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { newest } from '../target/pages.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

interface ListOptions extends TargetOptions {
  readonly status?: Approval['status'];
  readonly limit: number;
}

export function listApprovals(env: NodeJS.ProcessEnv, options: ListOptions): Promise<void> {
  const { status, limit } = options;
  return withTarget(env, options, async ({ client }) => {
    const approvals = await newest(limit, (page) => client.listApprovals({ ...page, ...compact({ status }) }));
    print(options, approvals, columns(['REQUEST', 'STATUS', 'WHEN', 'AMOUNT', 'MERCHANT'], approvals.map(row)));
  });
}

export function denyApproval(env: NodeJS.ProcessEnv, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const denied = await client.denyApproval({ id });
    print(options, denied, `${denied.id} is denied.`);
  });
}

function row({ id, status, amount, currency, merchant, createdAt }: Approval): Cell[] {
  return [id, statusCell(status), localTime(createdAt), money(amount, currency), merchant];
}
