/**
 * The facts of a purchase, put together once for each record of it: evidence, credentials and answers are made from
 * these. Every event of a purchase carries its transaction, its agent and its principal.
 */
import { ceilToMinor, floorToMinor, fromMinor, requireExact, toMinor } from '../../../protocol/money.ts';
import type { StoredShopping } from '../../../protocol/shopping.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { ApprovalRequestRow } from '../../store/statements/people/approvals.ts';
import type { ApprovalTokenRow } from '../../store/statements/purchases/approvalTokens.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import type { AmountFilter } from '../../store/statements/queries.ts';
import type { PolicyRow } from '../../store/statements/registry/policies.ts';

type Facts = Readonly<Record<string, unknown>>;

/** What every record of a purchase has. */
interface PurchaseRow {
  readonly transaction_id: string;
  readonly context_id: string | null;
  readonly agent_did: string;
  readonly principal_did: string;
}

/** A new object each time, which those below add to: a copy that gets more members takes several times as much. */
export function partiesOf(row: PurchaseRow) {
  return compact({
    transactionId: row.transaction_id,
    contextId: row.context_id ?? undefined,
    agentDid: row.agent_did,
    principalDid: row.principal_did,
  });
}

export function policyFacts(policy: Pick<PolicyRow, 'id' | 'version' | 'hash'>) {
  return { policyId: policy.id, policyVersion: policy.version, policyHash: policy.hash };
}

/** An intent before it is signed: all that the credential is made from. */
export type IntentDraft = Omit<IntentRow, 'credential' | 'held_until'>;

/** What the agent said of its purchase besides the money. */
export function shoppingOf({ shopping }: Pick<IntentRow, 'shopping'>): StoredShopping {
  return shopping === null ? {} : (JSON.parse(shopping) as StoredShopping);
}

export function intentFacts(intent: IntentDraft): Facts {
  return compact({
    transactionId: intent.transaction_id,
    contextId: intent.context_id ?? undefined,
    agentDid: intent.agent_did,
    principalDid: intent.principal_did,
    mandateId: intent.mandate_id,
    maxAmount: fromMinor(intent.max_minor, intent.currency),
    currency: intent.currency,
    merchantDomain: intent.merchant_domain ?? undefined,
    mcc: intent.mcc ?? undefined,
    country: intent.country ?? undefined,
    delegationId: intent.delegation_id ?? undefined,
    ...shoppingOf(intent),
    policyId: intent.policy_id,
    policyVersion: intent.policy_version,
    policyHash: intent.policy_hash,
  });
}

/** A cart as it was judged for an intent. */
interface JudgedCart {
  readonly hash: string;
  /** Undefined where the cart does not say whose it is. */
  readonly merchant: string | undefined;
  readonly totalMinor: number;
  readonly currency: string;
}

/** @param contextId the session of the cart, where the intent had none */
export function cartFacts(intent: IntentRow, cart: JudgedCart, contextId: string | undefined): Facts {
  const { transaction_id, agent_did, principal_did } = intent;
  const context_id = intent.context_id ?? contextId ?? null;
  const facts = Object.assign(partiesOf({ transaction_id, context_id, agent_did, principal_did }), {
    intentId: intent.mandate_id,
    cartHash: cart.hash,
    amount: fromMinor(cart.totalMinor, cart.currency),
    currency: cart.currency,
  });
  return cart.merchant === undefined ? facts : Object.assign(facts, { merchant: cart.merchant });
}

/** The cart behind an approval token. */
export function approvedCart(approval: ApprovalTokenRow): JudgedCart {
  const { cart_hash: hash, merchant, amount_minor: totalMinor, currency } = approval;
  return { hash, merchant, totalMinor, currency };
}

/** A person's approval of a cart. */
export function approvalFacts(request: ApprovalRequestRow): Facts {
  return Object.assign(partiesOf(request), {
    approvalId: request.id,
    intentId: request.intent_id,
    cartHash: request.cart_hash,
    merchant: request.merchant,
    amount: fromMinor(request.amount_minor, request.currency),
    currency: request.currency,
  });
}

export function paymentFacts(payment: PaymentRow): Facts {
  return Object.assign(partiesOf(payment), {
    mandateId: payment.mandate_id,
    intentId: payment.intent_id,
    amount: fromMinor(payment.amount_minor, payment.currency),
    currency: payment.currency,
    merchant: payment.merchant,
    rail: payment.rail,
  });
}

/** @throws Fault BAD_REQUEST whose details name `path` */
export function minorAt(path: string, amount: number, currency: string): number {
  return at(path, () => requireExact(toMinor(amount, currency), currency));
}

interface AmountFilters {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly currency?: string | undefined;
}

/**
 * What a list is filtered by, in minor units; undefined where it is not filtered by amount. Without a currency the numbers are
 * units of the currency that each row has.
 * @throws as minorAt, for an amount that the currency does not have
 */
export function amountsOf(filter: AmountFilters): AmountFilter | undefined {
  const { min, max, currency } = filter;
  if (currency !== undefined) {
    const minor = (path: string, amount: number | undefined) =>
      amount === undefined ? undefined : at(path, () => toMinor(amount, currency, { allowZero: true }));
    const bounds = { least: minor('min', min), most: minor('max', max) };
    return { currency, boundsIn: () => bounds };
  }
  if (min === undefined && max === undefined) return undefined;
  return {
    boundsIn: (each) => ({
      least: min === undefined ? undefined : ceilToMinor(min, each),
      most: max === undefined ? undefined : floorToMinor(max, each),
    }),
  };
}

/** Runs a check of protocol code and adds to its fault which member of the request it was about. */
export function at<T>(path: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof Fault && error.code === 'BAD_REQUEST' && error.details === undefined) {
      throw new Fault('BAD_REQUEST', error.message, [{ path, message: error.message }]);
    }
    throw error;
  }
}
