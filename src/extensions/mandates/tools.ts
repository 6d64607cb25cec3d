/** The tools of a credential provider and a payment processor, as the samples of AP2 v0.2 name and call them. */
import { z } from 'zod';
import { PaymentCredentialRequest } from '../../../protocol/ap2/paymentCredential.ts';
import { PaymentRequest } from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import type { table } from '../../operations/table.ts';
import { agentOf, sentencesOf, type ToolContext, tool } from '../tool.ts';
import type { operations } from './mandateOperations.ts';

type Context = ToolContext<typeof operations & Pick<typeof table, 'mandatePayment'>>;

const { paymentMandate, verifiableIntent, nonce, openCheckoutHash, agentDid, principalDid } =
  PaymentCredentialRequest.shape;
const refusal = {
  error: z.string().optional().describe('The first reason code of a refusal.'),
  message: z.string().optional().describe('Why it is refused.'),
};

const issuePaymentCredential = tool({
  name: 'issue_payment_credential',
  title: 'Exchange a mandate for a payment token',
  description:
    'For agents of AP2 and Verifiable Intent: exchange payment mandates for a payment_token that initiate_payment takes. The mandate’s constraints ' +
    'and the policy of the person whose money it is decide. A mandate serves one checkout.',
  input: z.object({
    payment_mandate_chain_id: paymentMandate.describe(
      'The chain itself: SD-JWTs joined by ~~. It, or verifiable_intent.',
    ),
    verifiable_intent: verifiableIntent.describe(
      'The layers of Verifiable Intent, where the agent has no chain of AP2.',
    ),
    payment_nonce: nonce,
    checkout_jwt_hash: z.string().min(1).max(2000).describe('The hash of the checkout JWT, in base64url.'),
    open_checkout_hash: openCheckoutHash,
    agent_did: agentDid.optional().describe('The agent that buys; leave it out where the credential names it.'),
    principal_did: principalDid.describe('Whose money it is; the agent’s own when absent.'),
  }),
  output: z.object({
    payment_token: z.string().optional().describe('For initiate_payment; it serves once.'),
    expires_at: z.string().optional(),
    receipt: z.string().optional().describe('A receipt of the error.'),
    ...refusal,
  }),
  hints: { readOnlyHint: false, destructiveHint: false },
  async run({ desk }: Context, input) {
    const result = await desk.ask(
      'issuePaymentCredential',
      compact({
        paymentMandate: input.payment_mandate_chain_id,
        verifiableIntent: input.verifiable_intent,
        nonce: input.payment_nonce,
        checkoutJwtHash: input.checkout_jwt_hash,
        openCheckoutHash: input.open_checkout_hash,
        agentDid: await agentOf(desk, input.agent_did),
        principalDid: input.principal_did,
      }),
    );
    if (result.allowed) {
      const output = { payment_token: result.approvalToken, expires_at: result.approvalTokenExpiresAt };
      return { output, text: `Allowed until ${output.expires_at}. Next: initiate_payment with the payment_token.` };
    }
    const message = sentencesOf(result);
    const link = result.approval?.url === undefined ? '' : ` The person can approve it at ${result.approval.url}.`;
    const output = { error: String(result.reasonCodes[0]), message: message + link, receipt: result.receipt };
    return { output, text: `Refused. ${output.message}` };
  },
});

const revokePaymentCredential = tool({
  name: 'revoke_payment_credential',
  title: 'Give a payment token back',
  description: 'Give back a payment_token that is not paid with. What it held of the mandate’s budget is free again.',
  input: z.object({ payment_token: PaymentRequest.shape.approvalToken }),
  output: z.object({ revoked: z.boolean() }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  async run({ desk }: Context, { payment_token: approvalToken }) {
    const output = await desk.ask('revokePaymentCredential', { approvalToken });
    return { output, text: 'The payment token is given back.' };
  },
});

const initiatePayment = tool({
  name: 'initiate_payment',
  title: 'Pay with a payment token',
  description: 'Pay with a payment_token from issue_payment_credential. Money moves. Returns the signed receipt.',
  input: z.object({
    payment_token: PaymentRequest.shape.approvalToken,
    checkout_jwt_hash: z.string().max(2000).optional().describe('What is paid; the token decides.'),
    open_checkout_hash: z.string().max(2000).optional().describe('What is paid; the token decides.'),
  }),
  output: z.object({
    status: z.string().describe('What the rail says, or refused.'),
    payment_receipt: z.string().optional(),
    ...refusal,
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  async run({ desk }: Context, { payment_token: approvalToken }) {
    const result = await desk.ask('mandatePayment', { approvalToken });
    if (!('pmVc' in result)) {
      const output = { status: 'refused', error: String(result.reasonCodes[0]), message: sentencesOf(result) };
      return { output, text: `Refused. ${output.message}` };
    }
    const { status, error } = result.railResponse;
    const output = compact({
      status,
      payment_receipt: result.paymentReceipt,
      error: error?.code,
      message: error?.message,
    });
    return { output, text: `The rail says ${status}.` };
  },
});

const verifyPaymentReceipt = tool({
  name: 'verify_payment_receipt',
  title: 'Check a receipt',
  description: 'Check that this node issued a payment receipt, and for which mandate.',
  input: z.object({
    payment_receipt: z.string().min(1).max(8192),
    reference: z.string().min(1).max(2000).optional().describe('The hash of the mandate that it must be for.'),
  }),
  output: z.object({
    valid: z.boolean(),
    reason: z.string().optional(),
    claims: z.looseObject({}).optional().describe('What it states.'),
    payment_status: z.string().optional().describe('The state of the payment now, which may have changed since.'),
    not_compared: z.array(z.string()).optional().describe('What was left out, and with which nothing was compared.'),
  }),
  hints: { readOnlyHint: true },
  async run({ desk }: Context, { payment_receipt: receipt, reference }) {
    const { paymentStatus, notCompared, ...verdict } = await desk.ask('verifyReceipt', compact({ receipt, reference }));
    const output = compact({ ...verdict, payment_status: paymentStatus, not_compared: notCompared });
    const now = paymentStatus === undefined ? '' : ` The payment is ${paymentStatus} now.`;
    return {
      output,
      text: output.valid ? `This node issued the receipt.${now}` : `The receipt does not hold. ${output.reason}`,
    };
  },
});

export const mandateTools = {
  tools: [issuePaymentCredential, revokePaymentCredential, initiatePayment, verifyPaymentReceipt],
  records: { dlg_: { noun: 'a delegation', operation: 'getDelegation', member: 'id' } },
};
