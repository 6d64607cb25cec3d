/** What the windows of limits held at a moment of the past, from the events of the chain before it. */
import type { EvidenceEvent } from '../evidence/chain.ts';
import type { EvidenceType } from '../evidence/eventTypes.ts';
import { toMinor } from '../money.ts';
import type { HeldWindow } from './laterUse.ts';
import type { CompiledLimit } from './values/spendingLimit.ts';

/** The events that change what a window holds. */
export const COUNTED_EVENTS = [
  'INTENT_ISSUED',
  'INTENT_EXPIRED',
  'PM_ISSUED',
  'PAYMENT_AUTHORIZED',
  'PAYMENT_FAILED',
  'PAYMENT_CANCELED',
] as const satisfies readonly EvidenceType[];

type CountedEvent = Pick<EvidenceEvent, 'eventType' | 'createdAt' | 'data'>;

interface RecordedPurchase {
  readonly agentDid: string;
  /** The intent of a cart, which does not count against itself. */
  readonly intentId: string | undefined;
  /** At the payment the payments count, by the time at which they were authorized; before it the intents do. */
  readonly counts: 'intents' | 'payments';
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface Entry {
  readonly agentDid: string;
  readonly currency: string;
  at: number;
  amountMinor: number;
}

/**
 * @param limits those that count what was issued
 * @param events in the order of the chain, from the beginning of the longest window on
 */
export function recordedUse(
  limits: readonly CompiledLimit[],
  events: Iterable<CountedEvent>,
  judged: RecordedPurchase,
): HeldWindow[] {
  const entries = judged.counts === 'intents' ? intentsIn(events, judged.intentId) : paymentsIn(events);
  return limits.map((limit) => {
    const isHeld = ({ at, agentDid }: Entry) =>
      at >= limit.window.beginsAt(judged.at) && (limit.scope === 'policy' || agentDid === judged.agentDid);
    const held = entries.filter(isHeld).sort((one, other) => one.at - other.at);
    const amounts: Record<string, number> = {};
    for (const { currency, amountMinor } of held) {
      amounts[currency] = Math.min((amounts[currency] ?? 0) + amountMinor, Number.MAX_SAFE_INTEGER);
    }
    return { limit, count: held.length, amounts, leaving: held.map((entry) => ({ ...entry, count: 1 })) };
  });
}

/** What each intent reserves: its maximum, then what is paid, and nothing once it is released. */
function intentsIn(events: Iterable<CountedEvent>, own: string | undefined): Entry[] {
  const entries = new Map<string, Entry>();
  for (const { eventType, createdAt, data } of events) {
    const intentId = String(data['intentId'] ?? data['mandateId']);
    const entry = entries.get(intentId);
    if (eventType === 'INTENT_ISSUED' && intentId !== own) entries.set(intentId, entryOf(createdAt, data, 'maxAmount'));
    if (entry === undefined) continue;
    if (eventType === 'PM_ISSUED') entry.amountMinor = minorOf(data, 'amount');
    if (RELEASES.includes(eventType)) entry.amountMinor = 0;
  }
  return [...entries.values()];
}

const RELEASES: readonly string[] = ['INTENT_EXPIRED', 'PAYMENT_FAILED', 'PAYMENT_CANCELED'];

/** Payments that failed or were canceled count no more. */
function paymentsIn(events: Iterable<CountedEvent>): Entry[] {
  const entries = new Map<string, Entry>();
  for (const { eventType, createdAt, data } of events) {
    const mandateId = String(data['mandateId']);
    const isAuthorized = eventType === 'PAYMENT_AUTHORIZED';
    // One that was issued before these events, and authorized among them, counts from then on.
    const isFirst = eventType === 'PM_ISSUED' || (isAuthorized && !entries.has(mandateId));
    if (isFirst) entries.set(mandateId, entryOf(createdAt, data, 'amount'));
    const entry = entries.get(mandateId);
    if (entry === undefined) continue;
    if (isAuthorized) entry.at = Math.max(entry.at, Date.parse(createdAt));
    if (RELEASES.includes(eventType)) entries.delete(mandateId);
  }
  return [...entries.values()];
}

function entryOf(createdAt: string, data: CountedEvent['data'], amount: 'amount' | 'maxAmount'): Entry {
  const { agentDid, currency } = data;
  return {
    agentDid: String(agentDid),
    currency: String(currency),
    at: Date.parse(createdAt),
    amountMinor: minorOf(data, amount),
  };
}

function minorOf(data: CountedEvent['data'], amount: 'amount' | 'maxAmount'): number {
  return toMinor(Number(data[amount]), String(data['currency']));
}
