/** Every example, in an order in which they can be played on a fresh sandbox node, as a test does. */
import { accessExamples } from './access.ts';
import { agentExamples, revocationExample } from './agents.ts';
import { cartExamples } from './carts.ts';
import { evidenceExamples } from './evidence.ts';
import type { Examples } from './example.ts';
import { instrumentExamples } from './instruments.ts';
import { intentExamples } from './intents.ts';
import { merchantExamples } from './merchants.ts';
import { paymentExamples } from './payments.ts';
import { policyExamples } from './policies.ts';
import { presenceExamples } from './presence.ts';
import { disputeExample, sandboxExamples, sandboxPurchaseExamples } from './sandbox.ts';
import { sessionExamples } from './sessions.ts';
import { sptExamples } from './spt.ts';
import { webhookExamples } from './webhooks.ts';

export const examples = {
  ...agentExamples,
  ...merchantExamples,
  ...instrumentExamples,
  ...policyExamples,
  ...accessExamples,
  ...webhookExamples,
  ...sessionExamples,
  ...intentExamples,
  ...sandboxExamples,
  ...cartExamples,
  ...presenceExamples,
  ...paymentExamples,
  ...sptExamples,
  ...disputeExample,
  ...evidenceExamples,
  ...sandboxPurchaseExamples,
  ...revocationExample,
} satisfies Examples;
