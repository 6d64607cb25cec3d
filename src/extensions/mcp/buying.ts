/** The tools that buy: permission to spend, a merchant's cart, and the payment. */
import { z } from 'zod';
import { CartRequest } from '../../../protocol/cart.ts';
import { Did } from '../../../protocol/credential/did.ts';
import { IntentRequest, VendorHints } from '../../../protocol/intent.ts';
import { formatAmount } from '../../../protocol/money.ts';
import { PaymentRequest } from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { agentOf, sentencesOf, tool } from '../tool.ts';
import { CartOutput, IntentOutput, PaymentOutput } from './shapes.ts';
import { askForTouch, proofOfTouch } from './touch.ts';

const { maxAmount, currency } = IntentRequest.shape.request.shape;
const { expiresAt, credentialFormats, delegationId, idempotencyKey } = IntentRequest.shape;

export const requestIntent = tool({
  name: 'request_intent',
  title: 'Ask to spend',
  description:
    'Ask for permission to spend up to an amount. Call it before you shop; the policy of the person whose money it is decides. ' +
    'Returns a signed intent and its intentId, which validate_cart takes.',
  input: z.object({
    maxAmount: maxAmount.describe('The most to be spent, in the currency’s major unit, such as 42.50.'),
    currency: currency.describe('ISO 4217, such as USD.'),
    merchantDomain: VendorHints.shape.domain.describe('Where it will be spent, when that is known.'),
    mcc: VendorHints.shape.mcc,
    country: VendorHints.shape.country,
    agentDid: Did.optional().describe('The agent that buys; leave it out where the credential names it.'),
    principalDid: Did.optional().describe('Whose money it is; the agent’s own when absent.'),
    delegationId,
    expiresAt,
    credentialFormats,
    idempotencyKey: idempotencyKey.describe('The same key and input get the same answer for a day.'),
  }),
  output: IntentOutput,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  async run({ desk }, input) {
    const agentDid = await agentOf(desk, input.agentDid);
    const { merchantDomain: domain, mcc, country } = input;
    const request = { maxAmount: input.maxAmount, currency: input.currency };
    const hints = compact({ domain, mcc, country });
    const result = await desk.ask(
      'issueIntent',
      compact({
        agentDid,
        principalDid: input.principalDid ?? agentDid,
        request: Object.keys(hints).length === 0 ? request : { ...request, vendorHints: hints },
        delegationId: input.delegationId,
        expiresAt: input.expiresAt,
        credentialFormats: input.credentialFormats,
        idempotencyKey: input.idempotencyKey,
      }),
    );
    if (!result.allowed) return { output: result, text: `Refused. ${sentencesOf(result)}` };
    const intentId = String(result.intentVc.credentialSubject.mandateId);
    const asked = result.hpRequired ? ' A person will be asked at the cart.' : '';
    const most = formatAmount(input.maxAmount, input.currency);
    const text = `Allowed up to ${most}, as ${intentId}.${asked} Next: validate_cart.`;
    return { output: { ...result, intentId }, text };
  },
});

export const validateCart = tool({
  name: 'validate_cart',
  title: 'Have a cart checked',
  description:
    'Have a merchant’s signed cart checked against the intent and the policy. Returns an approvalToken for pay. ' +
    'Where the policy wants a person, they are asked on a page of their own, and this call ends with their decision; ' +
    'a host that opens no pages gets the link in approval.url: give it to the person, and call wait_for_approval.',
  input: z.object({
    intentId: z.string().describe('From request_intent.'),
    cartVc: CartRequest.shape.cartVc.describe('The cart as the merchant signed it, unchanged.'),
    hpProof: CartRequest.shape.hpProof.describe('From wait_for_approval, once the person approved.'),
    instrument: CartRequest.shape.instrument,
    credentialFormats: CartRequest.shape.credentialFormats,
    idempotencyKey,
  }),
  output: CartOutput,
  hints: { readOnlyHint: false, destructiveHint: false },
  async run(context, { intentId, ...input }) {
    const { desk } = context;
    const touched = await proofOfTouch(context, { intentId, ...input });
    if (touched !== undefined && 'asks' in touched) return touched;
    const { intentVc } = await desk.ask('getIntent', { mandateId: intentId });
    const asked = touched?.hpProof === undefined ? input : { ...input, ...touched };
    const result = await desk.ask('validateCart', compact({ ...asked, intentVc }));
    if (result.allowed) {
      const until = result.approvalTokenExpiresAt;
      return { output: result, text: `The cart is approved until ${until}. Next: pay with the approvalToken.` };
    }
    const { approval } = result;
    const text = `Refused. ${sentencesOf(result)}`;
    if (approval?.url === undefined) return { output: result, text };
    // A person who said no once is not asked again without a call of their agent.
    if (context.opensUrls && touched === undefined) return askForTouch(desk, approval, { intentId, ...input });
    const link = `The person can approve it at ${approval.url} until ${approval.expiresAt}; then call wait_for_approval.`;
    return { output: result, text: `${text} ${link}` };
  },
});

export const pay = tool({
  name: 'pay',
  title: 'Pay',
  description:
    'Pay for an approved cart. Money moves. Returns the payment mandate to hand to the merchant, and what the rail said.',
  input: z.object({
    approvalToken: PaymentRequest.shape.approvalToken.describe('From validate_cart; it serves once.'),
    instrument: PaymentRequest.shape.instrument,
    ucp: PaymentRequest.shape.ucp,
    credentialFormats: PaymentRequest.shape.credentialFormats,
    idempotencyKey,
  }),
  output: PaymentOutput,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  async run({ desk }, input) {
    const result = await desk.ask('mandatePayment', compact(input));
    if (!('pmVc' in result)) return { output: result, text: `Refused. ${sentencesOf(result)}` };
    const mandateId = String(result.pmVc.credentialSubject.mandateId);
    const { status, error } = result.railResponse;
    const why = error === undefined ? '' : ` ${error.message}`;
    return { output: { ...result, allowed: true, mandateId }, text: `The rail says ${status} to ${mandateId}.${why}` };
  },
});
