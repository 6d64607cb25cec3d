/** Shows agents: one, or the tenant's newest first. */
import { z } from 'zod';
import { Agent, AgentStatus, AgentSummary } from '../../../protocol/agent.ts';
import { Did } from '../../../protocol/credential/did.ts';
import { type Page, PageRequest, pageOf } from '../../../protocol/wire/page.ts';
import { listAgents as selectAgents } from '../../store/statements/registry/agents.ts';
import { positionOf, toPage } from '../core/paging.ts';
import { inOneRead, useCase } from '../core/useCase.ts';
import { loadAgent } from '../policies/loadFacts.ts';
import { showAgent, showAgentSummary } from './showAgent.ts';

const GetAgent = z.object({ did: Did });

export const getAgent = useCase({
  summary: 'Shows one agent.',
  input: GetAgent,
  output: Agent,
  permission: 'read',
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof GetAgent>, Agent>(function* (_deps, caller, { did }) {
    return showAgent(yield* loadAgent(caller.tenantId, did));
  }),
});

const ListAgents = PageRequest.extend({ status: AgentStatus.optional() });
const Position = z.object({ createdAt: z.int(), did: z.string() });

export const listAgents = useCase({
  summary: 'Lists agents, newest first.',
  input: ListAgents,
  output: pageOf(AgentSummary),
  permission: 'read',
  run: inOneRead<z.output<typeof ListAgents>, Page<AgentSummary>>(function* (_deps, caller, input) {
    const before = positionOf(Position, input.cursor);
    const rows = yield* selectAgents(caller.tenantId, { status: input.status }, before, input.limit + 1);
    return toPage(rows, input.limit, showAgentSummary, (row) => ({ createdAt: row.created_at, did: row.did }));
  }),
});
