/** Examples: the record of the purchase. */
import { AGENT, AT, INTENT, ISSUER, PRINCIPAL, TENANT, TRANSACTION } from './story/story.ts';

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

const NOTE = `countersign/evidence/${TENANT}\n5\nXdyXpacGWamtVZy3Acsd2iudDVv5N4Y/Xo/eNv5l2c8=\n\n— ${ISSUER} x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;
const olderCheckpoint = {
  size: 5,
  note: NOTE,
  createdAt: AT,
};
const newerCheckpoint = { ...olderCheckpoint, size: 12, note: olderCheckpoint.note.replace('\n5\n', '\n12\n') };
const MADE_IN_TIME = 'checkpoints are made as time passes and the chain grows';

const whose = { issuer: ISSUER, tenantId: TENANT, checkpoint: NOTE };

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
  listCheckpoints: {
    input: { limit: 20 },
    output: { data: [newerCheckpoint, olderCheckpoint], hasMore: false, cursor: null },
  },
  proveConsistency: {
    input: { size: 12, from: 5 },
    output: {
      from: olderCheckpoint,
      to: newerCheckpoint,
      proof: ['Tju2Ud+4YzGVGaO6DE0fhUA6jJMZ7kb2GC0mqMC3MfE=', 'PlC7M/vflw9UshszmzGvgGVyJG2hcQMaoiKa5M+Qn10='],
    },
    notPlayed: MADE_IN_TIME,
  },
  proveInclusion: {
    input: { size: 12, seq: 5 },
    output: {
      checkpoint: newerCheckpoint,
      seq: 5,
      hashCurr: issuedEvent.hashCurr,
      proof: ['Tju2Ud+4YzGVGaO6DE0fhUA6jJMZ7kb2GC0mqMC3MfE=', 'PlC7M/vflw9UshszmzGvgGVyJG2hcQMaoiKa5M+Qn10='],
    },
    notPlayed: MADE_IN_TIME,
  },
  verifyEvidence: {
    input: { fromSeq: 1 },
    output: { valid: true, fromSeq: 1, toSeq: 12, eventsVerified: 12, ...whose },
  },
} as const;
