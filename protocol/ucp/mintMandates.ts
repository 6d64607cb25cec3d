/**
 * The two mandates that a platform of UCP sends with `complete_checkout` (AP2 Mandates extension): chains of AP2 v0.2, which the
 * node signs as the platform. Keys, salts, nonces and times are the caller's.
 */
import { z } from 'zod';
import { type Es256Signer, signEs256Jwt } from '../credential/es256Jwt.ts';
import { bindingTo, joinChain, mintSdJwt, selective } from '../sdjwt/mint.ts';
import { sdHash } from '../sdjwt/sdHash.ts';
import { issuedAtSeconds } from '../wire/time.ts';
import type { CheckoutDocument } from './checkout.ts';

const Audience = z.string().min(1).max(2000);

/** For whom the mandates of a payment are made; what is absent has a value of its own. */
export const MandateTerms = z.strictObject({
  audience: Audience.optional().describe('Who the checkout mandate is for; the domain of the business when absent.'),
  paymentAudience: Audience.optional().describe('Who the payment mandate is for; as `audience` when absent.'),
  nonce: z.string().min(1).max(500).optional().describe('The nonce of both, where the business gave one; else random.'),
});
export type MandateTerms = z.infer<typeof MandateTerms>;

/** With nothing left open. */
type FixedTerms = { readonly [Name in keyof MandateTerms]-?: string };

export const CheckoutMandates = z.object({
  checkoutMandate: z.string().describe('For `ap2.checkout_mandate`: a chain of SD-JWTs with the whole checkout in it.'),
  paymentMandate: z.string().describe('For `payment.instruments[*].credential.token`: a chain of SD-JWTs.'),
  nonce: z.string().describe('The nonce of both.'),
  expiresAt: z.string(),
});
export type CheckoutMandates = z.infer<typeof CheckoutMandates>;

/** How long mandates hold: the checkout is completed at once, and what is not completed then is paid by a new one. */
export const MANDATE_LIFE_MS = 15 * 60 * 1000;

/** What is paid. */
interface MandatedPayment {
  /** The id of the payment, by which the node knows the money that is held. */
  readonly id: string;
  readonly rail: string;
  /** The domain of the business. */
  readonly merchant: string;
  readonly amountMinor: number;
  readonly currency: string;
}

interface MintInput {
  readonly signer: Es256Signer & { readonly jwk: object };
  /** @returns a salt of at least 128 random bits, in base64url */
  salt(): string;
  readonly terms: FixedTerms;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly expiresAt: number;
}

interface MintedMandates extends Pick<CheckoutMandates, 'checkoutMandate' | 'paymentMandate'> {
  /** The hash of the checkout JWT in the one, and the transaction_id of the other. */
  readonly checkoutHash: string;
}

/**
 * @param checkout as the business signed it, with `ap2.merchant_authorization`
 * @param checkoutJwt the JWT over it that the business made itself; the platform's own where it made none
 */
export function mintMandates(
  checkout: CheckoutDocument,
  checkoutJwt: string | undefined,
  { id, rail, merchant, amountMinor, currency }: MandatedPayment,
  minting: MintInput,
): MintedMandates {
  const { terms, signer } = minting;
  const jwt = checkoutJwt ?? signEs256Jwt(signer, checkout);
  const checkoutHash = sdHash('sha-256', jwt);
  const payment = {
    transaction_id: checkoutHash,
    payee: { id: merchant, name: merchant, website: `https://${merchant}` },
    payment_amount: { amount: amountMinor, currency },
    payment_instrument: { id, type: rail },
  };
  const closed = { checkout_jwt: selective(jwt), checkout_hash: checkoutHash };
  return {
    checkoutMandate: mintChain('checkout', closed, terms.audience, minting),
    paymentMandate: mintChain('payment', payment, terms.paymentAudience, minting),
    checkoutHash,
  };
}

/** An open mandate that names the node's key, and the closed one by that key: the form that verifiers of AP2 know. */
function mintChain(kind: 'checkout' | 'payment', closed: object, aud: string, minting: MintInput): string {
  const { signer, salt, terms, now, expiresAt } = minting;
  const times = { iat: issuedAtSeconds(now), exp: Math.floor(expiresAt / 1000) };
  const key = { kid: signer.jwk.kid, sign: (content: Uint8Array) => signer.sign(content) };
  const mint = (typ: string, mandate: object, claims: object) =>
    mintSdJwt({
      typ,
      signer: key,
      salt,
      payload: { delegate_payload: [selective({ ...mandate, ...times })], ...claims },
    });
  const open = { vct: `mandate.${kind}.open.1`, constraints: [], cnf: { jwk: signer.jwk } };
  const first = mint('dc+sd-jwt', open, {});
  const presented = { iat: times.iat, aud, nonce: terms.nonce, ...bindingTo(first, 'sd_hash') };
  return joinChain([first, mint('kb+sd-jwt', { vct: `mandate.${kind}.1`, ...closed }, presented)]);
}
