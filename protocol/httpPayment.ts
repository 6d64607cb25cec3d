/** What a server asks for by HTTP (402), whichever protocol it speaks: one call that authorizes it, one that tells what became of it. */
import { z } from 'zod';
import { ApprovalLink } from './approval.ts';
import { PurchaseRefusal } from './cart.ts';
import { Did } from './credential/did.ts';
import { RailName } from './instrument.ts';
import { IdempotencyKey, IntentRequest } from './intent.ts';
import { anyObject } from './wire/json.ts';

/** More than any server sends: Node reads at most 16 KiB of headers. */
const MOST_CHARACTERS = 32_768;
const MOST_CHALLENGES = 20;

const Received = z.string().min(1).max(MOST_CHARACTERS);
const ReceivedOffer = z.union([Received, anyObject()]);

const PaymentId = z.string().regex(/^pm_[0-9a-z]{26}$/, 'must be the id of a payment, such as pm_ and 26 characters');

export const HttpPaymentRequest = z.object({
  agentDid: Did,
  principalDid: Did.optional().describe('Whose money it is; the agent’s own when absent.'),
  delegationId: IntentRequest.shape.delegationId,
  url: z
    .string()
    .min(1)
    .max(8192)
    .optional()
    .describe('What was requested: its host is the merchant. Of several hops the one that answered 402.'),
  method: z
    .string()
    .regex(/^[A-Za-z]{1,20}$/, 'must be a method of HTTP, such as GET')
    .toUpperCase()
    .optional()
    .describe('By which it was requested; GET when absent.'),
  bodyDigest: z.string().min(1).max(200).optional().describe('Of the request’s body, `sha-256=…` (RFC 9530 or 3230).'),
  challenges: z
    .array(ReceivedOffer)
    .min(1)
    .max(MOST_CHALLENGES)
    .optional()
    .describe('Values of WWW-Authenticate as they were received, or the challenges of an answer by MCP.'),
  paymentRequired: ReceivedOffer.optional().describe('The value of PAYMENT-REQUIRED, or what it holds.'),
  accepted: anyObject()
    .optional()
    .describe(
      'Which of the accepted payments a client has chosen, as it was received; the first that can be paid when absent.',
    ),
  toolName: z.string().min(1).max(200).optional().describe('The tool of an MCP server that asked for it.'),
  instrument: RailName.optional().describe('What is paid with; the usual payment method when absent.'),
  replaces: PaymentId.optional().describe('The payment of the first try, where that came to nothing.'),
  approvalId: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('The approval that the refusal of the same purchase named, once a person has granted it.'),
  idempotencyKey: IdempotencyKey.optional(),
});
export type HttpPaymentRequest = z.infer<typeof HttpPaymentRequest>;

/** What was received of a server, as each protocol reads its own part of it. */
export type ReceivedOffers = Pick<
  HttpPaymentRequest,
  'accepted' | 'bodyDigest' | 'challenges' | 'method' | 'paymentRequired' | 'toolName' | 'url'
>;

const Send = z.object({
  header: z
    .object({ name: z.string(), value: z.string() })
    .optional()
    .describe('The header to send the request with once more.'),
  meta: z
    .object({ key: z.string(), value: anyObject() })
    .optional()
    .describe('The member of `_meta`, for a tool of an MCP server.'),
  body: anyObject().optional().describe('Members of the body to send.'),
});

export const HttpPaymentResult = z.union([
  z.object({
    allowed: z.literal(true),
    protocol: z.string().describe('`mpp`, `x402` or `acp`.'),
    mandateId: z.string(),
    intentId: z.string(),
    transactionId: z.string(),
    challengeId: z.string().optional(),
    send: Send,
    credential: anyObject().optional().describe('Of mpp: what the header holds.'),
    paymentPayload: anyObject().optional().describe('Of x402: what the header holds.'),
    paymentData: anyObject().optional().describe('Of acp: what the body holds.'),
    expiresAt: z.string().describe('Until when it pays.'),
  }),
  PurchaseRefusal.extend({
    approval: ApprovalLink.optional().describe('Where a person can approve it, when nothing else is in the way.'),
    continueUrl: z.string().optional().describe('Where the shop asks its customer to go on: a page for the person.'),
  }),
]);
export type HttpPaymentResult = z.infer<typeof HttpPaymentResult>;

export const SettlementReport = z
  .object({
    mandateId: PaymentId.optional(),
    challengeId: z.string().min(1).max(2048).optional(),
    nonce: z.string().min(1).max(128).optional(),
    receipt: ReceivedOffer.optional().describe('The value of Payment-Receipt, or what it holds.'),
    paymentResponse: ReceivedOffer.optional().describe('The value of PAYMENT-RESPONSE, or what it holds.'),
    paymentRequired: ReceivedOffer.optional().describe('Where the server asked once more: what it asked for.'),
    problem: anyObject()
      .optional()
      .describe('The problem details of a 402 that came in place of what was bought, or an error of ACP.'),
    session: anyObject().optional().describe('Of acp: the session that the shop answered, with its order.'),
    order: anyObject().optional().describe('Of acp: the order, where the shop told of it alone.'),
    status: z.int().min(100).max(599).optional().describe('Of the answer by HTTP.'),
  })
  .refine(({ mandateId, challengeId, nonce }) => [mandateId, challengeId, nonce].some((each) => each !== undefined), {
    path: ['mandateId'],
    message: 'must be there, or challengeId or nonce',
  });
export type SettlementReport = z.infer<typeof SettlementReport>;
