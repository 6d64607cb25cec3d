/**
 * Shared payment tokens (SPT) issued by Stripe (https://docs.stripe.com/api/shared-payment/issued-token). The package
 * does not have them yet and an account needs access to the preview, so requests name the path and preview version.
 */
import Stripe from 'stripe';
import { toStripeAmount } from '../../../protocol/mpp/stripeAmount.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { TokenIssuer } from '../../rails/tokenIssuer.ts';
import { under } from './stripeRequests.ts';

/** The preview version with issued tokens. */
const SPT_API_VERSION = '2026-04-22.preview';
const PATH = '/v1/shared_payment/issued_tokens';
const TEST_CARD = 'pm_card_visa';

export function stripeTokens(stripe: Stripe, live: boolean): TokenIssuer {
  return {
    async issue(order) {
      const converted = toStripeAmount(order.amountMinor, order.currency);
      if ('refused' in converted) throw new Fault('BAD_REQUEST', converted.refused);
      const card = order.instrument ?? (live ? undefined : TEST_CARD);
      if (card === undefined) {
        throw new Fault(
          'CONFLICT',
          'No payment method is registered for the mandate’s agent, nor for whose money it is.',
        );
      }
      if (order.merchantProfile === undefined) {
        const remedy = 'bind the merchant with its railProfileId first';
        throw new Fault('CONFLICT', `The Stripe profile of ${order.merchantDomain} is not known; ${remedy}.`);
      }
      const token = await ask(
        stripe,
        '',
        {
          payment_method: card,
          seller_details: { network_business_profile: order.merchantProfile, external_id: order.merchantDomain },
          usage_limits: {
            currency: order.currency.toLowerCase(),
            max_amount: converted.amount,
            expires_at: Math.ceil(order.expiresAt / 1000),
          },
          shared_metadata: { token: order.id },
        },
        order.id,
      );
      return token.id;
    },
    async revoke(railTokenId) {
      await ask(stripe, `/${encodeURIComponent(railTokenId)}/revoke`, {}, `${railTokenId}:revoke`);
    },
  };
}

/**
 * Asks Stripe about tokens.
 * @param path below that of tokens @param idempotencyKey of what changes something
 * @throws what the package throws
 */
export function askForTokens(
  stripe: Stripe,
  method: 'GET' | 'POST',
  path: string,
  params: Record<string, unknown> = {},
  idempotencyKey?: string,
): Promise<unknown> {
  const key = idempotencyKey === undefined ? {} : under(idempotencyKey);
  const options = { ...key, additionalHeaders: { 'Stripe-Version': SPT_API_VERSION } };
  return stripe.rawRequest(method, PATH + path, method === 'GET' ? undefined : params, options);
}

async function ask(
  stripe: Stripe,
  path: string,
  params: Record<string, unknown>,
  idempotencyKey: string,
): Promise<{ readonly id: string }> {
  try {
    const answer = (await askForTokens(stripe, 'POST', path, params, idempotencyKey)) as { readonly id?: unknown };
    if (typeof answer.id !== 'string') throw new Fault('UNAVAILABLE', 'Stripe’s answer names no token.');
    return { id: answer.id };
  } catch (error) {
    throw faultOf(error);
  }
}

function faultOf(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { statusCode, code, message } = error;
  const unknownPath = statusCode === 404 && code !== 'resource_missing';
  if (unknownPath || statusCode === 401 || statusCode === 403) {
    return new Fault(
      'UNAVAILABLE',
      'This Stripe account may not issue shared payment tokens; ask Stripe for access, or unset STRIPE_SPT.',
    );
  }
  if (statusCode === undefined || statusCode >= 500 || statusCode === 409 || statusCode === 429) {
    return new Fault('UNAVAILABLE', 'Stripe gave no answer; no token was handed out. Try again.');
  }
  return new Fault('CONFLICT', `Stripe refused: ${message}`);
}
