/** Chains that lie, each about one thing: every one is refused by its code, with the sentence that names what is wrong. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Ap2Verifier, verifyAp2Chain } from '../../../protocol/sdjwt/ap2.ts';
import { bindingTo, joinChain, mintSdJwt, selective, type TokenSigner } from '../../../protocol/sdjwt/mint.ts';
import { sdHash } from '../../../protocol/sdjwt/sdHash.ts';
import type { JsonObject } from '../../../protocol/sdjwt/sdJwt.ts';
import {
  AGENT,
  AT,
  AUD,
  CHECKOUT_JWT,
  checkoutJwt,
  closedCheckout,
  hop,
  NONCE,
  OTHER_AGENT,
  openCheckout,
  openPayment,
  PAYEES,
  PAYMENT,
  PROVIDER,
  paymentChain,
  RANGE,
  root,
  SHOP,
  STRANGER,
  salt,
  VERIFIER,
} from './chains.ts';

interface Lie {
  readonly chain: string;
  readonly code: string;
  readonly says: RegExp;
  /** What the verifier expects besides. */
  readonly expected?: Partial<Ap2Verifier>;
}

const invalid = (chain: string, says: RegExp, expected?: Partial<Ap2Verifier>): Lie => ({
  chain,
  code: 'MANDATE_INVALID',
  says,
  ...(expected === undefined ? {} : { expected }),
});

const broken = (code: string, constraint: unknown, says: RegExp, closed: unknown = PAYMENT): Lie => ({
  chain: paymentChain([constraint], closed),
  code,
  says,
});

/** An honest first hop, and a last hop with something else in its payload. */
function withLast(more: Parameters<typeof hop>[2], closed: unknown = PAYMENT): string {
  const first = root(openPayment([RANGE, PAYEES]));
  return joinChain([first, hop(first, closed, more)]);
}

function withFirst(mandate: unknown, more: Parameters<typeof root>[1] = {}): string {
  const first = root(mandate, more);
  return joinChain([first, hop(first, PAYMENT)]);
}

/** A token whose header is anything. */
function withHeader(header: JsonObject, signer: TokenSigner = AGENT): string {
  const first = root(openPayment([RANGE]));
  const last = hop(first, PAYMENT);
  const [jwt = '', ...disclosures] = last.split('~');
  const content = `${base64url(JSON.stringify(header))}.${jwt.split('.')[1]}`;
  const signed = `${content}.${Buffer.from(signer.sign(Buffer.from(content))).toString('base64url')}`;
  return joinChain([first, [signed, ...disclosures].join('~')]);
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** A last hop whose disclosures and digests are written by hand. */
function byHand(payload: JsonObject, disclosures: readonly string[]): string {
  const first = root(openPayment([RANGE]));
  const claims = { iat: AT, aud: AUD, nonce: NONCE, ...bindingTo(first, 'sd_hash'), ...payload };
  const token = mintSdJwt({ typ: 'kb+sd-jwt', payload: claims, signer: AGENT, salt });
  return joinChain([first, [token.slice(0, -1), ...disclosures, ''].join('~')]);
}

const MANDATE = base64url(JSON.stringify(['salt', PAYMENT]));
const MANDATE_DIGEST = sdHash('sha-256', MANDATE);
const named = (digest: string) => ({ '...': digest });

function threeHops(more: Parameters<typeof hop>[2] = {}): readonly [string, string, string] {
  const first = root(openPayment([RANGE, PAYEES]));
  const second = hop(first, openPayment([RANGE], OTHER_AGENT), more);
  return [first, second, hop(second, PAYMENT, { signer: OTHER_AGENT })];
}

const [FIRST, SECOND, THIRD] = threeHops();
const FOREIGN_FIRST = root(openPayment([RANGE, PAYEES]));

/** A chain whose first token says something else, under its old signature or, by a signer, under a new one. */
function altered(chain: string, change: (payload: string) => string, signer?: TokenSigner): string {
  const [head = '', body = '', tail = ''] = (chain.split('~')[0] as string).split('.');
  const content = `${head}.${base64url(change(Buffer.from(body, 'base64url').toString()))}`;
  const signature = signer === undefined ? tail : Buffer.from(signer.sign(Buffer.from(content))).toString('base64url');
  return chain.replace(`${head}.${body}.${tail}`, `${content}.${signature}`);
}

const CHAIN_LIES: Readonly<Record<string, Lie>> = {
  'an open mandate that nothing closes': invalid(
    root(openPayment([RANGE])),
    /the closed one for a checkout is missing/,
  ),
  'the first token altered': invalid(
    altered(paymentChain(), (text) => text.replace('{', '{"x":1,')),
    /not by the trusted key/,
  ),
  'signed by a stranger': invalid(withFirst(openPayment([]), { signer: STRANGER }), /not by the trusted key/),
  'closed by another agent': invalid(withLast({ signer: OTHER_AGENT }), /not by the key that the hop before names/),
  'closed by the signer of the first hop': invalid(
    withLast({ signer: PROVIDER }),
    /not by the key that the hop before/,
  ),
  'no trusted key': invalid(paymentChain(), /No trusted key/, { rootKey: () => undefined }),
  'a trusted key of another name': invalid(paymentChain(), /Its kid is not that of the trusted key/, {
    rootKey: () => ({ ...PROVIDER.jwk, kid: 'another' }),
  }),
  'alg none': invalid(withHeader({ alg: 'none', typ: 'kb+sd-jwt' }), /alg must be ES256/),
  'alg HS256': invalid(withHeader({ alg: 'HS256', typ: 'kb+sd-jwt' }), /alg must be ES256/),
  'alg es256 in lower case': invalid(withHeader({ alg: 'es256', typ: 'kb+sd-jwt' }), /alg must be ES256/),
  'an unknown crit': invalid(withHeader({ alg: 'ES256', typ: 'kb+sd-jwt', crit: ['x'] }), /crit/),
  'a key of its own in the header': invalid(
    withHeader({ alg: 'ES256', typ: 'kb+sd-jwt', jwk: STRANGER.jwk }, STRANGER),
    /not by the key that the hop before names/,
  ),
  'a typ of another kind': invalid(withLast({ typ: 'kb+jwt' }), /typ must be kb\+sd-jwt or kb-sd-jwt/),
  'a last hop with the typ of one between': invalid(withLast({ typ: 'kb+sd-jwt+kb' }), /typ must be/),
  'an unknown digest algorithm': invalid(
    altered(paymentChain(), (text) => text.replace('sha-256', 'md5'), PROVIDER),
    /Its _sd_alg md5 is not sha-256 or sha-384/,
  ),
  'hops in another order': invalid(joinChain([FIRST, THIRD, SECOND]), /typ must be|not by the key/),
  'a dropped hop': invalid(joinChain([FIRST, THIRD]), /not by the key that the hop before names/),
  'a hop twice': invalid(joinChain([FIRST, SECOND, SECOND, THIRD]), /not by the key|sd_hash/),
  'the last hop on another first one': invalid(
    joinChain([FOREIGN_FIRST, hop(FIRST, PAYMENT)]),
    /Its sd_hash is not that of the hop before/,
  ),
  'the issuer_jwt_hash of another token': invalid(
    joinChain([FOREIGN_FIRST, hop(FIRST, PAYMENT, { binding: 'issuer_jwt_hash' })]),
    /Its issuer_jwt_hash is not that/,
  ),
  'a disclosure withheld after it was bound by sd_hash': invalid(
    paymentChain().replace(/~[^~]+~/, '~'),
    /Its sd_hash is not that of the hop before/,
  ),
  'no binding': invalid(withLast({ payload: { sd_hash: undefined } }), /exactly one of sd_hash and issuer_jwt_hash/),
  'both bindings': invalid(withLast({ payload: { issuer_jwt_hash: 'x' } }), /exactly one of/),
  'an sd_hash that is no text': invalid(withLast({ payload: { sd_hash: null } }), /Its sd_hash is not that/),
  'a last hop torn from its chain, by a signer that is trusted': invalid(
    hop(FIRST, PAYMENT, { signer: PROVIDER }),
    /bound to a token before it, which is not here/,
  ),
  'no aud at the last hop': invalid(withLast({ payload: { aud: undefined } }), /names no aud/),
  'an empty nonce at the last hop': invalid(withLast({ payload: { nonce: '' } }), /has no nonce/),
  'no iat at the last hop': invalid(withLast({ payload: { iat: undefined } }), /has no iat/),
  'a list of audiences': invalid(withLast({ payload: { aud: [AUD] } }), /names no aud/),
  'for another verifier': invalid(withLast({ payload: { aud: 'merchant' } }), /It is for "merchant"/),
  'a nonce of another challenge': invalid(withLast({ payload: { nonce: 'former' } }), /not the one that was asked for/),
  'no aud at a hop between': invalid(joinChain(threeHops({ payload: { aud: undefined } })), /names no aud/),
  'no nonce at a hop between': invalid(joinChain(threeHops({ payload: { nonce: undefined } })), /has no nonce/),
  'another aud at a hop between than was expected there': invalid(joinChain(threeHops()), /It is for "agent-2"/, {
    hops: [{}, { aud: ['agent-3'] }],
  }),
  'another nonce at a hop between than was expected there': invalid(joinChain(threeHops()), /not the one that was/, {
    hops: [{}, { nonce: 'n-2' }],
  }),
  'the right nonce of the last hop beside another one that was expected there': invalid(
    withLast({}),
    /not the one that was/,
    {
      hops: [{}, { nonce: 'n-2' }],
    },
  ),
  'an open first hop without the nonce that was expected there': invalid(withLast({}), /has no nonce/, {
    hops: [{ nonce: 'n-0' }],
  }),
  'an expired last hop': invalid(withLast({ payload: { exp: AT - 301 } }), /It expired at 2026-11-/),
  'an expired open mandate': invalid(withFirst(openPayment([], AGENT, { exp: AT - 301 })), /It expired/),
  'an expired first token': invalid(withFirst(openPayment([]), { payload: { exp: AT - 301 } }), /It expired/),
  'dated in the future': invalid(withLast({ payload: { iat: AT + 301 } }), /dated in the future/),
  'not valid yet': invalid(withFirst(openPayment([], AGENT, { nbf: AT + 301 })), /dated in the future/),
  'an exp that is a text': invalid(withLast({ payload: { exp: '2099-01-01' } }), /exp is no number/),
  'an exp that is null': invalid(withLast({ payload: { exp: null } }), /exp is no number/),
  'a mandate of no version': invalid(
    withLast({}, { ...PAYMENT, vct: 'mandate.payment' }),
    /vct of its mandate must be/,
  ),
  'an open mandate at the end': invalid(
    withLast({ typ: 'kb+sd-jwt' }, openPayment([])),
    /the closed one for a checkout is missing/,
  ),
  'a closed mandate at the start': invalid(withFirst(PAYMENT), /vct of its mandate must be/),
  'a closed mandate with a key': invalid(
    withLast({ typ: 'kb+sd-jwt', payload: { aud: AUD, nonce: NONCE } }, { ...PAYMENT, cnf: { jwk: STRANGER.jwk } }),
    /closed, and yet names a key/,
  ),
  'an open mandate without a key': invalid(withFirst({ ...openPayment([]), cnf: {} }), /names no P-256 key/),
  'an open mandate with a private key': invalid(
    withFirst({ ...openPayment([]), cnf: { jwk: { ...AGENT.jwk, d: 'AAAA' } } }),
    /names no P-256 key/,
  ),
  'an open mandate with a point beside the curve': invalid(
    withFirst({ ...openPayment([]), cnf: { jwk: { ...AGENT.jwk, y: AGENT.jwk.kty === 'EC' ? AGENT.jwk.x : '' } } }),
    /names no P-256 key/,
  ),
  'an open mandate without constraints': invalid(
    withFirst({ ...openPayment([]), constraints: undefined }),
    /no list of constraints/,
  ),
  'two mandates in a hop': invalid(
    withLast({ payload: { delegate_payload: [selective(PAYMENT), selective(PAYMENT)] } }),
    /It has 2 readable mandates where there must be one/,
  ),
  'no mandate in a hop': invalid(withLast({ payload: { delegate_payload: [] } }), /It has 0 readable mandates/),
  'a text for a mandate': invalid(withLast({}, 'mandate'), /something else than mandates/),
  'a checkout closed under a payment': invalid(
    withLast({}, closedCheckout(CHECKOUT_JWT)),
    /delegates no checkout mandate/,
  ),
  'a payment without its payee': invalid(withLast({}, { ...PAYMENT, payee: undefined }), /malformed at "payee"/),
  'a payment of a fraction': invalid(
    withLast({}, { ...PAYMENT, payment_amount: { amount: 50.5, currency: 'USD' } }),
    /whole number of minor units, such as 10050 for 100\.50 USD/,
  ),
  'a negative payment': invalid(
    withLast({}, { ...PAYMENT, payment_amount: { amount: -1, currency: 'USD' } }),
    /malformed at "payment_amount.amount"/,
  ),
  'a payment in no currency': invalid(
    withLast({}, { ...PAYMENT, payment_amount: { amount: 1, currency: 'usd' } }),
    /malformed at "payment_amount.currency"/,
  ),
  'another payee than the open mandate sets': invalid(
    withFirst(openPayment([], AGENT, { payee: { ...SHOP, id: 'merchant_2' } })),
    /sets payee, and the closed mandate has another one/,
  ),
  'an instrument without the member that the open mandate sets': invalid(
    withFirst(openPayment([], AGENT, { payment_instrument: { ...PAYMENT.payment_instrument, limit: 1 } })),
    /sets payment_instrument/,
  ),
  'a member named as one of every object': invalid(
    withFirst(openPayment([], AGENT, { constructor: 'x', toString: {} })),
    /sets constructor, and the closed mandate has another one or none/,
  ),
  'without the PISP that the open mandate sets': invalid(
    withFirst(openPayment([], AGENT, { pisp: { legal_name: 'A', brand_name: 'B', domain_name: 'c.example' } })),
    /sets pisp, and the closed mandate has another one or none/,
  ),
};

const DISCLOSURE_LIES: Readonly<Record<string, Lie>> = {
  'a disclosure that no digest names': invalid(
    byHand({ delegate_payload: [named(MANDATE_DIGEST)] }, [MANDATE, base64url('["s","x",1]')]),
    /named by no digest/,
  ),
  'a disclosure presented twice': invalid(
    byHand({ delegate_payload: [named(MANDATE_DIGEST)] }, [MANDATE, MANDATE]),
    /disclosure is there twice/,
  ),
  'a digest that stands twice': invalid(
    byHand({ delegate_payload: [named(MANDATE_DIGEST), named(MANDATE_DIGEST)] }, [MANDATE]),
    /digest is there twice/,
  ),
  'a digest that delegate_payload and _sd name, as Verifiable Intent does': invalid(
    byHand({ delegate_payload: [named(MANDATE_DIGEST)], _sd: [MANDATE_DIGEST] }, [MANDATE]),
    /digest is there twice/,
  ),
  'a hidden digest that stands twice': invalid(
    byHand({ delegate_payload: [named(MANDATE_DIGEST)], _sd: ['hidden', 'hidden'] }, [MANDATE]),
    /digest is there twice/,
  ),
  'a disclosed member named _sd': invalid(disclosing(['s', '_sd', []]), /reserved name _sd/),
  'a disclosed member named ...': invalid(disclosing(['s', '...', 'x']), /reserved name \.\.\./),
  'a disclosed member named _sd_alg': invalid(disclosing(['s', '_sd_alg', 'sha-256']), /reserved name _sd_alg/),
  'a disclosed member named __proto__': invalid(disclosing(['s', '__proto__', {}]), /reserved name __proto__/),
  'a disclosed member that is there already': invalid(disclosing(['s', 'nonce', NONCE]), /member nonce is there twice/),
  'a disclosed delegate_payload beside one': invalid(
    disclosing(['s', 'delegate_payload', []]),
    /member delegate_payload is there twice/,
  ),
  'a disclosed nonce twice': invalid(disclosing(['s', 'more', 1], ['t', 'more', 2]), /member more is there twice/),
  'an element where a member stands': invalid(disclosing(['s', 1]), /without a name stands for a member/),
  'a member where an element stands': invalid(
    byHand({ delegate_payload: [named(sdHash('sha-256', base64url('["s","x",{}]')))] }, [base64url('["s","x",{}]')]),
    /with a name stands for an element/,
  ),
  'an element that has a digest and more': invalid(
    byHand({ delegate_payload: [{ ...named(MANDATE_DIGEST), x: 1 }] }, [MANDATE]),
    /has other members/,
  ),
  'the name ... outside of a list': invalid(
    byHand({ delegate_payload: [named(MANDATE_DIGEST)], more: named('x') }, [MANDATE]),
    /The name \.\.\. stands where it must not/,
  ),
  'digests that are no list': invalid(
    byHand({ delegate_payload: [named(MANDATE_DIGEST)], _sd: {} }, [MANDATE]),
    /no array of digests/,
  ),
  'a disclosure of one part': invalid(disclosing(['s']), /no array of salt, name and value/),
  'a disclosure of four parts': invalid(disclosing(['s', 'a', 1, 2]), /no array of salt, name and value/),
  'a disclosure without a salt': invalid(disclosing([1, 'a', 1]), /no array of salt, name and value/),
  'a disclosure that is no JSON': invalid(
    byHand({ delegate_payload: [named(MANDATE_DIGEST)] }, [MANDATE, 'AAAA']),
    /no array of salt, name and value/,
  ),
};

/** A good mandate, and beside it members by these disclosures. */
function disclosing(...parts: readonly unknown[]): string {
  const texts = parts.map((each) => base64url(JSON.stringify(each)));
  const digests = texts.map((text) => sdHash('sha-256', text));
  return byHand({ delegate_payload: [named(MANDATE_DIGEST)], _sd: digests }, [MANDATE, ...texts]);
}

const OTHER_SHOP = { id: 'merchant_2', name: 'Other', website: 'https://other.example' };
const PISP = { legal_name: 'Pay Ltd', brand_name: 'Pay', domain_name: 'pay.example' };
const amount = (of: number, currency = 'USD') => ({ ...PAYMENT, payment_amount: { amount: of, currency } });

const CONSTRAINT_LIES: Readonly<Record<string, Lie>> = {
  'a cent over the range': broken('AMOUNT_OVER_CAP', RANGE, /200\.01 USD is more than 200\.00 USD/, amount(20_001)),
  'a cent under the range': broken('CONSTRAINT_VIOLATED', RANGE, /0\.99 USD is less than 1\.00 USD/, amount(99)),
  'in another currency': broken('CURRENCY_NOT_ALLOWED', RANGE, /in EUR, and USD is allowed/, amount(500, 'EUR')),
  'a range in fractions': broken(
    'MANDATE_INVALID',
    { ...RANGE, max: 100.5 },
    /malformed at "max".*10050 for 100\.50 USD/,
  ),
  'a range without a maximum': broken('MANDATE_INVALID', { ...RANGE, max: undefined }, /malformed at "max"/),
  'a payee of another id': broken('MERCHANT_NOT_ALLOWED', { ...PAYEES, allowed: [OTHER_SHOP] }, /none of the 1/),
  'a payee of another website': broken(
    'MERCHANT_NOT_ALLOWED',
    { ...PAYEES, allowed: [{ name: SHOP.name, website: 'https://evil.example' }] },
    /none of the 1/,
  ),
  'a payee with neither id nor website': broken(
    'MERCHANT_NOT_ALLOWED',
    { ...PAYEES, allowed: [{ name: SHOP.name }] },
    /none of the 1/,
    { ...PAYMENT, payee: { name: SHOP.name } },
  ),
  'no payee is allowed': broken('MERCHANT_NOT_ALLOWED', { ...PAYEES, allowed: [] }, /none of the 0/),
  'another instrument': broken(
    'CONSTRAINT_VIOLATED',
    { type: 'payment.allowed_payment_instruments', allowed: [{ id: 'card-2', type: 'card' }] },
    /payment instrument card-1 is none/,
  ),
  'no PISP': broken('CONSTRAINT_VIOLATED', { type: 'payment.allowed_pisps', allowed: [PISP] }, /names no PISP/),
  'a PISP of another legal name': broken(
    'CONSTRAINT_VIOLATED',
    { type: 'payment.allowed_pisps', allowed: [PISP] },
    /PISP pay\.example is none/,
    { ...PAYMENT, pisp: { ...PISP, legal_name: 'Pay Inc' } },
  ),
  'before the window': broken(
    'TIME_WINDOW_VIOLATED',
    { type: 'payment.execution_date', not_before: new Date((AT + 1) * 1000).toISOString() },
    /before 2026-/,
  ),
  'after the window': broken(
    'TIME_WINDOW_VIOLATED',
    { type: 'payment.execution_date', not_after: '2026-03-01' },
    /after 2026-03-01T00:00:00\.000Z/,
  ),
  'for a day after the window, in another offset': broken(
    'TIME_WINDOW_VIOLATED',
    { type: 'payment.execution_date', not_after: '2026-12-31T23:59:59Z' },
    /after 2026-12-31/,
    { ...PAYMENT, execution_date: '2026-12-31T23:59:59-01:00' },
  ),
  'a window that is no time': broken(
    'MANDATE_INVALID',
    { type: 'payment.execution_date', not_after: 'tomorrow' },
    /malformed at "not_after"/,
  ),
  'more than the whole budget': broken(
    'SPENDING_LIMIT_EXCEEDED',
    { type: 'payment.budget', currency: 'USD', max: 49.99 },
    /50\.00 USD is more than the whole budget of 49\.99 USD/,
  ),
  'more than a budget in yen, which have no decimals': broken(
    'SPENDING_LIMIT_EXCEEDED',
    { type: 'payment.budget', currency: 'JPY', max: 4999 },
    /5,000 JPY is more than the whole budget of 4,999 JPY/,
    amount(5000, 'JPY'),
  ),
  'a budget in another currency': broken(
    'CURRENCY_NOT_ALLOWED',
    { type: 'payment.budget', currency: 'EUR', max: 1000 },
    /in USD, and EUR is allowed/,
  ),
  'a recurrence without a range and a budget': broken(
    'CONSTRAINT_VIOLATED',
    { type: 'payment.agent_recurrence', frequency: 'MONTHLY' },
    /need a constraint payment\.amount_range/,
  ),
  'a recurrence of another frequency': broken(
    'MANDATE_INVALID',
    { type: 'payment.agent_recurrence', frequency: 'WEEK' },
    /malformed at "frequency"/,
  ),
  'a reference without a checkout': broken(
    'CHECKOUT_MISMATCH',
    { type: 'payment.reference', conditional_transaction_id: 'x' },
    /neither that nor its hash was given/,
  ),
  'a constraint that is not known': broken(
    'CONSTRAINT_UNRESOLVED',
    { type: 'org.example.moon' },
    /org\.example\.moon is not known/,
  ),
  'a constraint named as a member of every object': broken('CONSTRAINT_UNRESOLVED', { type: 'toString' }, /not known/),
  'a constraint of Verifiable Intent': broken(
    'CONSTRAINT_UNRESOLVED',
    { ...RANGE, type: 'mandate.payment.amount_range' },
    /not known/,
  ),
  'a constraint on checkouts': broken('CONSTRAINT_UNRESOLVED', { type: 'checkout.line_items', items: [] }, /not known/),
  'a constraint without a type': broken('MANDATE_INVALID', { max: 1 }, /has no type/),
  'a constraint of a hop between': {
    chain: constrainedBetween(),
    code: 'AMOUNT_OVER_CAP',
    says: /50\.00 USD is more than 40\.00 USD/,
  },
};

/** The first hop allows it; the agent that delegated on did not. */
function constrainedBetween(): string {
  const first = root(openPayment([RANGE]));
  const second = hop(first, openPayment([{ ...RANGE, max: 4000 }], OTHER_AGENT));
  return joinChain([first, second, hop(second, PAYMENT, { signer: OTHER_AGENT })]);
}

function checkoutChain(constraints: readonly unknown[], jwt: string, more: JsonObject = {}): string {
  const first = root(openCheckout(constraints));
  return joinChain([first, hop(first, closedCheckout(jwt, more), { payload: { aud: 'merchant' } })]);
}

const OTHER_JWT = checkoutJwt([{ id: 'shoes', quantity: 1 }]);
const shoes = (quantity: number) => ({
  type: 'checkout.line_items',
  items: [{ id: 'line', acceptable_items: [{ id: 'shoes', title: 'Shoes' }], quantity }],
});
const mismatch = (chain: string, says: RegExp, expected: Partial<Ap2Verifier> = {}): Lie => ({
  chain,
  code: 'CHECKOUT_MISMATCH',
  says,
  expected,
});
const forCheckout = (chain: string, code: string, says: RegExp): Lie => ({
  chain,
  code,
  says,
  expected: { aud: ['merchant'] },
});

const CHECKOUT_LIES: Readonly<Record<string, Lie>> = {
  'a payment for another hash': mismatch(paymentChain(), /another checkout than the one whose hash/, {
    checkoutJwtHash: sdHash('sha-256', OTHER_JWT),
  }),
  'a payment for another checkout JWT': mismatch(paymentChain(), /another checkout than the checkout JWT/, {
    checkoutJwt: OTHER_JWT,
  }),
  'a payment beside the checkout mandate of another one': mismatch(
    paymentChain(),
    /another checkout than the checkout mandate/,
    { checkoutMandate: checkoutChain([], OTHER_JWT) },
  ),
  'checkout JWT B in a mandate that is bound to A': mismatch(
    paymentChain(),
    /Of the checkout mandate: Its checkout_hash is not that of its checkout_jwt/,
    { checkoutMandate: checkoutChain([], OTHER_JWT, { checkout_hash: sdHash('sha-256', CHECKOUT_JWT) }) },
  ),
  'a checkout mandate of B with the JWT of A beside it': mismatch(
    paymentChain([], { ...PAYMENT, transaction_id: sdHash('sha-256', OTHER_JWT) }),
    /another checkout than the checkout JWT/,
    { checkoutMandate: checkoutChain([], OTHER_JWT), checkoutJwt: CHECKOUT_JWT },
  ),
  'a payment mandate for a checkout mandate': mismatch(paymentChain(), /given as the checkout mandate is none/, {
    checkoutMandate: paymentChain(),
  }),
  'an open checkout hash beside the mandate of another one': mismatch(paymentChain(), /that of no open mandate/, {
    checkoutMandate: checkoutChain([], CHECKOUT_JWT),
    openCheckoutHash: 'x',
  }),
  'a reference to another open checkout mandate': mismatch(
    paymentChain([{ type: 'payment.reference', conditional_transaction_id: 'x' }]),
    /not the one that the payment is for/,
    { checkoutMandate: checkoutChain([], CHECKOUT_JWT) },
  ),
  'a checkout mandate signed by a stranger': {
    ...invalid(paymentChain(), /Of the checkout mandate, hop 1: Its signature/),
    expected: {
      checkoutMandate: (() => {
        const first = root(openCheckout([]), { signer: STRANGER });
        return joinChain([first, hop(first, closedCheckout(CHECKOUT_JWT))]);
      })(),
    },
  },
  'a checkout that breaks a constraint of its mandate, beside a good payment': {
    ...mismatch(paymentChain(), /Of the checkout mandate, hop 1: The checkout lacks 1 of the 2 items/),
    code: 'CONSTRAINT_VIOLATED',
    expected: { checkoutMandate: checkoutChain([shoes(2)], CHECKOUT_JWT) },
  },
  'a checkout at another merchant': forCheckout(
    checkoutChain([{ type: 'checkout.allowed_merchants', allowed: [OTHER_SHOP] }], CHECKOUT_JWT),
    'CONSTRAINT_VIOLATED',
    /merchant of the checkout is none/,
  ),
  'a checkout of more than is required': forCheckout(
    checkoutChain([shoes(1)], checkoutJwt([{ id: 'shoes', quantity: 2 }])),
    'CONSTRAINT_VIOLATED',
    /1 of the 2 items in the checkout are not among/,
  ),
  'a checkout of something else': forCheckout(
    checkoutChain([shoes(1)], checkoutJwt([{ id: 'boots', quantity: 1 }])),
    'CONSTRAINT_VIOLATED',
    /1 of the 1 items in the checkout are not among/,
  ),
  'a checkout whose acceptable items are withheld': forCheckout(
    checkoutChain(
      [{ type: 'checkout.line_items', items: [{ id: 'line', acceptable_items: [{ '...': 'hidden' }], quantity: 1 }] }],
      CHECKOUT_JWT,
    ),
    'CONSTRAINT_VIOLATED',
    /not among those/,
  ),
  'a constraint that is withheld': broken('CONSTRAINT_UNRESOLVED', { '...': 'hidden' }, /was withheld/),
  'a member of a constraint that is withheld': broken(
    'CONSTRAINT_UNRESOLVED',
    { ...RANGE, _sd: ['hidden'] },
    /a member of one, was withheld/,
  ),
  'a payee that the open mandate sets, withheld': {
    chain: withFirst(openPayment([RANGE], AGENT, { _sd: ['digest-of-the-payee'] })),
    code: 'CONSTRAINT_UNRESOLVED',
    says: /A member of the open mandate was withheld/,
  },
  'a second budget, which uses would not be counted by': {
    chain: paymentChain([RANGE, ...[900, 60].map((max) => ({ type: 'payment.budget', currency: 'USD', max }))]),
    code: 'CONSTRAINT_UNRESOLVED',
    says: /more than one constraint payment\.budget/,
  },
  'more requirements than are judged': forCheckout(
    checkoutChain([{ ...shoes(1), items: Array.from({ length: 101 }, () => shoes(1).items[0]) }], CHECKOUT_JWT),
    'CONSTRAINT_UNRESOLVED',
    /More than 100 line items/,
  ),
  'a checkout JWT that is none': forCheckout(checkoutChain([], 'a.b.c'), 'MANDATE_INVALID', /holds no checkout/),
  'a checkout without its JWT': forCheckout(
    checkoutChain([], CHECKOUT_JWT).replace(/~[^~]+(~[^~]+~)$/, '$1'),
    'MANDATE_INVALID',
    /malformed at "checkout_jwt"/,
  ),
};

for (const [subject, lies] of Object.entries({
  'the chain': CHAIN_LIES,
  'its disclosures': DISCLOSURE_LIES,
  'its constraints': CONSTRAINT_LIES,
  'its checkout': CHECKOUT_LIES,
})) {
  describe(`lies about ${subject} are refused`, () => {
    for (const [name, { chain, code, says, expected }] of Object.entries(lies)) {
      test(`${name}: ${code}`, () => {
        const result = verifyAp2Chain(chain, { ...VERIFIER, ...expected });
        assert.equal(result.valid, false);
        const found = result.violations.find((violation) => violation.code === code && says.test(violation.detail));
        assert.ok(found, JSON.stringify(result.violations));
        assert.match(found.clause, /^(RFC|AP2|Delegate SD-JWT|UCP)/);
      });
    }
  });
}
