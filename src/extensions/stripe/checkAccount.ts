/** Asks Stripe whether it takes the key: at the start of a node, which finds out what the first purchase would, and for the doctor. */
import type { ServiceCheck } from '../extension.ts';
import type { StripeValues } from './stripeSettings.ts';

const PATIENCE_MS = 5000;

/** Asks for the balance, which changes nothing: any answer shows that Stripe is reachable, 401 that it refuses the key. */
export async function checkAccount({ STRIPE_API_BASE, STRIPE_SECRET_KEY }: StripeValues): Promise<ServiceCheck> {
  const base = STRIPE_API_BASE.replace(/\/+$/, '');
  try {
    const response = await fetch(`${base}/v1/balance`, {
      headers: { Authorization: `Bearer ${STRIPE_SECRET_KEY}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'manual',
    });
    await response.arrayBuffer();
    if (response.status !== 401) return { state: 'ok', message: `${base} answers.` };
    return {
      state: 'refused',
      setting: 'STRIPE_SECRET_KEY',
      message: `${base} refuses the key: it does not know it, or it was revoked.`,
      remedy: 'set STRIPE_SECRET_KEY to a key from https://dashboard.stripe.com/apikeys',
    };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : String(cause);
    return {
      state: 'unreachable',
      message: `${base} does not answer: ${reason}.`,
      remedy: `curl -sS ${base}/v1/balance`,
    };
  }
}
