/** The route of a rail's notifications: they carry no credential of this node; the rail's signature over the raw body vouches for them. */
import type { Context } from 'koa';
import { z } from 'zod';
import type { RailNotifications } from '../../rails/notice.ts';
import type { Gate } from '../shell/gate.ts';
import { meterOf } from '../shell/requestRecord.ts';
import type { OpenRoute } from './openRoute.ts';
import { answerJson } from './respond.ts';

const Received = z.object({ received: z.literal(true) });

export function railEventRoute(gate: Gate, notifications: RailNotifications): OpenRoute {
  const { rail, path, name, summary, asks, signature, body, unconfigured } = notifications;
  return {
    method: 'POST',
    path,
    name,
    summary,
    asks,
    body,
    answers: {
      200: { description: 'The event was recorded, now or before.', schema: Received, example: { received: true } },
    },
    errors: [400, 413, 429, 500, 503],
    vouched: true,
    async answer(context: Context) {
      const bytes = await gate.bodies.read(context.req, context.res);
      const signed = context.headers[signature]?.toString();
      meterOf(context).note(await gate.core.call('receiveRailEvent', { rail, unconfigured }, bytes, signed));
      answerJson(context, { received: true });
    },
  };
}
