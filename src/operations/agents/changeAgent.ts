/** What people call an agent, whose passkeys approve for it, and the keys by which it closes mandates. */

import { AgentRecord, ChangeAgent } from '../../../protocol/agent.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { requireTouch } from '../../access/caller.ts';
import { setMandateKeys } from '../../domain/agents/closingKey.ts';
import { loadAgent } from '../../domain/agents/loadAgent.ts';
import { requireMayOwn } from '../../domain/agents/requireMayOwn.ts';
import { showAgent } from '../../domain/agents/showAgent.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { updateAgent } from '../../store/statements/registry/agents.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { requireMatch } from '../../usecase/entityTag.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

export const changeAgent = useCase({
  summary:
    'Renames an agent, describes it anew, or sets the user who owns it and approves for it, or the keys by which it closes mandates.',
  input: ChangeAgent,
  output: AgentRecord,
  permission: 'admin',
  faults: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  run: inOneCommit<ChangeAgent, AgentRecord>(function* (deps: EventDeps, caller, input, { now }) {
    const agent = yield* loadAgent(caller.tenantId, input.did);
    requireMatch(yield* showAgent(agent), input.ifMatch);
    const owner = input.ownerUserId === undefined ? agent.owner_user_id : input.ownerUserId;
    if (owner !== agent.owner_user_id) {
      requireTouch(caller, now);
      yield* requireMayOwn(caller, owner, now);
    }
    if (input.mandateKeys !== undefined) requireTouch(caller, now);
    const mandateKeys = input.mandateKeys && (yield* setMandateKeys(deps, agent, input.mandateKeys, now));
    const row = {
      ...agent,
      display_name: input.name ?? agent.display_name,
      description: input.description ?? agent.description,
      owner_user_id: owner,
    };
    yield* updateAgent(row);
    const { name, description, ownerUserId } = input;
    const data = compact({ agentDid: agent.did, displayName: name, description, ownerUserId, mandateKeys });
    yield* recordAdminEvent(deps, caller, 'AGENT_UPDATED', data, now);
    return yield* showAgent(row);
  }),
});
