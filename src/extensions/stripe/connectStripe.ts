/** The client for Stripe: API version pinned, telemetry off, retries and time limits our own. */
import Stripe from 'stripe';

/** The API version that the installed package is written for; a test compares the two. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

interface StripeAccount {
  readonly secretKey: string;
  readonly apiBase: string;
  readonly timeoutSeconds: number;
}

/**
 * Retries are ours, so that they are counted and survive a restart. The package still repeats a request once when the
 * connection was closed, with the same bytes and idempotency key, which is harmless.
 */
export function connectStripe({ secretKey, apiBase, timeoutSeconds }: StripeAccount): Stripe {
  return new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    telemetry: false,
    maxNetworkRetries: 0,
    timeout: timeoutSeconds * 1000,
    ...addressOf(new URL(apiBase)),
  });
}

/** The package knows a host and no path, so a path before that of the API is put in where the request is sent. */
function addressOf({ hostname, port, protocol, pathname }: URL): Stripe.StripeConfig {
  const scheme = protocol === 'http:' ? 'http' : 'https';
  const host = { host: hostname, port: port || (scheme === 'http' ? 80 : 443), protocol: scheme } as const;
  const before = pathname.replace(/\/+$/, '');
  return before === '' ? host : { ...host, httpClient: sendingBelow(before, Stripe.createNodeHttpClient()) };
}

function sendingBelow(before: string, client: Stripe.HttpClient): Stripe.HttpClient {
  const { makeRequest } = client;
  client.makeRequest = (host, port, path, ...rest) => makeRequest.call(client, host, port, before + path, ...rest);
  return client;
}
