/** Examples: what the sandbox helps with. */
import { approved } from './cartExamples.ts';
import { issuedEvent } from './evidenceExamples.ts';
import { issued } from './intentExamples.ts';
import { dispute, paid, payment } from './paymentExamples.ts';
import { AGENT, cartVc, hpProof, PRINCIPAL, TRANSACTION } from './story/story.ts';

export const sandboxExamples = {
  demoCart: {
    input: {
      payerDid: PRINCIPAL,
      domain: 'shop.example',
      amount: 129.5,
      currency: 'USD',
      items: [
        { name: 'Headphones', price: 119.5, quantity: 1 },
        { name: 'Shipping', price: 10, quantity: 1 },
      ],
    },
    output: { cartVc },
  },
  demoPresenceProof: { input: { agentDid: AGENT, freshnessSeconds: 300 }, output: { hpProof } },
};

/** A purchase besides the one that the other examples tell. */
export const sandboxPurchaseExamples = {
  demoPayment: {
    input: {
      agentDid: AGENT,
      principalDid: PRINCIPAL,
      amount: 25,
      currency: 'USD',
      merchantDomain: 'shop.example',
    },
    output: {
      transactionId: TRANSACTION,
      intent: issued,
      cart: approved,
      payment: { ...paid, capture: { ...payment, status: 'CAPTURED', captured: 129.5 } },
      evidence: [issuedEvent],
    },
  },
  resetTestData: { input: {} },
};

const disputed = { ...payment, status: 'DISPUTED', captured: 129.5, refunded: 10, disputed: 84, disputes: [dispute] };

export const disputeExample = {
  demoDispute: {
    input: { mandateId: payment.mandateId, amount: 84, reason: 'fraudulent' },
    output: disputed,
  },
  demoRefundFailure: {
    input: { mandateId: payment.mandateId },
    output: { ...disputed, refunded: 0 },
  },
  demoDisputeEnd: {
    input: { mandateId: payment.mandateId, outcome: 'won' },
    output: {
      ...payment,
      status: 'CAPTURED',
      captured: 129.5,
      disputes: [{ ...dispute, status: 'won', closedAt: '2026-11-24T09:12:05.120Z' }],
    },
  },
} as const;
