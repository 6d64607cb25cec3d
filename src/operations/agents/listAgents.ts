/** Shows agents: one, or the tenant's newest first. */

import { z } from 'zod';
import { AgentRecord, AgentStatus, AgentSummary } from '../../../protocol/agent.ts';
import { Did } from '../../../protocol/credential/did.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { actsFor } from '../../access/caller.ts';
import { loadAgent } from '../../domain/agents/loadAgent.ts';
import { showAgent, showAgentSummary } from '../../domain/agents/showAgent.ts';
import { type AgentRow, listAgents as selectAgents } from '../../store/statements/registry/agents.ts';
import { listing } from '../../usecase/list/listing.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

const GetAgent = z.object({ did: Did });

export const getAgent = useCase({
  summary: 'Shows one agent.',
  input: GetAgent,
  output: AgentRecord,
  permission: 'read',
  showsOwn: true,
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof GetAgent>, AgentRecord>(function* (_deps, caller, { did }) {
    if (!actsFor(caller, did)) throw new Fault('NOT_FOUND', `There is no agent ${did} of yours.`);
    return yield* showAgent(yield* loadAgent(caller.tenantId, did));
  }),
});

const ListAgents = PageRequest.extend({ status: AgentStatus.optional() });
/** With the one agent that an agent may see: itself. */
type ListAgents = z.output<typeof ListAgents> & { readonly did?: string };

export const listAgents = listing({
  summary: 'Lists agents, newest first.',
  input: ListAgents,
  item: AgentSummary,
  permission: 'read',
  own: { named: () => undefined, of: (input, did) => ({ ...input, did }) },
  order: {
    position: z.object({ place: z.string(), created_at: z.int(), did: z.string() }),
    of: ({ place, created_at, did }: AgentRow) => ({ place, created_at, did }),
  },
  select: ({ tenantId }, { status, did }: ListAgents, before, limit) =>
    selectAgents(tenantId, { status, did }, before, limit),
  show: showAgentSummary,
});
