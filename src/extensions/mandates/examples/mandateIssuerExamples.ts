/** Examples: who may sign mandates of AP2 v0.2, and what is done with chains and open mandates of theirs. */
import { AGENT, AT, INTENT, PRINCIPAL, UNTIL } from '../../../documents/examples/story/story.ts';

const NONCE = 'mnc_tB1mC7oFEXAMPLEnonceofthenode0123456789abcdef';

const jwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  kid: 'agent-provider-1',
} as const;

const issuer = {
  id: 'mis_01m7yh6hq1pf97dghp6dcxjktq',
  name: 'Shopping agent',
  kind: 'agent-provider',
  jwk,
  createdAt: AT,
} as const;

const DELEGATION = 'dlg_01m7yh6hs4c1n5p9t3x7b1f5j9';
const OPEN = 'eyJhbGciOiJFUzI1NiJ9.eyJkZWxlZ2F0ZV9wYXlsb2FkIjpbXX0.c2ln~';
const notPlayed = 'a mandate is signed for its moment';

const delegation = {
  id: DELEGATION,
  agentDid: AGENT,
  principalDid: PRINCIPAL,
  limits: {
    maxAmount: 50,
    currency: 'USD',
    merchants: ['shop.example'],
    budget: 200,
    expiresAt: UNTIL,
    recurrence: { frequency: 'WEEKLY' as const, reading: 'calendar-utc' as const, maxOccurrences: 12 },
  },
  openHash: 'h8Hg9sYZ0m6c3kQ1dS0yHnq3oW9t5eLw2uJb7xVfR4A',
  status: 'ACTIVE' as const,
  used: { uses: 0, spent: 0 },
  delegated: true,
  createdAt: AT,
};

export const mandateIssuerExamples = {
  addMandateIssuer: { input: { name: issuer.name, kind: issuer.kind, jwk }, output: issuer },
  listMandateIssuers: { input: { limit: 20 }, output: { data: [issuer], hasMore: false, cursor: null } },
  issuePaymentCredential: {
    notPlayed: 'a mandate is signed for its moment',
    input: {
      paymentMandate: 'eyJhbGciOiJFUzI1NiJ9.eyJkZWxlZ2F0ZV9wYXlsb2FkIjpbXX0.c2ln~~eyJhbGciOiJFUzI1NiJ9.e30.c2ln~',
      nonce: NONCE,
      checkoutJwtHash: 'cwhAqviI9qTgXnKNwwZc7FPG0RrtLbuo4p6I1wdW1zc',
      agentDid: AGENT,
      principalDid: PRINCIPAL,
    },
    output: {
      allowed: true as const,
      approvalToken: 'apt_AZq3fWc8tB1mC7oFEXAMPLEtoken0123456789abcdef',
      approvalTokenExpiresAt: UNTIL,
      reference: 'pnRqI2j3Hu5uQmcmB1cDoTt6zKqZc1n9qXk5Yz0f3bE',
      intentId: INTENT,
    },
    refused: {
      input: {
        verifiableIntent: {
          l1: 'eyJhbGciOiJFUzI1NiIsInR5cCI6InNkK2p3dCJ9.eyJjbmYiOnt9fQ.c2ln~',
          l2: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImtiLXNkLWp3dCtrYiJ9.eyJkZWxlZ2F0ZV9wYXlsb2FkIjpbXX0.c2ln~',
          l3Payment: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImtiLXNkLWp3dCJ9.eyJkZWxlZ2F0ZV9wYXlsb2FkIjpbXX0.c2ln~',
        },
        nonce: NONCE,
        checkoutJwtHash: 'cwhAqviI9qTgXnKNwwZc7FPG0RrtLbuo4p6I1wdW1zc',
        agentDid: AGENT,
        principalDid: PRINCIPAL,
      },
      output: {
        allowed: false as const,
        reasonCodes: ['MANDATE_USED'],
        details: { MANDATE_USED: { message: 'This mandate was used for this checkout before.' } },
        receipt: 'eyJhbGciOiJFUzI1NiJ9.eyJzdGF0dXMiOiJFcnJvciJ9.c2ln',
      },
    },
  },
  revokePaymentCredential: {
    notPlayed: 'It takes the token of a mandate, which is signed for its moment.',
    input: { approvalToken: 'apt_AZq3fWc8tB1mC7oFEXAMPLEtoken0123456789abcdef' },
    output: { revoked: true as const },
  },
  verifyReceipt: {
    input: { receipt: 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln' },
    output: { valid: false, reason: 'Its signature is by none of the keys.', notCompared: ['reference'] },
  },
  createMandateChallenge: {
    input: { agentDid: AGENT },
    output: {
      nonce: NONCE,
      aud: 'http://localhost:8402',
      expiresAt: UNTIL,
    },
  },
  registerDelegation: {
    notPlayed,
    input: { token: OPEN, agentDid: AGENT, principalDid: PRINCIPAL },
    output: delegation,
    refused: {
      input: { token: OPEN, agentDid: AGENT, principalDid: PRINCIPAL },
      output: {
        allowed: false as const,
        reasonCodes: ['CONSTRAINT_UNRESOLVED' as const],
        details: {
          CONSTRAINT_UNRESOLVED: {
            message:
              'Of mandate 1: The constraint payment.reference cannot be judged by an intent and a cart; present the mandate as a chain instead.',
          },
        },
      },
    },
  },
  previewDelegation: {
    notPlayed,
    input: { token: OPEN, agentDid: AGENT, principalDid: PRINCIPAL },
    output: {
      agentDid: delegation.agentDid,
      principalDid: delegation.principalDid,
      limits: delegation.limits,
      openHash: delegation.openHash,
      delegated: delegation.delegated,
    },
  },
  listDelegations: {
    input: { agentDid: AGENT, limit: 20 },
    output: { data: [delegation], hasMore: false, cursor: null },
  },
  getDelegation: { notPlayed, input: { id: DELEGATION }, output: delegation },
  revokeDelegation: { notPlayed, input: { id: DELEGATION }, output: { ...delegation, status: 'REVOKED' as const } },
  removeMandateIssuer: { input: { id: issuer.id } },
} as const;
