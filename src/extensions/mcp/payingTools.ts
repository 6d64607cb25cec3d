/** The tools that pay what another server asks for: by a 402 of HTTP, or by the answer of a tool of an MCP server. */
import { z } from 'zod';
import { HttpPaymentRequest, SettlementReport } from '../../../protocol/httpPayment.ts';
import { isObject } from '../../../protocol/sdjwt/sdJwt.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { anyObject, parseJson } from '../../../protocol/wire/json.ts';
import { agentOf, sentencesOf, tool } from '../tool.ts';
import { HttpPaymentOutput } from './shapes.ts';

type Members = Readonly<Record<string, unknown>>;

const { url, method, bodyDigest, challenges, paymentRequired, toolName, principalDid } = HttpPaymentRequest.shape;
const { instrument, delegationId, replaces, approvalId, idempotencyKey, agentDid } = HttpPaymentRequest.shape;

export const authorizeHttpPayment = tool({
  name: 'authorize_http_payment',
  title: 'Pay what a server asks for',
  description:
    'Call it when another server answers 402, or a tool of another MCP server asks for payment (MPP or x402). Money moves. Give what was ' +
    'received, unchanged. Returns what to send: a header for the same request once more, or a member of _meta for the same tool call. ' +
    'Then call settle_http_payment with what came back.',
  input: z.object({
    url: url.describe('What was requested; for a tool the address of its server, or leave it out over stdio.'),
    method,
    bodyDigest,
    toolName,
    challenges,
    paymentRequired,
    received: anyObject()
      .optional()
      .describe('In place of challenges and paymentRequired: the error or the result of the tool call, whole.'),
    instrument,
    agentDid: agentDid.optional().describe('The agent that buys; leave it out where the credential names it.'),
    principalDid,
    delegationId,
    replaces,
    approvalId,
    idempotencyKey,
  }),
  output: HttpPaymentOutput,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  async run({ desk }, { received, ...input }) {
    const named = await agentOf(desk, input.agentDid);
    const asked = received === undefined ? {} : offersIn(received);
    const result = await desk.ask('authorizeHttpPayment', compact({ ...input, ...asked, agentDid: named }));
    if (result.allowed) {
      const { header, meta } = result.send;
      const sent = header === undefined ? `the member ${meta?.key} of _meta` : `the header ${header.name}`;
      const text = `Allowed until ${result.expiresAt}, as ${result.mandateId}. Send the same once more with ${sent} from send.`;
      return { output: result, text: `${text} Then call settle_http_payment.` };
    }
    const text = `Refused. ${sentencesOf(result)}`;
    const { approval } = result;
    if (approval?.url === undefined) return { output: result, text };
    const until = `until ${approval.expiresAt}; then call this again with approvalId ${approval.id}`;
    return { output: result, text: `${text} The person can approve it at ${approval.url} ${until}.` };
  },
});

export const settleHttpPayment = tool({
  name: 'settle_http_payment',
  title: 'Tell what came of a payment',
  description:
    'Tell what the server answered to what authorize_http_payment gave: its receipt, or that none came. Returns the payment.',
  input: z.object(SettlementReport.shape),
  output: z.looseObject({ mandateId: z.string(), status: z.string() }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  async run({ desk }, input) {
    const output = await desk.ask('settleHttpPayment', input);
    return { output, text: `The payment ${output.mandateId} is ${output.status}.` };
  },
});

const PAYMENT_META = 'org.paymentauth/payment-required';

/**
 * What a tool of another server asks for, in the shapes that servers use: MPP's in an error (−32042, −32043) or in `_meta` of a result,
 * x402's in the structured content of a result or in its first text.
 * @throws Fault BAD_REQUEST for a result that asks for nothing, such as MCP's own wish to open an address (−32042 with elicitations)
 */
function offersIn(received: Members): Pick<HttpPaymentRequest, 'challenges' | 'paymentRequired'> {
  const error = membersOf(received['error']) ?? received;
  const data = membersOf(error['data']) ?? error;
  const meta = membersOf(membersOf(received['_meta'])?.[PAYMENT_META]);
  const asked = [data, meta].map((each) => each?.['challenges']).find(Array.isArray);
  if (asked !== undefined) return { challenges: asked };
  const required = [received, received['structuredContent'], textIn(received['content'])]
    .map(membersOf)
    .find((each) => Array.isArray(each?.['accepts']));
  if (required !== undefined) return { paymentRequired: required };
  const message = 'asks for no payment: it has neither challenges (MPP) nor accepts (x402)';
  throw new Fault('BAD_REQUEST', `received ${message}.`, [{ path: 'received', message }]);
}

function membersOf(value: unknown): Members | undefined {
  return isObject(value) ? value : undefined;
}

function textIn(content: unknown): unknown {
  const first = Array.isArray(content) ? membersOf(content[0])?.['text'] : undefined;
  if (typeof first !== 'string') return undefined;
  try {
    return parseJson(first);
  } catch {
    return undefined;
  }
}
