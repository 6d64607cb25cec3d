/**
 * A whole purchase in one commit, for what no merchant signs a cart of: intent, a cart that the node makes, a person's approval,
 * mandate, payment and reservation, each judged as in any purchase, before anything leaves the node.
 */
import type { CartResult, CartSubject } from '../../../protocol/cart.ts';
import { cartEndsAt } from '../../../protocol/cart.ts';
import { canonical, hashOf } from '../../../protocol/credential/canonical.ts';
import { issueCredential } from '../../../protocol/credential/vc.ts';
import { fromMinor } from '../../../protocol/money.ts';
import type { HpProof } from '../../../protocol/presence.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { type Caller, requireActsFor } from '../../access/caller.ts';
import type { RailRequest } from '../../rails/rail.ts';
import { type ApprovalRequestRow, findApprovalRequest } from '../../store/statements/people/approvals.ts';
import { findHttpApproval, saveHttpApproval } from '../../store/statements/purchases/httpPayments.ts';
import { findIntent, type IntentRow } from '../../store/statements/purchases/intents.ts';
import type { Script } from '../../store/store.ts';
import { type CommitContext, type DecidingDeps, loadThen } from '../../usecase/useCase.ts';
import { judgeCart, loadCart, type ParsedCart } from '../carts/judgeCart.ts';
import { endIntent } from '../intents/endIntent.ts';
import { judgeIntent, loadIntent } from '../intents/judgeIntent.ts';
import { judgePayment, loadApproved } from '../payments/judgePayment.ts';
import type { RailAttemptToSend } from '../payments/throughRail.ts';

/** What is bought, by whom, and who is paid. */
export interface PurchaseOrder {
  readonly agentDid: string;
  readonly principalDid: string;
  readonly delegationId: string | undefined;
  /** The intent that it is bought by; one is made of it where undefined. */
  readonly intentId?: string | undefined;
  /** By which protocol it was asked for. */
  readonly source: string;
  /** The only rail that pays it. */
  readonly rail: string;
  /** The domain. */
  readonly merchant: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** As the registry of merchants has it; undefined where none is known. */
  readonly payee: string | undefined;
  /** What category and country the agent says the merchant has. */
  readonly hints?: { readonly mcc?: string | undefined; readonly country?: string | undefined };
  /** In words, for people; they add up to the amount. */
  readonly items: readonly CartItem[];
  /** For the print, see purchasePrint: what is bought; its items where undefined. */
  readonly what: string | undefined;
  /** What people and the evidence are shown of it besides. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly instrument: string | undefined;
  /** What the rail is asked besides. */
  readonly request: Pick<RailRequest, 'expiresAt' | 'offer'>;
}

type CartItem = Pick<CartSubject['items'][number], 'name' | 'price' | 'quantity'>;
type CartRefusal = Extract<CartResult, { readonly allowed: false }>;

/** @property isOpen true where a person is asked: the same request may come again, and is judged anew */
type PurchaseOpening = RailAttemptToSend | { readonly output: CartRefusal; readonly isOpen: boolean };

/**
 * @param approvalId of a person's approval of the same content; the challenge may be another one
 * @throws Fault NOT_FOUND for an approval that is not the agent's, and what each judge throws
 */
export function* openPurchase(
  deps: DecidingDeps,
  caller: Caller,
  order: PurchaseOrder,
  approvalId: string | undefined,
  moment: CommitContext,
): Script<PurchaseOpening> {
  requireActsFor(caller, order.agentDid);
  const content = contentOf(deps, order);
  const asked = yield* findAsked(caller, order, content, approvalId);
  const standing = asked.row === undefined ? undefined : yield* standingIntent(asked.row, moment.now);
  const intent =
    standing ??
    (order.intentId === undefined
      ? yield* beginIntent(deps, caller, order, moment)
      : yield* requireIntent(caller, order, order.intentId));
  if ('allowed' in intent) return { output: intent, isOpen: false };
  const given =
    standing === undefined || asked.row === undefined
      ? { cart: makeCart(deps, order, intent, asked, moment.now), hpProof: undefined }
      : { cart: cartOf(deps, order, asked.row), hpProof: approvalId === undefined ? undefined : proofIn(asked.row) };
  const judged = yield* validate(deps, caller, order, intent, given, moment);
  if (!judged.allowed) return yield* closeRefused(deps, order, intent, content, judged, moment.now);
  return yield* pay(deps, caller, order, judged.approvalToken, moment.now);
}

/** What a person approves: who buys, what, for how much, and who is paid. A challenge or nonce is no part of it. */
function contentOf({ suite }: Pick<DecidingDeps, 'suite'>, order: PurchaseOrder): string {
  const { agentDid, principalDid, delegationId = null, source, merchant, amountMinor, currency, payee, what } = order;
  const { intentId, items } = order;
  const bought = compact({ payee, what, items: what === undefined ? items : undefined, intentId });
  const content = { agentDid, principalDid, delegationId, source, merchant, amountMinor, currency, ...bought };
  return suite.sha256Hex(`approval-content-v1\n${canonical(content)}`);
}

/** What a person was asked about a content before. */
interface FormerApproval {
  readonly row: ApprovalRequestRow | undefined;
  /** One sentence where the caller names the approval of another content, or of this one before it was asked for anew. */
  readonly fault?: string;
}

/** @throws Fault NOT_FOUND for an approval that is not the agent's */
function* findAsked(
  { tenantId }: Caller,
  { agentDid }: PurchaseOrder,
  content: string,
  approvalId: string | undefined,
): Script<FormerApproval> {
  const last = yield* findHttpApproval(tenantId, content);
  const id = approvalId ?? last;
  const found = id === undefined ? undefined : yield* findApprovalRequest(tenantId, id);
  if (approvalId === undefined) return { row: found };
  if (found === undefined || found.agent_did !== agentDid) {
    throw new Fault('NOT_FOUND', `There is no approval ${approvalId}.`, [
      { path: 'approvalId', message: 'is not known' },
    ]);
  }
  if (last === approvalId) return { row: found };
  return {
    row: undefined,
    fault:
      'The approval is of another purchase: who is paid, what is bought or for how much differs, or it was paid before.',
  };
}

/** The intent that an approval was asked for, while it can still be paid. */
function* standingIntent(asked: ApprovalRequestRow, now: number): Script<IntentRow | undefined> {
  const intent = yield* findIntent(asked.tenant_id, asked.intent_id);
  return intent?.status === 'ACTIVE' && intent.expires_at > now ? intent : undefined;
}

/** @throws Fault NOT_FOUND for an intent of another agent, BAD_REQUEST for one that names no merchant */
function* requireIntent({ tenantId }: Caller, { agentDid }: PurchaseOrder, intentId: string): Script<IntentRow> {
  const intent = yield* findIntent(tenantId, intentId);
  if (intent?.agent_did !== agentDid) throw new Fault('NOT_FOUND', `There is no intent ${intentId} of this agent.`);
  if (intent.merchant_domain !== null) return intent;
  const message = 'names an intent without a merchant: it could be spent at any other one';
  throw new Fault('BAD_REQUEST', `intentId ${message}.`, [{ path: 'intentId', message }]);
}

function proofIn({ status, hp_proof: proof }: ApprovalRequestRow): HpProof | undefined {
  return status === 'approved' && proof !== null ? (JSON.parse(proof) as HpProof) : undefined;
}

function* beginIntent(
  deps: DecidingDeps,
  caller: Caller,
  order: PurchaseOrder,
  moment: CommitContext,
): Script<IntentRow | CartRefusal> {
  const { agentDid, principalDid, delegationId, currency, merchant } = order;
  const request = {
    maxAmount: fromMinor(order.amountMinor, currency),
    currency,
    vendorHints: { domain: merchant, ...order.hints },
  };
  const input = { agentDid, principalDid, delegationId, request };
  const result = yield* loadThen(
    () => loadIntent(deps, caller, input),
    (facts) => judgeIntent(deps, caller, input, moment, facts),
  );
  if (!result.allowed) return result;
  const { mandateId } = result.intentVc.credentialSubject as { readonly mandateId: string };
  return (yield* findIntent(caller.tenantId, mandateId)) as IntentRow;
}

/** The cart in the node's own words. It ends with its intent, and not with a challenge: a person takes longer. */
function makeCart(
  deps: Pick<DecidingDeps, 'issuer' | 'newId' | 'suite'>,
  order: PurchaseOrder,
  intent: IntentRow,
  asked: FormerApproval,
  now: number,
): ParsedCart {
  const { merchant, currency, amountMinor, source, payee, facts } = order;
  const total = fromMinor(amountMinor, currency);
  const items: CartSubject['items'] = [...order.items];
  const { document, text } = issueCredential(deps.suite, deps.issuer, {
    id: `urn:uuid:${deps.newId('cart_')}`,
    type: 'CartMandate',
    subject: { merchant, items, total, currency, source, ...compact({ payee }), ...facts },
    issuedAt: now,
    expiresAt: intent.expires_at,
  });
  const { proof: _proof, ...unsigned } = document;
  return parsed(deps, order, { items, text, hash: hashOf(deps.suite, unsigned), asked });
}

/** The cart that a person was asked about. */
function cartOf(deps: Pick<DecidingDeps, 'issuer'>, order: PurchaseOrder, asked: ApprovalRequestRow): ParsedCart {
  const items = JSON.parse(asked.items) as CartSubject['items'];
  return parsed(deps, order, { items, text: asked.cart, hash: asked.cart_hash, asked: { row: asked } });
}

function parsed(
  { issuer }: Pick<DecidingDeps, 'issuer'>,
  { merchant, currency, amountMinor, source, rail, payee, what, facts }: PurchaseOrder,
  made: Pick<ParsedCart, 'hash' | 'items' | 'text'> & { readonly asked: FormerApproval },
): ParsedCart {
  const { items, text, hash, asked } = made;
  return {
    merchant,
    merchantName: undefined,
    items,
    currency,
    totalMinor: amountMinor,
    confirmed: false,
    hash,
    text,
    expiresAt: cartEndsAt(JSON.parse(text)),
    issuer: issuer.did,
    fault: undefined,
    signature: undefined,
    offer: { rail, payee, what, mayAsk: asked.row?.status !== 'denied', presenceFault: asked.fault },
    facts: { source, ...compact({ payee }), ...facts },
  };
}

function validate(
  deps: DecidingDeps,
  caller: Caller,
  { instrument }: PurchaseOrder,
  intent: IntentRow,
  given: { readonly cart: ParsedCart; readonly hpProof: HpProof | undefined },
  moment: CommitContext,
): Script<CartResult> {
  const { mandate_id: mandateId, agent_did: agentDid, principal_did: principalDid } = intent;
  const named = { mandateId, agentDid, principalDid };
  const input = { ...named, ...given, instrument };
  return loadThen(
    () => loadCart(caller.tenantId, named, given.cart),
    (facts) => judgeCart(deps, caller, input, facts, moment),
  );
}

/** An intent that a person may still let be paid is kept, and what the person was asked is remembered; any other one that was made of the order ends. */
function* closeRefused(
  deps: DecidingDeps,
  order: PurchaseOrder,
  intent: IntentRow,
  content: string,
  refused: CartRefusal,
  now: number,
): Script<PurchaseOpening> {
  const { tenant_id: tenantId, mandate_id: mandateId } = intent;
  if (refused.approval === undefined) {
    if (order.intentId === undefined) yield* endIntent(deps, { tenantId, mandateId }, 'withdrawn', now);
    return { output: refused, isOpen: false };
  }
  const approval = { tenant_id: tenantId, content, approval_id: refused.approval.id, created_at: now };
  yield* saveHttpApproval(approval);
  return { output: refused, isOpen: true };
}

function* pay(
  deps: DecidingDeps,
  caller: Caller,
  { instrument, payee, request }: PurchaseOrder,
  approvalToken: string,
  now: number,
): Script<PurchaseOpening> {
  const input = compact({ approvalToken, instrument });
  const begun = yield* loadThen(
    () => loadApproved(deps, caller, input),
    (facts) => judgePayment(deps, caller, input, now, facts, compact({ payee, ...request })),
  );
  if ('attempt' in begun) return begun;
  return { output: begun.output as CartRefusal, isOpen: false };
}
