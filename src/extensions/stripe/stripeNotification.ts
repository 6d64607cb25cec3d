/** What Stripe posts: events of the API, and the short form of a token's use, which has no envelope. */
import { z } from 'zod';

export const StripeNotification = z.object({
  id: z.string().optional(),
  type: z.string(),
  created: z.int().nonnegative().optional(),
  livemode: z.boolean().optional(),
  account: z.string().nullish().describe('The connected account that it is of; such events change nothing here.'),
  data: z.record(z.string(), z.unknown()),
});
