/** Whether the person who asks may have a passkey that approves a purchase, and what is missing where they have none. */
import { approvalStatusAt, type MissingApproval } from '../../../protocol/approval.ts';
import { personText } from '../../../protocol/approvals/personText.ts';
import type { Caller } from '../../access/caller.ts';
import type { ApprovalRequestRow } from '../../store/statements/people/approvals.ts';
import { listPasskeysOf, type PasskeyRow } from '../../store/statements/people/passkeys.ts';
import type { UserRow } from '../../store/statements/people/users.ts';
import { findAgent } from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy } from '../../store/statements/registry/policies.ts';
import { type Script, together } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { listApprovingPasskeys } from '../passkeys/holder.ts';
import { makerOf, nameOfPerson, personOf } from '../passkeys/touchPerson.ts';
import { approverOf, loadGovernance } from '../principals/governance.ts';
import {
  type Circle,
  circleOf,
  countedTouches,
  countsBeside,
  judgePasskey,
  judgeUser,
  listCandidatePasskeys,
} from './quorum.ts';

/** Whether a touch of the person who asks may approve a purchase, and if not, what is missing and who may. */
export interface ApprovalRight {
  readonly canApprove: boolean;
  readonly missing?: MissingApproval;
  /** Their names. */
  readonly approvers?: string[];
}

type Viewer = Pick<UserRow, 'id' | 'did'>;

/** @returns undefined for who is no person, and for what is decided already */
export function* mayApprove(
  deps: Pick<Deps, 'people' | 'policies'>,
  caller: Caller,
  request: ApprovalRequestRow,
  now: number,
): Script<ApprovalRight | undefined> {
  const status = approvalStatusAt({ status: request.status, expiresAt: request.expires_at }, now);
  if (caller.userId === undefined || status !== 'pending') return undefined;
  const circle = yield* circleOf(deps, request);
  const user = { id: caller.userId, did: deps.people.didOf(caller.userId) };
  const missing = yield* findMissing(user, request, circle);
  if (missing === undefined) return { canApprove: true };
  if (!OF_OTHERS.includes(missing)) return { canApprove: false, missing };
  return { canApprove: false, missing, approvers: yield* namesOfApprovers(user, request, circle) };
}

/** What another person than the one who asks can approve. */
const OF_OTHERS: readonly MissingApproval[] = ['principalUser', 'agentOwner', 'passkeyHolder', 'role', 'notOwner'];

/** Whether a pending request is for other people than the one who asks: they have approved it, or can do nothing about it. */
export function isForOthers(standing: ApprovalRight | undefined): boolean {
  const { missing } = standing ?? {};
  return missing !== undefined && (missing === 'others' || OF_OTHERS.includes(missing));
}

/** Whether a touch of a user may decide a pending request, so that it is of use to tell them of it. */
export function* mayDecide(
  deps: Pick<Deps, 'people' | 'policies'>,
  request: ApprovalRequestRow,
  userId: string,
): Script<boolean> {
  const user = { id: userId, did: deps.people.didOf(userId) };
  const missing = yield* findMissing(user, request, yield* circleOf(deps, request));
  // The passkey holder of the agent or the principal may be this very user, who came by a link.
  return missing === undefined || missing === 'passkeyHolder';
}

/** As mayApprove, for many: those of one agent and one principal have one answer. */
export function* mayApproveEach(
  deps: Pick<Deps, 'people' | 'policies'>,
  caller: Caller,
  requests: readonly ApprovalRequestRow[],
  now: number,
): Script<readonly (ApprovalRight | undefined)[]> {
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
  user: Viewer,
  request: ApprovalRequestRow,
  circle: Circle | undefined,
): Script<MissingApproval | undefined> {
  const { tenant_id: tenantId } = request;
  const agent = yield* findAgent(tenantId, request.agent_did);
  const governance = yield* loadGovernance(tenantId, request);
  if (agent?.status !== 'ACTIVE') return 'activeAgent';
  if (!governance.delegated) return 'delegation';
  if (circle !== undefined) return yield* findMissingAmong(circle, user, request);
  const approver = approverOf(request, governance);
  const passkeys = yield* listApprovingPasskeys(tenantId, approver);
  for (const passkey of passkeys) if (yield* mayBeTheirs(passkey, user)) return undefined;
  if (passkeys.length === 0) return approver.kind === 'principal' ? 'principalPasskey' : 'agentPasskey';
  if (passkeys.every((each) => each.holder_kind !== 'user' && each.user_id === null)) return 'passkeyHolder';
  return approver.kind === 'principal' ? 'principalUser' : 'agentOwner';
}

/** Whether a passkey may be in a user's hands: their own, one that they enrolled, and one whose link they made. */
function* mayBeTheirs(passkey: PasskeyRow, user: Viewer): Script<boolean> {
  if (passkey.holder_kind === 'user') return passkey.holder_did === user.did;
  if (passkey.user_id !== null) return passkey.user_id === user.id;
  return (yield* makerOf(passkey))?.id === user.id;
}

/** As findMissing, where the policy says how many people must approve. */
function* findMissingAmong(
  circle: Circle,
  user: Viewer,
  request: ApprovalRequestRow,
): Script<MissingApproval | undefined> {
  const { tenantId, approver } = circle;
  const counted = yield* countedTouches(circle, request.id);
  const judged = yield* judgeUser(circle, user.did);
  const counts = 'person' in judged && countsBeside(counted, judged);
  if (counts && (yield* listPasskeysOf(tenantId, { kind: 'user', did: user.did })).length > 0) return undefined;
  for (const passkey of yield* listPasskeysOf(tenantId, approver)) {
    if (!(yield* mayBeTheirs(passkey, user))) continue;
    const touch = yield* judgePasskey(circle, passkey);
    if ('person' in touch && countsBeside(counted, touch)) return undefined;
  }
  if ('fault' in judged) return judged.missing;
  return counts ? 'ownPasskey' : 'others';
}

/** So many are named. */
const MOST_NAMED = 5;

/** Those who may approve in place of the user who asks, each once. */
function* namesOfApprovers(user: Viewer, request: ApprovalRequestRow, circle: Circle | undefined): Script<string[]> {
  const { tenant_id: tenantId } = request;
  const approver = approverOf(request, yield* loadGovernance(tenantId, request));
  const passkeys =
    circle === undefined ? yield* listApprovingPasskeys(tenantId, approver) : yield* listCandidatePasskeys(circle);
  const names = new Set<string>();
  for (const passkey of passkeys) {
    if (circle !== undefined && 'fault' in (yield* judgePasskey(circle, passkey))) continue;
    const person = yield* personOf(passkey);
    if (person.passkeyOf === 'user' && person.did === user.did) continue;
    const name = yield* nameOfPerson(tenantId, person);
    // A principal's holder is known by the principal's name, as the person is who holds its passkey.
    names.add(person.passkeyOf === 'agent' ? personText(person, name) : (name ?? person.did));
    if (names.size === MOST_NAMED) break;
  }
  return [...names];
}
