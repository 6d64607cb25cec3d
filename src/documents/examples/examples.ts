/** Every example, in an order in which they can be played on a fresh sandbox node, as a test does. */
import { accessExamples } from './accessExamples.ts';
import { agentExamples, revocationExample } from './agentExamples.ts';
import { ap2CartExamples, cartExamples, ucpCartExamples } from './cartExamples.ts';
import { decisionExamples } from './decisionExamples.ts';
import { evidenceExamples } from './evidenceExamples.ts';
import type { Examples } from './example.ts';
import { instrumentExamples } from './instrumentExamples.ts';
import { intentExamples } from './intentExamples.ts';
import { mandateExamples } from './mandateExamples.ts';
import { mandateIssuerExamples } from './mandateIssuerExamples.ts';
import { merchantExamples } from './merchantExamples.ts';
import { overviewExamples } from './overviewExamples.ts';
import { paymentExamples } from './paymentExamples.ts';
import { policyExamples } from './policyExamples.ts';
import { presenceExamples } from './presenceExamples.ts';
import { principalExamples } from './principalExamples.ts';
import { disputeExample, sandboxExamples, sandboxPurchaseExamples } from './sandboxExamples.ts';
import { sessionExamples } from './sessionExamples.ts';
import { sptExamples } from './sptExamples.ts';
import { webhookExamples } from './webhookExamples.ts';

export const examples = {
  ...agentExamples,
  ...merchantExamples,
  ...mandateIssuerExamples,
  ...principalExamples,
  ...instrumentExamples,
  ...policyExamples,
  ...accessExamples,
  ...webhookExamples,
  ...sessionExamples,
  ...intentExamples,
  ...sandboxExamples,
  ...ap2CartExamples,
  ...ucpCartExamples,
  ...cartExamples,
  ...mandateExamples,
  ...paymentExamples,
  ...overviewExamples,
  // After the payment: a denial would end its intent.
  ...presenceExamples,
  ...sptExamples,
  ...disputeExample,
  ...evidenceExamples,
  ...decisionExamples,
  ...sandboxPurchaseExamples,
  ...revocationExample,
} satisfies Examples;
