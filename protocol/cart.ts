/** Carts: a merchant's signed offer, checked against the intent and the policy. Schemas and the decision. */
import { z } from 'zod';
import type { AgentStatus } from './agent.ts';
import { ApprovalLink } from './approval.ts';
import { CartFormats, Verdict } from './credential/credentialFormats.ts';
import { isOfDataModel2 } from './credential/vc.ts';
import { RailName } from './instrument.ts';
import { IdempotencyKey, type IntentStatus, RefusalResult } from './intent.ts';
import { Currency, formatMoney, fromMinor, requireExact, toMinor } from './money.ts';
import type { PolicyFacts } from './policy/check.ts';
import type { CompiledPolicy } from './policy/compile.ts';
import { type Evaluation, evaluate, type PresenceNeed, refuseParties } from './policy/evaluate.ts';
import { MerchantDomain } from './policy/values/domain.ts';
import { DuplicateOf } from './policy/values/samePurchase.ts';
import type { Governance } from './principal.ts';
import { type ReasonDetails, type Refusal, refusalOf } from './reason.ts';
import { isChosen } from './shopping.ts';
import { Fault } from './wire/fault.ts';
import { anyObject, countMembers } from './wire/json.ts';
import { visibleName } from './wire/plainText.ts';

/** A refusal of a cart or of its payment. */
export const PurchaseRefusal = RefusalResult.extend({
  duplicateOf: DuplicateOf.optional().describe(
    'The payment that was made for the same before, for a caller who may read it.',
  ),
});
export type PurchaseRefusal = z.infer<typeof PurchaseRefusal>;

/** Members that are not known are kept: they are signed, and the person who approves sees them. */
export const CartItem = z.looseObject({
  name: visibleName(500),
  price: z.number(),
  quantity: z.int().positive(),
});

export const CartSubject = z.looseObject({
  merchant: MerchantDomain,
  items: z.array(CartItem).min(1).max(1000),
  total: z.number(),
  currency: Currency,
});
export type CartSubject = z.infer<typeof CartSubject>;

export const CartRequest = z.object({
  intentVc: anyObject(),
  cartVc: anyObject(),
  hpProof: anyObject().optional(),
  instrument: RailName.optional().describe(
    'What will be paid with, for the person who approves; the usual payment method when absent.',
  ),
  credentialFormats: CartFormats.optional(),
  idempotencyKey: IdempotencyKey.optional(),
});
export type CartRequest = z.infer<typeof CartRequest>;

export const RailDecision = z.object({
  rail: z.string(),
  reason: z.string(),
  merchantConnected: z.boolean(),
  expiresAt: z.string(),
});
export type RailDecision = z.infer<typeof RailDecision>;

export const CartResult = z.union([
  z.object({
    allowed: z.literal(true),
    approvalToken: z.string(),
    approvalTokenExpiresAt: z.string(),
    railDecision: RailDecision,
    cartHash: z.string(),
    verdict: Verdict,
  }),
  PurchaseRefusal.extend({
    approval: ApprovalLink.optional().describe(
      'Where a person can approve this cart, when nothing else is in the way.',
    ),
  }),
]);
export type CartResult = z.infer<typeof CartResult>;

/**
 * The cart's total in minor units, after checking that it is exactly the sum of price × quantity. Tax and shipping are
 * items.
 * @throws Fault BAD_REQUEST that names the member at fault
 */
export function cartTotalMinor(cart: CartSubject): number {
  const { currency } = cart;
  const sum = minorOfItems(cart);
  const total = requireExact(toMinor(cart.total, currency), currency);
  if (sum !== BigInt(total)) {
    throw new Fault('BAD_REQUEST', 'The cart does not add up.', [
      {
        path: 'cartVc.credentialSubject.total',
        message: `is ${formatMoney(total, currency)}, but the items come to ${sum} minor units instead of ${total}`,
      },
    ]);
  }
  return total;
}

/**
 * What items come to, in minor units.
 * @throws Fault BAD_REQUEST for a price that the currency cannot have
 */
export function minorOfItems({ items, currency }: Pick<CartSubject, 'items' | 'currency'>): bigint {
  let sum = 0n;
  for (const { price, quantity } of items) {
    sum += BigInt(toMinor(price, currency, { allowZero: true })) * BigInt(quantity);
  }
  return sum;
}

/** Most characters of the first item's name in a line. */
const MOST_OF_NAME = 80;

/** What is bought, in a line: "Oat milk", "2 × Oat milk and 3 others". Of a long name its beginning. */
export function describeItems(items: CartSubject['items']): string {
  const [first] = items;
  if (first === undefined) return '';
  const characters = [...first.name];
  const name = characters.length > MOST_OF_NAME ? `${characters.slice(0, MOST_OF_NAME - 1).join('')}…` : first.name;
  const others = items.length - 1;
  const rest = others === 0 ? '' : ` and ${others} ${others === 1 ? 'other' : 'others'}`;
  return `${first.quantity === 1 ? '' : `${first.quantity} × `}${name}${rest}`;
}

/** What a merchant may sign in a cart besides its items: a person is to read all of it. */
const MOST_MEMBERS = 200;

/**
 * @param signed the parts of a cart that its merchant signed, without its items
 * @param path where they stand in the request
 * @throws Fault BAD_REQUEST
 */
export function requireReadable(signed: object, path: string): void {
  if (countMembers(signed, MOST_MEMBERS) <= MOST_MEMBERS) return;
  const message = `has more than ${MOST_MEMBERS} signed members beside its items, at any depth`;
  throw new Fault('BAD_REQUEST', `The cart ${message}; a person could not read them.`, [{ path, message }]);
}

/** How long an offer holds that does not say when it ends. */
const CART_LIFE_MS = 24 * 3600 * 1000;

/** When a cart ends, in milliseconds since the epoch: its own end, or a day after it was issued. */
export function cartEndsAt(cartVc: Readonly<Record<string, unknown>>): number {
  const { validFrom, validUntil, issuanceDate, expirationDate } = cartVc;
  const [from, until] = isOfDataModel2(cartVc) ? [validFrom, validUntil] : [issuanceDate, expirationDate];
  return until === undefined ? Date.parse(String(from)) + CART_LIFE_MS : Date.parse(String(until));
}

/** The members of a cart that the decision needs. */
interface CartTerms {
  readonly totalMinor: number;
  readonly currency: string;
  /** Undefined where the cart does not say whose it is, which its merchantFault says. */
  readonly merchant: string | undefined;
  /** What the merchant calls itself in what it signed. */
  readonly merchantName: string | undefined;
  /** Whether the merchant wants a person to confirm the cart. */
  readonly confirmed: boolean;
}

export interface CartFacts {
  readonly agentStatus: AgentStatus;
  readonly principal: Governance;
  readonly policy: CompiledPolicy;
  readonly use: PolicyFacts;
  readonly intent: {
    readonly status: IntentStatus;
    readonly maxMinor: number;
    readonly currency: string;
    readonly merchantDomain: string | undefined;
    readonly merchants: readonly string[] | undefined;
    /** Whether the agent wants a person to confirm the cart. */
    readonly confirmed: boolean;
    readonly mcc: string | undefined;
    readonly country: string | undefined;
  };
  /** True when the cart has ended (see cartEndsAt). */
  readonly cartExpired: boolean;
  /** True when a payment for this very cart was authorized, or is not decided yet. */
  readonly cartUsed: boolean;
  /** One sentence when the merchant's signature is not trusted. */
  readonly merchantFault: string | undefined;
  readonly presence: 'none' | 'valid' | { readonly fault: string };
  /** Configured rails that the policy allows, best first. */
  readonly rails: readonly string[];
  /** The only one that could pay, where there is only one. */
  readonly onlyRail?: string | undefined;
}

/** A refusal with every rule that requires a person, whether or not one was present. */
type CartRefusal = Refusal & { readonly presenceCauses: readonly PresenceNeed[] };
type CartDecision = CartRefusal | { readonly allowed: true; readonly rail: string; readonly hpRequired: boolean };

/**
 * Decides on a cart: evaluates the policy again for its total, then its relation to the intent, the merchant and the
 * person.
 * @param now milliseconds since the epoch
 */
export function decideCart(cart: CartTerms, facts: CartFacts, now: number): CartDecision {
  const { intent } = facts;
  const request = {
    amountMinor: cart.totalMinor,
    currency: cart.currency,
    merchantDomain: cart.merchant,
    mcc: intent.mcc,
    country: intent.country,
  };
  const evaluation = evaluate(facts.policy, request, facts.use, now);
  const details: ReasonDetails = {
    ...evaluation.details,
    ...refuseParties(facts),
    ...refuseTerms(cart, intent),
    ...refuseSpentIntent(intent.status),
    ...refuseCredentials(facts),
  };
  if (typeof facts.presence === 'object') details.HP_INVALID = { message: facts.presence.fault };
  const presenceCauses = [...evaluation.presenceCauses, ...findConfirmations(intent.confirmed, cart.confirmed)];
  if (facts.presence === 'none') Object.assign(details, requirePresence(evaluation, presenceCauses));
  const rail = facts.rails[0];
  const refusal = refusalOf(details, evaluation.limits);
  if (refusal !== undefined) return { ...refusal, presenceCauses };
  return { allowed: true, rail: rail as string, hpRequired: presenceCauses.length > 0 };
}

/** Why a person is asked regardless of the policy: the agent wants it, the merchant does, or both. */
export function findConfirmations(agent: boolean, merchant: boolean): PresenceNeed[] {
  const needs: PresenceNeed[] = [];
  if (agent) needs.push({ cause: 'merchant', message: 'The agent asked for a person to confirm the cart.' });
  if (merchant) needs.push({ cause: 'merchant', message: 'The merchant asks for a person to confirm the cart.' });
  return needs;
}

/** The refusal when no person was present. Above the hard cap a person could not help, so none is required. */
export function requirePresence({ details }: Evaluation, causes: readonly PresenceNeed[]): ReasonDetails {
  if (causes.length === 0 || details.AMOUNT_OVER_CAP !== undefined) return {};
  return { HP_REQUIRED: { message: causes.map(({ message }) => message).join(' ') } };
}

function refuseTerms(cart: CartTerms, intent: CartFacts['intent']): ReasonDetails {
  const details: ReasonDetails = {};
  if (cart.currency !== intent.currency) {
    details.CURRENCY_NOT_ALLOWED = {
      message: `The cart is in ${cart.currency}, the intent allows ${intent.currency}.`,
    };
  } else if (cart.totalMinor > intent.maxMinor) {
    details.CART_EXCEEDS_INTENT = {
      requested: fromMinor(cart.totalMinor, cart.currency),
      limit: fromMinor(intent.maxMinor, intent.currency),
      currency: cart.currency,
      message:
        `The cart comes to ${formatMoney(cart.totalMinor, cart.currency)}, ` +
        `the intent allows ${formatMoney(intent.maxMinor, intent.currency)}.`,
    };
  }
  const mismatch = cart.merchant === undefined ? undefined : findMismatch(intent, cart.merchant, cart.merchantName);
  if (mismatch !== undefined) details.MERCHANT_MISMATCH = { message: mismatch };
  return details;
}

/** @returns one sentence where a merchant is not the one, or none of those, that an intent names */
export function findMismatch(
  intent: Pick<CartFacts['intent'], 'merchantDomain' | 'merchants'>,
  merchant: string,
  name: string | undefined,
): string | undefined {
  const { merchantDomain, merchants } = intent;
  if (merchantDomain !== undefined && merchantDomain !== merchant) {
    return `The intent names ${merchantDomain}, the cart comes from ${merchant}.`;
  }
  if (merchants === undefined || isChosen(merchants, merchant, name)) return undefined;
  return `The intent names ${merchants.join(', ')}, the cart comes from ${merchant}.`;
}

/** The reason why an intent that is used or expired refuses a purchase. */
export function refuseSpentIntent(status: IntentStatus): ReasonDetails {
  if (status === 'EXPIRED') return { INTENT_EXPIRED: { message: 'The intent has expired; ask for a new one.' } };
  if (status === 'USED') return { INTENT_USED: { message: 'The intent was used for a payment; ask for a new one.' } };
  return {};
}

/** The reasons why an offer itself can be paid no more. */
export function refuseOffer(facts: Pick<CartFacts, 'cartExpired' | 'cartUsed'>): ReasonDetails {
  const details: ReasonDetails = {};
  if (facts.cartExpired) {
    details.CART_EXPIRED = { message: "The merchant's cart has expired; ask the merchant for a new one." };
  }
  if (facts.cartUsed) {
    details.CART_USED = { message: "The merchant's cart was paid already; ask the merchant for a new one." };
  }
  return details;
}

function refuseCredentials(facts: CartFacts): ReasonDetails {
  const details = refuseOffer(facts);
  if (facts.merchantFault !== undefined) details.MERCHANT_UNVERIFIED = { message: facts.merchantFault };
  if (facts.rails.length === 0) details.RAIL_UNAVAILABLE = { message: unavailable(facts.onlyRail) };
  return details;
}

function unavailable(only: string | undefined): string {
  if (only === undefined) return 'No rail that the policy allows is configured.';
  return `This is paid by ${only}, which the policy does not allow, or this node does not have.`;
}
