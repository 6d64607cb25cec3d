/** What is needed to talk to Stripe, and the shape of what it posts. Nothing here loads the package, which is slow to load. */
import { z } from 'zod';

export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Used instead of https://api.stripe.com, in tests. */
  readonly apiBase: string | undefined;
  readonly timeoutSeconds: number;
}

/** Live keys move money; all others are test keys. */
export function isLiveKey(secretKey: string): boolean {
  return /^(sk|rk)_live_/.test(secretKey);
}

/** Events of the API, and the short form of a token's use, which has no envelope. */
export const StripeNotification = z.object({
  id: z.string().optional(),
  type: z.string(),
  created: z.int().nonnegative().optional(),
  livemode: z.boolean().optional(),
  account: z.string().nullish().describe('The connected account that it is of; such events change nothing here.'),
  data: z.record(z.string(), z.unknown()),
});
