/** Registers an agent by its public key. */

import type { z } from 'zod';
import { AgentRegistration, AgentSummary } from '../../../protocol/agent.ts';
import { IdempotencyKey } from '../../../protocol/intent.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { requireMayOwn } from '../../domain/agents/requireMayOwn.ts';
import { showAgentSummary } from '../../domain/agents/showAgent.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { insertAgent } from '../../store/statements/registry/agents.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

const RegisterAgent = AgentRegistration.extend({ idempotencyKey: IdempotencyKey.optional() });

export const registerAgent = useCase({
  summary: 'Registers an agent by its Ed25519 public key.',
  input: RegisterAgent,
  output: AgentSummary,
  permission: 'admin',
  faults: ['NOT_FOUND', 'CONFLICT'],
  idempotent: true,
  run: inOneCommit<z.output<typeof RegisterAgent>, AgentSummary>(function* (deps: EventDeps, caller, input, { now }) {
    const did = input.publicKey;
    const owner = input.ownerUserId ?? caller.userId ?? null;
    yield* requireMayOwn(caller, owner, now);
    const agent = {
      did,
      tenant_id: caller.tenantId,
      status: 'ACTIVE' as const,
      display_name: input.name,
      description: input.description,
      capabilities: JSON.stringify(input.capabilities),
      created_at: now,
      place: deps.newId('agt_'),
      owner_user_id: owner,
    };
    if (!(yield* insertAgent(agent))) throw new Fault('CONFLICT', 'This key is registered already.');
    const data = compact({
      agentDid: did,
      displayName: input.name,
      capabilities: input.capabilities,
      ownerUserId: owner ?? undefined,
    });
    yield* recordAdminEvent(deps, caller, 'AGENT_CREATED', data, now);
    return showAgentSummary({ ...agent, velocity: null, revoked_at: null, reason: null });
  }),
});
