/** Shows agents: one, or the tenant's newest first. */

import { z } from 'zod';
import { Agent, AgentStatus, AgentSummary } from '../../../protocol/agent.ts';
import { Did } from '../../../protocol/credential/did.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { type AgentRow, listAgents as selectAgents } from '../../store/statements/registry/agents.ts';
import { listing } from '../core/listing.ts';
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

export const listAgents = listing({
  summary: 'Lists agents, newest first.',
  input: ListAgents,
  item: AgentSummary,
  permission: 'read',
  order: {
    position: z.object({ place: z.string(), created_at: z.int(), did: z.string() }),
    of: ({ place, created_at, did }: AgentRow) => ({ place, created_at, did }),
  },
  select: ({ tenantId }, { status }, before, limit) => selectAgents(tenantId, { status }, before, limit),
  show: showAgentSummary,
});
