/**
 * What every cart is judged by, in whichever form its merchant signed it: the intent, the policy, the merchant's key and the
 * person. One decision and one commit; what is allowed gets an approval token.
 */

import { type CartRequest, type CartResult, type CartSubject, decideCart } from '../../../protocol/cart.ts';
import { intentStatusAt } from '../../../protocol/intent.ts';
import type { PolicyFacts } from '../../../protocol/policy/check.ts';
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import { limitUseFacts } from '../../../protocol/policy/limitUse.ts';
import { payerOf, purchasePrint, sameBeforeFacts } from '../../../protocol/policy/values/samePurchase.ts';
import type { Governance } from '../../../protocol/principal.ts';
import { type ReasonDetails, type Refusal, withReasons } from '../../../protocol/reason.ts';
import type { Caller } from '../../access/caller.ts';
import { listNarrowings } from '../../store/statements/limits/limitNarrowings.ts';
import { wasCartDenied, wasCartWithdrawn } from '../../store/statements/people/approvals.ts';
import { findOffered, type OfferedCart } from '../../store/statements/purchases/approvalTokens.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import { type AgentRow, findAgent } from '../../store/statements/registry/agents.ts';
import { findCurrentPolicy, type PolicyRow } from '../../store/statements/registry/policies.ts';
import { type Script, together } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { CommitContext } from '../../usecase/useCase.ts';
import { requireAgent } from '../agents/loadAgent.ts';
import { loadCircle } from '../approvals/quorum.ts';
import { requestApproval } from '../approvals/requestApproval.ts';
import type { DecisionDeps } from '../evidence/recordEvent.ts';
import { chooseInstrument, holdersOf, type PaymentMethod, railsFor } from '../instruments/chooseInstrument.ts';
import { type ParsedIntent, requireIssued } from '../intents/issuedIntent.ts';
import { judgePayee } from '../merchants/judgePayee.ts';
import { bindPayee, checkMerchantKey, type MerchantBinding } from '../merchants/merchantKeys.ts';
import { loadTerms, newTerms, type Terms } from '../merchants/merchantTerms.ts';
import { type CurrentPolicy, loadUseAtCart, mustNameCart, requirePolicy } from '../policies/loadFacts.ts';
import { type LoadedSame, loadSameForCart, tellSame } from '../policies/loadSame.ts';
import { approverOf, governedDidOf, loadGovernance } from '../principals/governance.ts';
import { authorizeCart } from '../purchases/authorize.ts';
import { cartFacts, policyFacts, shoppingOf } from '../purchases/purchaseFacts.ts';
import { approveCart } from './approveCart.ts';
import { checkPresence, type PresenceCheck, presenceOfMandate } from './checkPresence.ts';
import { type CartSignature, claimSignature } from './claimSignature.ts';
import { rejectCart } from './rejectCart.ts';

/** What a cart is judged by, as far as it is known from the request where to find it. */
export function loadCart(tenantId: string, { mandateId, agentDid, principalDid }: ParsedIntent, cart: ParsedCart) {
  return {
    offered: findOffered(tenantId, mandateId, cart.hash),
    agent: findAgent(tenantId, agentDid),
    principal: loadGovernance(tenantId, { agent_did: agentDid, principal_did: principalDid }),
    policy: findCurrentPolicy(tenantId),
    narrowings: listNarrowings(tenantId),
  };
}

/** What loadCart gave. */
interface CartFacts {
  readonly offered: OfferedCart | undefined;
  readonly agent: AgentRow | undefined;
  readonly principal: Governance;
  readonly policy: PolicyRow | undefined;
}

/** What is judged: the cart, the intent that it is for, and who says that a person was present. */
interface CartValidation extends Pick<CartRequest, 'hpProof' | 'instrument' | 'credentialFormats'>, ParsedIntent {
  readonly cart: ParsedCart;
  /** Where a person signed the mandate of this purchase themselves: whose credential it was, and what tells the mandate. */
  readonly signedByPerson?: { readonly principalDid: string | undefined; readonly credentialId: string } | undefined;
}

/** A cart as it was read beforehand, in whichever form it came. */
export interface ParsedCart {
  /** Its domain; undefined where the cart does not say whose it is, and then there is a fault. */
  readonly merchant: string | undefined;
  /** What the merchant calls itself in what it signed. */
  readonly merchantName: string | undefined;
  readonly items: CartSubject['items'];
  readonly currency: string;
  readonly totalMinor: number;
  /** Whether the merchant wants a person to confirm it. */
  readonly confirmed: boolean;
  readonly hash: string;
  /** As received. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Whose key signed it: a DID, or another name under which a key is bound to the merchant (see checkMerchantKey). */
  readonly issuer: string;
  /** One sentence when the merchant's signature does not hold. */
  readonly fault: string | undefined;
  /** Of a signature with an id of its own. */
  readonly signature: CartSignature | undefined;
  /** True where a mandate that a trusted issuer began names the payee: no signature of the merchant’s is needed then. */
  readonly isMandated?: true;
  /** False where the merchant has signed no list of what is bought; then the total stands for it. */
  readonly isListed?: boolean;
  /** Where the node made it of what a server asked for: no merchant has signed it. */
  readonly offer?: CartOffer | undefined;
  /** What the evidence says of it besides. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** What the node made a cart of. */
interface CartOffer {
  /** The only one that pays it. */
  readonly rail: string;
  /** As the registry of merchants has it; undefined where none is known. */
  readonly payee: string | undefined;
  /** What is bought, for the print of the purchase; its items where absent. */
  readonly what: string | undefined;
  /** False where a person has refused the same before. */
  readonly mayAsk: boolean;
  /** One sentence where the touch that it names is of another purchase. */
  readonly presenceFault?: string | undefined;
}

/** @throws Fault as requireIssued */
export function* judgeCart(
  deps: DecisionDeps & Pick<Deps, 'hashToken' | 'keys' | 'newToken' | 'operations' | 'policies' | 'rails'>,
  caller: Caller,
  input: CartValidation,
  facts: CartFacts,
  { now, contextId }: CommitContext,
): Script<CartResult> {
  const loaded = yield* load(deps, caller, input, facts, now);
  const { cart, credentialFormats: formats } = input;
  const { intent, agent, policy, terms } = loaded;
  const decision = decide(deps, cart, loaded, now);
  const sessionId = intent.context_id ?? contextId;
  const about = Object.assign(
    cartFacts(intent, cart, contextId),
    newTerms(terms, intent),
    policyFacts(policy.row),
    cart.facts,
    sameBeforeFacts(loaded.use.sameBefore),
    limitUseFacts(loaded.use.limits, cart.currency),
  );
  if (decision.allowed)
    return yield* approveCart(
      deps,
      loaded,
      { cart, hpProof: loaded.hpProof, about, rail: decision.rail, formats },
      now,
    );

  const recorded = yield* rejectCart(deps, agent, about, decision, now, formats);
  const rejected = tellSame(deps, caller, recorded, loaded.same, now);
  // A person is asked only where their presence would be enough.
  if (decision.reasonCodes.some((code) => code !== 'HP_REQUIRED') || cart.offer?.mayAsk === false) return rejected;
  if (yield* wasCartDenied(intent.tenant_id, cart.hash, intent.principal_did)) return rejected;
  if (yield* wasCartWithdrawn(intent.tenant_id, cart.hash, intent.agent_did)) return rejected;
  const toApprove = {
    ...cart,
    merchant: String(cart.merchant),
    contextId: sessionId,
    causes: decision.presenceCauses,
    approvalMs: policy.compiled.approvalMs,
    paying: loaded.paying,
  };
  return { ...rejected, approval: yield* requestApproval(deps, intent, toApprove, now) };
}

/** What a cart is judged by. */
export interface JudgedPurchase {
  readonly intent: IntentRow;
  readonly hasLiveToken: boolean;
  readonly agent: AgentRow;
  readonly principal: Governance;
  readonly policy: CurrentPolicy;
  readonly use: PolicyFacts;
  /** What would be bought. */
  readonly print: string | null;
  /** The same that was bought before; undefined where the policy does not ask. */
  readonly same: LoadedSame | undefined;
  /** The merchant's category and country, as far as they are known. */
  readonly terms: Terms;
  readonly cartUsed: boolean;
  /** Whether the key that signed the cart may sign for its merchant; undefined where the signature does not hold. */
  readonly binding: MerchantBinding | undefined;
  readonly presence: PresenceCheck;
  /** What shows that a person was present: as it was sent, or made of the person’s own mandate. */
  readonly hpProof: CartRequest['hpProof'];
  /** What would be paid with. */
  readonly paying: PaymentMethod;
  /** Why what authorizes the intent does not allow it. */
  readonly mandated: ReasonDetails;
}

/** @throws Fault as requireIssued */
function* load(
  deps: Pick<
    Deps,
    'evidence' | 'issuer' | 'keys' | 'newId' | 'operations' | 'policies' | 'rails' | 'settings' | 'suite'
  >,
  caller: Caller,
  input: CartValidation,
  { offered, agent: found, principal, policy: current }: CartFacts,
  now: number,
): Script<JudgedPurchase> {
  const { tenantId } = caller;
  const { cart } = input;
  const { merchant, currency } = cart;
  const { intent: row, isPaid: cartUsed = false, hasLiveToken = false }: Partial<OfferedCart> = offered ?? {};
  const intent = yield* requireIssued(deps, caller, row, input, now);
  const agent = requireAgent(found, intent.agent_did);
  const policy = requirePolicy(deps, current);
  const print = printOf(deps, cart, intent, principal);
  const purchase = { tenantId, print, cartHash: cart.hash, amountMinor: cart.totalMinor, currency };
  const buyer = { agent, governedDid: governedDidOf(intent.principal_did, principal) };
  const bought = { currency, merchant, amountMinor: cart.totalMinor, intent };
  const [facts, terms, key, paying, same] = yield* together(
    loadUseAtCart(policy.compiled, buyer, bought, now),
    loadTerms(tenantId, merchant, intent),
    keyOf(deps, policy.compiled, tenantId, cart),
    chooseInstrument(
      deps,
      tenantId,
      cart.offer?.rail ?? railsFor(deps, policy.compiled)[0],
      holdersOf(intent, principal),
      input.instrument,
    ),
    loadSameForCart(policy.compiled, purchase, intent.mandate_id, now),
  );
  const binding = yield* claimed(intent, cart, key);
  const bound = mustNameCart(deps, policy.compiled);
  const approver = approverOf(intent, principal);
  const quorum = policy.compiled.quorumFor(cart.totalMinor, cart.currency);
  const circle = quorum && (yield* loadCircle(intent, principal, quorum));
  const hpProof =
    input.hpProof ??
    (yield* presenceOfMandate(deps, intent, { ...input, approver, isQuorum: circle !== undefined, paying }, now));
  const given = { cartHash: cart.hash, hpProof, bound, approver, circle, paying, now };
  const { presenceFault: wrongTouch } = cart.offer ?? {};
  const presence: PresenceCheck =
    wrongTouch === undefined
      ? yield* checkPresence(deps, intent, given)
      : { verdict: { fault: wrongTouch }, id: undefined };
  const use = { ...facts, sameBefore: same?.fact };
  const parties = { intent, hasLiveToken, agent, principal, policy };
  const { totalMinor: amountMinor } = cart;
  const mandated = yield* authorizeCart(
    deps,
    intent,
    { amountMinor, currency, merchant, instrument: paying.instrument ?? null },
    now,
  );
  return { ...parties, use, print, same, terms, cartUsed, binding, presence, hpProof, paying, mandated };
}

/** @returns null for a cart that does not say whose it is: it is refused */
function printOf(
  deps: Pick<Deps, 'suite'>,
  { merchant, currency, totalMinor, items, isListed = true, offer }: ParsedCart,
  intent: IntentRow,
  principal: Governance,
): string | null {
  if (merchant === undefined) return null;
  const payer = payerOf(intent.agent_did, intent.principal_did, principal);
  const bought = { items: isListed ? items : [], what: offer?.what };
  return purchasePrint(deps.suite, { payer, merchant, currency, totalMinor, ...bought });
}

/** @returns undefined where the cart's signature does not hold */
function* keyOf(
  deps: Pick<Deps, 'keys' | 'settings'>,
  policy: CompiledPolicy,
  tenantId: string,
  { merchant, issuer, fault, isMandated, offer }: ParsedCart,
): Script<MerchantBinding | undefined> {
  if (fault !== undefined || merchant === undefined) return undefined;
  if (offer !== undefined) return yield* judgePayee(deps, policy, tenantId, merchant, offer.payee);
  if (isMandated === true) return yield* bindPayee(tenantId, merchant);
  return yield* checkMerchantKey(deps, tenantId, merchant, issuer);
}

/** The binding of the key, with a fault where another context has claimed the signature before. */
function* claimed(
  intent: IntentRow,
  { merchant, signature }: ParsedCart,
  binding: MerchantBinding | undefined,
): Script<MerchantBinding | undefined> {
  if (binding === undefined || binding.fault !== undefined || merchant === undefined || signature === undefined) {
    return binding;
  }
  return { ...binding, fault: yield* claimSignature(intent, merchant, signature) };
}

function decide(deps: Pick<Deps, 'rails'>, cart: ParsedCart, loaded: JudgedPurchase, now: number) {
  const { intent, agent, principal, policy, use, terms, cartUsed, binding, presence } = loaded;
  const { merchants, shopping } = shoppingOf(intent);
  const decision = decideCart(
    cart,
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
        merchants,
        confirmed: shopping?.confirmCart === true,
        ...terms,
      },
      cartExpired: cart.fault === undefined && cart.expiresAt <= now,
      cartUsed,
      merchantFault: cart.fault ?? binding?.fault,
      presence: presence.verdict,
      rails: railsFor(deps, policy.compiled, cart.offer?.rail),
      onlyRail: cart.offer?.rail,
    },
    now,
  );
  const mismatch = binding?.mismatch === undefined ? {} : { MERCHANT_MISMATCH: { message: binding.mismatch } };
  const judged = withReasons(decision, { ...loaded.mandated, ...mismatch });
  return judged === decision ? decision : { presenceCauses: [], ...decision, ...(judged as Refusal) };
}
