/** What `countersign delegation` does with the open mandates that agents of a node buy by. */
import type { Delegation, PurchaseRefusal } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { CommandRefusal } from '../commandFailure.ts';
import { readTextFile } from '../input/files.ts';
import { facts, localTime, money, statusCell } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { type ListOptions, listRecords } from '../target/listRecords.ts';
import { agentCalled, principalCalled } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

type Env = NodeJS.ProcessEnv;

interface AddOptions extends TargetOptions {
  readonly agent: string;
  readonly principal?: string;
  readonly preview?: true;
}

export function addDelegation(env: Env, file: string, options: AddOptions): Promise<void> {
  const token = readTextFile(file).trim();
  return withTarget(env, options, async ({ client }) => {
    const { agent, principal } = options;
    const agentDid = await agentCalled(client, agent);
    const principalDid = principal === undefined ? undefined : await principalCalled(client, principal);
    const input = { token, agentDid, ...compact({ principalDid }) };
    if (options.preview) {
      const allowed = await client.previewDelegation(input);
      return print(options, allowed, facts(factsOf('limits' in allowed ? allowed : refuse(allowed))));
    }
    const kept = await client.registerDelegation(input);
    return print(options, kept, describe('id' in kept ? kept : refuse(kept)));
  });
}

function refuse({ reasonCodes, details }: Pick<PurchaseRefusal, 'reasonCodes' | 'details'>): never {
  const [code = 'MANDATE_INVALID'] = reasonCodes;
  throw new CommandRefusal(code, details[code]?.message ?? code);
}

export function listDelegations(env: Env, options: ListOptions): Promise<void> {
  return listRecords(env, options, 'listDelegations', {
    heads: ['DELEGATION', 'STATUS', 'SINCE', 'USED', 'WHERE', 'AGENT'],
    agentOf: () => undefined,
    row: (each) => [
      each.id,
      stateOf(each),
      localTime(each.createdAt),
      usedOf(each),
      each.limits.merchants?.join(', ') ?? 'any merchant',
      each.agentDid,
    ],
  });
}

export function showDelegation(env: Env, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const delegation = await client.getDelegation({ id });
    print(options, delegation, describe(delegation));
  });
}

export function revokeDelegation(env: Env, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const delegation = await client.revokeDelegation({ id });
    print(options, delegation, `${id} is revoked.`);
  });
}

/** What is active stands so where purchases pass by it. */
function stateOf({ status, delegated }: Delegation) {
  return statusCell(status === 'ACTIVE' && !delegated ? 'NOT ALLOWED' : status);
}

/** Such as "2 times, 40.00 USD of 100.00 USD". */
function usedOf({ used: { uses, spent }, limits: { budget, currency } }: Delegation): string {
  const times = uses === 1 ? 'once' : `${uses} times`;
  if (spent === undefined || currency === undefined) return times;
  const most = budget === undefined ? '' : ` of ${money(budget, currency)}`;
  return `${times}, ${money(spent, currency)}${most}`;
}

/** One delegation, a member a line. */
function describe(delegation: Delegation): string {
  return facts({
    Delegation: delegation.id,
    Status: stateOf(delegation),
    ...factsOf(delegation),
    Used: usedOf(delegation),
    Since: localTime(delegation.createdAt),
  });
}

/** What its mandates say, kept or not. */
function factsOf({ agentDid, principalDid, limits, openHash, delegated }: Pick<Delegation, PreviewMember>) {
  const { maxAmount, currency, merchants, budget, expiresAt, recurrence } = limits;
  const most = recurrence?.maxOccurrences === undefined ? '' : `, ${recurrence.maxOccurrences} times at most`;
  const atMost = (amount: number | undefined) =>
    amount === undefined || currency === undefined ? undefined : `${money(amount, currency)} at most`;
  return {
    Agent: agentDid,
    'Whose money': principalDid,
    'Of one': atMost(maxAmount),
    'In all': atMost(budget),
    Where: merchants?.join(', ') ?? 'any merchant',
    'How often': recurrence === undefined ? 'once' : `${recurrence.frequency} (calendar, UTC)${most}`,
    Until: expiresAt === undefined ? undefined : localTime(expiresAt),
    'Open hash': openHash,
    Note: delegated ? undefined : 'Nothing passes by it: whose money it is has not allowed this agent to spend it.',
  };
}

type PreviewMember = 'agentDid' | 'principalDid' | 'limits' | 'openHash' | 'delegated';
