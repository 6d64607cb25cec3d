/** The events that the node tells of, in words, by what they are about. */
import type { WebhookEventType } from '../../../protocol/webhook/event.ts';

/** A type that is missing or not known does not compile. */
const WORDS: Readonly<Record<WebhookEventType, string>> = {
  'payment.authorized': 'An amount is reserved',
  'payment.captured': 'Money is taken',
  'payment.failed': 'A payment fails',
  'payment.refunded': 'Money goes back',
  'payment.refund_failed': 'A refund fails',
  'payment.disputed': 'A payment is disputed',
  'intent.issued': 'An agent is given permission',
  'intent.denied': 'An agent is refused permission',
  'intent.expired': 'A permission runs out',
  'cart.validated': 'A cart is accepted',
  'cart.rejected': 'A cart is not accepted',
  'approval.requested': 'A person is asked',
  'approval.approved': 'A person approves',
  'approval.denied': 'A purchase is denied',
  'approval.expired': 'Nobody answers in time',
  'agent.created': 'An agent is added',
  'agent.revoked': 'An agent is revoked',
  'agent.suspended': 'An agent is frozen',
  'agent.reactivated': 'An agent may buy again',
  'policy.updated': 'A policy changes',
  'policy.violation': 'A request breaks a limit',
};

export const EVENT_TYPES = Object.keys(WORDS) as readonly WebhookEventType[];

const GROUPS = [
  ['payment', 'Payments'],
  ['intent', 'Intents'],
  ['cart', 'Carts'],
  ['approval', 'Approvals'],
  ['agent', 'Agents'],
  ['policy', 'Policies'],
] as const;

export const EVENT_GROUPS = GROUPS.map(([group, name]) => ({
  name,
  types: EVENT_TYPES.filter((type) => type.startsWith(`${group}.`)),
}));

export function wordsOfEvent(type: string): string {
  return WORDS[type as WebhookEventType] ?? type;
}
