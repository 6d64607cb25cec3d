/** The rails of a node, from its configuration: Stripe behind the card rail, or in the sandbox one without money. */
import type { Logger } from 'pino';
import { type Rail, RailOutcome } from '../rails/rail.ts';
import { sandboxRail } from '../rails/sandbox/sandboxRail.ts';
import { findRailAttempt } from '../store/statements/purchases/railAttempts.ts';
import type { Store } from '../store/store.ts';
import type { Tracing } from '../usecase/tracing.ts';
import type { Config } from './config/config.ts';
import type { StripeParts } from './stripeParts.ts';
import { tracedRail } from './telemetry/tracedRail.ts';

const CARD_RAIL = 'CARD_RAIL';

/** Stripe's package is loaded only where it is used. @throws ConfigError for a key that Stripe refuses */
export async function connectStripe(config: Config, logger: Logger): Promise<StripeParts | undefined> {
  if (config.stripe === undefined) return undefined;
  const { checkStripeKey, stripeParts } = await import('./stripeParts.ts');
  await checkStripeKey(config.stripe, (event, facts) => logger.warn(facts, event));
  return stripeParts(CARD_RAIL, config.stripe, config.railTimeoutSeconds);
}

interface Parts {
  readonly stripe?: StripeParts | undefined;
  readonly tracing?: Tracing | undefined;
}

export function makeRails(config: Config, store: Store, { stripe, tracing }: Parts): ReadonlyMap<string, Rail> {
  const rail = stripe === undefined ? demoRail(config, store) : stripe.rail;
  if (rail === undefined) return new Map();
  return new Map([[CARD_RAIL, tracing === undefined ? rail : tracedRail(CARD_RAIL, rail, tracing)]]);
}

function demoRail(config: Config, store: Store): Rail | undefined {
  if (config.stripe !== undefined || config.environment !== 'sandbox') return undefined;
  return sandboxRail(CARD_RAIL, (attemptKey) => findKeptOutcome(store, attemptKey));
}

async function findKeptOutcome(store: Store, attemptKey: string): Promise<RailOutcome | undefined> {
  const outcome = (await store.read(() => findRailAttempt(attemptKey)))?.outcome ?? null;
  return outcome === null ? undefined : RailOutcome.parse(JSON.parse(outcome));
}
