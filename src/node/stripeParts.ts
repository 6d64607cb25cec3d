/** What a node gets from its Stripe account: the card rail, its notifications, its tokens. */

import type { RailEvents } from '../rails/notice.ts';
import type { Rail } from '../rails/rail.ts';
import { checkStripe, connectStripe } from '../rails/stripe/connectStripe.ts';
import { stripeEvents } from '../rails/stripe/stripeEvents.ts';
import { stripeRail } from '../rails/stripe/stripeRail.ts';
import { stripeTokens } from '../rails/stripe/stripeTokens.ts';
import type { TokenIssuer } from '../rails/tokenIssuer.ts';
import { ConfigError } from './config/config.ts';
import type { StripeConfig } from './config/stripeConfig.ts';

export interface StripeParts {
  readonly rail: Rail;
  readonly events: RailEvents;
  readonly tokens: TokenIssuer | undefined;
}

export function stripeParts(railId: string, config: StripeConfig, timeoutSeconds: number): StripeParts {
  const stripe = connectStripe({ ...config, timeoutSeconds });
  return {
    rail: stripeRail(railId, stripe, config.live),
    events: stripeEvents(config.webhookSecret, config.live),
    tokens: config.issuesTokens ? stripeTokens(stripe, config.live) : undefined,
  };
}

const CHECK_SECONDS = 5;

/**
 * Finds out at start what the first purchase would find out. An API that cannot be reached is no reason not to
 * start: what comes meanwhile waits for it.
 * @throws ConfigError for a key that Stripe refuses
 */
export async function checkStripeKey(
  config: StripeConfig,
  warn: (event: string, facts: Record<string, unknown>) => void,
): Promise<void> {
  const check = await checkStripe(connectStripe({ ...config, timeoutSeconds: CHECK_SECONDS }));
  if (check.kind === 'refused') {
    throw new ConfigError(`STRIPE_SECRET_KEY=(hidden): ${check.reason}; copy it anew from the Stripe dashboard`);
  }
  if (check.kind === 'unreachable') {
    const address = config.apiBase ?? 'https://api.stripe.com';
    const consequence = 'Payments stay UNKNOWN until it can be; check the network, a proxy, and STRIPE_API_BASE.';
    warn('stripe.unreachable', { address, reason: check.reason, consequence });
  }
}
