/** One example event of each type, for documentation and test deliveries. */
import type { WebhookContext, WebhookData, WebhookEvent, WebhookEventType } from './event.ts';

const AGENT = 'did:key:z6Mkon3Necd6NkkyfoGoHxid2znGc59LU3K7mubaRcFbLfLX';
const PRINCIPAL = 'did:key:z6Mko9hTggMwjSTEaJaPUfE6tqcy2xvU6BnNq3e3o8qVBiyH';
const INTENT = 'intent_01m7yh6hratazm92fgcpkykyyx';
const PAYMENT = 'pm_01m7yh6ht8fg22q8v49h1mnxfz';
const RAIL_PAYMENT = 'pi_01m7yh6htc2x5v8y1b4e7h0k3n';
const CART = 'sha256:931a7e932fb76a63bd47d90cad596a535aca760b7e1b1e1bc5113250a2a51f05';
const AT = '2026-11-21T07:47:41.449Z';

const policy = {
  policyId: 'pol_01m7yh6hk6a1s4d7f0g3h6j9k2',
  policyVersion: 2,
  policyHash: 'sha256:5f2b51ca9c1f4a8f0f9f1c2e54b6e1b6a2cf5a6d9b1c7e3f8d4a0b2c6e9f1a3d',
};
const money = { amount: 129.5, currency: 'USD' };
const request = { maxAmount: 150, currency: 'USD', merchantDomain: 'shop.example' };
const asked = {
  approvalId: 'apr_01m7yh6hs5k8n1q4t7w0z3c6f9',
  intentId: INTENT,
  cartHash: CART,
  merchant: 'shop.example',
  ...money,
};
const overCap = {
  AMOUNT_OVER_CAP: {
    requested: 500,
    limit: 200,
    currency: 'USD',
    message: '500.00 USD is 300.00 over the cap of 200.00.',
  },
};

export const WEBHOOK_EXAMPLES: WebhookData = {
  'payment.authorized': {
    mandateId: PAYMENT,
    intentId: INTENT,
    ...money,
    merchant: 'shop.example',
    rail: 'CARD_RAIL',
    railTransactionId: RAIL_PAYMENT,
    railPaymentIntentId: RAIL_PAYMENT,
  },
  'payment.captured': { mandateId: PAYMENT, ...money, capturedAt: AT },
  'payment.failed': { mandateId: PAYMENT, error: { code: 'card_declined', message: 'The card was declined.' } },
  'payment.refunded': {
    mandateId: PAYMENT,
    amount: 29.5,
    currency: 'USD',
    refunded: 29.5,
    status: 'PARTIALLY_REFUNDED',
    refundedAt: AT,
  },
  'payment.refund_failed': {
    mandateId: PAYMENT,
    amount: 29.5,
    currency: 'USD',
    refunded: 0,
    status: 'CAPTURED',
    failedAt: AT,
  },
  'payment.disputed': { mandateId: PAYMENT, ...money, reason: 'fraudulent', disputedAt: AT },
  'intent.issued': {
    mandateId: INTENT,
    request,
    hpRequired: true,
    expiresAt: '2026-11-21T08:47:41.449Z',
    ...policy,
  },
  'intent.denied': {
    mandateId: INTENT,
    reasonCodes: ['AMOUNT_OVER_CAP'],
    details: overCap,
    request: { ...request, maxAmount: 500 },
    policyId: policy.policyId,
  },
  'intent.expired': { mandateId: INTENT, expiredAt: AT },
  'cart.validated': {
    intentId: INTENT,
    cartHash: CART,
    merchant: 'shop.example',
    ...money,
    rail: 'CARD_RAIL',
    approvalExpiresAt: '2026-11-21T07:52:41.449Z',
    ...policy,
  },
  'cart.rejected': {
    intentId: INTENT,
    cartHash: CART,
    merchant: 'shop.example',
    ...money,
    reasonCodes: ['HP_REQUIRED'],
    details: { HP_REQUIRED: { message: 'A person must be present for 129.50 USD.' } },
    policyId: policy.policyId,
  },
  'approval.requested': {
    ...asked,
    causes: [
      { cause: 'threshold', message: '129.50 USD is 29.50 over what the agent may spend alone, which is 100.00.' },
    ],
    url: 'https://pay.example.com/approve/apr_01m7yh6hs5k8n1q4t7w0z3c6f9',
    expiresAt: '2026-11-21T08:02:41.449Z',
  },
  'approval.approved': { ...asked, passkeyId: 'psk_01m7yh6hp2d5g8k1n4q7t0w3z6', approvedAt: AT },
  'approval.denied': { ...asked, passkeyId: 'psk_01m7yh6hp2d5g8k1n4q7t0w3z6', deniedAt: AT },
  'approval.expired': { ...asked, expiredAt: AT },
  'agent.created': { agentDid: AGENT, displayName: 'Shopping agent', capabilities: ['shopping'], createdAt: AT },
  'agent.revoked': { agentDid: AGENT, reason: 'It lost its key.', revokedAt: AT },
  'agent.suspended': { agentDid: AGENT, reason: 'It buys too much tea.', suspendedAt: AT },
  'agent.reactivated': { agentDid: AGENT, reactivatedAt: AT },
  'policy.updated': { ...policy, name: 'Household', isActive: true },
  'policy.violation': {
    violationType: 'VELOCITY_BREACH',
    details: {
      VELOCITY_EXCEEDED: { requested: 11, limit: 10, message: 'This would be purchase 11 of 10 within 1 hour.' },
    },
    mandateId: INTENT,
    policyId: policy.policyId,
  },
};

/** The example event of a type as it is posted. */
export function exampleEvent(type: WebhookEventType, id: string, created: string): WebhookEvent {
  return { id, type, created, data: { ...WEBHOOK_EXAMPLES[type] }, context: contextOf(type) };
}

function contextOf(type: WebhookEventType): WebhookContext {
  if (type === 'policy.updated') return {};
  return type.startsWith('agent.')
    ? { agentDid: AGENT }
    : { agentDid: AGENT, principalDid: PRINCIPAL, intentId: INTENT };
}
