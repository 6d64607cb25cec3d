/** The A2A envelope: the messages that agents exchange, their six types. */
import { z } from 'zod';
import { Did } from '../credential/did.ts';
import { ContextId } from '../session.ts';
import { anyObject } from './json.ts';
import { MANDATE_TYPES } from './mandateType.ts';

/** The JSON-RPC error code of what the policy refuses. */
export const POLICY_REFUSAL = -32000;

/** Each mandate a caller sends and the result that answers it. */
export const RESULT_OF = {
  IntentMandate: 'IntentResult',
  CartMandate: 'CartResult',
  PaymentMandate: 'PaymentResult',
} as const;

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
