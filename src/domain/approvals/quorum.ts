/**
 * Approval by several people: whose touch counts for a purchase, as which person, and how many of them are there. It is judged by
 * the present roles and owners, at every touch and once more when the purchase is paid.
 */
import type { ApprovalPeople, Missing } from '../../../protocol/approval.ts';
import { peopleText, type Quorum } from '../../../protocol/policy/values/approvalStep.ts';
import type { HpProof, PresenceApproval } from '../../../protocol/presence.ts';
import type { Governance } from '../../../protocol/principal.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { ApprovalRequestRow } from '../../store/statements/people/approvals.ts';
import { type ApprovalTouchRow, listTouches, listTouchesNamed } from '../../store/statements/people/approvalTouches.ts';
import {
  findPasskey,
  findPasskeyByCredential,
  type Holder,
  listPasskeysOf,
  type PasskeyRow,
} from '../../store/statements/people/passkeys.ts';
import { findUser, findUserByDid, listUsersOfRoles, type UserRow } from '../../store/statements/people/users.ts';
import { findAgent } from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy } from '../../store/statements/registry/policies.ts';
import { findPrincipal } from '../../store/statements/registry/principals.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { approversFor } from '../passkeys/holder.ts';
import { approverOf, loadGovernance } from '../principals/governance.ts';

/** A browser is offered the passkeys of so many users at most; the touch of another one counts all the same. */
const MOST_OFFERED = 50;

/** The agent and the principal of a purchase. */
interface Parties {
  readonly tenant_id: string;
  readonly agent_did: string;
  readonly principal_did: string;
}

/** What the people of one purchase are judged by. */
export interface Circle {
  readonly tenantId: string;
  readonly quorum: Quorum;
  /** The agent, or the principal where it is governed. */
  readonly approver: Holder;
  /** The user who owns the agent; a removed one too. */
  readonly owner: UserRow | undefined;
}

/** Whether a touch counts: as whose, or why not. */
type Judgement =
  | { readonly person: string }
  | { readonly fault: string; readonly missing: Extract<Missing, 'role' | 'notOwner'> };

/** @returns who must approve by the current policy; undefined where it says nothing about such a purchase */
function* quorumOf(
  deps: Pick<Deps, 'policies'>,
  { tenant_id, amount_minor, currency }: Pick<ApprovalRequestRow, 'tenant_id' | 'amount_minor' | 'currency'>,
): Script<Quorum | undefined> {
  const row = yield* findCurrentPolicy(tenant_id);
  return row && deps.policies.compiled(row).quorumFor(amount_minor, currency);
}

/** The people of a request, or undefined as quorumOf. */
export function* circleOf(deps: Pick<Deps, 'policies'>, request: ApprovalRequestRow): Script<Circle | undefined> {
  const quorum = yield* quorumOf(deps, request);
  if (quorum === undefined) return undefined;
  return yield* loadCircle(request, yield* loadGovernance(request.tenant_id, request), quorum);
}

export function* loadCircle(parties: Parties, governance: Governance, quorum: Quorum): Script<Circle> {
  const { tenant_id: tenantId, agent_did: agentDid } = parties;
  const ownerId = (yield* findAgent(tenantId, agentDid))?.owner_user_id ?? null;
  const owner = ownerId === null ? undefined : yield* findUser(tenantId, ownerId);
  return { tenantId, quorum, approver: approverOf(parties, governance), owner };
}

/** As whom the holder of a passkey counts. Two passkeys of one person give the same person. */
export function* judgeHolder(circle: Circle, { kind, did }: Holder): Script<Judgement> {
  const { approver, owner, quorum, tenantId } = circle;
  if (kind !== 'user' && (kind !== approver.kind || did !== approver.did)) {
    return { fault: 'This passkey is enrolled for another agent or principal.', missing: 'role' };
  }
  if (kind === 'principal') return unlessOwner(circle, did);
  if (kind === 'agent') {
    // Its passkey is its owner's, or that of the person behind an agent without an owner.
    if (owner !== undefined) return judgeUser(circle, owner);
    return quorum.notOwnerOfAgent ? OWNERS_TOUCH : { person: did };
  }
  const user = yield* findUserByDid(tenantId, did);
  return user === undefined ? NO_USER : judgeUser(circle, user);
}

const NO_USER: Judgement = { fault: 'The person of this passkey is no user of this node any more.', missing: 'role' };
const OWNERS_TOUCH: Judgement = {
  fault: 'The owner of the agent does not count here; this purchase takes other people.',
  missing: 'notOwner',
};

function judgeUser(circle: Circle, user: UserRow): Judgement {
  if (user.removed_at !== null || user.role === 'PENDING') return NO_USER;
  const { approver, quorum } = circle;
  const isPrincipal = approver.kind === 'principal' && approver.did === user.did;
  const hasRole = (quorum.roles as readonly string[]).includes(user.role);
  if (isPrincipal || hasRole) return unlessOwner(circle, user.did);
  const fault = `The role ${user.role} does not count here: the purchase takes ${peopleText(quorum)}.`;
  return { fault, missing: 'role' };
}

function unlessOwner({ owner, quorum }: Circle, did: string): Judgement {
  return quorum.notOwnerOfAgent && owner?.did === did ? OWNERS_TOUCH : { person: did };
}

/** One person's approval that counts. */
interface CountedTouch extends PresenceApproval {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The touches on a request that count as things stand, one for each person. */
export function* countedTouches(circle: Circle, approvalId: string): Script<readonly CountedTouch[]> {
  return yield* eachPerson(circle, yield* listTouches(circle.tenantId, approvalId));
}

function* eachPerson(circle: Circle, touches: readonly ApprovalTouchRow[]): Script<readonly CountedTouch[]> {
  const counted = new Map<string, CountedTouch>();
  for (const { id: hpId, holder_kind: kind, holder_did: did, passkey_id: passkeyId, created_at: at } of touches) {
    // A passkey that was removed since may have been in other hands.
    if ((yield* findPasskey(circle.tenantId, passkeyId)) === undefined) continue;
    const judged = yield* judgeHolder(circle, { kind, did });
    if ('person' in judged && !counted.has(judged.person)) counted.set(judged.person, { hpId, by: judged.person, at });
  }
  return [...counted.values()];
}

/**
 * What a touch adds to those that were given before.
 * @returns every touch that counts with it, this one last
 * @throws Fault CONFLICT that says why it does not count
 */
export function* addTouch(
  circle: Circle,
  approvalId: string,
  touch: { readonly passkey: PasskeyRow; readonly hpId: string; readonly now: number },
): Script<readonly CountedTouch[]> {
  const { holder_kind: kind, holder_did: did } = touch.passkey;
  const judged = yield* judgeHolder(circle, { kind, did });
  if ('fault' in judged) throw new Fault('CONFLICT', judged.fault);
  const { people } = circle.quorum;
  const counted = yield* countedTouches(circle, approvalId);
  const others = counted.filter(({ by }) => by !== judged.person);
  // Where fewer people are asked by now than when they touched, one of them may touch again to end it.
  if (others.length < counted.length && others.length + 1 < people) {
    const message = `You have approved this purchase already, and count once: ${counted.length} of ${people} have; another person is needed.`;
    throw new Fault('CONFLICT', message);
  }
  return [...others, { hpId: touch.hpId, by: judged.person, at: touch.now }];
}

/** How many people a presence proof shows whose approval counts as things stand. */
export function* countPresent(deps: Pick<Deps, 'demo'>, circle: Circle, proof: HpProof): Script<number> {
  // The sandbox's demo person stands for any person, and is one.
  if (proof.issuer === deps.demo?.presence.did) return 1;
  const { approvals, credentialId } = proof;
  if (approvals !== undefined) {
    if (approvals.length === 0) return 0;
    const ids = approvals.map(({ hpId }) => hpId);
    return (yield* eachPerson(circle, yield* listTouchesNamed(circle.tenantId, ids))).length;
  }
  const passkey = yield* findPasskeyByCredential(circle.tenantId, credentialId);
  if (passkey === undefined) return 0;
  const judged = yield* judgeHolder(circle, { kind: passkey.holder_kind, did: passkey.holder_did });
  return 'person' in judged ? 1 : 0;
}

/** Those whose passkeys a browser is offered: everyone who may count, and who may deny. */
function* listCandidates({ tenantId, approver, quorum }: Circle): Script<readonly Holder[]> {
  const own = yield* approversFor(tenantId, approver);
  const users = yield* listUsersOfRoles(tenantId, quorum.roles, MOST_OFFERED);
  const others = users.filter(({ did }) => !own.some((each) => each.kind === 'user' && each.did === did));
  return [...own, ...others.map(({ did }): Holder => ({ kind: 'user', did }))];
}

export function* listCandidatePasskeys(circle: Circle): Script<readonly PasskeyRow[]> {
  const passkeys: PasskeyRow[] = [];
  for (const holder of yield* listCandidates(circle))
    passkeys.push(...(yield* listPasskeysOf(circle.tenantId, holder)));
  return passkeys;
}

/** Whether a passkey is that of a person who may count, or of those whose money or agent it is. */
export function* mayTakePart(circle: Circle, { holder_kind: kind, holder_did: did }: PasskeyRow): Script<boolean> {
  const own = yield* approversFor(circle.tenantId, circle.approver);
  return (
    own.some((each) => each.kind === kind && each.did === did) ||
    'person' in (yield* judgeHolder(circle, { kind, did }))
  );
}

/** How many people it takes, and who has approved; undefined where the policy says nothing of it. */
export function* peopleOf(
  deps: Pick<Deps, 'policies'>,
  request: ApprovalRequestRow,
): Script<ApprovalPeople | undefined> {
  const circle = yield* circleOf(deps, request);
  if (request.status !== 'pending') return yield* showDecided(request, circle?.quorum.people);
  if (circle === undefined) return undefined;
  const counted = yield* countedTouches(circle, request.id);
  return { needed: circle.quorum.people, approved: yield* named(request, counted) };
}

/** What was decided stays as it was then. */
function* showDecided(request: ApprovalRequestRow, now: number | undefined): Script<ApprovalPeople | undefined> {
  const { approvals } = JSON.parse(request.hp_proof ?? '{}') as Partial<HpProof>;
  const needed = approvals?.length ?? (request.status === 'approved' ? undefined : now);
  if (needed === undefined) return undefined;
  const touches = yield* listTouches(request.tenant_id, request.id);
  const given = touches.map(({ id: hpId, approved_by: by, created_at: at }) => ({ hpId, by, at }));
  const ids = new Set(approvals?.map(({ hpId }) => hpId));
  return {
    needed,
    approved: yield* named(request, approvals === undefined ? given : given.filter(({ hpId }) => ids.has(hpId))),
  };
}

/** An address is not told to every holder of the link. */
function* nameOf(tenantId: string, did: string): Script<string | undefined> {
  const user = yield* findUserByDid(tenantId, did);
  if (user !== undefined) return inertText(user.name ?? '') || undefined;
  const principal = yield* findPrincipal(tenantId, did);
  if (principal !== undefined) return inertText(principal.name) || undefined;
  const agent = yield* findAgent(tenantId, did);
  return agent && `The person behind ${inertText(agent.display_name) || 'the agent'}`;
}

function* named(
  { tenant_id: tenantId }: ApprovalRequestRow,
  touches: readonly CountedTouch[],
): Script<ApprovalPeople['approved']> {
  const people: ApprovalPeople['approved'] = [];
  for (const { by, at } of touches) {
    people.push(compact({ by, name: yield* nameOf(tenantId, by), at: isoTime(at) }));
  }
  return people;
}
