/** Every type of webhook events, in the order in which they are listed. */
import { AGENT_EVENTS } from './events/agentEvents.ts';
import { APPROVAL_EVENTS } from './events/approvalEvents.ts';
import { CART_EVENTS } from './events/cartEvents.ts';
import { INTENT_EVENTS } from './events/intentEvents.ts';
import { PAYMENT_EVENTS } from './events/paymentEvents.ts';
import { POLICY_EVENTS } from './events/policyEvents.ts';

export const EVENTS = [
  ...PAYMENT_EVENTS,
  ...INTENT_EVENTS,
  ...CART_EVENTS,
  ...APPROVAL_EVENTS,
  ...AGENT_EVENTS,
  ...POLICY_EVENTS,
] as const;
