/**
 * Revokes, suspends, reactivates and limits an agent. What is asked for once more, since its answer was lost, is answered
 * with the agent as it is.
 */

import { z } from 'zod';
import { AgentRecord } from '../../../protocol/agent.ts';
import { Did } from '../../../protocol/credential/did.ts';
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import { isAsTight, ownAmountFaults, VelocityLimit } from '../../../protocol/policy/values/spendingLimit.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { IfMatch } from '../../../protocol/wire/ifMatch.ts';
import { requireTouch } from '../../access/caller.ts';
import { loadAgent } from '../../domain/agents/loadAgent.ts';
import { showAgent } from '../../domain/agents/showAgent.ts';
import { suspend } from '../../domain/agents/suspend.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { limitsOf } from '../../domain/policies/loadFacts.ts';
import { nameNarrowings } from '../../domain/policies/nameNarrowings.ts';
import { voidApprovalTokensOfAgent } from '../../store/statements/purchases/approvalTokens.ts';
import { endStatusOfAgent } from '../../store/statements/purchases/credentialStatus.ts';
import {
  type AgentRow,
  setAgentStatus,
  setAgentVelocity as updateVelocity,
} from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy } from '../../store/statements/registry/policies.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { requireMatch } from '../../usecase/entityTag.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

const Reason = z.string().trim().min(1).max(1000);

const RevokeAgent = z.strictObject({ did: Did, reason: Reason });

export const revokeAgent = useCase({
  summary: 'Revokes an agent permanently and voids its approval tokens.',
  input: RevokeAgent,
  output: AgentRecord,
  permission: 'admin',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<z.output<typeof RevokeAgent>, AgentRecord>(function* (
    deps: EventDeps & Pick<Deps, 'operations'>,
    caller,
    { did, reason },
    { now },
  ) {
    const agent = yield* loadAgent(caller.tenantId, did);
    if (agent.status === 'REVOKED') {
      if (agent.reason === reason) return yield* showAgent(agent);
      throw new Fault('CONFLICT', 'This agent is revoked already, for another reason.');
    }
    yield* setAgentStatus(caller.tenantId, did, 'REVOKED', { reason, revokedAt: now });
    yield* voidApprovalTokensOfAgent(caller.tenantId, did);
    yield* endStatusOfAgent(caller.tenantId, did, now);
    for (const end of deps.operations.hooks.afterAgentEnd) yield* end(deps, caller.tenantId, did);
    const data = { agentDid: did, reason };
    yield* recordAdminEvent(deps, caller, 'AGENT_REVOKED', data, now);
    return yield* showAgent({ ...agent, status: 'REVOKED', reason, revoked_at: now });
  }),
});

const SuspendAgent = z.strictObject({ did: Did, reason: Reason.optional() });

export const suspendAgent = useCase({
  summary: 'Suspends an agent until it is reactivated.',
  input: SuspendAgent,
  output: AgentRecord,
  permission: 'admin',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<z.output<typeof SuspendAgent>, AgentRecord>(function* (deps: EventDeps, caller, input, { now }) {
    const agent = yield* loadAgent(caller.tenantId, input.did);
    const reason = input.reason ?? null;
    if (agent.status === 'SUSPENDED' && agent.reason === reason) return yield* showAgent(agent);
    if (agent.status !== 'ACTIVE') {
      throw new Fault('CONFLICT', `Only an active agent can be suspended; this one is ${agent.status}.`);
    }
    yield* suspend(deps, caller, agent, input.reason, now);
    return yield* showAgent({ ...agent, status: 'SUSPENDED', reason });
  }),
});

const ReactivateAgent = z.strictObject({ did: Did, reason: Reason.optional() });

export const reactivateAgent = useCase({
  summary: 'Reactivates a suspended agent.',
  input: ReactivateAgent,
  output: AgentRecord,
  permission: 'admin',
  stepUp: true,
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<z.output<typeof ReactivateAgent>, AgentRecord>(function* (
    deps: EventDeps,
    caller,
    { did, reason },
    { now },
  ) {
    const agent = yield* loadAgent(caller.tenantId, did);
    if (agent.status === 'ACTIVE') return yield* showAgent(agent);
    if (agent.status !== 'SUSPENDED') {
      throw new Fault('CONFLICT', `Only a suspended agent can be reactivated; this one is ${agent.status}.`);
    }
    yield* setAgentStatus(caller.tenantId, did, 'ACTIVE', { reason: null, revokedAt: null });
    yield* recordAdminEvent(deps, caller, 'AGENT_REACTIVATED', compact({ agentDid: did, reason }), now);
    return yield* showAgent({ ...agent, status: 'ACTIVE', reason: null });
  }),
});

const SetAgentVelocity = z.intersection(z.strictObject({ did: Did, ifMatch: IfMatch }), VelocityLimit);

export const setAgentVelocity = useCase({
  summary: 'Sets an agent’s own limits over time, in place of those that the policy has for each agent.',
  input: SetAgentVelocity,
  output: AgentRecord,
  permission: 'admin',
  faults: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  run: inOneCommit<z.output<typeof SetAgentVelocity>, AgentRecord>(function* (deps, caller, input, { now }) {
    const agent = yield* loadAgent(caller.tenantId, input.did);
    requireMatch(yield* showAgent(agent), input.ifMatch);
    const limit = VelocityLimit.parse(input);
    const row = yield* findCurrentPolicy(caller.tenantId);
    const policy = row === undefined ? undefined : deps.policies.compiled(row);
    requireAmounts(limit, policy?.rules.spend?.currency);
    const velocity = JSON.stringify(limit);
    if (policy === undefined || !isTighter(policy, agent, velocity)) requireTouch(caller, now);
    yield* nameNarrowings(caller.tenantId, limit.limits ?? [], now);
    yield* updateVelocity(caller.tenantId, agent.did, velocity);
    const data = { agentDid: agent.did, velocity: limit };
    yield* recordAdminEvent(deps, caller, 'AGENT_VELOCITY_UPDATED', data, now);
    return yield* showAgent({ ...agent, velocity });
  }),
});

/** Whether limits let an agent do nothing that it may not do now: by its own limits, or the policy's where it has none. */
function isTighter(policy: CompiledPolicy, agent: AgentRow, velocity: string): boolean {
  const [before, next] = [agent, { ...agent, velocity }].map((row) => limitsOf(policy, row));
  return isAsTight(next ?? [], before ?? []);
}

/** @throws Fault BAD_REQUEST that names each amount that its currency does not have */
function requireAmounts(limit: VelocityLimit, currency: string | undefined): void {
  const faults = ownAmountFaults(limit, currency);
  const [first] = faults;
  if (first !== undefined) throw new Fault('BAD_REQUEST', `${first.path}: ${first.message}`, faults);
}
