/**
 * A business of the Universal Commerce Protocol as its text has it, by `jose` alone: it signs checkouts, and verifies what a
 * platform completes them with.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import {
  CompactSign,
  compactVerify,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import type { Loose } from './world.ts';

export interface Business {
  readonly domain: string;
  readonly jwk: JWK;
  /** A checkout that can be paid, signed. @param more replaces members before it is signed */
  checkout(more?: Loose): Promise<Loose>;
  /** The same with a signature over it. */
  sign(checkout: Loose, header?: Loose): Promise<Loose>;
  /** The JWT of AP2 over a whole checkout. */
  jwtOf(checkout: Loose): Promise<string>;
}

let checkouts = 0;

export async function ucpBusiness(domain: string, kid = 'business_2026', alg = 'ES256'): Promise<Business> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
  const sign = async (checkout: Loose, header: Loose = {}) => {
    const { ap2: _ap2, ...signed } = checkout;
    const payload = new TextEncoder().encode(canonicalize(signed));
    const jws = await new CompactSign(payload).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);
    const [head, , tail] = jws.split('.');
    return { ...signed, ap2: { merchant_authorization: `${head}..${tail}` } };
  };
  return {
    domain,
    jwk,
    sign,
    checkout: (more = {}) => {
      checkouts += 1;
      return sign({ ...offer(`chk_${domain}_${checkouts}`), ...more });
    },
    jwtOf: (checkout) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(checkout)))
        .setProtectedHeader({ alg, kid })
        .sign(privateKey),
  };
}

/** Two widgets, a tax and shipping: 54.00 USD and 4.50. */
function offer(id: string): Loose {
  return {
    ucp: {
      version: '2026-08-25',
      capabilities: { 'dev.ucp.shopping.checkout': [{ version: '2026-08-25' }] },
      payment_handlers: {},
    },
    id,
    status: 'ready_for_complete',
    currency: 'USD',
    line_items: [
      {
        id: 'li_1',
        item: { id: 'item_123', title: 'Widget', price: 2500 },
        quantity: 2,
        totals: [
          { type: 'subtotal', amount: 5000 },
          { type: 'total', amount: 5000 },
        ],
      },
    ],
    totals: [
      { type: 'subtotal', display_text: 'Subtotal', amount: 5000 },
      { type: 'fulfillment', display_text: 'Shipping', amount: 450 },
      { type: 'tax', amount: 400 },
      { type: 'total', amount: 5850 },
    ],
    links: [{ type: 'terms_of_service', url: 'https://shop.example/terms' }],
    'com.example.gift': { wrap: true },
  };
}

/** What a chain says, with every disclosure put in; each hop is verified. @param root the platform's key */
export async function readChain(chain: string, root: JWK, expected: { readonly aud: string; readonly nonce?: string }) {
  const hops = chain.split('~~').map((hop, at, all) => (at === all.length - 1 ? hop : `${hop}~`));
  let key = root;
  let content: Loose = {};
  for (const [at, hop] of hops.entries()) {
    const [jwt = '', ...disclosures] = hop.slice(0, -1).split('~');
    const { payload } = await compactVerify(jwt, await importJWK(key, 'ES256'), { algorithms: ['ES256'] });
    const claims = JSON.parse(new TextDecoder().decode(payload));
    const byDigest = new Map(
      disclosures.map((each) => [digest(each), JSON.parse(Buffer.from(each, 'base64url').toString())]),
    );
    [content] = claims.delegate_payload.map((each: Loose) => disclosed(byDigest.get(each['...'])[1], byDigest));
    if (at > 0) {
      if (claims.sd_hash !== digest(String(hops[at - 1]))) throw new Error('The hop is bound to another one.');
      if (claims.aud !== expected.aud) throw new Error('The mandate is for another audience.');
      if (expected.nonce !== undefined && claims.nonce !== expected.nonce) throw new Error('Its nonce is another one.');
    }
    if (content['exp'] < Date.now() / 1000) throw new Error('The mandate has expired.');
    key = content['cnf']?.jwk;
  }
  return content;
}

function disclosed(value: Loose, byDigest: ReadonlyMap<string, Loose>): Loose {
  const { _sd = [], ...plain } = value;
  for (const each of _sd) {
    const [, name, inner] = byDigest.get(each) as Loose;
    plain[name] = inner;
  }
  return plain;
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** @returns the checkout that a mandate holds, once the business has found its own signature in it */
export async function ownCheckout(mandate: Loose, own: JWK): Promise<Loose> {
  const jwt = String(mandate['checkout_jwt']);
  if (digest(jwt) !== mandate['checkout_hash']) throw new Error('The checkout_hash is that of another checkout.');
  const checkout = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
  const { ap2, ...signed } = checkout;
  const [head, , tail] = ap2.merchant_authorization.split('.');
  if (decodeProtectedHeader(`${head}..${tail}`).kid !== own.kid) throw new Error('It is by no key of this business.');
  const content = Buffer.from(String(canonicalize(signed))).toString('base64url');
  await compactVerify(`${head}.${content}.${tail}`, await importJWK(own, 'ES256'), { algorithms: ['ES256'] });
  return checkout;
}
