/** The double's shared payment tokens, as its account issues them: a merchant takes money with one, at once or in parts, until it ends. */
import { type Form, formOf } from './form.ts';
import type { Told } from './intents.ts';
import { invalid, Refusal } from './refusal.ts';

type End = 'consumed' | 'expired' | 'resolved' | 'revoked';

export interface IssuedToken {
  readonly id: string;
  readonly created: number;
  readonly payment_method: string;
  readonly seller_details: Form;
  readonly usage_limits: { readonly currency: string; readonly max_amount: number; readonly expires_at: number };
  status: 'active' | 'deactivated' | 'requires_action';
  deactivated_reason: End | null;
  next_action: { readonly type: string } | null;
  usage_details: { amount_captured: { value: number; readonly currency: string } };
}

/** What a bank says of these cards when a token is made. */
const ASKS_CUSTOMER = 'pm_card_authenticationRequired';
const DECLINED = 'pm_card_visa_chargeDeclined';

export function tokenStore(newId: (prefix: string) => string, tell: Told) {
  const tokens = new Map<string, IssuedToken>();
  const double = {
    tokens,
    /** False for an account that Stripe has not let in. */
    enabled: true,
    /** How far it is ahead of this machine's clock. */
    aheadMs: 0,
    create(form: Form): IssuedToken {
      require();
      const limits = formOf(form.usage_limits);
      const card = String(form.payment_method);
      const ends = Number(limits.expires_at);
      if (ends <= seconds()) throw invalid('parameter_invalid_integer', 'The token must end in the future.');
      if (card === DECLINED) {
        throw new Refusal(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' });
      }
      const asks = card === ASKS_CUSTOMER;
      const token: IssuedToken = {
        id: newId('spt_1'),
        created: seconds(),
        payment_method: card,
        seller_details: formOf(form.seller_details),
        usage_limits: { currency: String(limits.currency), max_amount: Number(limits.max_amount), expires_at: ends },
        status: asks ? 'requires_action' : 'active',
        deactivated_reason: null,
        next_action: asks ? { type: 'use_stripe_sdk' } : null,
        usage_details: { amount_captured: { value: 0, currency: String(limits.currency) } },
      };
      tokens.set(token.id, token);
      return token;
    },
    /** As it stands now: one that has run out is deactivated. */
    find(id: string): IssuedToken {
      require();
      const token = tokens.get(id);
      if (token === undefined) throw invalid('resource_missing', `No such token: '${id}'`);
      if (token.status !== 'deactivated' && token.usage_limits.expires_at <= seconds()) end(token, 'expired');
      return token;
    },
    deactivate(id: string, reason: End): IssuedToken {
      const token = double.find(id);
      if (token.status === 'deactivated') throw invalid('token_already_used', 'This token is not active.');
      return end(token, reason);
    },
    /** The seller takes money with it; where that is all of it, the token ends. */
    take(id: string, paymentIntent: string, amount: number, currency: string): void {
      const token = double.find(id);
      const { usage_limits: limits, usage_details: usage } = token;
      if (token.status !== 'active') throw invalid('token_already_used', 'This token is not active.');
      if (currency !== limits.currency) throw invalid('currency_mismatch', `This token is in ${limits.currency}.`);
      const taken = usage.amount_captured.value + amount;
      if (taken > limits.max_amount) throw invalid('amount_too_large', 'The amount is above what the token allows.');
      usage.amount_captured.value = taken;
      tell('shared_payment.issued_token.used', { ...showToken(token), payment_intent: paymentIntent });
      if (taken === limits.max_amount) end(token, 'consumed');
    },
    /** The seller takes all of it: two events, of the use and of the end. */
    use(id: string, paymentIntent: string): void {
      const { max_amount, currency } = double.find(id).usage_limits;
      double.take(id, paymentIntent, max_amount, currency);
    },
    /** What merchants have taken, with all tokens. */
    taken: (): number => [...tokens.values()].reduce((sum, one) => sum + one.usage_details.amount_captured.value, 0),
  };
  return double;

  function seconds(): number {
    return Math.floor((Date.now() + double.aheadMs) / 1000);
  }

  function end(token: IssuedToken, reason: End): IssuedToken {
    token.status = 'deactivated';
    token.deactivated_reason = reason;
    tell('shared_payment.issued_token.deactivated', showToken(token));
    return token;
  }

  function require(): void {
    if (double.enabled) return;
    const message = 'Unrecognized request URL (POST: /v1/shared_payment/issued_tokens).';
    throw new Refusal(404, { type: 'invalid_request_error', message });
  }
}

export function showToken(token: IssuedToken): object {
  return { ...token, object: 'shared_payment.issued_token', livemode: false };
}
