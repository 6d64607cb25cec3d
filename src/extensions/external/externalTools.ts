/** The tools by which a model reserves what it pays elsewhere, and tells what came of it. */

import { z } from 'zod';
import {
  CommitRequest,
  ReleaseRequest,
  ReservationRequest,
  ReservationResult,
} from '../../../protocol/external/reservation.ts';
import { formatAmount } from '../../../protocol/money.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { agentOf, sentencesOf, type ToolContext, type ToolParts, tool } from '../tool.ts';
import type { externalOperations } from './externalOperations.ts';

type Context = ToolContext<typeof externalOperations>;

const { agentDid, idempotencyKey, enforcement: _, ...asked } = ReservationRequest.shape;
const [Allowed, Refused] = ReservationResult.options;

const ReservationOutput = z.object({
  ...Allowed.partial().shape,
  ...Refused.partial().shape,
  allowed: z.boolean().describe('False: refused by the policy, for the reasons in reasonCodes and details.'),
});
const PaymentOutput = z.looseObject({ mandateId: z.string(), status: z.string() });

const reservePayment = tool({
  name: 'reserve_payment',
  title: 'Reserve before paying elsewhere',
  description:
    'Call it before you pay anywhere outside this server: with a card on a page, a wallet, a bank transfer, or a payment tool of another server. ' +
    'The amount counts as spent from then on. Pay only where it says allowed: true, then call commit_payment, or release_payment where ' +
    'you did not pay. idempotencyKey names the purchase, not the call: use the same one when you call again for the same purchase.',
  input: z.object({
    agentDid: agentDid.optional().describe('The agent that buys; leave it out where the credential names it.'),
    ...asked,
    idempotencyKey: idempotencyKey.unwrap().describe('Names the purchase, not the call: a repeated call has the same.'),
  }),
  output: ReservationOutput,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  async run({ desk }: Context, input) {
    const named = await agentOf(desk, input.agentDid);
    const result = await desk.ask('reserveExternally', compact({ ...input, agentDid: named }));
    if (result.allowed) {
      const text = `Reserved ${formatAmount(result.reserved, result.currency)} until ${result.expiresAt}, as ${result.mandateId}. Pay at most that, then call commit_payment.`;
      return { output: result, text };
    }
    const text = `Refused. ${sentencesOf(result)}`;
    const { approval } = result;
    if (approval?.url === undefined) return { output: result, text };
    const until = `until ${approval.expiresAt}; then call this again with approvalId ${approval.id}`;
    return { output: result, text: `${text} The person can approve it at ${approval.url} ${until}.` };
  },
});

const commitPayment = tool({
  name: 'commit_payment',
  title: 'Tell what was paid elsewhere',
  description:
    'Tell what was paid of what reserve_payment reserved, with the merchant’s reference or the hash of its receipt. The rest is free again.',
  input: z.object(CommitRequest.shape),
  output: PaymentOutput,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  async run({ desk }: Context, input) {
    const output = await desk.ask('commitReservation', input);
    return {
      output,
      text: `The payment ${output.mandateId} is ${output.status}: ${formatAmount(output.captured, output.currency)}.`,
    };
  },
});

const releasePayment = tool({
  name: 'release_payment',
  title: 'Tell that nothing was paid',
  description:
    'Tell that what reserve_payment reserved was not paid. Never call it where the money may have moved: leave it then, and tell the person.',
  input: z.object(ReleaseRequest.shape),
  output: PaymentOutput,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  async run({ desk }: Context, input) {
    const output = await desk.ask('releaseReservation', input);
    const isFree = output.status === 'CANCELED';
    const text = isFree ? 'its amount is free again' : 'its amount stays held until an owner says what came of it';
    return { output, text: `The payment ${output.mandateId} is ${output.status}: ${text}.` };
  },
});

export const externalTools: Partial<ToolParts> = { tools: [reservePayment, commitPayment, releasePayment] };
