/** Examples: the approval becomes a payment, which is captured and partly refunded; another is canceled. */
import { APPROVAL } from './cartExamples.ts';
import { AGENT, AT, INTENT, PAYMENT, pmVc, TRANSACTION } from './story/story.ts';

/** A payment of its own, since one that was captured cannot be canceled. */
export const CANCELED_PAYMENT = 'pm_01m7yh6hx5s8v1y4b7e0h3k6n9';

const AT_THE_RAIL = 'pi_01m7yh6htf23c6k3z1vw5nabjb';

export const payment = {
  mandateId: PAYMENT,
  intentId: INTENT,
  transactionId: TRANSACTION,
  agentDid: AGENT,
  status: 'AUTHORIZED',
  amount: 129.5,
  currency: 'USD',
  merchant: 'shop.example',
  rail: 'CARD_RAIL',
  captured: 0,
  refunded: 0,
  createdAt: AT,
};

export const paid = {
  pmVc,
  railResponse: { rail: 'CARD_RAIL', paymentIntentId: AT_THE_RAIL, status: 'requires_capture' },
};

export const paymentExamples = {
  mandatePayment: { input: { approvalToken: APPROVAL, instrument: 'pm_card_visa' }, output: paid },
  getPayment: { input: { mandateId: PAYMENT }, output: { ...payment, railTransactionId: AT_THE_RAIL, pmVc } },
  listPayments: {
    input: { status: 'AUTHORIZED', agentDid: AGENT, limit: 20 },
    output: { data: [payment], hasMore: false, cursor: null },
  },
  capturePayment: {
    input: { mandateId: PAYMENT, amount: 129.5 },
    output: { ...payment, status: 'CAPTURED', captured: 129.5 },
  },
  refundPayment: {
    input: { mandateId: PAYMENT, amount: 10 },
    output: { ...payment, status: 'PARTIALLY_REFUNDED', captured: 129.5, refunded: 10 },
  },
  reconcilePayment: {
    input: { mandateId: PAYMENT },
    output: { ...payment, status: 'PARTIALLY_REFUNDED', captured: 129.5, refunded: 10 },
  },
  cancelPayment: {
    input: { mandateId: CANCELED_PAYMENT },
    output: { ...payment, mandateId: CANCELED_PAYMENT, status: 'CANCELED' },
  },
} as const;
