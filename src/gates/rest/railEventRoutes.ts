/** The route of Stripe's notifications: they carry no credential of this node; Stripe's signature over the raw body vouches for them. */
import type { Context } from 'koa';
import { z } from 'zod';
import { StripeNotification } from '../../rails/stripe/settings.ts';
import type { Gate } from '../shell/gate.ts';
import { meterOf } from '../shell/requestRecord.ts';
import type { OpenRoute } from './openRoute.ts';
import { answerJson } from './respond.ts';

const Received = z.object({ received: z.literal(true) });

/** @param railId the rail that Stripe stands behind */
export function railEventRoutes(gate: Gate, railId: string): readonly OpenRoute[] {
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
        const body = await gate.bodies.read(context.req, context.res);
        const signature = context.headers['stripe-signature']?.toString();
        meterOf(context).note(await gate.core.call('receiveRailEvent', railId, body, signature));
        answerJson(context, { received: true });
      },
    },
  ];
}
