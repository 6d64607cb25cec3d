/** The tool by which a model pays a checkout session of a shop of ACP. */
import { z } from 'zod';
import { AcpCartRequest } from '../../../protocol/acp/acpRequest.ts';
import { HttpPaymentResult } from '../../../protocol/httpPayment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { agentOf, sentencesOf, type ToolContext, type ToolParts, tool } from '../tool.ts';
import type { acpOperations } from './acpOperations.ts';

type Context = ToolContext<typeof acpOperations>;

const { agentDid, ...asked } = AcpCartRequest.shape;
const [Allowed, Refused] = HttpPaymentResult.options;

const payAcpCheckout = tool({
  name: 'pay_acp_checkout',
  title: 'Pay a checkout session (ACP)',
  description:
    'Call it when a checkout session of a shop (Agentic Commerce Protocol) is ready_for_payment. Money moves. Give the session as the shop sent ' +
    'it. Returns send.body: put its payment_data into the body of the shop’s /complete, then call settle_http_payment with the session or ' +
    'error that came back. Where the payment was declined, call this again with replaces. A continueUrl is for the person: show it.',
  input: z.object({
    agentDid: agentDid.optional().describe('The agent that buys; leave it out where the credential names it.'),
    ...asked,
  }),
  output: z.object({
    ...Allowed.partial().shape,
    ...Refused.partial().shape,
    allowed: z.boolean().describe('False: refused, for the reasons in reasonCodes and details.'),
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  async run({ desk }: Context, input) {
    const named = await agentOf(desk, input.agentDid);
    const result = await desk.ask('validateAcpSession', compact({ ...input, agentDid: named }));
    if (result.allowed) {
      const text = `Allowed until ${result.expiresAt}, as ${result.mandateId}. Send payment_data of send.body in the body of /complete. Then call settle_http_payment.`;
      return { output: result, text };
    }
    const text = `Refused. ${sentencesOf(result)}`;
    const { approval } = result;
    if (approval?.url === undefined) return { output: result, text };
    const until = `until ${approval.expiresAt}; then call this again with approvalId ${approval.id}`;
    return { output: result, text: `${text} The person can approve it at ${approval.url} ${until}.` };
  },
});

export const acpTools: Partial<ToolParts> = { tools: [payAcpCheckout] };
