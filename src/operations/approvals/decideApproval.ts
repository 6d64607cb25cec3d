/**
 * The person's side of an approval. The link alone shows the purchase; to approve it, the person needs an assertion of a
 * passkey that is enrolled for the principal or agent, and to deny it too, unless the policy lets the link do.
 */

import { z } from 'zod';
import { ApprovalAnswer, ApprovalView, approvalStatusAt } from '../../../protocol/approval.ts';
import { CompletePresence, PresenceOptions } from '../../../protocol/passkey.ts';
import type { HpProof } from '../../../protocol/presence.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { loadAgent } from '../../domain/agents/loadAgent.ts';
import { bindingOf } from '../../domain/approvals/describeRequest.ts';
import { addTouch, type Circle, circleOf, listCandidatePasskeys, mayTakePart } from '../../domain/approvals/quorum.ts';
import { linkWithPeople, settleApproval } from '../../domain/approvals/requestApproval.ts';
import { loadRequest, mayDenyByLink, view } from '../../domain/approvals/viewApproval.ts';
import { recordNodeEvent } from '../../domain/evidence/recordEvent.ts';
import type { PaymentMethod } from '../../domain/instruments/chooseInstrument.ts';
import { consumeChallenge } from '../../domain/passkeys/presenceChallenge.ts';
import { namedPerson, personOf } from '../../domain/passkeys/touchPerson.ts';
import {
  approves,
  beginAssertion,
  issuePresence,
  recordAssertion,
  verifyAssertion,
} from '../../domain/passkeys/verifyPresence.ts';
import { approverOf, loadGovernance } from '../../domain/principals/governance.ts';
import { approvalFacts } from '../../domain/purchases/purchaseFacts.ts';
import { type ApprovalRequestRow, endReminder } from '../../store/statements/people/approvals.ts';
import { insertApprovalTouch } from '../../store/statements/people/approvalTouches.ts';
import type { Holder, PasskeyRow } from '../../store/statements/people/passkeys.ts';
import {
  consumePresenceChallenge,
  type PresenceChallengeRow,
} from '../../store/statements/people/presenceChallenges.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import { openOperation } from '../../usecase/openOperation.ts';

const ById = z.object({ id: z.string() });

export const beginDecision = openOperation({
  summary: 'Begins the ceremony by which a person approves or denies a purchase.',
  input: ById.extend({ decision: ApprovalAnswer }),
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

/** @throws Fault NOT_FOUND, CONFLICT when it was decided or has expired, or when no passkey is enrolled */
function begin(
  deps: Pick<Deps, 'newId' | 'newToken' | 'policies' | 'settings' | 'store' | 'suite'>,
  id: string,
  decision: ApprovalAnswer,
): Promise<PresenceOptions> {
  return read(deps, id).then(({ tenant_id: tenantId }) =>
    deps.store.write(tenantId, function* (now) {
      const request = yield* loadOpen(id, decision, now);
      const circle = yield* circleOf(deps, request);
      const approver = approverOf(request, yield* loadGovernance(tenantId, request));
      const binding = bindingOf(request, decision);
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
  deps: HookDeps & Pick<Deps, 'store'>,
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
    const person = namedPerson(yield* personOf(assertion.passkey));
    if (challenge.purpose === 'deny') {
      yield* recordAssertion(assertion, now);
      const { approvedBy: deniedBy, ...holder } = person;
      const more = { ...assertion.facts, deniedBy, ...holder };
      yield* settleApproval(deps, request, { status: 'denied', by: 'passkey', more }, now);
      return yield* view(deps, yield* loadRequest(id), now);
    }
    const hpId = deps.newId('hp_');
    const touch = yield* touchOf(deps, request, { passkey: assertion.passkey, hpId, now });
    yield* recordAssertion(assertion, now);
    if (touch?.isLast === false) {
      const data = { ...approvalFacts(request), presenceId: hpId, ...person, passkeyId, credentialId };
      yield* recordNodeEvent(deps, tenantId, 'HP_VERIFIED', { ...data, ...assertion.facts }, now);
      yield* endReminder(tenantId, id);
      const link = yield* linkWithPeople(deps, request, now);
      for (const tell of deps.operations.hooks.afterApprovalStep) yield* tell(deps, request, link, now);
      return yield* view(deps, request, now);
    }
    const approvals = touch?.approvals;
    const { agent_did: agentDid, intent_id: intentId, cart_hash: cartHash } = request;
    const { instrument } = JSON.parse(request.paying ?? '{}') as PaymentMethod;
    const principalDid = challenge.holder_kind === 'principal' ? challenge.holder_did : undefined;
    const subject = compact({ agentDid, principalDid, intentId, cartHash, instrument, ...person, approvals });
    const hpProof = yield* issuePresence(deps, tenantId, subject, credentialId, now, hpId);
    const presence = { presenceId: hpId, passkeyId, credentialId };
    const { expiresAt } = hpProof;
    const data = { ...approvalFacts(request), ...presence, ...assertion.facts, ...person, expiresAt };
    yield* recordNodeEvent(deps, tenantId, 'HP_VERIFIED', data, now);
    yield* settleApproval(
      deps,
      request,
      { status: 'approved', by: 'passkey', hpProof, more: compact({ ...presence, ...person, approvals }) },
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
  const { passkey, hpId, now } = given;
  const { did, passkeyOf } = yield* personOf(passkey);
  yield* insertApprovalTouch({
    id: hpId,
    tenant_id: request.tenant_id,
    approval_id: request.id,
    holder_kind: passkey.holder_kind,
    holder_did: passkey.holder_did,
    passkey_id: passkey.id,
    approved_by: did,
    passkey_of: passkeyOf,
    created_at: now,
  });
  const approvals = touches.map(({ hpId: id, person }) => ({
    hpId: id,
    by: person.did,
    passkeyOf: person.passkeyOf,
  }));
  return { approvals, isLast: touches.length >= circle.quorum.people };
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
async function denyWithoutTouch(deps: HookDeps & Pick<Deps, 'store'>, id: string): Promise<ApprovalView> {
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

/** @throws Fault CONFLICT when it was decided, has expired, or is to be approved for an agent that may not buy or spend it */
function* loadOpen(id: string, decision: ApprovalAnswer, now: number): Script<ApprovalRequestRow> {
  const request = yield* loadRequest(id);
  const status = approvalStatusAt({ status: request.status, expiresAt: request.expires_at }, now);
  if (status !== 'pending') throw new Fault('CONFLICT', `This approval is ${status} already.`);
  if (decision === 'deny') return request;
  const agent = yield* loadAgent(request.tenant_id, request.agent_did);
  if (agent.status !== 'ACTIVE') throw new Fault('CONFLICT', 'The agent that asks may not buy any more.');
  if ((yield* loadGovernance(request.tenant_id, request)).delegated) return request;
  throw new Fault('CONFLICT', 'The agent that asks may not spend this money any more.');
}
