/** Every example of the kernel, in an order in which they can be played on a fresh sandbox node, as a test does; those of extensions are in between. */
import { accessExamples } from './accessExamples.ts';
import { agentExamples, revocationExample } from './agentExamples.ts';
import { cartExamples } from './cartExamples.ts';
import { decisionExamples } from './decisionExamples.ts';
import { evidenceExamples } from './evidenceExamples.ts';
import type { Examples } from './example.ts';
import { httpPaymentExamples } from './httpPaymentExamples.ts';
import { instrumentExamples } from './instrumentExamples.ts';
import { intentExamples } from './intentExamples.ts';
import { merchantExamples } from './merchantExamples.ts';
import { overviewExamples } from './overviewExamples.ts';
import { paymentExamples } from './paymentExamples.ts';
import { policyExamples } from './policyExamples.ts';
import { presenceExamples } from './presenceExamples.ts';
import { principalExamples } from './principalExamples.ts';
import { disputeExample, sandboxExamples, sandboxPurchaseExamples } from './sandboxExamples.ts';
import { sessionExamples } from './sessionExamples.ts';
import { webhookExamples } from './webhookExamples.ts';

/** Up to an intent that nothing was bought for yet. */
export const examplesBeforeCart = {
  ...agentExamples,
  ...merchantExamples,
  ...principalExamples,
  ...instrumentExamples,
  ...policyExamples,
  ...accessExamples,
  ...webhookExamples,
  ...sessionExamples,
  ...intentExamples,
  ...sandboxExamples,
};

export const examplesFromCart = {
  ...cartExamples,
  ...paymentExamples,
  ...httpPaymentExamples,
  ...overviewExamples,
  // After the payment: a denial would end its intent.
  ...presenceExamples,
  ...disputeExample,
  ...evidenceExamples,
  ...decisionExamples,
  ...sandboxPurchaseExamples,
  ...revocationExample,
};

/** Every example of the kernel. */
export const examples = { ...examplesBeforeCart, ...examplesFromCart } satisfies Examples;
