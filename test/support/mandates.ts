/** Chains of payment mandates as agents present them to a node: signed for the moment, by keys of node:crypto. */
import { createHash, randomBytes, sign } from 'node:crypto';
import { bindingTo, joinChain, mintSdJwt, selective } from '../../protocol/sdjwt/mint.ts';
import { makeP256, type P256Key } from './p256.ts';
import type { Loose } from './world.ts';

export const PAYEE = { id: 'merchant_1', name: 'Demo Merchant', website: 'https://shop.example' };

/** A card that the sandbox's rail knows by its name. */
export const CARD = 'pm_card_visa';

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
const salt = () => randomBytes(16).toString('base64url');
const signerOf = (key: P256Key, x5c?: readonly string[]) => ({
  ...(x5c && { x5c }),
  sign: (content: Uint8Array) => sign('sha256', content, { key: key.privateKey, dsaEncoding: 'ieee-p1363' }),
});

/** A checkout JWT of its own each time, which nothing has signed. */
export function checkoutJwt(lines: readonly Loose[] = []): string {
  return `${unsignedJwt({ line_items: lines })}.c2lnbmF0dXJl`;
}

/** A checkout JWT that a merchant has signed. @param more claims */
export function signedCheckoutJwt(key: P256Key, lines: readonly Loose[], more: object = {}): string {
  const content = unsignedJwt({ line_items: lines, ...more });
  return `${content}.${Buffer.from(signerOf(key).sign(Buffer.from(content))).toString('base64url')}`;
}

function unsignedJwt(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'ES256' })}.${part({ id: salt(), merchant: PAYEE, ...claims })}`;
}

/** A line of a checkout, in minor units. */
export function lineOf(title: string, price: number, quantity = 1): Loose {
  return { id: `line of ${title}`, item: { id: title, title, price }, quantity };
}

export interface ClosedOptions {
  readonly checkout?: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly payee?: object;
  readonly instrument?: string;
  readonly nonce?: string;
  readonly aud?: string;
  readonly more?: object;
}

/** A provider and an agent: the one signs open mandates, the other closed ones. */
export class MandateParties {
  readonly provider = makeP256();
  readonly agent = makeP256();

  readonly now: () => number;
  /** Of the provider's key, as its mandates carry them. */
  certificates: readonly string[] | undefined;

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.now = now;
  }

  /** An open mandate, signed by the provider. @param lasts seconds; null for one that never ends @param more members */
  open(constraints: readonly object[] = [], lasts: number | null = 3600, more: object = {}): string {
    return mintSdJwt({
      typ: 'example+sd-jwt',
      payload: { delegate_payload: [selective(this.#open(constraints, lasts, more))] },
      signer: signerOf(this.provider, this.certificates),
      salt,
    });
  }

  /** An open mandate that the agent delegates further, to its own key. */
  delegate(open: string, constraints: readonly object[] = [], lasts: number | null = 3600): string {
    const claims = { ...this.#claims({}), ...bindingTo(open.split('~~').at(-1) ?? '', 'sd_hash') };
    const payload = { delegate_payload: [selective(this.#open(constraints, lasts))], ...claims };
    const hop = mintSdJwt({ typ: 'kb+sd-jwt+kb', payload, signer: signerOf(this.agent), salt });
    return joinChain([open, hop]);
  }

  #open(constraints: readonly object[], lasts: number | null, more: object = {}): object {
    const iat = Math.floor(this.now() / 1000);
    const exp = lasts === null ? {} : { exp: iat + lasts };
    return { vct: 'mandate.payment.open.1', constraints, cnf: { jwk: this.agent.jwk }, iat, ...exp, ...more };
  }

  /** What `POST /ap2/payment-credentials` gets: the open mandate, closed for a checkout by the agent. */
  close(open: string, options: ClosedOptions = {}): Loose {
    const { checkout = checkoutJwt() } = options;
    const claims = { ...this.#claims(options), ...bindingTo(open.split('~~').at(-1) ?? '', 'sd_hash') };
    const payload = { delegate_payload: [selective(this.#closed(checkout, options))], ...claims };
    const leaf = mintSdJwt({ typ: 'kb+sd-jwt', payload, signer: signerOf(this.agent), salt });
    return { paymentMandate: joinChain([open, leaf]), nonce: claims.nonce, checkoutJwtHash: hashOf(checkout) };
  }

  /** A closed mandate that the provider signs itself, as a person's credential does. */
  direct(options: ClosedOptions = {}): Loose {
    const { checkout = checkoutJwt() } = options;
    const claims = this.#claims(options);
    const payload = { delegate_payload: [selective(this.#closed(checkout, options))], ...claims };
    const paymentMandate = mintSdJwt({
      typ: 'kb+sd-jwt',
      payload,
      signer: signerOf(this.provider, this.certificates),
      salt,
    });
    return { paymentMandate, nonce: claims.nonce, checkoutJwtHash: hashOf(checkout) };
  }

  /** A checkout mandate that the provider signs itself, beside the payment. */
  checkoutMandate(checkout: string): string {
    const mandate = { vct: 'mandate.checkout.1', checkout_jwt: checkout, checkout_hash: hashOf(checkout) };
    const payload = { delegate_payload: [selective(mandate)], ...this.#claims({}) };
    return mintSdJwt({ typ: 'kb+sd-jwt', payload, signer: signerOf(this.provider, this.certificates), salt });
  }

  #claims({ nonce = salt(), aud = 'credential-provider' }: ClosedOptions) {
    return { iat: Math.floor(this.now() / 1000), aud, nonce };
  }

  #closed(
    checkout: string,
    { amount = 2000, currency = 'USD', payee = PAYEE, instrument = CARD, more = {} }: ClosedOptions,
  ): object {
    return {
      vct: 'mandate.payment.1',
      transaction_id: hashOf(checkout),
      payee,
      payment_amount: { amount, currency },
      payment_instrument: { id: instrument, type: 'card' },
      exp: Math.floor(this.now() / 1000) + 600,
      ...more,
    };
  }
}

/** The order of the group of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The same token with the other form of its signature: (r, n − s) is valid where (r, s) is. */
export function otherSignature(token: string): string {
  const [jwt = '', ...disclosures] = token.split('~');
  const [head, body, tail = ''] = jwt.split('.');
  const bytes = Buffer.from(tail, 'base64url');
  const other = ORDER - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const signature = Buffer.concat([bytes.subarray(0, 32), Buffer.from(other.toString(16).padStart(64, '0'), 'hex')]);
  return [`${head}.${body}.${signature.toString('base64url')}`, ...disclosures].join('~');
}

/** The hash of the last JWT of a chain, which a receipt refers to. */
export function referenceOf(chain: string): string {
  return hashOf(String(chain.split('~~').at(-1)?.split('~')[0]));
}

/** Constraints of an open mandate for a budget in major units. */
export function budget(max: number, currency: string, frequency = 'ON_DEMAND', more: object = {}): object[] {
  return [
    { type: 'payment.amount_range', currency, max: 100_000_000 },
    { type: 'payment.budget', currency, max },
    { type: 'payment.agent_recurrence', frequency, ...more },
  ];
}
