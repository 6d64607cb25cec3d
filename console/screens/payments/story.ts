/** The events of one transaction as a story: what each says to a person. */
import type { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import type { EvidenceType } from '../../../protocol/evidence/eventTypes.ts';
import { amountText } from '../../parts/values/amount.ts';
import { chainText } from '../../parts/values/chainText.ts';
import { asksPerson, happenedText } from '../../parts/values/happenedText.ts';
import { reasonText } from '../../parts/values/reasonText.ts';
import { shortened } from '../../parts/values/shortened.ts';

type Tone = 'good' | 'bad' | 'plain';

export interface StoryEntry {
  readonly event: EvidenceEvent;
  readonly title: string;
  /** What more the event says, in a sentence or codes. */
  readonly more: string | undefined;
  readonly tone: Tone;
}

const TONES: Readonly<Partial<Record<EvidenceType, Tone>>> = {
  INTENT_ISSUED: 'good',
  INTENT_DENIED: 'bad',
  CART_VALIDATED: 'good',
  CART_REJECTED: 'bad',
  APPROVAL_GRANTED: 'good',
  APPROVAL_DENIED: 'bad',
  APPROVAL_EXPIRED: 'bad',
  HP_VERIFIED: 'good',
  PM_ISSUED: 'good',
  PAYMENT_AUTHORIZED: 'good',
  PAYMENT_CAPTURED: 'good',
  PAYMENT_FAILED: 'bad',
  PAYMENT_REFUND_FAILED: 'bad',
  PAYMENT_DISPUTED: 'bad',
  PAYMENT_DISPUTE_REOPENED: 'bad',
  PAYMENT_UNKNOWN: 'bad',
  EXTERNAL_OVERRUN: 'bad',
};

export function storyOf(events: readonly EvidenceEvent[]): readonly StoryEntry[] {
  return events.map((event) => {
    const onlyAsks = asksPerson(event);
    return {
      event,
      title: happenedText(event),
      tone: (onlyAsks ? undefined : TONES[event.eventType as EvidenceType]) ?? 'plain',
      more: onlyAsks ? undefined : moreOf(event.data),
    };
  });
}

function moreOf(data: Readonly<Record<string, unknown>>): string | undefined {
  const codes = codesOf(data);
  if (codes.length > 0) return codes.map(reasonText).join(' · ');
  const { currency, merchant, attested, note } = data;
  // Of what was paid beyond what was reserved it is the payment that counts.
  const amount = data['paid'] ?? data['amount'] ?? data['maxAmount'];
  const money = typeof amount === 'number' && typeof currency === 'string' ? amountText(amount, currency) : undefined;
  const parts = [
    typeof note === 'string' ? note : (offerOf(data, money) ?? money),
    typeof note === 'string' ? undefined : merchant,
    typeof attested === 'string' ? wordOf(attested) : undefined,
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? undefined : parts.join(' · ');
}

/** Whose word it is that something became of a payment: `merchant_signed` as "by the merchant’s signature". */
function wordOf(attested: string): string {
  const [who, isSigned] = attested.split('_');
  return `by the ${who}’s ${isSigned ? 'signature' : 'word'}`;
}

/** What a server offered, exactly, to whom and by which protocol. */
function offerOf(data: Readonly<Record<string, unknown>>, money: string | undefined): string | undefined {
  const { source, payee, payTo, network, exact } = data;
  if (source !== 'mpp' && source !== 'x402') return undefined;
  const { amount, asset } = (exact ?? {}) as Readonly<Record<string, unknown>>;
  const sum = amount === undefined ? money : `${amount} ${asset}`;
  const to = payTo === undefined ? `${payee}` : `${shortened(String(payTo))} on ${chainText(String(network))}`;
  return `${sum} to ${to}, by ${source === 'mpp' ? 'MPP' : source}`;
}

function codesOf(data: Readonly<Record<string, unknown>>): readonly string[] {
  const codes = data['reasonCodes'];
  return Array.isArray(codes) ? codes.map(String) : [];
}
