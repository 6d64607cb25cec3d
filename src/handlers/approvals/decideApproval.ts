/**
 * The person's side of a request for approval. The link shows the purchase and nothing else; a decision, yes or no,
 * takes a touch of a passkey that is enrolled for the agent.
 */
import {
  type ApprovalView,
  approvalStatusAt,
  type Cause,
  type Decision,
  inertText,
} from '../../../protocol/approval.ts';
import type { CartSubject } from '../../../protocol/cart.ts';
import { formatMoney, fromMinor, toMinor } from '../../../protocol/money.ts';
import type { CompletePresence, PresenceOptions } from '../../../protocol/passkey.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isId } from '../../../protocol/wire/id.ts';
import { type ApprovalRequestRow, findApprovalRequestAnywhere } from '../../store/statements/people/approvals.ts';
import { listPasskeysOf } from '../../store/statements/people/passkeys.ts';
import { consumePresenceChallenge } from '../../store/statements/people/presenceChallenges.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { recordEvent } from '../evidence/recordEvent.ts';
import { takeChallenge } from '../passkeys/presenceChallenge.ts';
import { checkTouch, noteTouch, openTouch, signPresence } from '../passkeys/verifyPresence.ts';
import { loadAgent } from '../policies/loadFacts.ts';
import { aboutApprovalRequest, settleApproval } from './requestApproval.ts';

/** @throws Fault NOT_FOUND */
export function viewApproval(deps: Deps, id: string): Promise<ApprovalView> {
  return deps.store.read(() => view(deps, id));
}

function* view(deps: Deps, id: string): Script<ApprovalView> {
  const request = yield* loadRequest(id);
  const agent = yield* loadAgent(request.tenant_id, request.agent_did);
  const passkeys = yield* listPasskeysOf(request.tenant_id, request.agent_did);
  const { currency, merchant } = request;
  const items = JSON.parse(request.items) as CartSubject['items'];
  return {
    status: approvalStatusAt({ status: request.status, expiresAt: request.expires_at }, deps.clock()),
    agent: inertText(agent.display_name) || 'An agent',
    merchant,
    merchantEncoded: merchant.split('.').some((label) => label.startsWith('xn--')),
    total: formatMoney(request.amount_minor, currency),
    items: items.map(({ name, quantity, price }) => ({
      name: inertText(name) || '(no name)',
      quantity,
      amount: formatMoney(toMinor(price, currency, { allowZero: true }) * quantity, currency),
    })),
    causes: (JSON.parse(request.causes) as Cause[]).map(({ message }) => message),
    expiresAt: new Date(request.expires_at).toISOString(),
    canApprove: passkeys.length > 0,
  };
}

/** @throws Fault NOT_FOUND, CONFLICT when it is decided or over, or when nobody could decide it */
export function beginDecision(deps: Deps, id: string, decision: Decision): Promise<PresenceOptions> {
  return read(deps, id).then(({ tenant_id: tenantId }) =>
    deps.store.write(tenantId, function* () {
      const now = deps.clock();
      const request = yield* loadOpen(id, now);
      const binding = {
        agentDid: request.agent_did,
        principalDid: request.principal_did,
        intentId: request.intent_id,
        cartHash: request.cart_hash,
        amount: fromMinor(request.amount_minor, request.currency),
        currency: request.currency,
        merchant: request.merchant,
        decision,
      };
      return yield* openTouch(deps, { tenantId, purpose: decision, binding, subjectId: id }, now);
    }),
  );
}

/**
 * Checks the touch and settles the request; of several that come at once, one does.
 * @throws Fault BAD_REQUEST when the touch is not accepted, CONFLICT when the request was decided or is over
 */
export async function completeDecision(deps: Deps, id: string, input: CompletePresence): Promise<ApprovalView> {
  const { tenant_id: tenantId } = await read(deps, id);
  const challenge = await takeChallenge(
    deps,
    tenantId,
    () => consumePresenceChallenge(tenantId, input.challengeId),
    (taken) => taken.subject_id === id && (taken.purpose === 'approve' || taken.purpose === 'deny'),
  );
  const touch = await checkTouch(deps, challenge, input.credential);
  return deps.store.write(tenantId, function* () {
    const now = deps.clock();
    const request = yield* loadOpen(id, now);
    yield* noteTouch(touch, now);
    const { id: passkeyId, credential_id: credentialId } = touch.passkey;
    if (challenge.purpose === 'deny') {
      yield* settleApproval(deps, request, { status: 'denied', more: { passkeyId, credentialId } }, now);
      return yield* view(deps, id);
    }
    const { agent_did: agentDid, intent_id: intentId, cart_hash: cartHash } = request;
    const hpProof = signPresence(deps, { agentDid, intentId, cartHash }, credentialId, now);
    const presence = { presenceId: hpProof.id, passkeyId, credentialId };
    const data = { ...aboutApprovalRequest(request), ...presence, expiresAt: hpProof.expiresAt };
    yield* recordEvent(deps, tenantId, { eventType: 'HP_VERIFIED', actorDid: deps.issuer.did, data }, now);
    yield* settleApproval(deps, request, { status: 'approved', hpProof, more: presence }, now);
    return yield* view(deps, id);
  });
}

function read(deps: Deps, id: string): Promise<ApprovalRequestRow> {
  return deps.store.read(() => loadRequest(id));
}

function* loadRequest(id: string): Script<ApprovalRequestRow> {
  const request = isId('apr_', id) ? yield* findApprovalRequestAnywhere(id) : undefined;
  if (request === undefined) throw new Fault('NOT_FOUND', 'There is no such request for approval.');
  return request;
}

function* loadOpen(id: string, now: number): Script<ApprovalRequestRow> {
  const request = yield* loadRequest(id);
  const status = approvalStatusAt({ status: request.status, expiresAt: request.expires_at }, now);
  if (status !== 'pending') throw new Fault('CONFLICT', `This request is ${status} already.`);
  const agent = yield* loadAgent(request.tenant_id, request.agent_did);
  if (agent.status !== 'ACTIVE') throw new Fault('CONFLICT', 'The agent that asks may not buy any more.');
  return request;
}
