/** The double's shared payment tokens, as its account issues them. */
import { type Form, formOf } from './form.ts';
import type { Told } from './intents.ts';
import { invalid, Refusal } from './refusal.ts';

export interface IssuedToken {
  readonly id: string;
  readonly created: number;
  readonly payment_method: string;
  readonly seller_details: Form;
  readonly usage_limits: { readonly currency: string; readonly max_amount: number; readonly expires_at: number };
  status: 'active' | 'deactivated';
  deactivated_reason: string | null;
}

export function tokenStore(newId: (prefix: string) => string, tell: Told) {
  const tokens = new Map<string, IssuedToken>();
  const double = {
    tokens,
    /** False for an account that Stripe has not let in. */
    enabled: true,
    create(form: Form): IssuedToken {
      require();
      const limits = formOf(form.usage_limits);
      const token: IssuedToken = {
        id: newId('spt_1'),
        created: Math.floor(Date.now() / 1000),
        payment_method: String(form.payment_method),
        seller_details: formOf(form.seller_details),
        usage_limits: {
          currency: String(limits.currency),
          max_amount: Number(limits.max_amount),
          expires_at: Number(limits.expires_at),
        },
        status: 'active',
        deactivated_reason: null,
      };
      tokens.set(token.id, token);
      return token;
    },
    deactivate(id: string, reason: string): IssuedToken {
      require();
      const token = tokens.get(id);
      if (token === undefined) throw invalid('resource_missing', `No such token: '${id}'`);
      if (token.status !== 'active') throw invalid('token_already_used', 'This token is not active.');
      token.status = 'deactivated';
      token.deactivated_reason = reason;
      tell('shared_payment.issued_token.deactivated', showToken(token));
      return token;
    },
    /** The seller makes a payment with it: two events, of the use and of the end. */
    use(id: string, paymentIntent: string): void {
      const token = tokens.get(id);
      if (token === undefined) throw new Error(`no token ${id}`);
      tell('shared_payment.issued_token.used', { ...showToken(token), payment_intent: paymentIntent });
      double.deactivate(id, 'consumed');
    },
  };
  return double;

  function require(): void {
    if (double.enabled) return;
    const message = 'Unrecognized request URL (POST: /v1/shared_payment/issued_tokens).';
    throw new Refusal(404, { type: 'invalid_request_error', message });
  }
}

export function showToken(token: IssuedToken): object {
  return { ...token, object: 'shared_payment.issued_token', livemode: false };
}
