/** Examples: decisions. */
import { AGENT, AT, INTENT, PRINCIPAL, TRANSACTION } from './story/story.ts';

const message = '250.00 USD is 50.00 over the cap of 200.00.';

const decision = {
  seq: 1807,
  createdAt: AT,
  kind: 'intent' as const,
  outcome: 'refused' as const,
  transactionId: TRANSACTION,
  agentDid: AGENT,
  principalDid: PRINCIPAL,
  intentId: INTENT,
  amount: 250,
  currency: 'USD',
  merchant: 'shop.example',
  reasonCodes: ['AMOUNT_OVER_CAP' as const],
  details: { AMOUNT_OVER_CAP: { requested: 250, limit: 200, currency: 'USD', message } },
  policy: {
    policyId: 'pol_01m7yh6j2c5f8k1n4q7t0w3z6b',
    policyVersion: 1,
    policyHash: 'sha256:ce12f2bd35521ba3c83f53d30425795fc1c106e44f557eefa73f202603bc4a4c',
  },
};

export const decisionExamples = {
  listDecisions: {
    input: { outcome: 'refused' as const, reasonCode: 'AMOUNT_OVER_CAP' as const, limit: 20 },
    output: { data: [decision], hasMore: false, cursor: null },
  },
  getDecisions: {
    input: { transactionId: TRANSACTION },
    output: {
      transactionId: TRANSACTION,
      decisions: [
        {
          ...decision,
          ruleTable: [
            {
              rule: 'AMOUNT_OVER_CAP',
              outcome: 'failed' as const,
              asked: 250,
              limit: 200,
              left: -50,
              currency: 'USD',
              sentence: message,
            },
            {
              rule: 'MERCHANT_DENIED',
              outcome: 'passed' as const,
              asked: 'shop.example',
              sentence: "shop.example is not on the policy's deny list.",
            },
          ],
          counterfactual: {
            alone: [{ change: 'amount' as const, amount: 200, currency: 'USD', how: 'with at most 200.00 USD' }],
            together: [],
            sentence: 'It would pass with at most 200.00 USD.',
          },
          complete: true,
        },
      ],
    },
  },
};
