/** The events of one transaction as a story: what each says to a person. */
import type { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import { amountText } from '../../parts/values/amount.ts';
import { chainText } from '../../parts/values/chainText.ts';
import { evidenceText } from '../../parts/values/evidenceText.ts';
import { asksPerson } from '../../parts/values/happenedText.ts';
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

const TITLES: Readonly<Record<string, readonly [title: string, tone: Tone]>> = {
  INTENT_ISSUED: ['The agent was given permission', 'good'],
  INTENT_DENIED: ['The agent was refused permission', 'bad'],
  INTENT_EXPIRED: ['The permission ran out', 'plain'],
  CART_VALIDATED: ['The shop’s cart was accepted', 'good'],
  CART_REJECTED: ['The shop’s cart was not accepted', 'bad'],
  APPROVAL_REQUESTED: ['A person was asked', 'plain'],
  APPROVAL_GRANTED: ['A person approved', 'good'],
  APPROVAL_DENIED: ['The purchase was denied', 'bad'],
  APPROVAL_EXPIRED: ['The approval expired', 'bad'],
  HP_VERIFIED: ['A passkey was touched', 'good'],
  PM_ISSUED: ['The payment mandate was signed', 'good'],
  PAYMENT_AUTHORIZED: ['The amount was reserved', 'good'],
  PAYMENT_CAPTURED: ['The money was taken', 'good'],
  PAYMENT_FAILED: ['The payment failed', 'bad'],
  PAYMENT_CANCELED: ['The reservation was released', 'plain'],
  PAYMENT_REFUNDED: ['Money was refunded', 'plain'],
  PAYMENT_REFUND_FAILED: ['A refund failed', 'bad'],
  PAYMENT_DISPUTED: ['The payment was disputed', 'bad'],
  PAYMENT_DISPUTE_SUBMITTED: ['The dispute was answered', 'plain'],
  PAYMENT_DISPUTE_CLOSED: ['The dispute was closed', 'plain'],
  PAYMENT_DISPUTE_REOPENED: ['The dispute was opened again', 'bad'],
  PAYMENT_INQUIRY: ['The bank asks about the payment', 'plain'],
  PAYMENT_UNKNOWN: ['The rail gave no answer', 'bad'],
  PAYMENT_LATE_SUCCESS: ['It was paid after all', 'plain'],
  PAYMENT_LATE_CANCELED: ['The rail had released it after all', 'plain'],
  PAYMENT_HOLD_ENDING: ['The reservation ends soon', 'plain'],
  PAYMENT_SYNCED: ['The state was read from the rail', 'plain'],
  EXTERNAL_OVERRUN: ['More was paid than was reserved', 'bad'],
  PAYMENT_NOTED: ['Word of the payment came', 'plain'],
  SPT_USED: ['A shared payment token was used', 'plain'],
  TASK_ATTACHED: ['The agent’s task was attached', 'plain'],
};

export function storyOf(events: readonly EvidenceEvent[]): readonly StoryEntry[] {
  return events.map((event) => {
    const [known, tone] = TITLES[event.eventType] ?? [evidenceText(event.eventType), 'plain'];
    // Where a server asked for money by HTTP, no shop has signed a cart.
    const title = event.data['source'] === undefined ? known : known.replace('The shop’s cart', 'What the server asks');
    const onlyAsks = asksPerson(event);
    return {
      event,
      title: onlyAsks ? title.replace('was not accepted', 'needs a person') : title,
      tone: onlyAsks ? 'plain' : tone,
      more: onlyAsks ? undefined : moreOf(event.data),
    };
  });
}

function moreOf(data: Readonly<Record<string, unknown>>): string | undefined {
  const codes = codesOf(data);
  if (codes.length > 0) return codes.map(reasonText).join(' · ');
  const { currency, merchant, attested, note } = data;
  const amount = data['amount'] ?? data['maxAmount'];
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
