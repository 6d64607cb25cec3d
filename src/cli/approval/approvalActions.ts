/** What `countersign approvals` does: lists what waits for a person, and says no for them. */
import type { Approval } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { type Cell, columns, localTime, money, statusCell } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { agentCalled, agentNames } from '../target/names.ts';
import { newest } from '../target/pages.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

interface ListOptions extends TargetOptions {
  readonly status?: Approval['status'];
  readonly agent?: string;
  readonly merchant?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

const HEADS = ['REQUEST', 'STATUS', 'WHEN', 'AMOUNT', 'MERCHANT', 'AGENT', 'LINK'];

export function listApprovals(env: NodeJS.ProcessEnv, options: ListOptions): Promise<void> {
  const { status, agent, merchant, from, to, limit } = options;
  return withTarget(env, options, async ({ client }) => {
    const agentDid = agent === undefined ? undefined : await agentCalled(client, agent);
    const chosen = compact({ status, agentDid, merchant, from, to });
    const approvals = await newest(limit, (page) => client.listApprovals({ ...page, ...chosen }));
    const names = await agentNames(
      client,
      approvals.map((each) => each.agentDid),
    );
    const rows = approvals.map((each) => row(each, names.get(each.agentDid)));
    print(options, approvals, columns(HEADS, rows));
  });
}

export function denyApproval(env: NodeJS.ProcessEnv, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const denied = await client.denyApproval({ id });
    print(options, denied, `${denied.id} is denied.`);
  });
}

function row({ id, status, amount, currency, merchant, createdAt, agentDid, url }: Approval, name?: string): Cell[] {
  const link = url ?? '';
  return [id, statusCell(status), localTime(createdAt), money(amount, currency), merchant, name ?? agentDid, link];
}
