/** A guard tells of its tools: the node keeps what it told last, and answers what people accepted meanwhile. */
import { canonicalPlainly } from '../../../../protocol/credential/canonical.ts';
import { Guard, MOST_DEFINITIONS, mergeReport, TellGuard, waitingOf } from '../../../../protocol/guard/guardTools.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import { requireActsFor } from '../../../access/caller.ts';
import { loadAgent } from '../../../domain/agents/loadAgent.ts';
import {
  deleteGuardsBeyond,
  findGuardOf,
  type GuardRow,
  insertGuard,
  updateGuard,
} from '../../../store/statements/registry/guards.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { inOneCommit, useCase } from '../../../usecase/useCase.ts';
import { sha256 } from '../guardState.ts';
import { serversOf, showGuard } from './showGuards.ts';

/** Of an agent: those that it told of longest ago go. */
const MOST_GUARDS = 20;

export const tellGuard = useCase({
  summary: 'Tells which tools a guard stands before; what was told before is replaced. Answers what people accepted.',
  input: TellGuard,
  output: Guard,
  permission: 'write',
  faults: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<TellGuard, Guard>(function* (deps: Pick<Deps, 'newId'>, caller, input, { now }) {
    const { agentDid, name } = input;
    requireActsFor(caller, agentDid);
    requireDefinitions(input);
    const { tenantId } = caller;
    const agent = yield* loadAgent(tenantId, agentDid);
    if (agent.status === 'REVOKED') throw new Fault('CONFLICT', 'This agent is revoked; no guard stands before it.');
    const before = yield* findGuardOf(tenantId, agentDid, name);
    requireThere(before, name);
    const servers = mergeReport(input.servers, before === undefined ? [] : serversOf(before));
    const since = waitingOf(servers).length === 0 ? null : (before?.waiting_since ?? now);
    const row: GuardRow = {
      id: before?.id ?? deps.newId('grd_'),
      tenant_id: tenantId,
      agent_did: agentDid,
      name,
      servers: JSON.stringify(servers),
      waiting_since: since,
      created_at: before?.created_at ?? now,
      told_at: now,
      removed_at: null,
    };
    if (before !== undefined) yield* updateGuard(row);
    else {
      yield* insertGuard(row);
      yield* deleteGuardsBeyond(tenantId, agentDid, MOST_GUARDS);
    }
    return showGuard(row);
  }),
});

/** @throws Fault CONFLICT where a person removed it */
function requireThere(row: GuardRow | undefined, name: string): void {
  if (row === undefined || row.removed_at === null) return;
  const remedy = 'One that shall stand before this agent again takes another name in its guard.toml (name = "…").';
  const when = isoTime(row.removed_at);
  throw new Fault(
    'CONFLICT',
    `The guard ${name} was removed at ${when}: this node keeps no list of its tools. ${remedy}`,
  );
}

/**
 * What a person reads is what the hash stands for: an agent that tells of another guard's tools cannot have one accepted by words that
 * the tool does not have. What was accepted before is its guard's word, so that the difference leaves out nothing of what is listed now.
 * @throws Fault BAD_REQUEST
 */
function requireDefinitions({ servers }: TellGuard): void {
  let length = 0;
  for (const [at, { tools }] of servers.entries()) {
    for (const [index, tool] of tools.entries()) {
      length += (tool.definition?.length ?? 0) + (tool.accepted?.length ?? 0);
      for (const [member, fault] of [
        ['definition', definitionFault(tool)],
        ['accepted', acceptedFault(tool)],
      ] as const) {
        if (fault === undefined) continue;
        const path = `servers.${at}.tools.${index}.${member}`;
        throw new Fault('BAD_REQUEST', `${path} ${fault}.`, [{ path, message: fault }]);
      }
    }
  }
  if (length <= MOST_DEFINITIONS) return;
  const message = `must have definitions of ${MOST_DEFINITIONS} characters together at most, and has ${length}`;
  throw new Fault('BAD_REQUEST', `servers ${message}.`, [{ path: 'servers', message }]);
}

type ToolReport = TellGuard['servers'][number]['tools'][number];

const NOT_OF_TOOL = 'must be a JSON object with the name of the tool';

function definitionFault({ definition, hash, name }: ToolReport): string | undefined {
  if (definition === undefined) return undefined;
  if (sha256(definition) !== hash) return 'must be the text whose SHA-256 is hash';
  return toolOf(definition, name) === undefined ? NOT_OF_TOOL : undefined;
}

/** A difference that is none would have a person accept what changed as if nothing had. */
function acceptedFault({ accepted, change, definition, name }: ToolReport): string | undefined {
  if (accepted === undefined) return undefined;
  if (change !== 'changed' || definition === undefined) return 'may stand only beside the definition of a changed tool';
  const [former, latter] = [toolOf(accepted, name), toolOf(definition, name)];
  if (former === undefined) return NOT_OF_TOOL;
  return canonicalPlainly(former) === canonicalPlainly(latter) ? 'must differ from definition' : undefined;
}

/** @returns undefined for what is not the tool of that name */
function toolOf(text: string, name: string): object | undefined {
  try {
    const told: unknown = JSON.parse(text);
    return typeof told === 'object' && told !== null && 'name' in told && told.name === name ? told : undefined;
  } catch {
    return undefined;
  }
}
