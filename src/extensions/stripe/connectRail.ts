/** The card rail on a Stripe account, with what else a node gets of it: its events and its tokens. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Rail } from '../../rails/rail.ts';
import type { TokenIssuer } from '../../rails/tokenIssuer.ts';
import { connectStripe } from './connectStripe.ts';
import { stripeEvents } from './stripeEvents.ts';
import { stripeRail } from './stripeRail.ts';
import { isLiveKey, type StripeValues } from './stripeSettings.ts';
import { stripeTokens } from './stripeTokens.ts';

export function connectRail(id: string, values: StripeValues, timeoutSeconds: number): Rail {
  const { STRIPE_SECRET_KEY: secretKey = '', STRIPE_WEBHOOK_SECRET: webhookSecret = '' } = values;
  const live = isLiveKey(secretKey);
  const stripe = connectStripe({ secretKey, apiBase: values.STRIPE_API_BASE, timeoutSeconds });
  const tokens = values.STRIPE_SPT ? stripeTokens(stripe, live) : noTokens(values);
  return { ...stripeRail(id, stripe, live), events: stripeEvents(webhookSecret, live), tokens };
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
