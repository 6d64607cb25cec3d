/** The data parts that begin a task by mandates: AP2 v0.1, the chains of v0.2, and Verifiable Intent. */
import { z } from 'zod';
import type { Exchange, ExchangePart, PartContext } from '../a2a/exchangePart.ts';
import { anyObject } from '../wire/json.ts';
import type { Ap2CartRequest } from './ap2Request.ts';
import { Ap2About } from './intentMandate.ts';
import { PaymentCredentialRequest } from './paymentCredential.ts';

/** What stands beside mandates: who buys, for whom, and for how much. */
const ABOUT = 'countersign.about';
/** The chain of checkout mandates that may stand beside that of payment mandates. */
const CHECKOUT_CHAIN = 'ap2.mandates.CheckoutMandateSdJwt';

/** The members of what stands beside mandates; each exchange checks the values of its own. */
const AboutMembers = z.object(
  Object.fromEntries(
    [...Object.keys(Ap2About.shape), ...Object.keys(PaymentCredentialRequest.shape), 'intentId'].map((name) => [
      name,
      z.unknown().optional(),
    ]),
  ),
);

const beside = { [ABOUT]: AboutMembers, [CHECKOUT_CHAIN]: z.unknown() };

/** A mandate of AP2 v0.1, and what stands beside it. */
export interface MandateExchange extends Exchange {
  readonly kind: 'ap2';
  readonly name: 'ap2.mandates.IntentMandate' | 'ap2.mandates.CartMandate' | 'ap2.mandates.PaymentMandate';
  readonly mandate: Readonly<Record<string, unknown>>;
  readonly about: unknown;
}

/** A cart of AP2 v0.1, and the intent that it is for. */
export interface Ap2CartExchange extends Exchange {
  readonly kind: 'ap2Cart';
  readonly input: Ap2CartRequest;
}

/** A chain of mandates of AP2 v0.2, or the layers of Verifiable Intent. */
export interface ChainExchange extends Exchange {
  readonly kind: 'chain';
  readonly input: PaymentCredentialRequest;
}

export const mandateParts: readonly ExchangePart[] = [
  mandatePart('ap2.mandates.IntentMandate'),
  mandatePart('ap2.mandates.CartMandate'),
  mandatePart('ap2.mandates.PaymentMandate'),
  chainPart('ap2.mandates.PaymentMandateSdJwt', 'paymentMandate'),
  chainPart('countersign.verifiableIntent', 'verifiableIntent'),
];

function mandatePart(name: MandateExchange['name']): ExchangePart {
  return {
    name,
    beside,
    schema: (context) =>
      anyObject().transform((mandate): MandateExchange => ({ kind: 'ap2', name, mandate, about: aboutIn(context) })),
  };
}

/** @param member of the request for a payment credential, under which the part's value is asked */
function chainPart(name: string, member: 'paymentMandate' | 'verifiableIntent'): ExchangePart {
  return {
    name,
    beside,
    schema: (context) =>
      z
        .preprocess(
          (chain) => context.filled({ ...(aboutIn(context) as object | undefined), [member]: chain }),
          PaymentCredentialRequest,
        )
        .transform((input): ChainExchange => ({ kind: 'chain', input })),
  };
}

function aboutIn({ beside: members }: PartContext): unknown {
  const { [ABOUT]: about, [CHECKOUT_CHAIN]: checkoutMandate } = members;
  return checkoutMandate === undefined ? about : { ...(about as object | undefined), checkoutMandate };
}
