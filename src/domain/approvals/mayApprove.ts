/** Whether the person who asks may have a passkey that approves a purchase, and what is missing where they have none. */
import { approvalStatusAt, type Missing } from '../../../protocol/approval.ts';
import type { Caller } from '../../access/caller.ts';
import type { ApprovalRequestRow } from '../../store/statements/people/approvals.ts';
import { type Holder, listPasskeysOf } from '../../store/statements/people/passkeys.ts';
import { findAgent } from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy } from '../../store/statements/registry/policies.ts';
import { type Script, together } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { approversFor } from '../passkeys/holder.ts';
import { approverOf, loadGovernance } from '../principals/governance.ts';
import { type Circle, circleOf, countedTouches, judgeHolder } from './quorum.ts';

/** Whether a touch of the person who asks may approve a purchase, and if not, what is missing. */
export interface Standing {
  readonly canApprove: boolean;
  readonly missing?: Missing;
}

/** @returns undefined for who is no person, and for what is decided already */
export function* mayApprove(
  deps: Pick<Deps, 'policies' | 'userDid'>,
  caller: Caller,
  request: ApprovalRequestRow,
  now: number,
): Script<Standing | undefined> {
  const status = approvalStatusAt({ status: request.status, expiresAt: request.expires_at }, now);
  if (caller.userId === undefined || status !== 'pending') return undefined;
  const circle = yield* circleOf(deps, request);
  const missing = yield* findMissing(caller.tenantId, deps.userDid(caller.userId), request, circle);
  return missing === undefined ? { canApprove: true } : { canApprove: false, missing };
}

/** Whether a touch of a user may decide a pending request, so that it is of use to tell them of it. */
export function* mayDecide(
  deps: Pick<Deps, 'policies' | 'userDid'>,
  request: ApprovalRequestRow,
  userId: string,
): Script<boolean> {
  const circle = yield* circleOf(deps, request);
  const did = deps.userDid(userId);
  const missing = yield* findMissing(request.tenant_id, did, request, circle);
  if (missing !== undefined || circle === undefined) return missing === undefined;
  // The agent's passkey may be in other hands than this user's.
  return 'person' in (yield* judgeHolder(circle, { kind: 'user', did }));
}

/** As mayApprove, for many: those of one agent and one principal have one answer. */
export function* mayApproveEach(
  deps: Pick<Deps, 'policies' | 'userDid'>,
  caller: Caller,
  requests: readonly ApprovalRequestRow[],
  now: number,
): Script<readonly (Standing | undefined)[]> {
  const policy = yield* findCurrentPolicy(caller.tenantId);
  const rules = policy && deps.policies.compiled(policy);
  const keyOf = ({ id, agent_did, principal_did, status, amount_minor, currency }: ApprovalRequestRow) =>
    // Where several people are asked, each purchase has had other touches.
    `${agent_did} ${principal_did} ${status} ${rules?.quorumFor(amount_minor, currency) === undefined ? '' : id}`;
  // One that has expired meanwhile has none.
  const open = requests.filter((request) => request.expires_at > now);
  const firsts = [...new Map(open.map((request) => [keyOf(request), request])).values()];
  const answers = yield* together(...firsts.map((request) => mayApprove(deps, caller, request, now)));
  const known = new Map(firsts.map((request, index) => [keyOf(request), answers[index]]));
  return requests.map((request) => (request.expires_at > now ? known.get(keyOf(request)) : undefined));
}

function* findMissing(
  tenantId: string,
  userDid: string,
  request: ApprovalRequestRow,
  circle: Circle | undefined,
): Script<Missing | undefined> {
  const agent = yield* findAgent(tenantId, request.agent_did);
  const governance = yield* loadGovernance(tenantId, request);
  if (agent?.status !== 'ACTIVE') return 'activeAgent';
  if (!governance.delegated) return 'delegation';
  if (circle !== undefined) return yield* findMissingAmong(circle, userDid, request);
  const approver = approverOf(request, governance);
  let isOthers = false;
  for (const holder of yield* approversFor(tenantId, approver)) {
    if ((yield* listPasskeysOf(tenantId, holder)).length === 0) continue;
    // A passkey of the agent or the principal may be in anyone's hands; one of another user is not in theirs.
    if (holder.kind !== 'user' || holder.did === userDid) return undefined;
    isOthers = true;
  }
  if (approver.kind === 'principal') return isOthers ? 'principalUser' : 'principalPasskey';
  return isOthers ? 'agentOwner' : 'agentPasskey';
}

/** As findMissing, where the policy says how many people must approve. */
function* findMissingAmong(circle: Circle, userDid: string, request: ApprovalRequestRow): Script<Missing | undefined> {
  const { tenantId, approver } = circle;
  const approved = (yield* countedTouches(circle, request.id)).map(({ by }) => by);
  const own: Holder = { kind: 'user', did: userDid };
  // A passkey of the agent or the principal may be in anyone's hands.
  let missing: Missing | undefined;
  for (const holder of [own, approver]) {
    const judged = yield* judgeHolder(circle, holder);
    const lack = 'fault' in judged ? judged.missing : approved.includes(judged.person) ? 'others' : 'ownPasskey';
    const isReady = lack === 'ownPasskey' && (yield* listPasskeysOf(tenantId, holder)).length > 0;
    if (isReady) return undefined;
    missing ??= lack;
  }
  return missing;
}
