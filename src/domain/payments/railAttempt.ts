/** What is asked of a rail, stored before it is sent, so that each try sends the same bytes. */
import { canonical } from '../../../protocol/credential/canonical.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { type RailOperationName, RailRequest } from '../../rails/rail.ts';
import { databaseTime } from '../../store/statements/node/nodes.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import {
  findRailAttempt,
  insertRailAttempt,
  type RailAttemptRow,
} from '../../store/statements/purchases/railAttempts.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';

/** The part of a lease beyond the rail's time-outs; after it another node may take the attempt over. */
const TAKEOVER_SECONDS = 5;

/** A rail is asked, and then looked at, each within its time-out. */
const QUESTIONS = 3;

/**
 * The end of this process's lease on an attempt, in milliseconds since the epoch.
 * @param now the database's time
 */
export function claimedUntil(deps: Pick<Deps, 'settings'>, now: number): number {
  return now + (QUESTIONS * deps.settings.rail.timeoutSeconds + TAKEOVER_SECONDS) * 1000;
}

interface NewRailAttempt {
  /** The idempotency key at the rail. */
  readonly key: string;
  readonly operation: RailOperationName;
  /** What the operation asks beyond the payment itself. */
  readonly request?: { readonly [Name in keyof RailRequest]?: RailRequest[Name] | undefined };
  /** True where a worker asks, at once, and not this process, which otherwise has a lease. */
  readonly byWorker?: boolean;
}

/** Stores an attempt. @param at milliseconds since the epoch */
export function* openAttempt(
  deps: Pick<Deps, 'settings' | 'store'>,
  payment: PaymentRow,
  asked: NewRailAttempt,
  at: number,
): Script<RailAttemptRow> {
  const now = yield* databaseTime(deps.store.engine, at);
  const request = compact({
    amountMinor: payment.amount_minor,
    currency: payment.currency,
    merchant: payment.merchant,
    railId: payment.rail_id ?? undefined,
    mandateId: payment.mandate_id,
    intentId: payment.intent_id,
    transactionId: payment.transaction_id,
    ...asked.request,
  });
  const attempt: RailAttemptRow = {
    attempt_key: asked.key,
    tenant_id: payment.tenant_id,
    payment_id: payment.mandate_id,
    operation: asked.operation,
    parameters: canonical(request),
    state: 'OPEN',
    tries: 0,
    node_id: deps.settings.nodeId,
    next_at: asked.byWorker === true ? now : claimedUntil(deps, now),
    created_at: now,
    flagged_at: null,
    outcome: null,
  };
  yield* insertRailAttempt(attempt);
  return attempt;
}

/** What was asked. */
export function requestOf(attempt: RailAttemptRow): RailRequest {
  return RailRequest.parse(JSON.parse(attempt.parameters));
}

/** The merchant's account as it was when the payment was authorized, regardless of what the registry says now. */
export function* accountOf(payment: PaymentRow): Script<string | undefined> {
  const authorization = yield* findRailAttempt(payment.mandate_id);
  return authorization && requestOf(authorization).account;
}

/**
 * Only the subject of a mandate has the member. The text is the node's own canonical JSON, in which a quote inside of a text has a
 * backslash before it: so it is found without reading the rest, which the answer to a payment reads anyway.
 */
const EXPIRES_AT = /"expiresAt":"([^"\\]*)"/;

/** @returns milliseconds since the epoch; Infinity for a mandate from before mandates said so */
export function captureEndOf({ credential }: Pick<PaymentRow, 'credential'>): number {
  const expiresAt = EXPIRES_AT.exec(credential)?.[1];
  return expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
}
