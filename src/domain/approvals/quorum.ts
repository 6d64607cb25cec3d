/**
 * Approval by several people: whose touch counts for a purchase, as which person, and how many of them are there. It is judged by
 * the present roles and owners, at every touch and once more when the purchase is paid.
 */
import type { ApprovalPeople, MissingApproval } from '../../../protocol/approval.ts';
import { personKey, personText, type TouchPerson } from '../../../protocol/approvals/personText.ts';
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import { peopleText, type Quorum } from '../../../protocol/policy/values/approvalStep.ts';
import type { HpProof } from '../../../protocol/presence.ts';
import type { Governance } from '../../../protocol/principal.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
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
import type { ApprovalTokenRow } from '../../store/statements/purchases/approvalTokens.ts';
import { findAgent } from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy } from '../../store/statements/registry/policies.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { approversFor } from '../passkeys/holder.ts';
import { isOfOut, isOut, makerOf, nameOfPerson, personOf } from '../passkeys/touchPerson.ts';
import { mustNameCart } from '../policies/loadFacts.ts';
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
  | {
      readonly person: TouchPerson;
      /** DID of the user behind the link of a holder's passkey: the two are one person. */
      readonly maker?: string | undefined;
    }
  | { readonly fault: string; readonly missing: Extract<MissingApproval, 'role' | 'notOwner'> };

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

/** As whom the touch of a passkey counts. Two passkeys of one person give the same person. */
export function* judgePasskey(circle: Circle, passkey: PasskeyRow): Script<Judgement> {
  const { approver } = circle;
  const { holder_kind: kind, holder_did: did } = passkey;
  if (kind !== 'user' && (kind !== approver.kind || did !== approver.did)) {
    return { fault: 'This passkey is enrolled for another agent, or for another person or company.', missing: 'role' };
  }
  const person = yield* personOf(passkey);
  return person.passkeyOf === 'user'
    ? yield* judgeUser(circle, person.did)
    : yield* judgeHolder(circle, passkey, person);
}

const NO_USER: Judgement = { fault: 'The person of this passkey is no user of this node any more.', missing: 'role' };
const OWNERS_TOUCH: Judgement = {
  fault: 'The owner of the agent does not count here; this purchase takes other people.',
  missing: 'notOwner',
};

/** As judgePasskey, of a user by a passkey of their own. */
export function* judgeUser(circle: Circle, did: string): Script<Judgement> {
  const { approver, owner, quorum, tenantId } = circle;
  const user = yield* findUserByDid(tenantId, did);
  if (user === undefined || isOut(user)) return NO_USER;
  const isPrincipal = !quorum.usersAlone && approver.kind === 'principal' && approver.did === did;
  if (isPrincipal || (quorum.roles as readonly string[]).includes(user.role)) {
    return quorum.notOwnerOfAgent && owner?.did === did ? OWNERS_TOUCH : { person: { did, passkeyOf: 'user' } };
  }
  const fault = `The role ${user.role} does not count here: the purchase takes ${peopleText(quorum)}.`;
  return { fault, missing: 'role' };
}

/** Of a passkey that a link or a key enrolled: whose hands it is in only its maker knows. */
function* judgeHolder(circle: Circle, passkey: PasskeyRow, person: TouchPerson): Script<Judgement> {
  const { owner, quorum, tenantId } = circle;
  if (quorum.usersAlone) {
    const name = sentenceStart(personText(person, yield* nameOfPerson(tenantId, person)));
    return { fault: `${name} does not count here: the purchase takes ${peopleText(quorum)}.`, missing: 'role' };
  }
  const maker = (yield* makerOf(passkey))?.did;
  const isOwners = person.passkeyOf === 'agent' || [person.did, maker].includes(owner?.did ?? '');
  return quorum.notOwnerOfAgent && isOwners ? OWNERS_TOUCH : { person, maker };
}

function sentenceStart(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`;
}

/** One person's approval that counts. */
interface CountedTouch {
  readonly hpId: string;
  readonly person: TouchPerson;
  readonly maker?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Why two touches count as one: they are of one person, or one is of the user who made the link of the other's passkey. */
type Overlap = 'same' | 'makerOfIt' | 'madeByIt';

/** @param later the touch that loses */
function overlapOf(earlier: CountedTouch, later: Pick<CountedTouch, 'person' | 'maker'>): Overlap | undefined {
  if (personKey(earlier.person) === personKey(later.person)) return 'same';
  if (later.maker !== undefined && personKey(earlier.person) === personKey({ did: later.maker, passkeyOf: 'user' }))
    return 'makerOfIt';
  if (earlier.maker !== undefined && personKey(later.person) === personKey({ did: earlier.maker, passkeyOf: 'user' }))
    return 'madeByIt';
  return undefined;
}

/** Whether a touch counts beside those that were given. */
export function countsBeside(counted: readonly CountedTouch[], later: Pick<CountedTouch, 'person' | 'maker'>): boolean {
  return counted.every((each) => overlapOf(each, later) === undefined);
}

/** The touches on a request that count as things stand, one for each person. */
export function* countedTouches(circle: Circle, approvalId: string): Script<readonly CountedTouch[]> {
  return yield* eachPerson(circle, yield* listTouches(circle.tenantId, approvalId));
}

function* eachPerson(circle: Circle, touches: readonly ApprovalTouchRow[]): Script<readonly CountedTouch[]> {
  const counted: CountedTouch[] = [];
  for (const { id: hpId, passkey_id: passkeyId, created_at: at } of touches) {
    // A passkey that was removed since may have been in other hands.
    const passkey = yield* findPasskey(circle.tenantId, passkeyId);
    const judged = passkey && (yield* judgePasskey(circle, passkey));
    if (judged === undefined || 'fault' in judged) continue;
    const touch = { hpId, ...judged, at };
    if (countsBeside(counted, touch)) counted.push(touch);
  }
  return counted;
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
  const judged = yield* judgePasskey(circle, touch.passkey);
  if ('fault' in judged) throw new Fault('CONFLICT', judged.fault);
  const { people } = circle.quorum;
  const counted = yield* countedTouches(circle, approvalId);
  const others = counted.filter((each) => overlapOf(each, judged) === undefined);
  const overlapping = counted.find((each) => !others.includes(each));
  // Where fewer people are asked by now than when they touched, one of them may touch again to end it.
  if (overlapping !== undefined && others.length + 1 < people) {
    const why = yield* overlapText(circle.tenantId, overlapping, judged);
    throw new Fault('CONFLICT', `${why}: ${counted.length} of ${people} have; another person is needed.`);
  }
  return [...others, { hpId: touch.hpId, ...judged, at: touch.now }];
}

function* overlapText(
  tenantId: string,
  earlier: CountedTouch,
  later: Pick<CountedTouch, 'person' | 'maker'>,
): Script<string> {
  const overlap = overlapOf(earlier, later);
  const name = personText(earlier.person, yield* nameOfPerson(tenantId, earlier.person));
  if (overlap === 'makerOfIt') {
    return `${name} made the link of this passkey and has approved already, and the two count once`;
  }
  if (overlap === 'madeByIt') return `You made the link of ${name}, who has approved already, and the two count once`;
  return later.person.passkeyOf === 'user'
    ? 'You have approved this purchase already, and count once'
    : `${sentenceStart(name)} has approved this purchase already, and counts once, whichever passkey it is`;
}

/** How many people a presence proof shows whose approval counts as things stand. */
export function* countPresent(deps: Pick<Deps, 'keys'>, circle: Circle, proof: HpProof): Script<number> {
  // The sandbox's demo person stands for any person, and is one.
  if (proof.issuer === deps.keys.demo?.presence.did) return 1;
  const { approvals, credentialId } = proof;
  if (approvals !== undefined) {
    if (approvals.length === 0) return 0;
    const ids = approvals.map(({ hpId }) => hpId);
    return (yield* eachPerson(circle, yield* listTouchesNamed(circle.tenantId, ids))).length;
  }
  const passkey = yield* findPasskeyByCredential(circle.tenantId, credentialId);
  if (passkey === undefined) return 0;
  return 'person' in (yield* judgePasskey(circle, passkey)) ? 1 : 0;
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
export function* mayTakePart(circle: Circle, passkey: PasskeyRow): Script<boolean> {
  if (yield* isOfOut(passkey)) return false;
  const own = yield* approversFor(circle.tenantId, circle.approver);
  return (
    own.some((each) => each.kind === passkey.holder_kind && each.did === passkey.holder_did) ||
    'person' in (yield* judgePasskey(circle, passkey))
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
  const given = touches.map(
    ({ id: hpId, approved_by: did, passkey_of: passkeyOf, created_at: at }): CountedTouch => ({
      hpId,
      person: { did, passkeyOf },
      at,
    }),
  );
  const ids = new Set(approvals?.map(({ hpId }) => hpId));
  return {
    needed,
    approved: yield* named(request, approvals === undefined ? given : given.filter(({ hpId }) => ids.has(hpId))),
  };
}

function* named(
  { tenant_id: tenantId }: ApprovalRequestRow,
  touches: readonly CountedTouch[],
): Script<ApprovalPeople['approved']> {
  const people: ApprovalPeople['approved'] = [];
  for (const { person, at } of touches) {
    const name = yield* nameOfPerson(tenantId, person);
    const shown = person.passkeyOf === 'user' ? name : personText(person, name);
    people.push(compact({ by: person.did, passkeyOf: person.passkeyOf, name: shown, at: isoTime(at) }));
  }
  return people;
}

interface ApprovedPresence {
  readonly approval: Pick<ApprovalTokenRow, 'amount_minor' | 'currency' | 'hp_proof'>;
  readonly intent: Parties;
  readonly principal: Governance;
}

/**
 * Whether the people whose presence was accepted for a cart still count, and are as many as the policy asks for by now: principal, roles and
 * policy may have changed since.
 */
export function* isStillPresent(
  deps: Pick<Deps, 'keys' | 'settings'>,
  { approval, intent, principal }: ApprovedPresence,
  policy: CompiledPolicy,
): Script<boolean> {
  const proof = JSON.parse(approval.hp_proof ?? '{}') as Partial<HpProof>;
  if (!stillCounts(deps, proof, approverOf(intent, principal), policy)) return false;
  const quorum = policy.quorumFor(approval.amount_minor, approval.currency);
  if (quorum === undefined) return true;
  const circle = yield* loadCircle(intent, principal, quorum);
  return (yield* countPresent(deps, circle, proof as HpProof)) >= quorum.people;
}

function stillCounts(
  deps: Pick<Deps, 'keys' | 'settings'>,
  proof: Partial<HpProof>,
  approver: Holder,
  policy: CompiledPolicy,
): boolean {
  if (mustNameCart(deps, policy) && proof.cartHash === undefined) return false;
  if (approver.kind === 'agent' || proof.issuer === deps.keys.demo?.presence.did) return true;
  return proof.principalDid === approver.did;
}
