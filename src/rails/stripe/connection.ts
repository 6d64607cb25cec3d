/** The connection to Stripe: the package with its version pinned, nothing reported home, and time-outs of our own. */
import Stripe from 'stripe';
import type { StripeSettings } from './settings.ts';

/** The API version that the installed package is written for; a test compares the two. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

/**
 * Retries are ours, so that they are counted and survive a restart. The package repeats a request once all the same
 * when the connection was closed; it repeats the very bytes under the same idempotency key, which is harmless.
 */
export function connectStripe({ secretKey, apiBase, timeoutSeconds }: StripeSettings): Stripe {
  return new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    telemetry: false,
    maxNetworkRetries: 0,
    timeout: timeoutSeconds * 1000,
    ...(apiBase === undefined ? {} : addressOf(new URL(apiBase))),
  });
}

function addressOf({ hostname, port, protocol }: URL) {
  const scheme = protocol === 'http:' ? 'http' : 'https';
  return { host: hostname, port: port || (scheme === 'http' ? 80 : 443), protocol: scheme } as const;
}
