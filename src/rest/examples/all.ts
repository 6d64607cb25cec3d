/** Every example, in an order in which they can be played on a fresh sandbox node, as a test does. */
import { accessExamples } from './access.ts';
import { agentExamples, revocationExample } from './agents.ts';
import { cartExamples } from './carts.ts';
import { evidenceExamples } from './evidence.ts';
import type { Examples } from './example.ts';
import { intentExamples } from './intents.ts';
import { merchantExamples } from './merchants.ts';
import { paymentExamples } from './payments.ts';
import { policyExamples } from './policies.ts';
import { sandboxExamples, sandboxPurchaseExamples } from './sandbox.ts';
import { sessionExamples } from './sessions.ts';

export const examples = {
  ...agentExamples,
  ...merchantExamples,
  ...policyExamples,
  ...accessExamples,
  ...sessionExamples,
  ...intentExamples,
  ...sandboxExamples,
  ...cartExamples,
  ...paymentExamples,
  ...evidenceExamples,
  ...sandboxPurchaseExamples,
  ...revocationExample,
} satisfies Examples;
