/** The rails of a Stripe account: cards, with its events and tokens, and the tokens that merchants are paid with by HTTP. */
import { Fault } from '../../../protocol/wire/fault.ts';
import { findKeptOutcome } from '../../domain/payments/keptOutcome.ts';
import type { Rail } from '../../rails/rail.ts';
import { tokenDouble } from '../../rails/tokenDouble.ts';
import type { TokenIssuer } from '../../rails/tokenIssuer.ts';
import type { Kernel } from '../../usecase/deps.ts';
import { connectStripe } from './connectStripe.ts';
import { stripeTokenRail } from './sharedTokenRail.ts';
import { stripeEvents } from './stripeEvents.ts';
import { stripeRail } from './stripeRail.ts';
import { isLiveKey, type StripeValues } from './stripeSettings.ts';
import { stripeTokens } from './stripeTokens.ts';

interface ConnectedRails {
  readonly cards: string;
  readonly tokens: string;
}

/** @param ids of its rails */
export function connectRails(ids: ConnectedRails, values: StripeValues, kernel: Kernel): readonly Rail[] {
  const { STRIPE_SECRET_KEY: secretKey = '', STRIPE_WEBHOOK_SECRET: webhookSecret = '' } = values;
  const live = isLiveKey(secretKey);
  const { timeoutSeconds } = kernel.settings.rail;
  const stripe = connectStripe({ secretKey, apiBase: values.STRIPE_API_BASE, timeoutSeconds });
  const tokens = values.STRIPE_SPT ? stripeTokens(stripe, live) : noTokens(values);
  const cards: Rail = { ...stripeRail(ids.cards, stripe, live), events: stripeEvents(webhookSecret, live), tokens };
  if (values.STRIPE_SPT) return [cards, stripeTokenRail(ids.tokens, stripe, live)];
  if (values.AP2_ENV !== 'sandbox') return [cards];
  const kept = (key: string) => findKeptOutcome(kernel.store, key);
  return [cards, tokenDouble(ids.tokens, kernel.newToken, kept)];
}

/** The sandbox issues tokens of its own; where money moves, an account that may issue none says what to do. */
function noTokens({ AP2_ENV }: StripeValues): TokenIssuer | undefined {
  if (AP2_ENV === 'sandbox') return undefined;
  const refuse = async () => {
    const remedy = 'set STRIPE_SPT=true once Stripe has enabled them for the account';
    throw new Fault(
      'UNAVAILABLE',
      `This node cannot issue shared payment tokens, nor revoke them at Stripe; ${remedy}.`,
    );
  };
  return { issue: refuse, revoke: refuse };
}
