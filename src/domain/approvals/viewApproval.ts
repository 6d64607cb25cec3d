/** What the page of an approval shows of it. */

import { type ApprovalView, approvalStatusAt, type Cause, ENDED_SHOWN_SECONDS } from '../../../protocol/approval.ts';
import { personText } from '../../../protocol/approvals/personText.ts';
import type { CartSubject } from '../../../protocol/cart.ts';
import type { Credential } from '../../../protocol/credential/vc.ts';
import { formatMoney, toMinor } from '../../../protocol/money.ts';
import { checkInput } from '../../../protocol/policy/evaluate.ts';
import { leftAfterText } from '../../../protocol/policy/limitUse.ts';
import type { HpProof } from '../../../protocol/presence.ts';
import type { Governance } from '../../../protocol/principal.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isId } from '../../../protocol/wire/id.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { type ApprovalRequestRow, findApprovalRequestAnywhere } from '../../store/statements/people/approvals.ts';
import { findIntent, type IntentRow } from '../../store/statements/purchases/intents.ts';
import type { AgentRow } from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy } from '../../store/statements/registry/policies.ts';
import { type Script, together } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { loadAgent } from '../agents/loadAgent.ts';
import { isByChain, type PaymentMethod } from '../instruments/chooseInstrument.ts';
import { loadTerms } from '../merchants/merchantTerms.ts';
import { listApprovingPasskeys } from '../passkeys/holder.ts';
import { nameOfPerson } from '../passkeys/touchPerson.ts';
import { loadUseAtCart } from '../policies/loadFacts.ts';
import { approverOf, governedDidOf, loadGovernance } from '../principals/governance.ts';
import { shoppingOf } from '../purchases/purchaseFacts.ts';
import { type CartOfMandate, cartMandateIn, mandateIn, type StoredCart } from '../purchases/storedCart.ts';
import { circleOf, listCandidatePasskeys, peopleOf } from './quorum.ts';
import { askedDetails, signedDetails } from './signedDetails.ts';

/** The view, unless its link is to lead nowhere any more. */
export function* viewOpen(deps: Pick<Deps, 'policies'>, id: string, now: number): Script<ApprovalView> {
  const request = yield* loadRequest(id);
  const { status, expires_at: expiresAt, decided_at: decidedAt } = request;
  const isOver = approvalStatusAt({ status, expiresAt }, now) !== 'pending';
  // That it has expired is recorded some time later, which does not show it for longer.
  const endedAt = Math.min(decidedAt ?? expiresAt, expiresAt);
  if (isOver && now > endedAt + ENDED_SHOWN_SECONDS * 1000) throw gone();
  return yield* view(deps, request, now);
}

export function* view(deps: Pick<Deps, 'policies'>, request: ApprovalRequestRow, now: number): Script<ApprovalView> {
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
  const paying = JSON.parse(request.paying ?? '{}') as PaymentMethod;
  const cart = JSON.parse(request.cart) as StoredCart;
  const intent = yield* findIntent(request.tenant_id, request.intent_id);
  const mandate = intent !== undefined && isByChain(intent) ? mandateIn(cart) : undefined;
  return {
    status: approvalStatusAt({ status: request.status, expiresAt: request.expires_at }, now),
    agent: inertText(agent.display_name) || 'An agent',
    agentDid: request.agent_did,
    principal: compact({ name: principal.name, did: request.principal_did }),
    ...compact({ instrument: paying.instrument }),
    merchant,
    ...nameOf(cart, mandate),
    merchantEncoded: merchant.split('.').some((label) => label.startsWith('xn--')),
    total: formatMoney(request.amount_minor, currency),
    items: items.map(({ name, quantity, price }) => ({
      name: inertText(name) || '(no name)',
      quantity,
      amount: formatMoney(toMinor(price, currency, { allowZero: true }) * quantity, currency),
    })),
    ...(isUnlisted(cart, intent, mandate) ? { unlisted: true as const } : {}),
    details: signedDetails(cart, mandate !== undefined),
    asked: intent === undefined ? [] : askedDetails(shoppingOf(intent), mandate),
    causes: (JSON.parse(request.causes) as Cause[]).map(({ message }) => message),
    ...(intent === undefined ? {} : yield* leftAfter(deps, request, agent, principal, intent, now)),
    expiresAt: isoTime(request.expires_at),
    canApprove: passkeys.length > 0,
    ...compact({ people: yield* peopleOf(deps, request) }),
    ...blockOf(agent, principal),
    deniableByLink,
    ...(yield* decisionOf(request)),
  };
}

/** What the limits over time that refuse leave afterwards; nothing where none holds, or it is decided. */
function* leftAfter(
  deps: Pick<Deps, 'policies'>,
  request: ApprovalRequestRow,
  agent: AgentRow,
  principal: Governance,
  intent: IntentRow,
  now: number,
): Script<Pick<ApprovalView, 'left' | 'usedUp'>> {
  const row = request.status === 'pending' ? yield* findCurrentPolicy(request.tenant_id) : undefined;
  if (row === undefined) return {};
  const policy = deps.policies.compiled(row);
  const { amount_minor: amountMinor, currency, merchant } = request;
  const buyer = { agent, governedDid: governedDidOf(request.principal_did, principal) };
  const [facts, { mcc }] = yield* together(
    loadUseAtCart(policy, buyer, { currency, merchant, amountMinor, intent }, now),
    loadTerms(request.tenant_id, merchant, intent),
  );
  const asked = { amountMinor, currency, merchantDomain: merchant, mcc };
  return leftAfterText(checkInput(policy, asked, facts, now)) ?? {};
}

/** Whether no shop has signed what is bought. A cart of what a server asked for is signed by the key that signed the intent. */
function isUnlisted(
  { issuer }: StoredCart,
  intent: IntentRow | undefined,
  mandate: CartOfMandate | undefined,
): boolean {
  if (mandate !== undefined) return mandate.signedByShop.items === false;
  return typeof issuer === 'string' && issuer === (intent && (JSON.parse(intent.credential) as Credential).issuer);
}

function nameOf(cart: StoredCart, mandate: CartOfMandate | undefined): Pick<ApprovalView, 'merchantName'> {
  const name = mandate?.signedByShop.name ?? cartMandateIn(cart)?.contents.merchant_name;
  return name === undefined ? {} : { merchantName: inertText(name) || '(no name)' };
}

function blockOf({ status }: AgentRow, { delegated }: Governance): Pick<ApprovalView, 'blocked'> {
  if (status !== 'ACTIVE') return { blocked: 'The agent may not buy any more, so nothing can be approved.' };
  return delegated ? {} : { blocked: 'The agent may not spend this money, so nothing can be approved.' };
}

function* decisionOf(request: ApprovalRequestRow): Script<Pick<ApprovalView, 'decision'>> {
  const { status, decided_by: by, decided_at: at } = request;
  if (at === null || (status !== 'approved' && status !== 'denied')) return {};
  return { decision: compact({ by: by ?? undefined, name: yield* nameOfLast(request), at: isoTime(at) }) };
}

/** Whose touch approved it, of several people the last one's. */
function* nameOfLast({ tenant_id: tenantId, hp_proof: proof }: ApprovalRequestRow): Script<string | undefined> {
  const { approvedBy: did, passkeyOf } = JSON.parse(proof ?? '{}') as Partial<HpProof>;
  if (did === undefined || passkeyOf === undefined) return undefined;
  const name = yield* nameOfPerson(tenantId, { did, passkeyOf });
  return passkeyOf === 'user' ? name : personText({ did, passkeyOf }, name);
}

/** Any holder of the link may say no safely, but the owner says whether others than they may end a purchase. */
export function* mayDenyByLink(deps: Pick<Deps, 'policies'>, tenantId: string): Script<boolean> {
  const row = yield* findCurrentPolicy(tenantId);
  return row !== undefined && deps.policies.compiled(row).rules.context?.deny_by_link === true;
}

/** @throws Fault NOT_FOUND */
export function* loadRequest(id: string): Script<ApprovalRequestRow> {
  const request = isId('apr_', id) ? yield* findApprovalRequestAnywhere(id) : undefined;
  if (request === undefined) throw gone();
  return request;
}

function gone(): Fault {
  return new Fault('NOT_FOUND', 'There is no such approval.');
}
