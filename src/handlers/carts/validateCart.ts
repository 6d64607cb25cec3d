/** A merchant's signed cart is checked against the intent and the policy; what is allowed gets an approval token. */

import {
  CartRequest,
  CartResult,
  CartSubject,
  type CartSubject as CartSubjectType,
  cartEndsAt,
  cartTotalMinor,
  decideCart,
} from '../../../protocol/cart.ts';
import { canonical, hashOf } from '../../../protocol/credential/canonical.ts';
import { toHex } from '../../../protocol/credential/encodings.ts';
import { type Credential, checkCredential } from '../../../protocol/credential/vc.ts';
import { retirementFault } from '../../../protocol/evidence/rotation.ts';
import { intentStatusAt } from '../../../protocol/intent.ts';
import type { PolicyFacts } from '../../../protocol/policy/check.ts';
import { candidateRails } from '../../../protocol/policy/checks/rails.ts';
import type { Governance } from '../../../protocol/principal.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { detailsOf } from '../../../protocol/wire/issue.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { type Caller, requireActsFor } from '../../access/caller.ts';
import { wasCartDenied } from '../../store/statements/people/approvals.ts';
import {
  findOffered,
  insertApprovalToken,
  markPresenceUsed,
  voidApprovalTokens,
} from '../../store/statements/purchases/approvalTokens.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import { listWindowsOf } from '../../store/statements/purchases/velocityWindows.ts';
import type { AgentRow } from '../../store/statements/registry/agents.ts';
import { listInstrumentsOf } from '../../store/statements/registry/instruments.ts';
import { findMerchantsOf } from '../../store/statements/registry/merchants.ts';
import { findCurrentPolicy } from '../../store/statements/registry/policies.ts';
import type { Script } from '../../store/store.ts';
import { requestApproval } from '../approvals/requestApproval.ts';
import { type Deps, issuersOf } from '../core/deps.ts';
import { at } from '../core/minorAmount.ts';
import { cartFacts, policyFacts } from '../core/purchaseFacts.ts';
import { inOneCommit, type Moment, useCase } from '../core/useCase.ts';
import { recordEvent } from '../evidence/recordEvent.ts';
import { chooseInstrument, holdersOf, type Paying } from '../instruments/chooseInstrument.ts';
import { requireIssued } from '../intents/formerIntent.ts';
import { checkMerchantKey, type MerchantBinding } from '../merchants/checkMerchantKey.ts';
import { loadTerms, type Terms } from '../merchants/merchantTerms.ts';
import { type CurrentPolicy, loadAgent, loadPolicy, loadUse } from '../policies/loadFacts.ts';
import { mustNameCart } from '../policies/presenceBinding.ts';
import { approverOf, loadGovernance } from '../principals/governance.ts';
import { approvalKeyOf, makeApprovalToken } from './approvalToken.ts';
import { checkPresence, type PresenceCheck } from './checkPresence.ts';
import { findWebKey, type WebKey } from './findWebKey.ts';
import { rejectCart } from './rejectCart.ts';

export const validateCart = useCase({
  summary: 'Checks a merchant’s signed cart against an intent and the policy, and approves it for payment.',
  input: CartRequest,
  output: CartResult,
  permission: 'write',
  faults: ['NOT_FOUND'],
  idempotent: true,
  secretAnswer: true,
  run: async (deps, call, input) => {
    const intent = readIntent(deps, call.caller, input);
    const offer = readOffer(input);
    // The merchant's key may have to be fetched, which must not happen inside the transaction.
    const key = await findWebKey(deps, call.caller, { ...intent, ...input }, offer.subject.merchant);
    const cart = readCart(deps, input, offer, key);
    const commit = inOneCommit<CartRequest, CartResult>(
      (_deps, caller, { hpProof, intentVc, instrument }, moment) =>
        validate(deps, caller, { ...intent, intentVc, cart, hpProof, instrument }, moment),
      (caller) => cartReads(caller.tenantId, intent, cart),
    );
    return commit(deps, call, input);
  },
});

/** The rows decide what holds: where the credential says something else, they are read once more. */
function cartReads(tenantId: string, intent: IntentRead, cart: CartRead): Script<unknown>[] {
  const { mandateId, agentDid, principalDid } = intent;
  return [
    findOffered(tenantId, mandateId, cart.hash),
    loadAgent(tenantId, agentDid),
    listWindowsOf(tenantId, agentDid),
    loadGovernance(tenantId, { agent_did: agentDid, principal_did: principalDid }),
    findCurrentPolicy(tenantId),
    findMerchantsOf(tenantId, cart.subject.merchant),
    listInstrumentsOf(tenantId, agentDid, principalDid),
  ];
}

interface IntentRead {
  readonly mandateId: string;
  readonly agentDid: string;
  readonly principalDid: string;
  /** The DID whose key signed it. */
  readonly issuer: string;
}

/** What is judged: the cart, the intent that it is for, and who says that a person was present. */
interface CartToJudge extends Pick<CartRequest, 'intentVc' | 'hpProof' | 'instrument'>, IntentRead {
  readonly cart: CartRead;
}

interface CartRead {
  readonly subject: CartSubjectType;
  readonly totalMinor: number;
  readonly hash: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly issuer: string;
  /** One sentence when the merchant's signature does not hold. */
  readonly fault: string | undefined;
}

/** @throws Fault BAD_REQUEST unless this node issued the intent, FORBIDDEN unless to the caller */
function readIntent(deps: Deps, caller: Caller, input: CartRequest): IntentRead {
  const checked = checkCredential(deps.suite, input.intentVc, { type: 'IntentMandate', now: deps.clock() });
  const fault = checked.ok
    ? issuersOf(deps).includes(checked.issuer)
      ? retirementFault(deps.rotations, checked.issuer, datesOf(checked.credential))
      : 'it was issued by another node'
    : checked.reason;
  if (!checked.ok || fault !== undefined) {
    throw new Fault('BAD_REQUEST', `The intent credential cannot be accepted: ${fault}`, [
      { path: 'intentVc', message: fault ?? 'is not valid' },
    ]);
  }
  const { mandateId, agentDid, principalDid } = checked.credential.credentialSubject;
  requireActsFor(caller, String(agentDid));
  return {
    mandateId: String(mandateId),
    agentDid: String(agentDid),
    principalDid: String(principalDid),
    issuer: checked.issuer,
  };
}

function datesOf({ issuanceDate, proof }: Credential): string[] {
  return [issuanceDate, proof.created];
}

/** What a cart says, before it is known who says so. */
type Offer = Pick<CartRead, 'subject' | 'totalMinor'>;

/** @throws Fault BAD_REQUEST for a cart that is malformed or does not add up */
function readOffer({ cartVc }: CartRequest): Offer {
  const parsed = CartSubject.safeParse(cartVc.credentialSubject);
  if (!parsed.success) {
    throw new Fault(
      'BAD_REQUEST',
      'The cart credential is malformed.',
      parsed.error.issues.flatMap(detailsOf).map(({ path, message }) => ({
        path: path === '' ? 'cartVc.credentialSubject' : `cartVc.credentialSubject.${path}`,
        message,
      })),
    );
  }
  return { subject: parsed.data, totalMinor: at('cartVc.credentialSubject', () => cartTotalMinor(parsed.data)) };
}

function readCart(deps: Deps, { cartVc }: CartRequest, offer: Offer, webKey: WebKey): CartRead {
  const checked = checkCredential(deps.suite, cartVc, {
    type: 'CartMandate',
    now: deps.clock(),
    resolveKey: () => ('key' in webKey ? webKey.key : undefined),
  });
  const reason = checked.ok ? undefined : 'notFetched' in webKey ? webKey.notFetched : checked.reason;
  return {
    ...offer,
    hash: checked.ok ? `sha256:${toHex(checked.documentHash)}` : hashUnsigned(deps, cartVc),
    text: JSON.stringify(cartVc),
    expiresAt: cartEndsAt(cartVc),
    issuer: checked.ok ? checked.issuer : '',
    fault: reason === undefined ? undefined : `The merchant's signature cannot be trusted: ${reason}`,
  };
}

function hashUnsigned(deps: Deps, cartVc: CartRequest['cartVc']): string {
  const { proof: _proof, ...unsigned } = cartVc;
  return hashOf(deps.suite, unsigned);
}

function* validate(deps: Deps, caller: Caller, input: CartToJudge, { now, contextId }: Moment): Script<CartResult> {
  const loaded = yield* load(deps, caller, input, now);
  const { cart } = input;
  const { intent, agent, policy } = loaded;
  const decision = decide(deps, cart, loaded, now);
  const sessionId = intent.context_id ?? contextId;
  const judged = { ...cart, merchant: cart.subject.merchant, currency: cart.subject.currency };
  const about = Object.assign(cartFacts(intent, judged, contextId), policyFacts(policy.row));
  if (decision.allowed)
    return yield* approve(deps, loaded, { cart, hpProof: input.hpProof, about }, decision.rail, now);

  const rejected = yield* rejectCart(deps, agent, about, decision, now);
  // A person is asked only where their presence would be enough.
  if (decision.reasonCodes.some((code) => code !== 'HP_REQUIRED')) return rejected;
  if (yield* wasCartDenied(intent.tenant_id, cart.hash, intent.principal_did)) return rejected;
  const toApprove = { ...cart, contextId: sessionId, causes: decision.presenceCauses, paying: loaded.paying };
  return { ...rejected, approval: yield* requestApproval(deps, intent, toApprove, now) };
}

/** What a cart is judged by. */
interface Loaded {
  readonly intent: IntentRow;
  readonly hasLiveToken: boolean;
  readonly agent: AgentRow;
  readonly principal: Governance;
  readonly policy: CurrentPolicy;
  readonly use: PolicyFacts;
  /** The merchant's category and country, as far as they are known. */
  readonly terms: Terms;
  readonly cartUsed: boolean;
  /** Whether the key that signed the cart may sign for its merchant; undefined where the signature does not hold. */
  readonly binding: MerchantBinding | undefined;
  readonly presence: PresenceCheck;
  /** What would be paid with. */
  readonly paying: Paying;
}

/** @throws Fault NOT_FOUND for an intent of another tenant */
function* load(deps: Deps, caller: Caller, input: CartToJudge, now: number): Script<Loaded> {
  const { tenantId } = caller;
  const { cart, hpProof } = input;
  const { merchant, currency } = cart.subject;
  const offered = yield* findOffered(tenantId, input.mandateId, cart.hash);
  if (offered === undefined) throw new Fault('NOT_FOUND', `There is no intent ${input.mandateId}.`);
  const { intent, isPaid: cartUsed, hasLiveToken } = offered;
  // The row decides whose intent it is, since a stolen key may sign another agent's name into the credential.
  requireActsFor(caller, intent.agent_did);
  yield* requireIssued(deps, intent, input);
  const agent = yield* loadAgent(tenantId, intent.agent_did);
  const principal = yield* loadGovernance(tenantId, intent);
  const policy = yield* loadPolicy(deps, tenantId);
  const { facts: use } = yield* loadUse(policy.compiled, agent, { currency, merchant }, intent, now);
  const terms = yield* loadTerms(policy.compiled, tenantId, merchant, intent);
  const binding = cart.fault === undefined ? yield* checkMerchantKey(deps, tenantId, merchant, cart.issuer) : undefined;
  const bound = mustNameCart(deps, policy.compiled);
  const paying = yield* chooseInstrument(deps, tenantId, firstRail(deps, policy), holdersOf(intent), input.instrument);
  const approver = approverOf(intent, principal);
  const given = { cartHash: cart.hash, hpProof, bound, approver, paying, now };
  const presence = yield* checkPresence(deps, intent, given);
  return { intent, hasLiveToken, agent, principal, policy, use, terms, cartUsed, binding, presence, paying };
}

function decide(deps: Deps, cart: CartRead, loaded: Loaded, now: number) {
  const { intent, agent, principal, policy, use, terms, cartUsed, binding, presence } = loaded;
  const { merchant, currency } = cart.subject;
  return decideCart(
    { totalMinor: cart.totalMinor, currency, merchant },
    {
      agentStatus: agent.status,
      principal,
      policy: policy.compiled,
      use,
      intent: {
        status: intentStatusAt({ status: intent.status, expiresAt: intent.expires_at }, now),
        maxMinor: intent.max_minor,
        currency: intent.currency,
        merchantDomain: intent.merchant_domain ?? undefined,
        ...terms,
      },
      cartExpired: cart.fault === undefined && cart.expiresAt <= now,
      cartUsed,
      merchantFault: cart.fault ?? binding?.fault,
      presence: presence.verdict,
      rails: candidateRails(policy.compiled, [...deps.rails.keys()]),
    },
    now,
  );
}

/** Uses the presence proof up, voids the former token of the intent, and makes a new one. */
function* approve(
  deps: Deps,
  loaded: Loaded,
  approved: {
    readonly cart: CartRead;
    readonly hpProof: CartRequest['hpProof'];
    readonly about: Readonly<Record<string, unknown>>;
  },
  rail: string,
  now: number,
): Script<CartResult> {
  const { intent, agent, policy, binding, presence } = loaded;
  const { cart, hpProof, about } = approved;
  const { tenant_id: tenantId } = intent;
  if (presence.id !== undefined) yield* markPresenceUsed(tenantId, presence.id, now);
  if (loaded.hasLiveToken) yield* voidApprovalTokens(tenantId, intent.mandate_id);
  const approvalToken = makeApprovalToken(deps, now);
  const expiresAt = now + deps.settings.approvalTtlSeconds * 1000;
  yield* insertApprovalToken({
    token_hash: approvalKeyOf(deps, approvalToken),
    tenant_id: tenantId,
    intent_id: intent.mandate_id,
    agent_did: agent.did,
    status: 'LIVE',
    cart_hash: cart.hash,
    cart: cart.text,
    amount_minor: cart.totalMinor,
    currency: cart.subject.currency,
    merchant: cart.subject.merchant,
    rail,
    rail_account_id: binding?.railAccountId ?? null,
    presence_id: presence.id ?? null,
    hp_proof: presence.id === undefined ? null : canonical(hpProof),
    paying: presence.id === undefined ? null : JSON.stringify(loaded.paying),
    created_at: now,
    expires_at: expiresAt,
  });
  const approvalTokenExpiresAt = isoTime(expiresAt);
  const data = compact({ ...about, rail, presenceId: presence.id, approvalExpiresAt: approvalTokenExpiresAt });
  yield* recordEvent(deps, tenantId, { eventType: 'CART_VALIDATED', actorDid: agent.did, data }, now);
  return {
    allowed: true,
    approvalToken,
    approvalTokenExpiresAt,
    railDecision: {
      rail,
      reason: reasonFor(rail, policy.compiled.rules.rails?.priorities),
      merchantConnected: binding?.railAccountId !== undefined,
      expiresAt: approvalTokenExpiresAt,
    },
    cartHash: cart.hash,
  };
}

/** The rail that the cart would be paid by, as far as it is known before the decision. */
function firstRail(deps: Deps, policy: CurrentPolicy): string | undefined {
  return candidateRails(policy.compiled, [...deps.rails.keys()])[0];
}

function reasonFor(rail: string, priorities: readonly string[] | undefined): string {
  return priorities?.includes(rail)
    ? 'first usable rail by policy priority'
    : 'first configured rail the policy allows';
}
