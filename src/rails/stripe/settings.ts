/** What it takes to talk to Stripe. Nothing here loads the package, which takes its time. */
export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Another address than https://api.stripe.com, for tests. */
  readonly apiBase: string | undefined;
  readonly timeoutSeconds: number;
}

/** Live keys move money; everything else is a test. */
export function isLiveKey(secretKey: string): boolean {
  return /^(sk|rk)_live_/.test(secretKey);
}
