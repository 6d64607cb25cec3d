/**
 * Derives webhook events from an evidence event. It is a pure function of what the chain records and of the node's address,
 * so that deliveries, a live tail and anybody who reads the chain get the same events with the same ids. Links to pages are
 * made here: the evidence outlives the address.
 */
import { approvalUrl } from '../approval.ts';
import type { Suite } from '../credential/ed25519.ts';
import { compact } from '../wire/compact.ts';
import type { WebhookContext, WebhookData, WebhookEvent, WebhookEventType } from './event.ts';

/** The members of an evidence event that are used here. */
export interface Recorded {
  readonly id: string;
  readonly eventType: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly createdAt: string;
}

type Facts = Recorded['data'];
type Make<Type extends WebhookEventType> = (facts: Facts, createdAt: string, baseUrl: string) => WebhookData[Type];

/** The webhook event type of an evidence type, and how its data is made. */
interface Meaning {
  readonly type: WebhookEventType;
  readonly dataOf: (facts: Facts, createdAt: string, baseUrl: string) => Record<string, unknown>;
}

function means<Type extends WebhookEventType>(type: Type, dataOf: Make<Type>): Meaning {
  return { type, dataOf };
}

/** The named members that exist. Tests check them against their schema. */
function pick<Data>(facts: Facts, ...names: (keyof Data & string)[]): Data {
  const picked: Record<string, unknown> = {};
  for (const name of names) if (facts[name] !== undefined) picked[name] = facts[name];
  return picked as Data;
}

const requestOf = (facts: Facts) =>
  pick<WebhookData['intent.issued']['request']>(facts, 'maxAmount', 'currency', 'merchantDomain');

type AskedOf = Omit<WebhookData['approval.expired'], 'expiredAt'>;
const askedOf = (facts: Facts) =>
  pick<AskedOf>(facts, 'approvalId', 'intentId', 'cartHash', 'merchant', 'amount', 'currency');

const MEANINGS: Readonly<Record<string, Meaning>> = {
  PAYMENT_AUTHORIZED: means('payment.authorized', (facts) => ({
    ...pick<WebhookData['payment.authorized']>(
      facts,
      'mandateId',
      'intentId',
      'amount',
      'currency',
      'merchant',
      'rail',
      'railTransactionId',
    ),
    railPaymentIntentId: String(facts.railTransactionId),
  })),
  PAYMENT_CAPTURED: means('payment.captured', (facts, createdAt) => ({
    ...pick<WebhookData['payment.captured']>(facts, 'mandateId', 'currency'),
    amount: Number(facts.captured ?? facts.amount),
    capturedAt: String(facts.capturedAt ?? createdAt),
  })),
  PAYMENT_FAILED: means('payment.failed', (facts) => pick(facts, 'mandateId', 'error')),
  PAYMENT_REFUNDED: means('payment.refunded', (facts, refundedAt) => ({
    ...pick<WebhookData['payment.refunded']>(facts, 'mandateId', 'currency', 'refunded', 'status'),
    amount: Number(facts.refund ?? facts.amount),
    refundedAt,
  })),
  PAYMENT_REFUND_FAILED: means('payment.refund_failed', (facts, failedAt) => ({
    ...pick<WebhookData['payment.refund_failed']>(facts, 'mandateId', 'currency', 'refunded', 'status'),
    amount: Number(facts.refund),
    failedAt,
  })),
  PAYMENT_DISPUTED: means('payment.disputed', (facts, disputedAt) => ({
    ...pick<WebhookData['payment.disputed']>(facts, 'mandateId', 'currency', 'reason'),
    amount: Number(facts.disputed ?? facts.amount),
    disputedAt,
  })),
  INTENT_ISSUED: means('intent.issued', (facts) => ({
    ...pick<WebhookData['intent.issued']>(facts, 'mandateId', 'hpRequired', 'expiresAt'),
    request: requestOf(facts),
    ...pick<Pick<WebhookData['intent.issued'], 'policyId' | 'policyVersion' | 'policyHash'>>(
      facts,
      'policyId',
      'policyVersion',
      'policyHash',
    ),
  })),
  INTENT_DENIED: means('intent.denied', (facts) => ({
    ...pick<WebhookData['intent.denied']>(facts, 'mandateId', 'reasonCodes', 'details', 'policyId'),
    request: requestOf(facts),
  })),
  INTENT_EXPIRED: means('intent.expired', (facts) => pick(facts, 'mandateId', 'expiredAt')),
  CART_VALIDATED: means('cart.validated', (facts) =>
    pick(
      facts,
      'intentId',
      'cartHash',
      'merchant',
      'amount',
      'currency',
      'rail',
      'approvalExpiresAt',
      'policyId',
      'policyVersion',
      'policyHash',
    ),
  ),
  CART_REJECTED: means('cart.rejected', (facts) =>
    pick(facts, 'intentId', 'cartHash', 'merchant', 'amount', 'currency', 'reasonCodes', 'details', 'policyId'),
  ),
  APPROVAL_REQUESTED: means('approval.requested', (facts, _createdAt, baseUrl) => ({
    ...askedOf(facts),
    ...pick<Pick<WebhookData['approval.requested'], 'causes' | 'expiresAt'>>(facts, 'causes', 'expiresAt'),
    url: approvalUrl(baseUrl, String(facts.approvalId)),
  })),
  APPROVAL_GRANTED: means('approval.approved', (facts, approvedAt) => ({
    ...askedOf(facts),
    passkeyId: String(facts.passkeyId),
    approvedAt,
  })),
  APPROVAL_DENIED: means('approval.denied', (facts, deniedAt) => ({
    ...askedOf(facts),
    ...pick<Pick<WebhookData['approval.denied'], 'passkeyId' | 'deniedBy'>>(facts, 'passkeyId', 'deniedBy'),
    deniedAt,
  })),
  APPROVAL_EXPIRED: means('approval.expired', (facts, expiredAt) => ({ ...askedOf(facts), expiredAt })),
  AGENT_CREATED: means('agent.created', (facts, createdAt) => ({
    ...pick<WebhookData['agent.created']>(facts, 'agentDid', 'displayName', 'capabilities'),
    createdAt,
  })),
  AGENT_REVOKED: means('agent.revoked', (facts, revokedAt) => ({
    ...pick<WebhookData['agent.revoked']>(facts, 'agentDid', 'reason'),
    revokedAt,
  })),
  AGENT_SUSPENDED: means('agent.suspended', (facts, suspendedAt) => ({
    ...pick<WebhookData['agent.suspended']>(facts, 'agentDid', 'reason'),
    suspendedAt,
  })),
  AGENT_REACTIVATED: means('agent.reactivated', (facts, reactivatedAt) => ({
    ...pick<WebhookData['agent.reactivated']>(facts, 'agentDid'),
    reactivatedAt,
  })),
  POLICY_UPDATED: means('policy.updated', (facts) =>
    pick(facts, 'policyId', 'policyVersion', 'policyHash', 'name', 'isActive'),
  ),
};

/** Refusals that are violations as well: the type of violation by reason code. */
const VIOLATIONS: readonly (readonly [WebhookData['policy.violation']['violationType'], readonly string[]])[] = [
  ['VELOCITY_BREACH', ['VELOCITY_EXCEEDED', 'SPENDING_LIMIT_EXCEEDED']],
  ['ANOMALY', ['ANOMALY_DETECTED']],
  ['DENIED_MERCHANT', ['MERCHANT_DENIED']],
];

/** The types of an evidence event's webhook events, without creating the events. */
export function webhookTypesOf(recorded: Pick<Recorded, 'eventType' | 'data'>): WebhookEventType[] {
  const meaning = MEANINGS[recorded.eventType];
  if (meaning === undefined) return [];
  return violationsOf(recorded.data).length === 0 ? [meaning.type] : [meaning.type, 'policy.violation'];
}

/**
 * The webhook events of one evidence event: the one of the same meaning with the same id, then its violations.
 * @param baseUrl the node's public address, for links to its pages
 */
export function webhooksOf(suite: Suite, recorded: Recorded, baseUrl: string): WebhookEvent[] {
  const meaning = MEANINGS[recorded.eventType];
  if (meaning === undefined) return [];
  const { id, data: facts, createdAt: created } = recorded;
  const context = contextOf(facts);
  const data = meaning.dataOf(facts, created, baseUrl);
  return [
    { id, type: meaning.type, created, data, context },
    ...violationsOf(facts).map(
      (violation): WebhookEvent => ({
        id: idWithin(suite, id, violation.violationType),
        type: 'policy.violation',
        created,
        data: { ...violation },
        context,
      }),
    ),
  ];
}

function violationsOf(facts: Facts): WebhookData['policy.violation'][] {
  const { reasonCodes } = facts;
  if (!Array.isArray(reasonCodes)) return [];
  const all = (facts.details ?? {}) as Record<string, unknown>;
  return VIOLATIONS.flatMap(([violationType, codes]) => {
    const found = codes.filter((code) => reasonCodes.includes(code));
    if (found.length === 0) return [];
    const details = Object.fromEntries(found.map((code) => [code, all[code]]));
    const mandateId = String(facts.mandateId ?? facts.intentId);
    return [{ violationType, details, mandateId, ...pick<{ policyId?: string }>(facts, 'policyId') }];
  });
}

function contextOf(facts: Facts): WebhookContext {
  const intentId = facts.intentId ?? (String(facts.mandateId).startsWith('intent_') ? facts.mandateId : undefined);
  return compact({
    ...pick<WebhookContext>(facts, 'agentDid', 'principalDid'),
    intentId: typeof intentId === 'string' ? intentId : undefined,
  });
}

const TIME_CHARACTERS = 'evt_'.length + 10;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A second id for the same evidence event: with the same time, and the same whenever it is computed. */
function idWithin(suite: Suite, id: string, name: string): string {
  const hash = suite.sha256(`${id} ${name}`);
  const tail = Array.from(hash.subarray(0, 16), (byte) => ALPHABET.charAt(byte & 31)).join('');
  return id.slice(0, TIME_CHARACTERS) + tail;
}
