/** Shared payment tokens end once: used, expired or revoked. What comes later changes nothing. */

import type { OccurrenceType } from '../../../protocol/evidence/eventTypes.ts';
import { fromMinor } from '../../../protocol/money.ts';
import type { SptStatus } from '../../../protocol/spt.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import {
  endSharedPaymentToken,
  type SharedPaymentTokenRow,
} from '../../store/statements/purchases/sharedPaymentTokens.ts';
import type { Script } from '../../store/store.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { recordNodeEvent } from '../evidence/recordEvent.ts';

const EVENTS = {
  USED: 'SPT_USED',
  EXPIRED: 'SPT_EXPIRED',
  REVOKED: 'SPT_REVOKED',
} as const satisfies Record<Exclude<SptStatus, 'ACTIVE'>, OccurrenceType>;

/** @returns the token as it stands then: unchanged where it had ended before */
export function* endToken(
  deps: EventDeps,
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
  deps: EventDeps,
  eventType: OccurrenceType,
  token: SharedPaymentTokenRow,
  now: number,
  facts: Readonly<Record<string, unknown>> = {},
): Script<void> {
  const data = compact({
    transactionId: token.transaction_id ?? undefined,
    contextId: token.context_id ?? undefined,
    tokenId: token.id,
    merchant: token.merchant_domain,
    amount: fromMinor(token.amount_minor, token.currency),
    currency: token.currency,
    intentId: token.intent_id ?? undefined,
    cartHash: token.cart_id ?? undefined,
    mandateId: token.payment_id ?? undefined,
    railTransactionId: token.rail_payment_id ?? undefined,
    ...facts,
  });
  yield* recordNodeEvent(deps, token.tenant_id, eventType, data, now);
}
