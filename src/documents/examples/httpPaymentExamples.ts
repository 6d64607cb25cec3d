/** Examples: a server asks for 5.00 USD by MPP, and tells that it was paid. */
import { payment } from './paymentExamples.ts';
import { AGENT, AT, INTENT, PRINCIPAL, TRANSACTION } from './story/story.ts';

const PAID_BY_HTTP = 'pm_01m7yh6hz3c7f2k9p4t8w1a5d0';
const CHALLENGE_ID = 'CLRoA5h2nQvX7tKcRPrB3A';

/** A charge of 500 cents for a profile at Stripe, as a server writes it. */
const CHALLENGE =
  `Payment id="${CHALLENGE_ID}", realm="reports.example", method="stripe", intent="charge", ` +
  'request="eyJhbW91bnQiOiI1MDAiLCJjdXJyZW5jeSI6InVzZCIsIm1ldGhvZERldGFpbHMiOnsibmV0d29ya0lkIjoicHJvZmlsZV9yZXBvcnRzIiwicGF5bWVudE1ldGhvZFR5cGVzIjpbImNhcmQiXX19", ' +
  'description="One report", expires="2099-01-01T00:00:00Z"';

/** Another one, whose end neither rail nor chain tells. */
const UNSETTLED = 'pm_01m7yh6hz4d8g3m0q5v9x2b6e1';

export const httpPaymentExamples = {
  authorizeHttpPayment: {
    input: {
      agentDid: AGENT,
      principalDid: PRINCIPAL,
      url: 'https://reports.example/report?of=tea',
      method: 'GET',
      challenges: [CHALLENGE],
      idempotencyKey: 'report-of-tea-1',
    },
    output: {
      allowed: true as const,
      protocol: 'mpp',
      mandateId: PAID_BY_HTTP,
      intentId: INTENT,
      transactionId: TRANSACTION,
      challengeId: CHALLENGE_ID,
      send: { header: { name: 'Authorization', value: 'Payment eyJjaGFsbGVuZ2UiOnsiaWQiOiJDTFJvQTVoMm5RdlgiLCJ…' } },
      credential: { challenge: { id: CHALLENGE_ID }, payload: { spt: 'spt_…' } },
      expiresAt: AT,
    },
  },
  settleHttpPayment: {
    input: {
      challengeId: CHALLENGE_ID,
      receipt: 'eyJtZXRob2QiOiJzdHJpcGUiLCJzdGF0dXMiOiJzdWNjZXNzIiwicmVmZXJlbmNlIjoicGlfM1AxYTJiM2MifQ',
      status: 200,
    },
    output: {
      ...payment,
      mandateId: PAID_BY_HTTP,
      status: 'CAPTURED',
      amount: 5,
      captured: 5,
      merchant: 'reports.example',
      rail: 'SPT_RAIL',
    },
  },
  settlePayment: {
    notPlayed: 'needs a payment whose end nothing tells',
    input: {
      mandateId: UNSETTLED,
      status: 'CANCELED' as const,
      note: 'The shop has confirmed by mail that it was not paid.',
    },
    output: {
      ...payment,
      mandateId: UNSETTLED,
      status: 'CANCELED',
      amount: 5,
      merchant: 'reports.example',
      rail: 'X402_RAIL',
    },
  },
};
