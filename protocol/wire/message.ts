/** The A2A envelope: the messages that agents exchange, their six types, and how old one may be. */
import { z } from 'zod';
import { Did } from '../credential/did.ts';
import { ContextId } from '../session.ts';
import { anyObject } from './json.ts';

/** How far in the past and in the future a message's `created` may be. */
export const MESSAGE_AGE_SECONDS = 300;
export const MESSAGE_AHEAD_SECONDS = 60;

/** The JSON-RPC error code of what the policy refuses. */
export const POLICY_REFUSAL = -32000;

/** Each mandate a caller sends and the result that answers it. */
export const RESULT_OF = {
  IntentMandate: 'IntentResult',
  CartMandate: 'CartResult',
  PaymentMandate: 'PaymentResult',
} as const;

/** What a caller may send as a mandate. */
const MANDATE_TYPES = ['IntentMandate', 'CartMandate', 'PaymentMandate'] as const;
export type MandateType = (typeof MANDATE_TYPES)[number];

export const Message = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.enum(MANDATE_TYPES),
  from: Did,
  to: Did,
  created: z.iso.datetime({ offset: true }),
  contextId: ContextId.optional(),
  body: anyObject(),
  proof: anyObject().optional(),
});
export type Message = z.infer<typeof Message>;

/** @returns one sentence when a message is too old or from the future, or undefined */
export function staleness(created: string, now: number): string | undefined {
  const at = Date.parse(created);
  if (at < now - MESSAGE_AGE_SECONDS * 1000) return `The message is more than ${MESSAGE_AGE_SECONDS} seconds old.`;
  if (at > now + MESSAGE_AHEAD_SECONDS * 1000) {
    return `The message is dated more than ${MESSAGE_AHEAD_SECONDS} seconds ahead of this node's clock.`;
  }
  return undefined;
}
