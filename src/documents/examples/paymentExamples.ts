/** Examples: the approval becomes a payment, which is captured and partly refunded; another is canceled. */
import type { Dispute } from '../../../protocol/payment.ts';
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
  disputed: 0,
  disputes: [] as Dispute[],
  createdAt: AT,
};

/** A part of it is disputed. */
export const dispute: Dispute = {
  id: 'dsp_01m7yh6hv2c5f8j1m4q7s0v3x6',
  railDisputeId: 'dp_01m7yh6hv2d6g9k2n5r8t1w4y7',
  amount: 84,
  currency: 'USD',
  reason: 'fraudulent',
  status: 'needs_response',
  dueBy: '2026-12-05T07:47:41.449Z',
  openedAt: AT,
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
  listDisputes: {
    input: { status: 'needs_response', agentDid: AGENT, limit: 20 },
    output: { data: [{ ...dispute, mandateId: PAYMENT, agentDid: AGENT }], hasMore: false, cursor: null },
  },
  exportJournal: {
    notPlayed: 'is text',
    input: { month: '2026-11', format: 'beancount' },
    output: 'plugin "beancount.plugins.auto_accounts"\n',
  },
  downloadDisputePack: {
    notPlayed: 'needs a payment that is disputed',
    input: { mandateId: PAYMENT },
    output: '(the bytes of a zip archive)',
  },
  answerDispute: {
    notPlayed: 'needs a dispute at a rail that takes evidence',
    input: { id: dispute.id, submit: false },
    output: { ...dispute, mandateId: PAYMENT, agentDid: AGENT },
  },
  submitDispute: {
    notPlayed: 'needs a dispute that is open',
    input: { id: dispute.id, note: 'Sent with the tracking number by the dashboard of Stripe.' },
    output: { ...dispute, mandateId: PAYMENT, agentDid: AGENT },
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
