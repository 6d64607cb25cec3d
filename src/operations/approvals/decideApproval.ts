/**
 * The person's side of an approval. The link alone shows the purchase; to approve it, the person needs an assertion of a
 * passkey that is enrolled for the principal or agent, and to deny it too, unless the policy lets the link do.
 */

import { z } from 'zod';
import { cartMandateIn, type StoredCart } from '../../../protocol/ap2/storedCart.ts';
import {
  ApprovalView,
  approvalStatusAt,
  type Cause,
  Decision,
  ENDED_SHOWN_SECONDS,
  FollowApproval,
} from '../../../protocol/approval.ts';
import type { CartSubject } from '../../../protocol/cart.ts';
import { formatMoney, fromMinor, toMinor } from '../../../protocol/money.ts';
import { CompletePresence, PresenceOptions } from '../../../protocol/passkey.ts';
import type { HpProof } from '../../../protocol/presence.ts';
import type { Governance } from '../../../protocol/principal.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isId } from '../../../protocol/wire/id.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { loadAgent } from '../../domain/agents/loadAgent.ts';
import {
  addTouch,
  type Circle,
  circleOf,
  listCandidatePasskeys,
  mayTakePart,
  peopleOf,
} from '../../domain/approvals/quorum.ts';
import { linkWithPeople, settleApproval } from '../../domain/approvals/requestApproval.ts';
import { askedDetails, signedDetails } from '../../domain/approvals/signedDetails.ts';
import { recordNodeEvent } from '../../domain/evidence/recordEvent.ts';
import type { Paying } from '../../domain/instruments/chooseInstrument.ts';
import { listApprovingPasskeys } from '../../domain/passkeys/holder.ts';
import { consumeChallenge } from '../../domain/passkeys/presenceChallenge.ts';
import {
  approves,
  beginAssertion,
  issuePresence,
  recordAssertion,
  verifyAssertion,
} from '../../domain/passkeys/verifyPresence.ts';
import { approverOf, loadGovernance } from '../../domain/principals/governance.ts';
import { approvalFacts, shoppingOf } from '../../domain/purchases/purchaseFacts.ts';
import {
  type ApprovalRequestRow,
  endReminder,
  findApprovalRequestAnywhere,
  findApprovalStanding,
} from '../../store/statements/people/approvals.ts';
import { countTouches, insertApprovalTouch } from '../../store/statements/people/approvalTouches.ts';
import type { Holder, PasskeyRow } from '../../store/statements/people/passkeys.ts';
import {
  consumePresenceChallenge,
  type PresenceChallengeRow,
} from '../../store/statements/people/presenceChallenges.ts';
import { findIntent } from '../../store/statements/purchases/intents.ts';
import type { AgentRow } from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy, findCurrentVersion } from '../../store/statements/registry/policies.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { holdPoll } from '../../usecase/holdPoll.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import { lookUntil } from '../../usecase/lookUntil.ts';
import { openOperation } from '../../usecase/openOperation.ts';

const ById = z.object({ id: z.string() });

export const followApproval = openOperation({
  summary: 'Shows what the page of an approval shows, at once or when anything of it changes.',
  input: FollowApproval.extend(ById.shape),
  output: ApprovalView,
  run: (deps, { id, wait }) => follow(deps, id, wait),
});

export const beginDecision = openOperation({
  summary: 'Begins the ceremony by which a person approves or denies a purchase.',
  input: ById.extend({ decision: Decision }),
  output: PresenceOptions,
  run: (deps, { id, decision }) => begin(deps, id, decision),
});

export const completeDecision = openOperation({
  summary: 'Checks the assertion of a person, and settles the approval.',
  input: CompletePresence.extend(ById.shape),
  output: ApprovalView,
  run: (deps, { id, ...assertion }) => complete(deps, id, assertion),
});

export const denyByLink = openOperation({
  summary: 'Denies a purchase without a passkey, where the policy allows that.',
  input: ById,
  output: ApprovalView,
  run: (deps, { id }) => denyWithoutTouch(deps, id),
});

/**
 * What the page shows, at once or when anything of it changes: a decision, the expiry, the first passkey, the policy.
 * @throws Fault NOT_FOUND, some time after it ended too: a link that is left lying about shows no purchase
 */
async function follow(
  deps: Pick<Deps, 'openPolls' | 'policies' | 'stopping' | 'store'>,
  id: string,
  wait: number,
): Promise<ApprovalView> {
  return holdPoll(deps, id, wait, async (seconds) => {
    const show = () => deps.store.read((now) => viewOpen(deps, id, now));
    if (seconds === 0) return show();
    const before = await deps.store.read((now) => standingOf(id, now));
    const first = await show();
    if (first.status !== 'pending') return first;
    await lookUntil(
      deps,
      seconds,
      (now) => standingOf(id, now),
      (seen) => seen !== before,
    );
    return show();
  });
}

/** All that may change of what the page shows, as one text: small rows alone, since a poll looks four times a second. */
function* standingOf(id: string, now: number): Script<string> {
  const standing = isId('apr_', id) ? yield* findApprovalStanding(id) : undefined;
  if (standing === undefined) return '';
  const { tenant_id: tenantId, agent_did: agentDid, status, expires_at: expiresAt } = standing;
  const agent = yield* loadAgent(tenantId, agentDid);
  const principal = yield* loadGovernance(tenantId, standing);
  const passkeys = yield* listApprovingPasskeys(tenantId, approverOf(standing, principal));
  const policy = yield* findCurrentVersion(tenantId);
  return JSON.stringify([
    approvalStatusAt({ status, expiresAt }, now),
    agent.status,
    principal,
    passkeys.length > 0,
    yield* countTouches(tenantId, id),
    policy?.id,
    policy?.version,
  ]);
}

/** The view, unless its link is to lead nowhere any more. */
function* viewOpen(deps: Pick<Deps, 'policies'>, id: string, now: number): Script<ApprovalView> {
  const request = yield* loadRequest(id);
  const { status, expires_at: expiresAt, decided_at: decidedAt } = request;
  const isOver = approvalStatusAt({ status, expiresAt }, now) !== 'pending';
  if (isOver && now > (decidedAt ?? expiresAt) + ENDED_SHOWN_SECONDS * 1000) throw gone();
  return yield* view(deps, request, now);
}

function* view(deps: Pick<Deps, 'policies'>, request: ApprovalRequestRow, now: number): Script<ApprovalView> {
  const agent = yield* loadAgent(request.tenant_id, request.agent_did);
  const principal = yield* loadGovernance(request.tenant_id, request);
  const circle = yield* circleOf(deps, request);
  const passkeys =
    circle === undefined
      ? yield* listApprovingPasskeys(request.tenant_id, approverOf(request, principal))
      : yield* listCandidatePasskeys(circle);
  const deniableByLink = yield* mayDenyByLink(deps, request.tenant_id);
  const { currency, merchant } = request;
  const items = JSON.parse(request.items) as CartSubject['items'];
  const paying = JSON.parse(request.paying ?? '{}') as Paying;
  const cart = JSON.parse(request.cart) as StoredCart;
  const intent = yield* findIntent(request.tenant_id, request.intent_id);
  return {
    status: approvalStatusAt({ status: request.status, expiresAt: request.expires_at }, now),
    agent: inertText(agent.display_name) || 'An agent',
    agentDid: request.agent_did,
    principal: compact({ name: principal.name, did: request.principal_did }),
    ...compact({ instrument: paying.instrument }),
    merchant,
    ...nameOf(cart),
    merchantEncoded: merchant.split('.').some((label) => label.startsWith('xn--')),
    total: formatMoney(request.amount_minor, currency),
    items: items.map(({ name, quantity, price }) => ({
      name: inertText(name) || '(no name)',
      quantity,
      amount: formatMoney(toMinor(price, currency, { allowZero: true }) * quantity, currency),
    })),
    details: signedDetails(cart),
    asked: intent === undefined ? [] : askedDetails(shoppingOf(intent)),
    causes: (JSON.parse(request.causes) as Cause[]).map(({ message }) => message),
    expiresAt: isoTime(request.expires_at),
    canApprove: passkeys.length > 0,
    ...compact({ people: yield* peopleOf(deps, request) }),
    ...blockOf(agent, principal),
    deniableByLink,
    ...decisionOf(request),
  };
}

function nameOf(cart: StoredCart): Pick<ApprovalView, 'merchantName'> {
  const name = cartMandateIn(cart)?.contents.merchant_name;
  return name === undefined ? {} : { merchantName: inertText(name) || '(no name)' };
}

function blockOf({ status }: AgentRow, { delegated }: Governance): Pick<ApprovalView, 'blocked'> {
  if (status !== 'ACTIVE') return { blocked: 'The agent may not buy any more, so nothing can be approved.' };
  return delegated ? {} : { blocked: 'The agent may not spend this money any more, so nothing can be approved.' };
}

function decisionOf({ status, decided_by: by, decided_at: at }: ApprovalRequestRow): Pick<ApprovalView, 'decision'> {
  if (at === null || (status !== 'approved' && status !== 'denied')) return {};
  return { decision: compact({ by: by ?? undefined, at: isoTime(at) }) };
}

/** Any holder of the link may say no safely, but the owner says whether others than they may end a purchase. */
function* mayDenyByLink(deps: Pick<Deps, 'policies'>, tenantId: string): Script<boolean> {
  const row = yield* findCurrentPolicy(tenantId);
  return row !== undefined && deps.policies.compiled(row).rules.context?.deny_by_link === true;
}

/** @throws Fault NOT_FOUND, CONFLICT when it was decided or has expired, or when no passkey is enrolled */
function begin(
  deps: Pick<Deps, 'newId' | 'newToken' | 'policies' | 'settings' | 'store' | 'suite'>,
  id: string,
  decision: Decision,
): Promise<PresenceOptions> {
  return read(deps, id).then(({ tenant_id: tenantId }) =>
    deps.store.write(tenantId, function* (now) {
      const request = yield* loadOpen(id, decision, now);
      const circle = yield* circleOf(deps, request);
      const approver = approverOf(request, yield* loadGovernance(tenantId, request));
      const paying = JSON.parse(request.paying ?? '{}') as Paying;
      const binding = compact({
        agentDid: request.agent_did,
        principalDid: request.principal_did,
        intentId: request.intent_id,
        cartHash: request.cart_hash,
        amount: fromMinor(request.amount_minor, request.currency),
        currency: request.currency,
        merchant: request.merchant,
        instrument: paying.instrument,
        decision,
      });
      const facts = { tenantId, purpose: decision, holder: approver, binding, subjectId: id };
      return yield* beginAssertion(deps, facts, now, circle && (yield* offeredIn(circle)));
    }),
  );
}

/** @throws Fault CONFLICT when no person who may count has a passkey */
function* offeredIn(circle: Circle): Script<readonly PasskeyRow[]> {
  const passkeys = yield* listCandidatePasskeys(circle);
  if (passkeys.length > 0) return passkeys;
  throw new Fault('CONFLICT', 'No person whose approval counts here has a passkey yet.');
}

/**
 * Checks the assertion and settles the approval, or adds a touch where others are to come; of several that would settle it at
 * the same time, one succeeds.
 * @throws Fault BAD_REQUEST when the assertion is not accepted, CONFLICT when the approval was decided or has expired
 */
async function complete(
  deps: HookDeps & Pick<Deps, 'policies' | 'store'>,
  id: string,
  input: CompletePresence,
): Promise<ApprovalView> {
  const { tenant_id: tenantId } = await read(deps, id);
  const challenge = await consumeChallenge(
    deps,
    tenantId,
    () => consumePresenceChallenge(tenantId, input.challengeId),
    (taken) => taken.subject_id === id && (taken.purpose === 'approve' || taken.purpose === 'deny'),
  );
  const assertion = await verifyAssertion(deps, challenge, input.credential, (passkey, holder) =>
    isTaken(deps, { id, isDenial: challenge.purpose === 'deny' }, passkey, holder),
  );
  return deps.store.write(tenantId, function* (now) {
    const request = yield* loadOpen(id, challenge.purpose === 'deny' ? 'deny' : 'approve', now);
    yield* requireSameApprover(request, challenge);
    const { passkeyId, credentialId } = assertion.facts;
    if (challenge.purpose === 'deny') {
      yield* recordAssertion(assertion, now);
      yield* settleApproval(deps, request, { status: 'denied', by: 'passkey', more: { ...assertion.facts } }, now);
      return yield* view(deps, yield* loadRequest(id), now);
    }
    const hpId = deps.newId('hp_');
    const touch = yield* touchOf(deps, request, { passkey: assertion.passkey, hpId, now });
    yield* recordAssertion(assertion, now);
    if (touch?.isLast === false) {
      const { by } = touch;
      const data = { ...approvalFacts(request), presenceId: hpId, approvedBy: by, passkeyId, credentialId };
      yield* recordNodeEvent(deps, tenantId, 'HP_VERIFIED', { ...data, ...assertion.facts }, now);
      yield* endReminder(tenantId, id);
      const link = yield* linkWithPeople(deps, request, now);
      for (const tell of deps.hooks.afterTouch) yield* tell(deps, request, link, now);
      return yield* view(deps, request, now);
    }
    const approvals = touch?.approvals;
    const { agent_did: agentDid, intent_id: intentId, cart_hash: cartHash } = request;
    const { instrument } = JSON.parse(request.paying ?? '{}') as Paying;
    const principalDid = challenge.holder_kind === 'principal' ? challenge.holder_did : undefined;
    const subject = compact({ agentDid, principalDid, intentId, cartHash, instrument, approvals });
    const hpProof = yield* issuePresence(deps, tenantId, subject, credentialId, now, hpId);
    const presence = { presenceId: hpId, passkeyId, credentialId };
    const more = compact({ expiresAt: hpProof.expiresAt, approvedBy: touch?.by });
    const data = { ...approvalFacts(request), ...presence, ...assertion.facts, ...more };
    yield* recordNodeEvent(deps, tenantId, 'HP_VERIFIED', data, now);
    yield* settleApproval(
      deps,
      request,
      { status: 'approved', by: 'passkey', hpProof, more: compact({ ...presence, approvals }) },
      now,
    );
    return yield* view(deps, yield* loadRequest(id), now);
  });
}

/** Which passkeys may take part: where the policy says how many people must approve, more than those of the holder. */
function* isTaken(
  deps: Pick<Deps, 'policies'>,
  { id, isDenial }: { readonly id: string; readonly isDenial: boolean },
  passkey: PasskeyRow,
  holder: Holder,
): Script<boolean> {
  const circle = yield* circleOf(deps, yield* loadRequest(id));
  if (circle === undefined) return yield* approves(passkey, holder);
  // A user whose approval does not count is told why.
  return (!isDenial && passkey.holder_kind === 'user') || (yield* mayTakePart(circle, passkey));
}

interface GivenTouch {
  /** DID of the person. */
  readonly by: string;
  /** Every touch that counts, this one last. */
  readonly approvals: HpProof['approvals'];
  readonly isLast: boolean;
}

/**
 * Adds a touch to those of others.
 * @returns undefined where the policy does not say how many people must approve
 * @throws Fault CONFLICT that says why it does not count
 */
function* touchOf(
  deps: Pick<Deps, 'policies'>,
  request: ApprovalRequestRow,
  given: { readonly passkey: PasskeyRow; readonly hpId: string; readonly now: number },
): Script<GivenTouch | undefined> {
  const circle = yield* circleOf(deps, request);
  if (circle === undefined) return undefined;
  const touches = yield* addTouch(circle, request.id, given);
  const by = String(touches.at(-1)?.by);
  const { passkey, hpId, now } = given;
  yield* insertApprovalTouch({
    id: hpId,
    tenant_id: request.tenant_id,
    approval_id: request.id,
    holder_kind: passkey.holder_kind,
    holder_did: passkey.holder_did,
    passkey_id: passkey.id,
    approved_by: by,
    created_at: now,
  });
  const approvals = touches.map((each) => ({ hpId: each.hpId, by: each.by }));
  return { by, approvals, isLast: touches.length >= circle.quorum.people };
}

/**
 * The touch was asked of the person who decided then; a principal may have become governed since, and a purchase of its money is
 * then for no other person to approve or to end.
 * @throws Fault CONFLICT
 */
function* requireSameApprover(request: ApprovalRequestRow, asked: PresenceChallengeRow): Script<void> {
  const { kind, did } = approverOf(request, yield* loadGovernance(request.tenant_id, request));
  if (asked.holder_kind === kind && asked.holder_did === did) return;
  throw new Fault(
    'CONFLICT',
    'Another person decides about this money by now, whose passkey is needed. Load the page again.',
  );
}

/**
 * Denies without a passkey, where the policy lets the holder of the link do so.
 * @throws Fault NOT_FOUND, FORBIDDEN where the policy does not, CONFLICT when it was decided or has expired
 */
async function denyWithoutTouch(deps: HookDeps & Pick<Deps, 'policies' | 'store'>, id: string): Promise<ApprovalView> {
  const { tenant_id: tenantId } = await read(deps, id);
  return deps.store.write(tenantId, function* (now) {
    const request = yield* loadOpen(id, 'deny', now);
    if (!(yield* mayDenyByLink(deps, tenantId))) {
      throw new Fault('FORBIDDEN', 'To deny takes a passkey here: the policy does not say context.deny_by_link.');
    }
    yield* settleApproval(deps, request, { status: 'denied', by: 'link', more: { deniedBy: 'link' } }, now);
    return yield* view(deps, yield* loadRequest(id), now);
  });
}

function read(deps: Pick<Deps, 'store'>, id: string): Promise<ApprovalRequestRow> {
  return deps.store.read(() => loadRequest(id));
}

function* loadRequest(id: string): Script<ApprovalRequestRow> {
  const request = isId('apr_', id) ? yield* findApprovalRequestAnywhere(id) : undefined;
  if (request === undefined) throw gone();
  return request;
}

function gone(): Fault {
  return new Fault('NOT_FOUND', 'There is no such approval.');
}

/** @throws Fault CONFLICT when it was decided, has expired, or is to be approved for an agent that may not buy or spend it */
function* loadOpen(id: string, decision: Decision, now: number): Script<ApprovalRequestRow> {
  const request = yield* loadRequest(id);
  const status = approvalStatusAt({ status: request.status, expiresAt: request.expires_at }, now);
  if (status !== 'pending') throw new Fault('CONFLICT', `This approval is ${status} already.`);
  if (decision === 'deny') return request;
  const agent = yield* loadAgent(request.tenant_id, request.agent_did);
  if (agent.status !== 'ACTIVE') throw new Fault('CONFLICT', 'The agent that asks may not buy any more.');
  if ((yield* loadGovernance(request.tenant_id, request)).delegated) return request;
  throw new Fault('CONFLICT', 'The agent that asks may not spend this money any more.');
}
