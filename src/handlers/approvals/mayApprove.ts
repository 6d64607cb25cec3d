/** Whether the person who asks may have a passkey that approves a purchase: nobody else's touch is asked of them. */
import { approvalStatusAt } from '../../../protocol/approval.ts';
import type { Caller } from '../../access/caller.ts';
import type { ApprovalRequestRow } from '../../store/statements/people/approvals.ts';
import { listPasskeysOf } from '../../store/statements/people/passkeys.ts';
import { findAgent } from '../../store/statements/registry/agents.ts';
import { type Script, together } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { approversFor } from '../passkeys/holder.ts';
import { approverOf, loadGovernance } from '../principals/governance.ts';

/** @returns undefined for who is no person, and for what is decided already */
export function* mayApprove(
  deps: Deps,
  caller: Caller,
  request: ApprovalRequestRow,
  now: number,
): Script<boolean | undefined> {
  const status = approvalStatusAt({ status: request.status, expiresAt: request.expires_at }, now);
  if (caller.userId === undefined || status !== 'pending') return undefined;
  return yield* hasApprovingPasskey(caller.tenantId, deps.userDid(caller.userId), request);
}

/** As mayApprove, for many: those of one agent and one principal have one answer. */
export function* mayApproveEach(
  deps: Deps,
  caller: Caller,
  requests: readonly ApprovalRequestRow[],
  now: number,
): Script<readonly (boolean | undefined)[]> {
  const keyOf = ({ agent_did, principal_did, status }: ApprovalRequestRow) => `${agent_did} ${principal_did} ${status}`;
  // One that has expired meanwhile has none.
  const open = requests.filter((request) => request.expires_at > now);
  const firsts = [...new Map(open.map((request) => [keyOf(request), request])).values()];
  const answers = yield* together(...firsts.map((request) => mayApprove(deps, caller, request, now)));
  const known = new Map(firsts.map((request, index) => [keyOf(request), answers[index]]));
  return requests.map((request) => (request.expires_at > now ? known.get(keyOf(request)) : undefined));
}

function* hasApprovingPasskey(tenantId: string, userDid: string, request: ApprovalRequestRow): Script<boolean> {
  const agent = yield* findAgent(tenantId, request.agent_did);
  const governance = yield* loadGovernance(tenantId, request);
  if (agent?.status !== 'ACTIVE' || !governance.delegated) return false;
  for (const holder of yield* approversFor(tenantId, approverOf(request, governance))) {
    // Whose hands a passkey of the agent or the principal is in nobody knows; one of another user is not in theirs.
    if (holder.kind === 'user' && holder.did !== userDid) continue;
    if ((yield* listPasskeysOf(tenantId, holder)).length > 0) return true;
  }
  return false;
}
