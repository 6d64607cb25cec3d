/** What `countersign approvals` does: lists what waits for a person, and says no for them. */
import type { Approval } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { CommandRefusal } from '../commandFailure.ts';
import { type Cell, columns, facts, localTime, money, statusCell } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { type ListOptions, listRecords } from '../target/listRecords.ts';
import { agentNames } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

const HEADS = ['REQUEST', 'STATUS', 'WHEN', 'AMOUNT', 'MERCHANT', 'AGENT', 'LINK'];

export function listApprovals(env: NodeJS.ProcessEnv, options: ListOptions): Promise<void> {
  // Few policies ask several people.
  const headsOf = (approvals: readonly Approval[]) =>
    approvals.some(({ people }) => people !== undefined) ? [...HEADS, 'PEOPLE'] : HEADS;
  return listRecords(env, options, 'listApprovals', { heads: headsOf, row });
}

interface ShowOptions extends TargetOptions {
  readonly decision?: true;
}

export function showApproval(env: NodeJS.ProcessEnv, id: string, options: ShowOptions): Promise<void> {
  if (options.decision === true) return showDecision(env, id, options);
  return withTarget(env, options, async ({ client }) => {
    const found = await client.getApproval({ id });
    const names = await agentNames(client, [found.agentDid]);
    print(options, found, describe(found, names.get(found.agentDid)));
  });
}

/** What is printed goes into a file, or to another program: of several people, a list with the decision of each. */
function showDecision(env: NodeJS.ProcessEnv, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const { status, decision, decisions } = await client.getApproval({ id, include: 'decision' });
    if (decision === undefined)
      throw new CommandRefusal('NOT_FOUND', `There is no decision to show: the request is ${status}.`);
    console.log(JSON.stringify(decisions ?? decision, undefined, options.json === true ? 0 : 2));
  });
}

function describe(approval: Approval, name?: string): string {
  const { id, status, amount, currency, merchant, agentDid, principalDid, causes, people, escalatedTo, url } = approval;
  return facts({
    request: id,
    status: statusCell(status),
    people: countOf(people),
    approved: people?.approved.map(({ by, name: person, at }) => `${person ?? by} (${localTime(at)})`).join(', '),
    amount: money(amount, currency),
    merchant,
    agent: name ?? agentDid,
    principal: principalDid,
    why: causes.map(({ message }) => message).join(' '),
    asked: localTime(approval.createdAt),
    told: escalatedTo?.map(({ userId, name: person, at }) => `${person ?? userId} (${localTime(at)})`).join(', '),
    until: localTime(approval.expiresAt),
    decided: approval.decidedAt && localTime(approval.decidedAt),
    link: url,
  });
}

interface EscalationOptions extends TargetOptions {
  readonly after?: number;
  readonly off?: true;
}

/** Shows who is told next, or sets it where users are named. */
export function manageEscalation(
  env: NodeJS.ProcessEnv,
  userIds: readonly string[],
  { after, off, ...options }: EscalationOptions,
): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const asked = { userIds: [...userIds], ...compact({ afterMinutes: after }) };
    const isSet = off === true || userIds.length > 0;
    const found = isSet ? await client.setEscalation(asked) : await client.getEscalation();
    const rows = found.people.map(({ userId, name, places }) => [
      userId,
      name ?? '',
      places === 1 ? '1 place' : `${places} places`,
    ]);
    const limit = found.afterMinutes === undefined ? '' : `, or ${found.afterMinutes} minutes,`;
    const text =
      rows.length === 0
        ? 'All who take notifications of approvals are told at once.'
        : `${columns(['USER', 'NAME', 'TOLD AT'], rows)}\nThe next one is told when half of the time that is left${limit} has passed.`;
    print(options, found, text);
  });
}

/** "1 of 2", where the policy says how many people must approve. */
function countOf(people: Approval['people']): string | undefined {
  return people && `${people.approved.length} of ${people.needed}`;
}

export function denyApproval(env: NodeJS.ProcessEnv, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const denied = await client.denyApproval({ id });
    print(options, denied, `${denied.id} is denied.`);
  });
}

function row(approval: Approval, name?: string): Cell[] {
  const { id, status, amount, currency, merchant, createdAt, agentDid, url = '', people } = approval;
  const count = countOf(people) ?? '';
  const what = [money(amount, currency), merchant, name ?? agentDid, url];
  return [id, statusCell(status), localTime(createdAt), ...what, count];
}
