/**
 * Derives webhook events from an evidence event. It is a pure function of what the chain records and of the node's address,
 * so that deliveries, a live tail and every reader of the chain get the same events with the same ids. Links to pages are
 * made here: the evidence outlives the address.
 */
import type { Suite } from '../credential/ed25519.ts';
import { compact } from '../wire/compact.ts';
import type { WebhookData, WebhookEvent, WebhookEventType } from './event.ts';
import { EVENTS } from './eventList.ts';
import type { WebhookContext } from './webhookEvent.ts';
import { type Facts, pick } from './webhookEvent.ts';

/** The members of an evidence event that are used here. */
export interface EvidenceSource {
  readonly id: string;
  readonly eventType: string;
  readonly data: Facts;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** The webhook event type of an evidence type, and how its data is made. */
interface Meaning {
  readonly type: WebhookEventType;
  readonly dataOf: (facts: Facts, createdAt: string, baseUrl: string) => Record<string, unknown>;
}

const MEANINGS: Readonly<Record<string, Meaning>> = Object.fromEntries(
  EVENTS.flatMap(({ evidence, type, dataOf }) =>
    evidence === undefined || dataOf === undefined ? [] : [[evidence, { type, dataOf }]],
  ),
);

/** Refusals that are violations as well: the type of violation by reason code. */
const VIOLATIONS: readonly (readonly [WebhookData['policy.violation']['violationType'], readonly string[]])[] = [
  ['VELOCITY_BREACH', ['VELOCITY_EXCEEDED', 'SPENDING_LIMIT_EXCEEDED']],
  ['ANOMALY', ['ANOMALY_DETECTED']],
  ['DENIED_MERCHANT', ['MERCHANT_DENIED']],
];

/** The types of an evidence event's webhook events, without creating the events. */
export function webhookTypesOf(recorded: Pick<EvidenceSource, 'eventType' | 'data'>): WebhookEventType[] {
  const meaning = MEANINGS[recorded.eventType];
  const told = meaning === undefined ? [] : [meaning.type];
  return violationsOf(recorded).length === 0 ? told : [...told, 'policy.violation'];
}

/**
 * The webhook events of one evidence event: the one of the same meaning with the same id, then its violations.
 * @param baseUrl the node's public address, for links to its pages
 */
export function webhooksOf(suite: Suite, recorded: EvidenceSource, baseUrl: string): WebhookEvent[] {
  const meaning = MEANINGS[recorded.eventType];
  const { id, data: facts, createdAt: created } = recorded;
  const context = contextOf(facts);
  const told =
    meaning === undefined
      ? []
      : [{ id, type: meaning.type, created, data: meaning.dataOf(facts, created, baseUrl), context }];
  return [
    ...told,
    ...violationsOf(recorded).map(
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

function violationsOf({
  eventType,
  data: facts,
}: Pick<EvidenceSource, 'eventType' | 'data'>): WebhookData['policy.violation'][] {
  if (eventType === 'EXTERNAL_UNMATCHED') {
    const { amount, currency, message } = facts as { amount: number; currency: string; message: string };
    return [
      { violationType: 'UNRESERVED_SPEND', details: { UNRESERVED_SPEND: { requested: amount, currency, message } } },
    ];
  }
  const { reasonCodes } = facts;
  if (!Array.isArray(reasonCodes)) return [];
  const all = (facts.details ?? {}) as Record<string, unknown>;
  return VIOLATIONS.flatMap(([violationType, codes]) => {
    const found = codes.filter((code) => reasonCodes.includes(code));
    if (found.length === 0) return [];
    const details = Object.fromEntries(found.map((code) => [code, all[code]]));
    const mandateId = String(facts.mandateId ?? facts.intentId);
    return [{ violationType, details, mandateId, ...pick(facts, 'policyId') }];
  });
}

function contextOf(facts: Facts): WebhookContext {
  const intentId = facts.intentId ?? (String(facts.mandateId).startsWith('intent_') ? facts.mandateId : undefined);
  return compact({
    ...pick(facts, 'agentDid', 'principalDid'),
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
