/** Messages of AP2 v0.1 as its Python models write them, and merchants that sign carts by JWT. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { canonical } from '../../protocol/credential/canonical.ts';
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { toBase64url, toHex } from '../../protocol/credential/encodings.ts';
import { type Loose, SHOP } from './world.ts';

/** The authorization that the samples of AP2 send: it looks like a JWT, and is not signed. */
export const SAMPLE_JWT = 'eyJhbGciOiJSUzI1NiIsImtpZIwMjQwOTA...';

export function intentMandate(changes: Loose = {}): Loose {
  return {
    user_cart_confirmation_required: true,
    natural_language_description: 'High top, old school, red basketball shoes',
    merchants: null,
    skus: null,
    requires_refundability: false,
    intent_expiry: new Date(Date.now() + 3_600_000).toISOString().replace('Z', '+00:00'),
    risk_payload: null,
    ...changes,
  };
}

export function item(label: string, value: number, changes: Loose = {}): Loose {
  return { label, amount: { currency: 'USD', value }, pending: null, refund_period: 30, ...changes };
}

let made = 0;

/** @param items by label and value, in dollars */
export function cartContents(items: readonly (readonly [string, number])[], total: number, changes: Loose = {}): Loose {
  made += 1;
  return {
    id: `cart_shoes_${made}`,
    user_cart_confirmation_required: false,
    payment_request: {
      method_data: [{ supported_methods: 'CARD', data: { payment_processor_url: 'http://localhost:8003/a2a' } }],
      details: {
        id: `order_${made}`,
        display_items: items.map(([label, value]) => item(label, value)),
        shipping_options: null,
        modifiers: null,
        total: item('Total', total),
      },
      options: {
        request_payer_name: false,
        request_payer_email: false,
        request_payer_phone: false,
        request_shipping: true,
        shipping_type: null,
      },
      shipping_address: null,
    },
    cart_expiry: new Date(Date.now() + 1_800_000).toISOString().replace('Z', '+00:00'),
    merchant_name: 'Shoe Shop',
    ...changes,
  };
}

export function paymentMandate(contents: Loose, changes: Loose = {}): Loose {
  const { details } = contents.payment_request;
  return {
    payment_mandate_contents: {
      payment_mandate_id: 'pm_of_the_agent',
      payment_details_id: details.id,
      payment_details_total: details.total,
      payment_response: {
        request_id: details.id,
        method_name: 'CARD',
        details: { token: 'pm_card_visa' },
        shipping_address: null,
        shipping_option: null,
        payer_name: null,
        payer_email: 'bugsbunny@gmail.com',
        payer_phone: null,
      },
      merchant_agent: 'Shoe Shop',
      timestamp: new Date().toISOString(),
      risk_payload: null,
      ...changes,
    },
    user_authorization: null,
  };
}

export type Algorithm = 'ES256' | 'ES384' | 'ES512' | 'EdDSA' | 'RS256';

export interface Ap2Merchant {
  /** The public key with its kid. */
  readonly jwk: Loose;
  /** A cart mandate over contents; claims and header as a good merchant would write them, but for changes. */
  sign(contents: Loose, claims?: Loose, header?: Loose): Promise<Loose>;
}

export async function makeAp2Merchant(algorithm: Algorithm = 'ES256', domain = SHOP): Promise<Ap2Merchant> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const kid = `${algorithm}-key`;
  const jwk = { ...(await exportJWK(publicKey)), kid };
  return {
    jwk,
    async sign(contents, claims = {}, header = {}) {
      const iat = Math.floor(Date.now() / 1000);
      const payload = {
        iss: `https://${domain}`,
        sub: domain,
        aud: 'payment-processor',
        iat,
        exp: iat + 900,
        jti: crypto.randomUUID(),
        cart_hash: hashOf(contents),
        ...claims,
      };
      const jwt = new SignJWT(payload).setProtectedHeader({ alg: algorithm, kid, typ: 'JWT', ...header });
      return { contents, merchant_authorization: await jwt.sign(privateKey), risk_payload: null };
    },
  };
}

export function hashOf(contents: Loose): string {
  return toBase64url(nobleSuite.sha256(canonical(contents)));
}

export function hexHashOf(contents: Loose): string {
  return toHex(nobleSuite.sha256(canonical(contents)));
}

/** A JWT of these parts, with a signature of the caller's making. */
export function jwtOf(header: Loose, payload: Loose, signature = ''): string {
  const part = (value: Loose) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(payload)}.${signature}`;
}
