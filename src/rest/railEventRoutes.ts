/** The route of Stripe's notifications: they carry no credential of this node; Stripe's signature over the raw body vouches for them. */
import type { Context } from 'koa';
import { z } from 'zod';
import { Fault } from '../../protocol/wire/fault.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { handleRailEvent } from '../handlers/payments/handleRailEvent.ts';
import { StripeNotification } from '../rails/stripe/settings.ts';
import type { OpenRoute } from './openRoute.ts';

const Received = z.object({ received: z.literal(true) });

/** @param railId the rail that Stripe stands behind */
export function railEventRoutes(deps: Deps, railId: string): readonly OpenRoute[] {
  return [
    {
      method: 'POST',
      path: '/ap2/rails/stripe/events',
      name: 'stripeEvents',
      summary: 'Receives an event that Stripe has signed.',
      asks: 'Needs the header `Stripe-Signature`, made with the node’s STRIPE_WEBHOOK_SECRET at most 300 seconds ago.',
      body: StripeNotification,
      answers: {
        200: { description: 'The event was recorded, now or before.', schema: Received, example: { received: true } },
      },
      errors: [400, 413, 429, 500, 503],
      vouched: true,
      async answer(context: Context) {
        if (deps.stripeEvents === undefined) {
          const remedy = 'set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET';
          throw new Fault('UNAVAILABLE', `Stripe is not configured on this node; ${remedy}.`);
        }
        const body = await deps.bodies.read(context.req, context.res);
        const signature = context.headers['stripe-signature']?.toString();
        const event = deps.stripeEvents.read(body, signature, deps.clock());
        context.state.verdict = deps.limits.peek('rail stripe', 'enterprise', deps.clock());
        await handleRailEvent(deps, railId, event);
        context.body = { received: true };
      },
    },
  ];
}
