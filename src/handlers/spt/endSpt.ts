/** Shared payment tokens end once: used, expired or revoked. What comes later changes nothing. */
import type { EvidenceType } from '../../../protocol/evidence/chain.ts';
import { fromMinor } from '../../../protocol/money.ts';
import { type Spt, type SptStatus, sptStatusAt } from '../../../protocol/spt.ts';
import {
  endSharedPaymentToken,
  type SharedPaymentTokenRow,
} from '../../store/statements/purchases/sharedPaymentTokens.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { recordEvent } from '../evidence/recordEvent.ts';

const EVENTS = {
  USED: 'SPT_USED',
  EXPIRED: 'SPT_EXPIRED',
  REVOKED: 'SPT_REVOKED',
} as const satisfies Record<Exclude<SptStatus, 'ACTIVE'>, EvidenceType>;

/** @returns the token as it stands then: unchanged where it had ended before */
export function* endToken(
  deps: Deps,
  token: SharedPaymentTokenRow,
  status: keyof typeof EVENTS,
  now: number,
  railPaymentId?: string,
): Script<SharedPaymentTokenRow> {
  const ended: SharedPaymentTokenRow = {
    ...token,
    status,
    used_at: status === 'USED' ? now : null,
    ended_at: now,
    rail_payment_id: railPaymentId ?? null,
  };
  if (!(yield* endSharedPaymentToken(ended))) return token;
  yield* recordToken(deps, EVENTS[status], ended, now);
  return ended;
}

export function* recordToken(
  deps: Deps,
  eventType: EvidenceType,
  token: SharedPaymentTokenRow,
  now: number,
  facts: Readonly<Record<string, unknown>> = {},
): Script<void> {
  const data = {
    ...(token.transaction_id === null ? {} : { transactionId: token.transaction_id }),
    ...(token.context_id === null ? {} : { contextId: token.context_id }),
    tokenId: token.id,
    merchant: token.merchant_domain,
    amount: fromMinor(token.amount_minor, token.currency),
    currency: token.currency,
    ...(token.intent_id === null ? {} : { intentId: token.intent_id }),
    ...(token.cart_id === null ? {} : { cartHash: token.cart_id }),
    ...(token.payment_id === null ? {} : { mandateId: token.payment_id }),
    ...(token.rail_payment_id === null ? {} : { railTransactionId: token.rail_payment_id }),
    ...facts,
  };
  yield* recordEvent(deps, token.tenant_id, { eventType, actorDid: deps.issuer.did, data }, now);
}

export function showToken(token: SharedPaymentTokenRow, now: number): Spt {
  const time = (milliseconds: number) => new Date(milliseconds).toISOString();
  return {
    id: token.id,
    status: sptStatusAt({ status: token.status, expiresAt: token.expires_at }, now),
    merchantDomain: token.merchant_domain,
    amount: fromMinor(token.amount_minor, token.currency),
    currency: token.currency,
    mandate: {
      ...(token.intent_id === null ? {} : { intentId: token.intent_id }),
      ...(token.cart_id === null ? {} : { cartId: token.cart_id }),
      ...(token.payment_id === null ? {} : { paymentId: token.payment_id }),
    },
    createdAt: time(token.created_at),
    expiresAt: time(token.expires_at),
    ...(token.used_at === null ? {} : { usedAt: time(token.used_at) }),
    ...(token.rail_token_id === null ? {} : { railTokenId: token.rail_token_id }),
    ...(token.rail_payment_id === null ? {} : { railTransactionId: token.rail_payment_id }),
  };
}
