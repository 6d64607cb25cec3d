/** Examples: the record of the purchase. */
import { AGENT, AT, INTENT, ISSUER, PRINCIPAL, TENANT, TRANSACTION } from './story.ts';

export const issuedEvent = {
  id: 'evt_01m7yh6hrbnzd39vcy5f41cq2x',
  seq: 5,
  eventType: 'INTENT_ISSUED',
  actorDid: AGENT,
  data: {
    transactionId: TRANSACTION,
    mandateId: INTENT,
    agentDid: AGENT,
    principalDid: PRINCIPAL,
    maxAmount: 150,
    currency: 'USD',
    merchantDomain: 'shop.example',
    hpRequired: true,
  },
  hashPrev: 'sha256:9e4108dbe82184a43d19add824fade35c4d1f585964e5679ccaab850baf59dfd',
  hashCurr: 'sha256:e04f5ae5d33142ad2f4b35ff0aba3bcd309c9d2f19d9ea5dd0763c6cc17cd9f3',
  createdAt: AT,
};

const whose = { issuer: ISSUER, tenantId: TENANT };

export const evidenceExamples = {
  searchEvidence: {
    input: { eventType: 'INTENT_ISSUED', actorDid: AGENT, limit: 20 },
    output: { data: [issuedEvent], hasMore: false, cursor: null },
  },
  evidenceBundle: {
    input: { transactionId: TRANSACTION },
    output: {
      transactionId: TRANSACTION,
      events: [issuedEvent],
      chainValid: true,
      summary: {
        agent: AGENT,
        merchant: 'shop.example',
        amount: 129.5,
        currency: 'USD',
        status: 'PARTIALLY_REFUNDED',
      },
    },
  },
  exportEvidence: {
    input: { last: 100, eventTypes: 'INTENT_ISSUED,INTENT_DENIED', format: 'json' },
    output: { events: [issuedEvent], chainValid: true, fromSeq: 5, toSeq: 5, ...whose },
  },
  verifyEvidence: {
    input: { fromSeq: 1 },
    output: { valid: true, fromSeq: 1, toSeq: 12, eventsVerified: 12, ...whose },
  },
} as const;
