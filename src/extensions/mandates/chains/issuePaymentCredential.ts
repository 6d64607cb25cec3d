/** A chain of mandates is exchanged for an approval token: verified, judged by its own constraints and by the policy, used once. */
import { PaymentCredentialRequest, PaymentCredentialResult } from '../../../../protocol/ap2/paymentCredential.ts';
import { intentStatusAt } from '../../../../protocol/intent.ts';
import type { Governance } from '../../../../protocol/principal.ts';
import type { ReasonDetails, Refusal } from '../../../../protocol/reason.ts';
import type { MandateChain } from '../../../../protocol/sdjwt/mandateChain.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { type Caller, requireActsFor } from '../../../access/caller.ts';
import { bindMandateKey } from '../../../domain/agents/closingKey.ts';
import { requireAgent } from '../../../domain/agents/loadAgent.ts';
import { judgeCart, loadCart } from '../../../domain/carts/judgeCart.ts';
import type { DecisionDeps } from '../../../domain/evidence/recordEvent.ts';
import { requirePolicy } from '../../../domain/policies/loadFacts.ts';
import { loadGovernance } from '../../../domain/principals/governance.ts';
import { listNarrowings } from '../../../store/statements/limits/limitNarrowings.ts';
import { findIntent, type IntentRow } from '../../../store/statements/purchases/intents.ts';
import { useMandateChallenge } from '../../../store/statements/purchases/mandateChallenges.ts';
import {
  insertMandateUse,
  type MandateUseRow,
  saveMandateUse,
} from '../../../store/statements/purchases/mandateUses.ts';
import { type AgentRow, findAgent } from '../../../store/statements/registry/agents.ts';
import { findMandateIssuers, type MandateIssuerRow } from '../../../store/statements/registry/mandateIssuers.ts';
import { findCurrentPolicy, type PolicyRow } from '../../../store/statements/registry/policies.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { type CommitContext, decision, loadedInOneCommit, loadThen } from '../../../usecase/useCase.ts';
import { countUse, keptUntil } from '../uses/countUses.ts';
import { type ExaminedMandate, examineMandate } from './examineMandate.ts';
import { mandateCart } from './mandateCart.ts';
import { issueMandateIntent } from './mandateIntent.ts';
import { isRootAlone, type MandateTrust, refuseRootAlone } from './mandateTrust.ts';
import { type PresentedPurchase, recordAccepted, refuseMandate } from './presentation.ts';
import { type MandateRead, readMandate } from './readMandate.ts';
import { findSignedCheckout, type SignedCheckout } from './signedCheckout.ts';

type Request = PaymentCredentialRequest;
type Result = PaymentCredentialResult;

export const issuePaymentCredential = decision({
  summary:
    'Exchanges a chain of AP2 mandates, or a Verifiable Intent, for an approval token. A refusal is an answer too, with every reason and a receipt.',
  input: PaymentCredentialRequest,
  output: PaymentCredentialResult,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  secretAnswer: true,
  run: async (deps, call, input) => {
    const { caller } = call;
    requireActsFor(caller, input.agentDid);
    const issuers = await deps.store.read(() => findMandateIssuers(caller.tenantId));
    // Signatures are verified outside the transaction, which the other purchases of the tenant wait for.
    const read = readMandate(deps, issuers, input, deps.clock());
    // Keys may have to be fetched.
    const checkout = await findSignedCheckout(deps, caller.tenantId, input, read);
    const commit = loadedInOneCommit(
      (_deps, { tenantId }) => loadFor(tenantId, input.agentDid, principalOf(input, read)),
      (_deps, by, request: Request, moment, loaded) => judge(deps, by, request, { ...read, checkout }, loaded, moment),
    );
    return commit(deps, call, input);
  },
});

/** Whose money it is, where the request does not say: that of the person whose credential began it, or the agent's own. */
function principalOf({ principalDid, agentDid }: Request, { trust }: MandateRead): string {
  return principalDid ?? trust?.issuer.principal_did ?? agentDid;
}

function loadFor(tenantId: string, agentDid: string, principalDid: string) {
  return {
    agent: findAgent(tenantId, agentDid),
    policy: findCurrentPolicy(tenantId),
    principal: loadGovernance(tenantId, { agent_did: agentDid, principal_did: principalDid }),
    narrowings: listNarrowings(tenantId),
    issuers: findMandateIssuers(tenantId),
  };
}

/** A chain that was read, with the checkout that its merchant signed. */
interface CheckedRead extends MandateRead {
  readonly checkout: SignedCheckout | undefined;
}

type CredentialDeps = DecisionDeps &
  Pick<Deps, 'hashToken' | 'keys' | 'newToken' | 'operations' | 'policies' | 'rails'>;

interface LoadedParties {
  readonly agent: AgentRow | undefined;
  readonly policy: PolicyRow | undefined;
  readonly principal: Governance;
  readonly issuers: readonly MandateIssuerRow[];
}

function* judge(
  deps: CredentialDeps,
  caller: Caller,
  input: Request,
  read: CheckedRead,
  loaded: LoadedParties,
  moment: CommitContext,
): Script<Result> {
  const agent = requireAgent(loaded.agent, input.agentDid);
  const policy = requirePolicy(deps, loaded.policy);
  const { principal } = loaded;
  const presented: PresentedPurchase = {
    input,
    read,
    agent,
    principalDid: principalOf(input, read),
    principal,
    moment,
  };
  const { chain, trust } = read;
  // An issuer that was removed since the chain was verified begins none any more.
  const isTrusted = loaded.issuers.some(({ id }) => id === trust?.issuer.id);
  if (chain === undefined || trust === undefined || !isTrusted) {
    const untrusted = { MANDATE_INVALID: { message: 'No trusted issuer has signed its first mandate.' } };
    return yield* refuseMandate(deps, presented, { ...untrusted, ...read.details });
  }
  const ofRoot = refuseRootAlone(trust, agent.did, presented.principalDid);
  if (Object.keys(ofRoot).length > 0) return yield* refuseMandate(deps, presented, { ...ofRoot, ...read.details });
  const examined = yield* examineMandate(deps, presented, { chain, trust }, policy);
  const { details, amountMinor, currency, merchant } = examined;
  if (merchant === undefined || Object.keys(details).length > 0) return yield* refuseMandate(deps, presented, details);
  yield* bindMandateKey(deps, agent, examined.closingKey, moment.now);
  const purchase = {
    ...{ agent, principal, principalDid: presented.principalDid, policy },
    ...{ amountMinor, currency, merchant, contextId: moment.contextId },
    expiresAt: moment.now + deps.settings.intentTtlSeconds * 1000,
  };
  const former = yield* reusable(presented, examined);
  const intent = former ?? (yield* issueMandateIntent(deps, purchase, moment.now));
  if ('allowed' in intent) return yield* refuseMandate(deps, presented, intent.details, { refusal: intent });
  return yield* buy(deps, caller, presented, { ...examined, chain, trust, intent, checkout: read.checkout });
}

interface MandatePurchase extends ExaminedMandate {
  readonly chain: MandateChain;
  readonly trust: MandateTrust;
  readonly intent: IntentRow;
  readonly checkout: SignedCheckout | undefined;
}

/** Has the cart judged; what is allowed is used from then on. */
function* buy(
  deps: CredentialDeps,
  caller: Caller,
  presented: PresentedPurchase,
  bought: MandatePurchase,
): Script<Result> {
  const { input, read, moment } = presented;
  const { chain, trust, intent, use, counted, amountMinor, currency } = bought;
  const cart = mandateCart(
    deps,
    intent,
    { payment: bought.payment, subscription: chain.limits[0]?.subscription, checkout: bought.checkout },
    input,
  );
  const given = {
    ...{ mandateId: intent.mandate_id, agentDid: intent.agent_did, principalDid: intent.principal_did },
    hpProof: input.hpProof,
    instrument: bought.payment.payment_instrument.id,
  };
  const judged = yield* loadThen(
    () => loadCart(caller.tenantId, given, cart),
    (facts) => judgeCart(deps, caller, { ...given, cart, signedByPerson: personBehind(chain, trust) }, facts, moment),
  );
  const row = draftUse(caller.tenantId, presented, bought);
  if (!judged.allowed) {
    yield* keepUse(use, row);
    const { approval, duplicateOf } = judged;
    const more = compact({ approval, duplicateOf });
    const details = judged.details as ReasonDetails;
    return yield* refuseMandate(deps, presented, details, { refusal: judged as Refusal, intent, more });
  }
  const used = yield* countUse(caller.tenantId, counted, { amountMinor, currency }, moment.now);
  yield* keepUse(use, { ...row, status: 'USED', leaf_hash: chain.leafJwtHash, counted: used });
  yield* useMandateChallenge(caller.tenantId, input.nonce, moment.now);
  yield* recordAccepted(deps, presented, { intent, chain, trust, cartHash: judged.cartHash });
  const { approvalToken, approvalTokenExpiresAt } = judged;
  const { reference } = read;
  return { allowed: true, approvalToken, approvalTokenExpiresAt, reference, intentId: intent.mandate_id };
}

function draftUse(tenantId: string, { read, moment }: PresentedPurchase, bought: MandatePurchase): MandateUseRow {
  const { chain, intent, key, amountMinor, currency, terms } = bought;
  return {
    tenant_id: tenantId,
    root_hash: key,
    checkout_hash: chain.transactionId,
    status: 'PENDING',
    leaf_hash: null,
    intent_id: intent.mandate_id,
    reference: read.reference,
    reference_sd_hash: read.referenceSdHash,
    amount_minor: amountMinor,
    currency,
    counted: '[]',
    receipt: null,
    created_at: moment.now,
    kept_until: keptOf(chain, moment.now),
    issuer_id: bought.trust.issuer.id,
    terms: JSON.stringify(terms),
  };
}

function keptOf({ open: [first], content, endsAt }: MandateChain, now: number): number {
  return keptUntil([endsAt ?? (first?.mandate ?? content)['exp']], now);
}

/** The intent of the same purchase, where a person was asked for it, or the policy allowed it not yet. */
function* reusable(
  { agent, principalDid, moment }: PresentedPurchase,
  { use, amountMinor, currency, merchant }: ExaminedMandate,
): Script<IntentRow | undefined> {
  if (use === undefined) return undefined;
  const intent = yield* findIntent(use.tenant_id, use.intent_id);
  if (intent === undefined) return undefined;
  const isActive = intentStatusAt({ status: intent.status, expiresAt: intent.expires_at }, moment.now) === 'ACTIVE';
  const isSame =
    intent.agent_did === agent.did &&
    intent.principal_did === principalDid &&
    intent.max_minor === amountMinor &&
    intent.currency === currency &&
    intent.merchant_domain === merchant;
  return isActive && isSame ? intent : undefined;
}

/**
 * A closed mandate that the person signed: by a credential that is trusted as the person's own, or by the key that a card issuer names.
 * A wallet's root has many people's certificates, and an issuer many people's cards, so the touch counts only where the tenant has said that all of its cards are one principal's.
 */
function personBehind({ openHash, leafJwtHash }: MandateChain, { issuer }: MandateTrust) {
  const isCredential = issuer.kind === 'user-credential' && !isRootAlone(issuer);
  const isKnown = isCredential || (issuer.kind === 'card-issuer' && issuer.principal_did !== null);
  if (openHash !== undefined || !isKnown) return undefined;
  return { principalDid: issuer.principal_did ?? undefined, credentialId: leafJwtHash };
}

function keepUse(former: MandateUseRow | undefined, row: MandateUseRow): Script<void> {
  return former === undefined ? insertMandateUse(row) : saveMandateUse(row);
}
