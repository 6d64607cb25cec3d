/** Examples: an agent asks to spend up to 150 USD, and to spend 500. */
import { AGENT, AT, INTENT, intentVc, PRINCIPAL, TRANSACTION } from './story/story.ts';

const attestation = {
  policyId: 'pol_01m7yh6hkaf3wb7tznmk356kky',
  policyVersion: 1,
  policyHash: 'sha256:ce12f2bd35521ba3c83f53d30425795fc1c106e44f557eefa73f202603bc4a4c',
};
const summary = {
  mandateId: INTENT,
  status: 'ACTIVE',
  agentDid: AGENT,
  maxAmount: 150,
  currency: 'USD',
  createdAt: AT,
  expiresAt: intentVc.expirationDate,
};

function asking(maxAmount: number) {
  return {
    agentDid: AGENT,
    principalDid: PRINCIPAL,
    request: { maxAmount, currency: 'USD', vendorHints: { domain: 'shop.example' } },
  };
}

export const issued = { allowed: true, intentVc, attestation, hpRequired: true };

export const intentExamples = {
  issueIntent: {
    input: asking(150),
    output: issued,
    refused: {
      input: asking(500),
      output: {
        allowed: false,
        reasonCodes: ['AMOUNT_OVER_CAP'],
        details: {
          AMOUNT_OVER_CAP: {
            requested: 500,
            limit: 200,
            currency: 'USD',
            message: '500.00 USD is 300.00 over the cap of 200.00.',
          },
        },
      },
    },
  },
  getIntent: {
    input: { mandateId: INTENT },
    output: {
      ...summary,
      principalDid: PRINCIPAL,
      merchantDomain: 'shop.example',
      transactionId: TRANSACTION,
      intentVc,
      attestation,
    },
  },
  showCredential: { input: { id: INTENT }, output: intentVc },
  listIntents: {
    input: { status: 'ACTIVE', agentDid: AGENT, limit: 20 },
    output: { data: [summary], hasMore: false, cursor: null },
  },
} as const;
