/** The tool by which a model has a request to a merchant signed. */
import { z } from 'zod';
import { HttpSignature, HttpSignatureRequest } from '../../../protocol/httpSignatures/httpSignature.ts';
import { type ToolContext, type ToolParts, tool } from '../tool.ts';
import type { signatureOperations } from './signatureOperations.ts';

type Context = ToolContext<typeof signatureOperations>;

const { mandateId, intentId, method, url, bodyDigest, profile, signatureAgentForm } = HttpSignatureRequest.shape;
const { headers, keyid, nonce, expiresAt } = HttpSignature.shape;

const signRequest = tool({
  name: 'sign_http_request',
  title: 'Sign a request to a merchant',
  description:
    'Signs one HTTP request, so that the merchant of a purchase lets you in as an agent that is known. Send the request exactly as you name it here, ' +
    'once, with all headers of the answer. Only for the merchant of the payment (mandateId) or intent (intentId) that you name.',
  input: z.object({ mandateId, intentId, method, url, bodyDigest, profile, signatureAgentForm }),
  output: z.object({ headers, keyid, nonce, expiresAt }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  async run({ desk }: Context, input) {
    const output = await desk.ask('signHttpRequest', input);
    return { output, text: `Signed until ${output.expiresAt}. Send the request with these headers, once.` };
  },
});

export const signatureTools: Partial<ToolParts> = { tools: [signRequest] };
