/** Chains of mandates for tests: keys of node:crypto, fixed salts, and one purchase that all of them are about. */
import { createPublicKey, generateKeyPairSync, type JsonWebKey, sign, verify } from 'node:crypto';
import type { PublicJwk } from '../../../protocol/jwk/jwk.ts';
import type { Ap2Verifier } from '../../../protocol/sdjwt/ap2.ts';
import type { SignatureCheck } from '../../../protocol/sdjwt/hop.ts';
import { bindingTo, joinChain, mintSdJwt, selective, type TokenSigner } from '../../../protocol/sdjwt/mint.ts';
import { sdHash } from '../../../protocol/sdjwt/sdHash.ts';
import type { JsonObject } from '../../../protocol/sdjwt/sdJwt.ts';

export interface TestKey extends TokenSigner {
  readonly jwk: PublicJwk;
}

export function testKey(kid?: string): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  const named = kid === undefined ? {} : { kid };
  return {
    ...named,
    jwk: { kty, crv, x, y, ...named } as PublicJwk,
    sign: (content) => sign('sha256', content, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  };
}

/** As a node verifies. */
export const isSignedNatively: SignatureCheck = (jwk, content, signature) =>
  verify(
    'sha256',
    content,
    { key: createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    signature,
  );

export const AT = 1_795_280_966;
export const AUD = 'credential-provider';
export const NONCE = 'nonce-of-the-verifier';
export const SHOP = { id: 'merchant_1', name: 'Demo Merchant', website: 'https://shop.example.com' };

export const PROVIDER = testKey('agent-provider-key-1');
export const AGENT = testKey('agent-key-1');
export const OTHER_AGENT = testKey('agent-key-2');
/** Another key of the same name. */
export const STRANGER = testKey('agent-provider-key-1');

let salts = 0;
export function salt(): string {
  salts += 1;
  return `salt-of-test-number-${salts}`;
}

export const CHECKOUT_JWT = checkoutJwt([{ id: 'shoes', quantity: 1 }]);

/** Of a merchant whose signature is not looked at. */
export function checkoutJwt(
  lines: readonly { readonly id: string; readonly quantity: number }[],
  merchant: object = SHOP,
) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const line_items = lines.map(({ id, quantity }, index) => ({ id: `li_${index}`, item: { id }, quantity }));
  return `${part({ alg: 'ES256' })}.${part({ id: salt(), merchant, line_items })}.c2lnbmF0dXJl`;
}

export const PAYMENT = {
  vct: 'mandate.payment.1',
  transaction_id: sdHash('sha-256', CHECKOUT_JWT),
  payee: SHOP,
  payment_amount: { amount: 5000, currency: 'USD' },
  payment_instrument: { id: 'card-1', type: 'card', description: 'Card ····4242' },
};

export function openPayment(
  constraints: readonly unknown[],
  agent: TestKey = AGENT,
  more: JsonObject = {},
): JsonObject {
  return { vct: 'mandate.payment.open.1', constraints, cnf: { jwk: agent.jwk }, iat: AT, exp: AT + 3600, ...more };
}

export function openCheckout(constraints: readonly unknown[], agent: TestKey = AGENT): JsonObject {
  return { vct: 'mandate.checkout.open.1', constraints, cnf: { jwk: agent.jwk }, iat: AT, exp: AT + 3600 };
}

export function closedCheckout(jwt: string, more: JsonObject = {}): JsonObject {
  return { vct: 'mandate.checkout.1', checkout_jwt: selective(jwt), checkout_hash: sdHash('sha-256', jwt), ...more };
}

export function root(mandate: unknown, more: { signer?: TestKey; payload?: JsonObject; typ?: string } = {}): string {
  const payload = { delegate_payload: [selective(mandate)], ...more.payload };
  return mintSdJwt({ typ: more.typ ?? 'example+sd-jwt', payload, signer: more.signer ?? PROVIDER, salt });
}

interface HopOptions {
  readonly signer?: TestKey;
  readonly typ?: string;
  /** Replaces claims; undefined takes one out. */
  readonly payload?: JsonObject;
  readonly binding?: 'sd_hash' | 'issuer_jwt_hash';
}

/** A hop that delegates on, or with a closed mandate the last one. */
export function hop(previous: string, mandate: unknown, more: HopOptions = {}): string {
  const isOpen = typeof mandate === 'object' && mandate !== null && 'cnf' in mandate;
  const payload = {
    delegate_payload: [selective(mandate)],
    iat: AT,
    aud: isOpen ? 'agent-2' : AUD,
    nonce: isOpen ? 'n-1' : NONCE,
    ...bindingTo(previous, more.binding ?? 'sd_hash'),
    ...more.payload,
  };
  const typ = more.typ ?? (isOpen ? 'kb+sd-jwt+kb' : 'kb+sd-jwt');
  const kept = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
  return mintSdJwt({ typ, payload: kept, signer: more.signer ?? AGENT, salt });
}

export const RANGE = { type: 'payment.amount_range', currency: 'USD', min: 100, max: 20_000 };
export const PAYEES = { type: 'payment.allowed_payees', allowed: [selective(SHOP)] };

/** An open mandate and the closed one: the chain that most tests start from. */
export function paymentChain(constraints: readonly unknown[] = [RANGE, PAYEES], closed: unknown = PAYMENT): string {
  const first = root(openPayment(constraints));
  return joinChain([first, hop(first, closed)]);
}

export const VERIFIER: Ap2Verifier = {
  rootKey: () => PROVIDER.jwk,
  isSigned: isSignedNatively,
  aud: [AUD],
  nonce: NONCE,
  at: AT,
};
