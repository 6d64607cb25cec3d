/** The part of the environment that is about Stripe, and what can be wrong with it before Stripe is asked. */
import { z } from 'zod';
import { isLoopback } from '../../access/clientAddress.ts';
import { isLiveKey, type StripeSettings } from '../../rails/stripe/settings.ts';

export const StripeEnvironment = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(
      /^(sk|rk)_(test|live)_\w{4,}$/,
      'must be a secret or restricted key: sk_test_…, sk_live_…, rk_test_…, rk_live_…',
    )
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S{8,}$/, 'must be the signing secret of the webhook endpoint, whsec_…')
    .optional(),
  STRIPE_API_BASE: z
    .url({ protocol: /^https?$/, error: 'must be the https address of an API like Stripe’s (leave it out for Stripe)' })
    .optional(),
  STRIPE_SPT: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((text) => text === 'true')
    .optional(),
} as const;

interface Values {
  readonly AP2_ENV: 'sandbox' | 'production';
  readonly STRIPE_SECRET_KEY?: string | undefined;
  readonly STRIPE_WEBHOOK_SECRET?: string | undefined;
  readonly STRIPE_API_BASE?: string | undefined;
  readonly STRIPE_SPT?: boolean | undefined;
}

export interface StripeConfig extends Omit<StripeSettings, 'timeoutSeconds'> {
  readonly live: boolean;
  /** Whether the account may issue shared payment tokens. */
  readonly issuesTokens: boolean;
}

export function stripeOf(values: Values): StripeConfig | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = values;
  if (secretKey === undefined || webhookSecret === undefined) return undefined;
  return {
    secretKey,
    webhookSecret,
    apiBase: values.STRIPE_API_BASE,
    live: isLiveKey(secretKey),
    issuesTokens: values.STRIPE_SPT ?? false,
  };
}

/** One line a fault, naming variable and remedy; the secrets themselves are never shown. */
export function stripeFaults(values: Values): string[] {
  const { AP2_ENV: environment, STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret } = values;
  const faults: string[] = [];
  if (key !== undefined && secret === undefined) {
    const remedy = 'set it to the signing secret of the endpoint for /ap2/rails/stripe/events';
    faults.push(`STRIPE_WEBHOOK_SECRET=: is missing beside STRIPE_SECRET_KEY; ${remedy}`);
  }
  if (key === undefined && secret !== undefined) {
    faults.push('STRIPE_SECRET_KEY=: is missing beside STRIPE_WEBHOOK_SECRET; set both, or neither');
  }
  if (key === undefined && values.STRIPE_SPT === true) {
    faults.push('STRIPE_SPT=true: does nothing without STRIPE_SECRET_KEY; set it too, or leave STRIPE_SPT out');
  }
  if (key !== undefined && isLiveKey(key) && environment === 'sandbox') {
    const remedy = 'use a test key (sk_test_…), or AP2_ENV=production';
    faults.push(
      `STRIPE_SECRET_KEY=(hidden): is a live key, which moves real money, and this is the sandbox; ${remedy}`,
    );
  }
  if (key !== undefined && !isLiveKey(key) && environment === 'production') {
    const remedy = 'use a live key (sk_live_…), or AP2_ENV=sandbox';
    faults.push(`STRIPE_SECRET_KEY=(hidden): is a test key, which moves no money, and this is production; ${remedy}`);
  }
  const base = values.STRIPE_API_BASE;
  if (base?.startsWith('http:') && !(environment === 'sandbox' && isLoopback(base))) {
    const remedy = 'must begin with https: (http is for this machine, in the sandbox)';
    faults.push(`STRIPE_API_BASE=${JSON.stringify(base)}: ${remedy}`);
  }
  return faults;
}
