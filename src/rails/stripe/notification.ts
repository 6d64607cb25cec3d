/** The shape of what Stripe posts. Nothing here loads the package, which takes its time. */
import { z } from 'zod';

/** Events of the API, and the short form of a token's use, which has no envelope. */
export const StripeNotification = z.object({
  id: z.string().optional(),
  type: z.string(),
  livemode: z.boolean().optional(),
  data: z.record(z.string(), z.unknown()),
});
