/** Stripe's extension: an account behind the card rail, and shared payment tokens. The package is loaded where a node starts with one, since it is slow to load. */
import { extension } from '../extension.ts';
import { StripeNotification } from './stripeNotification.ts';
import { stripeFaults, stripeVariables } from './stripeSettings.ts';
import { tokenSchedule } from './tokens/expireTokens.ts';
import { tokenOperations, tokenRoutes } from './tokens/tokenOperations.ts';

const CARD_RAIL = 'CARD_RAIL';
const SPT_RAIL = 'SPT_RAIL';
const REMEDY = 'set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET';

export const stripe = extension({
  name: 'stripe',
  settings: {
    variables: stripeVariables,
    secrets: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
    isConfigured: ({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET }) =>
      STRIPE_SECRET_KEY !== undefined && STRIPE_WEBHOOK_SECRET !== undefined,
    faults: stripeFaults,
    remedy: REMEDY,
  },
  rails: [CARD_RAIL, SPT_RAIL],
  notifications: {
    rail: CARD_RAIL,
    path: '/ap2/rails/stripe/events',
    name: 'stripeEvents',
    summary: 'Receives an event that Stripe has signed.',
    asks: 'Needs the header `Stripe-Signature`, made with the node’s STRIPE_WEBHOOK_SECRET at most 300 seconds ago.',
    signature: 'stripe-signature',
    body: StripeNotification,
    unconfigured: `Stripe is not configured on this node; ${REMEDY}.`,
  },
  operations: tokenOperations,
  routes: tokenRoutes,
  documents: async () => {
    const { Spt, SptOverview } = await import('../../../protocol/spt.ts');
    return { examples: (await import('./tokens/sptExamples.ts')).sptExamples, outputs: { Spt, SptOverview } };
  },
  // The sandbox makes tokens itself where no account is configured, and they end there too.
  schedules: [tokenSchedule],
  asksOthers: true,
  check: async (values) => (await import('./checkAccount.ts')).checkAccount(values),
  async start(kernel, values) {
    const { connectRails } = await import('./connectRails.ts');
    const { submissionSchedule } = await import('./submissionSchedule.ts');
    const rails = connectRails({ cards: CARD_RAIL, tokens: SPT_RAIL }, values, kernel);
    return { rails, schedules: [submissionSchedule] };
  },
});
