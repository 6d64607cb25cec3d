/** Examples: a card is typed into a page, after its amount was reserved. */
import { payment } from '../../documents/examples/paymentExamples.ts';
import { AGENT, AT, INTENT, PRINCIPAL, TRANSACTION } from '../../documents/examples/story/story.ts';

const RESERVED = 'pm_01m7yh6hz5e9j4p8s2v6y0c3f7';

const paid = {
  ...payment,
  mandateId: RESERVED,
  status: 'CAPTURED' as const,
  amount: 24.5,
  captured: 24.5,
  merchant: 'tea.example',
  rail: 'EXTERNAL_RAIL',
};

export const externalExamples = {
  reserveExternally: {
    input: {
      agentDid: AGENT,
      principalDid: PRINCIPAL,
      merchant: 'tea.example',
      amount: 24.5,
      currency: 'USD',
      items: [
        { name: 'Green tea', price: 19.5, quantity: 1 },
        { name: 'Shipping', price: 5, quantity: 1 },
      ],
      channel: 'card' as const,
      idempotencyKey: 'tea-of-monday',
    },
    output: {
      allowed: true as const,
      mandateId: RESERVED,
      intentId: INTENT,
      transactionId: TRANSACTION,
      reserved: 24.5,
      currency: 'USD',
      expiresAt: AT,
      commitUntil: AT,
    },
  },
  commitReservation: {
    input: {
      mandateId: RESERVED,
      amount: 24.5,
      evidence: { kind: 'order' as const, reference: 'order-1047' },
    },
    output: paid,
  },
  releaseReservation: {
    notPlayed: 'needs a reservation that is open',
    input: { mandateId: RESERVED, reason: 'declined' as const },
    output: { ...paid, status: 'CANCELED', captured: 0 },
  },
  readStatement: {
    input: { lines: [{ occurredAt: AT, amount: 24.5, currency: 'USD', descriptor: 'TEA.EXAMPLE 4711' }] },
    output: { lines: [{ outcome: 'known' as const, mandateId: RESERVED }] },
  },
};
