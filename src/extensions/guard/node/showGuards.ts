/** Guards as callers see them: an agent its own, people all of the tenant. */
import { z } from 'zod';
import {
  descriptionOf,
  Guard,
  type GuardServerRecord,
  GuardSummary,
  ListGuards,
  waitingOf,
  waits,
} from '../../../../protocol/guard/guardTools.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { inertText } from '../../../../protocol/wire/plainText.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import { actsFor, type Caller } from '../../../access/caller.ts';
import { findAgent } from '../../../store/statements/registry/agents.ts';
import {
  countWaitingGuards,
  deleteGuardsOf,
  findGuard,
  type GuardRow,
  listWaitingGuards,
  listGuards as selectGuards,
} from '../../../store/statements/registry/guards.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import type { WaitingTools } from '../../../usecase/hooks.ts';
import { byAgent, byId, listing } from '../../../usecase/list/listing.ts';
import { inOneRead, useCase } from '../../../usecase/useCase.ts';

/** As many as are counted of each kind that needs a person. */
const MOST_COUNTED = 1000;

export function serversOf({ servers }: Pick<GuardRow, 'servers'>): GuardServerRecord[] {
  return JSON.parse(servers) as GuardServerRecord[];
}

function aboutOf(row: GuardRow, servers: readonly GuardServerRecord[]) {
  return {
    id: row.id,
    name: row.name,
    agentDid: row.agent_did,
    waiting: waitingOf(servers).length,
    createdAt: isoTime(row.created_at),
    toldAt: isoTime(row.told_at),
  };
}

export function showGuard(row: GuardRow): Guard {
  const servers = serversOf(row);
  return {
    ...aboutOf(row, servers),
    servers: servers.map(({ name, tools }) => ({
      name,
      tools: tools.map((tool) => compact({ ...tool, description: descriptionOf(tool), waits: waits(tool) })),
    })),
  };
}

function summaryOf(row: GuardRow): GuardSummary {
  const servers = serversOf(row);
  return {
    ...aboutOf(row, servers),
    servers: servers.map((server) => ({
      name: server.name,
      tools: server.tools.length,
      waiting: waitingOf([server]).length,
    })),
  };
}

/** @throws Fault NOT_FOUND, also for what is another agent's */
export function* loadGuard(caller: Caller, id: string): Script<GuardRow> {
  const row = yield* findGuard(caller.tenantId, id);
  if (row === undefined || !actsFor(caller, row.agent_did)) throw new Fault('NOT_FOUND', `There is no guard ${id}.`);
  return row;
}

export const listGuards = listing({
  summary: 'Lists guards, newest first: which servers each stands before, and how many tools wait for a person.',
  input: ListGuards,
  item: GuardSummary,
  permission: 'read',
  own: byAgent,
  order: byId,
  select: ({ tenantId }, input, before, limit) => selectGuards(tenantId, input, before, limit),
  show: summaryOf,
});

const ById = z.object({ id: z.string() });

export const getGuard = useCase({
  summary:
    'Shows a guard: its tools as it told them last, what its rules do with each, and what a person has accepted.',
  input: ById,
  output: Guard,
  permission: 'read',
  showsOwn: true,
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof ById>, Guard>(function* (_deps, caller, { id }) {
    return showGuard(yield* loadGuard(caller, id));
  }),
});

/** What needs a person. */
export function* toolsToLookAt(tenantId: string, most: number): Script<WaitingTools> {
  const items = [];
  for (const row of yield* listWaitingGuards(tenantId, most)) {
    const tools = waitingOf(serversOf(row));
    const agent = yield* findAgent(tenantId, row.agent_did);
    const what =
      tools.length === 1
        ? `The tool ${inertText(tools[0]?.name ?? '').slice(0, 80)} waits`
        : `${tools.length} tools wait`;
    const message = `${what} for your look: ${agent?.display_name ?? row.agent_did} cannot call what changed behind its guard.`;
    items.push(compact({ message, since: isoTime(row.waiting_since), agentDid: row.agent_did, guardId: row.id }));
  }
  return { items, count: yield* countWaitingGuards(tenantId, MOST_COUNTED) };
}

/** An agent that was revoked calls nothing any more: nothing of it is to be accepted. */
export function* endGuards(_deps: Pick<Deps, 'wake'>, tenantId: string, agentDid: string): Script<void> {
  yield* deleteGuardsOf(tenantId, agentDid);
}
