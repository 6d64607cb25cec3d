/** The client for Stripe: API version pinned, telemetry off, retries and time limits our own. */
import Stripe from 'stripe';
import type { StripeSettings } from './settings.ts';

/** The API version that the installed package is written for; a test compares the two. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

/**
 * Retries are ours, so that they are counted and survive a restart. The package still repeats a request once when the
 * connection was closed, with the same bytes and idempotency key, which is harmless.
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

type StripeCheck = { readonly kind: 'ok' } | { readonly kind: 'refused' | 'unreachable'; readonly reason: string };

/** Asks Stripe whether the key is valid. One that may not read the balance is: restricted keys often may not. */
export async function checkStripe(stripe: Stripe): Promise<StripeCheck> {
  try {
    await stripe.balance.retrieve();
    return { kind: 'ok' };
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return { kind: 'ok' };
    if (error instanceof Stripe.errors.StripeAuthenticationError) {
      return { kind: 'refused', reason: 'Stripe does not know it, or it was revoked' };
    }
    const cause = error instanceof Stripe.errors.StripeConnectionError ? error.detail : error;
    return { kind: 'unreachable', reason: cause instanceof Error ? cause.message : String(cause) };
  }
}
