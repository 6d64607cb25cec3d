/** Approvals over the API: an agent waits for one, an operator lists and denies them. */

import {
  Approval,
  ApprovalState,
  approvalStatusAt,
  DenyApproval,
  GetApproval,
  ListApprovals,
} from '../../../protocol/approval.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { actsFor, type Caller } from '../../access/caller.ts';
import {
  type ApprovalRequestRow,
  findApprovalRequest,
  listApprovalRequests,
} from '../../store/statements/people/approvals.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { byAgent, byId, listing } from '../core/listing.ts';
import { lookUntil } from '../core/lookUntil.ts';
import { inOneCommit, inSteps, useCase } from '../core/useCase.ts';
import { settleApproval, showApproval } from './requestApproval.ts';

export const getApproval = useCase({
  summary: 'Shows the state of an approval, at once or when it is decided; once approved, with the proof.',
  input: GetApproval,
  output: ApprovalState,
  permission: 'any',
  faults: ['NOT_FOUND'],
  run: inSteps<GetApproval, ApprovalState>((deps, caller, input) =>
    lookUntil(
      deps,
      input.wait,
      function* (now) {
        return showState(deps, yield* loadOwn(caller, input.id), now);
      },
      ({ status }) => status !== 'pending',
    ),
  ),
});

export const listApprovals = listing({
  summary: 'Lists approvals, newest first.',
  input: ListApprovals,
  item: Approval,
  permission: 'read',
  own: byAgent,
  order: byId,
  select: ({ tenantId }, { status, agentDid, merchant, from, to }, before, limit, now) =>
    listApprovalRequests(tenantId, { status, agentDid, merchant, from, to, now }, before, limit),
  show: (row: ApprovalRequestRow, now, deps) => showApproval(deps, row, now),
});

export const denyApproval = useCase({
  summary: 'Denies an approval; the agent that asked may withdraw its own. Denying it again changes nothing.',
  input: DenyApproval,
  output: Approval,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<DenyApproval, Approval>(function* (deps, caller, { id }, { now }) {
    const request = yield* loadOwn(caller, id);
    const status = approvalStatusAt({ status: request.status, expiresAt: request.expires_at }, now);
    if (status === 'denied') return showApproval(deps, request, now);
    if (status !== 'pending') throw new Fault('CONFLICT', `This approval is ${status} already.`);
    const actorDid = caller.did ?? deps.issuer.did;
    const by = caller.kind === 'did' ? 'agent' : 'operator';
    yield* settleApproval(deps, request, { status: 'denied', by, actorDid, more: { deniedBy: caller.id } }, now);
    return showApproval(deps, { ...request, status: 'denied', decided_at: now }, now);
  }),
});

/** @throws Fault NOT_FOUND, for another agent's request too */
function* loadOwn(caller: Caller, id: string): Script<ApprovalRequestRow> {
  const request = yield* findApprovalRequest(caller.tenantId, id);
  if (request === undefined || !actsFor(caller, request.agent_did)) {
    throw new Fault('NOT_FOUND', `There is no approval ${id}.`);
  }
  return request;
}

function showState(deps: Deps, request: ApprovalRequestRow, now: number): ApprovalState {
  const approval = showApproval(deps, request, now);
  return request.hp_proof === null ? approval : { ...approval, hpProof: JSON.parse(request.hp_proof) };
}
