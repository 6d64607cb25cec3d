/** What Stripe's extension reads of the environment, and what can be wrong with it before Stripe is asked. */
import { z } from 'zod';
import { isLoopback } from '../../access/clientAddress.ts';

export const stripeVariables = {
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
    .default('https://api.stripe.com'),
  STRIPE_SPT: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((text) => text === 'true')
    .default(false),
} as const;

export type StripeValues = z.output<z.ZodObject<typeof stripeVariables>> & {
  readonly AP2_ENV: 'sandbox' | 'production';
};

/** Live keys move money; all others are test keys. */
export function isLiveKey(secretKey: string): boolean {
  return /^(sk|rk)_live_/.test(secretKey);
}

/** One line a fault, naming variable and remedy; the secrets themselves are never shown. */
export function stripeFaults(values: StripeValues): string[] {
  const { AP2_ENV: environment, STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret } = values;
  const faults: string[] = [];
  if (key !== undefined && secret === undefined) {
    const remedy = 'set it to the signing secret of the endpoint for /ap2/rails/stripe/events';
    faults.push(`STRIPE_WEBHOOK_SECRET=: is missing beside STRIPE_SECRET_KEY; ${remedy}`);
  }
  if (key === undefined && secret !== undefined) {
    faults.push('STRIPE_SECRET_KEY=: is missing beside STRIPE_WEBHOOK_SECRET; set both, or neither');
  }
  if (key === undefined && values.STRIPE_SPT) {
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
  if (base.startsWith('http:') && !(environment === 'sandbox' && isLoopback(base))) {
    const remedy = 'must begin with https: (http is for this machine, in the sandbox)';
    faults.push(`STRIPE_API_BASE=${JSON.stringify(base)}: ${remedy}`);
  }
  return faults;
}
