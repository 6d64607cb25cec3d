/** A checkout of UCP is approved, paid and completed, and each lie about one is refused. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generateKeyPair, SignJWT } from 'jose';
import { verifyAp2Chain } from '../../../protocol/sdjwt/ap2.ts';
import { CHAIN_BOUNDS } from '../../../protocol/sdjwt/sdJwt.ts';
import { nativeSignatureCheck } from '../../../src/crypto/nativeJwk.ts';
import { sealer } from '../../../src/crypto/seal.ts';
import { resealAll } from '../../../src/domain/operator/rotateRoot.ts';
import { all as allRows } from '../../../src/store/store.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import { type Business, digest, ownCheckout, readChain, ucpBusiness } from '../../support/ucpBusiness.ts';
import type { Loose } from '../../support/world.ts';

const SHOP = 'shop.example';
const OTHER = 'other.example';
const MINUTE_MS = 60_000;

interface Stage {
  readonly node: MemoryNode;
  readonly shop: Business;
  readonly other: Business;
  intent(more?: Loose): Promise<string>;
  validate(checkout: Loose, more?: Loose): Promise<Loose>;
  /** Approves and pays. */
  pay(checkout: Loose, more?: Loose): Promise<Loose>;
}

async function stage(): Promise<Stage> {
  const node = await memoryNode();
  node.clock.now = Date.now();
  const [shop, other] = [await ucpBusiness(SHOP), await ucpBusiness(OTHER)];
  for (const { domain, jwk } of [shop, other]) await node.run('bindMerchant', { domain, jwk });
  const { did: agentDid } = await node.agent();
  const intent = async (more: Loose = {}) => {
    const request = { maxAmount: 100, currency: 'USD', ...more };
    const { intentVc } = await node.run('issueIntent', { agentDid, principalDid: agentDid, request });
    return intentVc.credentialSubject.mandateId;
  };
  const validate = async (checkout: Loose, more: Loose = {}) => {
    const intentId = more['intentId'] ?? (await intent());
    return node.run('validateUcpCheckout', { intentId, merchantDomain: SHOP, checkout, ...more });
  };
  const pay = async (checkout: Loose, more: Loose = {}) => {
    const approved = await validate(checkout);
    assert.equal(approved['allowed'], true, JSON.stringify(approved));
    return node.run('mandatePayment', { approvalToken: approved['approvalToken'], ...more });
  };
  return { node, shop, other, intent, validate, pay };
}

/** The checkout with another header before the same signature. */
function withHeader(checkout: Loose, header: Loose): Loose {
  const [, , tail] = checkout['ap2'].merchant_authorization.split('.');
  const head = Buffer.from(JSON.stringify(header)).toString('base64url');
  return { ...checkout, ap2: { merchant_authorization: `${head}..${tail}` } };
}

/** By a key that is not the business’s, with a signature that is right by itself. */
async function signedBy(algorithm: 'HS256' | 'EdDSA', checkout: Loose): Promise<Loose> {
  const { ap2: _ap2, ...claims } = checkout;
  const key =
    algorithm === 'HS256'
      ? new Uint8Array(32).fill(1)
      : (await generateKeyPair('EdDSA', { crv: 'Ed25519' })).privateKey;
  const jwt = await new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: 'business_2026' }).sign(key);
  const [head, , tail] = jwt.split('.');
  return { ...claims, ap2: { merchant_authorization: `${head}..${tail}` } };
}

const UNSIGNED = ['MERCHANT_UNVERIFIED'];
const INVALID = 'merchant_authorization_invalid';

interface Lie {
  readonly codes: readonly string[];
  readonly ucp?: string;
  /** @returns the checkout, and what else is sent */
  tell(stage: Stage): Promise<readonly [Loose, Loose?]>;
}

const LIES: Readonly<Record<string, Lie>> = {
  'one cent less': {
    codes: UNSIGNED,
    ucp: INVALID,
    tell: async ({ shop }) => {
      const checkout = structuredClone(await shop.checkout());
      checkout['totals'][2].amount -= 1;
      checkout['totals'][3].amount -= 1;
      return [checkout];
    },
  },
  'with its end written in another form, as a library that parses it does': {
    codes: UNSIGNED,
    ucp: INVALID,
    tell: async ({ shop }) => {
      const checkout = await shop.checkout({ expires_at: '2099-01-01T00:00:00Z' });
      return [{ ...checkout, expires_at: new Date(checkout['expires_at']).toISOString() }];
    },
  },
  'without a member that is not known here': {
    codes: UNSIGNED,
    ucp: INVALID,
    tell: async ({ shop }) => {
      const { 'com.example.gift': _gift, ...checkout } = await shop.checkout();
      return [checkout];
    },
  },
  'with a member in ap2 that is not signed': {
    codes: UNSIGNED,
    ucp: INVALID,
    tell: async ({ shop }) => {
      const { ap2, ...checkout } = await shop.checkout();
      return [{ ...checkout, ap2: { ...ap2, coupon: 'FREE' } }];
    },
  },
  'without an authorization': {
    codes: UNSIGNED,
    ucp: 'merchant_authorization_missing',
    tell: async ({ shop }) => {
      const { ap2: _ap2, ...checkout } = await shop.checkout();
      return [checkout];
    },
  },
  'under another kid': {
    codes: UNSIGNED,
    ucp: INVALID,
    tell: async ({ shop }) => [await shop.sign(await shop.checkout(), { kid: 'business_2025' })],
  },
  'without a kid': {
    codes: UNSIGNED,
    ucp: INVALID,
    tell: async ({ shop }) => [withHeader(await shop.checkout(), { alg: 'ES256' })],
  },
  'by alg none': {
    codes: UNSIGNED,
    ucp: INVALID,
    tell: async ({ shop }) => [withHeader(await shop.checkout(), { alg: 'none', kid: 'business_2026' })],
  },
  'by HS256': {
    codes: UNSIGNED,
    ucp: INVALID,
    tell: async ({ shop }) => [await signedBy('HS256', await shop.checkout())],
  },
  'by EdDSA, of a key that nothing binds': {
    codes: UNSIGNED,
    ucp: INVALID,
    tell: async ({ shop }) => [await signedBy('EdDSA', await shop.checkout())],
  },
  'by ES384, as its header says of a signature by ES256': {
    codes: UNSIGNED,
    ucp: INVALID,
    tell: async ({ shop }) => [withHeader(await shop.checkout(), { alg: 'ES384', kid: 'business_2026' })],
  },
  'with crit in its header': {
    codes: UNSIGNED,
    ucp: INVALID,
    tell: async ({ shop }) => [
      withHeader(await shop.checkout(), { alg: 'ES256', kid: 'business_2026', b64: false, crit: ['b64'] }),
    ],
  },
  'signed by another business': {
    codes: UNSIGNED,
    ucp: INVALID,
    tell: async ({ shop, other }) => [await other.sign(await shop.checkout())],
  },
  'of another domain': {
    codes: UNSIGNED,
    ucp: INVALID,
    tell: async ({ shop }) => [await shop.checkout(), { merchantDomain: OTHER }],
  },
  'for an intent that names another domain': {
    codes: ['MERCHANT_MISMATCH'],
    tell: async ({ shop, intent }) => [
      await shop.checkout(),
      { intentId: await intent({ vendorHints: { domain: OTHER } }) },
    ],
  },
  'in another currency, signed anew': {
    codes: ['CURRENCY_NOT_ALLOWED'],
    tell: async ({ shop }) => [await shop.checkout({ currency: 'EUR' })],
  },
  'in another currency, not signed anew': {
    codes: ['CURRENCY_NOT_ALLOWED', 'MERCHANT_UNVERIFIED'],
    ucp: INVALID,
    tell: async ({ shop }) => [{ ...(await shop.checkout()), currency: 'EUR' }],
  },
  'after its end': {
    codes: ['CART_EXPIRED'],
    tell: async ({ node, shop }) => [
      await shop.checkout({ expires_at: new Date(node.clock.now - 1000).toISOString() }),
    ],
  },
  'above the intent': {
    codes: ['CART_EXCEEDS_INTENT'],
    tell: async ({ shop, intent }) => [await shop.checkout(), { intentId: await intent({ maxAmount: 58.49 }) }],
  },
  'that was paid before, for another intent': {
    codes: ['CART_USED'],
    tell: async ({ shop, pay }) => {
      const checkout = await shop.checkout();
      await pay(checkout);
      return [checkout];
    },
  },
  'that was paid before, at other terms': {
    codes: ['CART_USED'],
    tell: async ({ shop, pay }) => {
      const checkout = await shop.checkout();
      await pay(checkout);
      return [await shop.sign({ ...checkout, 'com.example.gift': { wrap: false } })];
    },
  },
  'whose hold was given back': {
    codes: ['CART_USED'],
    tell: async ({ node, shop, pay }) => {
      const checkout = await shop.checkout();
      const { pmVc } = await pay(checkout);
      await node.run('cancelPayment', { mandateId: pmVc.credentialSubject.mandateId });
      return [checkout];
    },
  },
  'with the JWT of another checkout': {
    codes: UNSIGNED,
    ucp: INVALID,
    tell: async ({ shop }) => [await shop.checkout(), { checkoutJwt: await shop.jwtOf(await shop.checkout()) }],
  },
  'with a JWT by another key': {
    codes: UNSIGNED,
    ucp: INVALID,
    tell: async ({ shop, other }) => {
      const checkout = await shop.checkout();
      return [checkout, { checkoutJwt: await other.jwtOf(checkout) }];
    },
  },
};

const total = (amount: number, ...before: Loose[]) => [...before, { type: 'total', amount }];
const subtotal = (amount: number) => ({ type: 'subtotal', amount });
const lineOf = (item: Loose, quantity: number, more: Loose = {}) => ({
  id: 'li_1',
  item: { id: 'a', title: 'A', ...item },
  quantity,
  ...more,
});

/** Signed by its business, and yet no offer that a platform may complete by itself: by what is wrong with it. */
const UNPAYABLE: Readonly<Record<string, readonly [more: Loose, path: string]>> = {
  'that is not ready': [{ status: 'incomplete' }, 'checkout.status'],
  'that waits for a person': [{ status: 'requires_escalation' }, 'checkout.status'],
  'whose entries do not come to its total': [{ totals: total(5100, subtotal(5000)) }, 'checkout.totals'],
  'whose lines do not come to its subtotal': [{ totals: total(4900, subtotal(4900)) }, 'checkout.line_items'],
  'whose entry does not come to what it is made of': [
    { totals: total(5000, { ...subtotal(5000), lines: [{ display_text: 'A', amount: 4999 }] }) },
    'checkout.totals.0.lines',
  ],
  'whose line has an entry that does not come to what it is made of': [
    { line_items: [lineOf({ price: 5000 }, 1, { totals: [{ ...subtotal(5000), lines: [{ amount: 1 }] }] })] },
    'checkout.line_items.0.totals.0.lines',
  ],
  'whose line says another subtotal than its price': [
    { line_items: [lineOf({ price: 5000 }, 1, { totals: [subtotal(4000)] })] },
    'checkout.line_items.0.totals',
  ],
  'whose line does not come to its total': [
    { line_items: [lineOf({ price: 5000 }, 1, { totals: total(4500, subtotal(5000), { type: 'tax', amount: 100 }) })] },
    'checkout.line_items.0.totals',
  ],
  'with two totals': [{ totals: total(5000, subtotal(5000), { type: 'total', amount: 5000 }) }, 'checkout.totals'],
  'of nothing': [{ line_items: [lineOf({ price: 0 }, 1)], totals: total(0, subtotal(0)) }, 'checkout.totals'],
  'with a fraction of a cent': [{ totals: total(50.5, subtotal(50.5)) }, 'checkout.totals.0.amount'],
  'in no currency': [{ currency: 'XXX' }, 'checkout.currency'],
  'by a measure of its own without a sum': [
    {
      line_items: [lineOf({ price: 5000, quantity_unit: { unit: 'KGM', scale: 3 } }, 1000)],
      totals: total(5000, subtotal(5000)),
    },
    'checkout.line_items.0.totals',
  ],
  'that is longer than a mandate may be': [{ note: 'x'.repeat(25_000) }, 'checkout'],
  'with more members than a person reads': [
    { more: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`m${at}`, at])) },
    'checkout',
  ],
};

describe('a checkout of UCP', () => {
  test('is approved, paid, and completed by two mandates that its business verifies', async () => {
    const { node, shop, pay } = await stage();
    const checkout = await shop.checkout();
    const paid = await pay(checkout);
    const { checkoutMandate, paymentMandate, nonce, expiresAt } = paid['ucp'];
    const platform = node.deps.keys.receiptSigner.jwk;
    const mandate = await readChain(checkoutMandate, platform, { aud: SHOP, nonce });
    assert.equal(mandate['vct'], 'mandate.checkout.1');
    assert.deepEqual(await ownCheckout(mandate, shop.jwk), checkout);
    const payment = await readChain(paymentMandate, platform, { aud: SHOP, nonce });
    const { mandateId } = paid['pmVc'].credentialSubject;
    assert.equal(payment['vct'], 'mandate.payment.1');
    assert.equal(payment['transaction_id'], digest(mandate['checkout_jwt']));
    assert.deepEqual(payment['payment_amount'], { amount: 5850, currency: 'USD' });
    assert.deepEqual(payment['payee'], { id: SHOP, name: SHOP, website: `https://${SHOP}` });
    assert.deepEqual(payment['payment_instrument'], { id: mandateId, type: 'CARD_RAIL' });
    assert.equal(Date.parse(expiresAt) - node.clock.now, 15 * MINUTE_MS);
    assert.deepEqual((await node.run('getPayment', { mandateId }))['ucp'], paid['ucp']);
  });

  test('gives mandates that the node’s own verifier takes, with the business’s key', async () => {
    const { node, shop, pay } = await stage();
    const { ucp } = await pay(await shop.checkout(), { ucp: { audience: 'https://shop.example/ucp', nonce: 'n-1' } });
    const { checkoutMandate, paymentMandate } = ucp;
    const token = (text: string) => ({
      token: text,
      trustedJwk: node.deps.keys.receiptSigner.jwk,
      aud: 'https://shop.example/ucp',
      nonce: 'n-1',
      merchantJwk: shop.jwk,
    });
    const checkout = await node.run('verifyMandate', token(checkoutMandate));
    assert.deepEqual([checkout['valid'], checkout['violations']], [true, []]);
    const payment = await node.run('verifyMandate', { ...token(paymentMandate), checkoutMandate });
    assert.deepEqual([payment['valid'], payment['violations'], payment['kind']], [true, [], 'payment']);
    const { merchantJwk: _own, ...stranger } = token(checkoutMandate);
    const foreign = await node.run('verifyMandate', { ...stranger, merchantJwk: (await ucpBusiness(SHOP)).jwk });
    assert.equal(foreign['violations'][0].ucp, INVALID);
  });

  test('stands in its mandate as the business signed it, where the business made a JWT of it', async () => {
    const { node, shop, validate } = await stage();
    const checkout = await shop.checkout();
    const checkoutJwt = await shop.jwtOf(checkout);
    const { approvalToken } = await validate(checkout, { checkoutJwt });
    const { ucp } = await node.run('mandatePayment', { approvalToken, ucp: { paymentAudience: 'psp.example' } });
    const platform = node.deps.keys.receiptSigner.jwk;
    const mandate = await readChain(ucp.checkoutMandate, platform, { aud: SHOP });
    assert.equal(mandate['checkout_jwt'], checkoutJwt);
    await readChain(ucp.paymentMandate, platform, { aud: 'psp.example' });
  });

  for (const alg of ['ES384', 'ES512', 'EdDSA']) {
    test(`is paid where its business signs by ${alg}`, async () => {
      const { node, validate } = await stage();
      const shop = await ucpBusiness('third.example', 'third', alg);
      await node.run('bindMerchant', { domain: shop.domain, jwk: shop.jwk });
      const checkout = await shop.checkout();
      const about = { merchantDomain: shop.domain, checkoutJwt: await shop.jwtOf(checkout) };
      const cheaper = structuredClone(checkout);
      cheaper['id'] = `${cheaper['id']}1`;
      assert.deepEqual((await validate(cheaper, { merchantDomain: shop.domain }))['reasonCodes'], UNSIGNED);
      const approved = await validate(checkout, about);
      assert.equal(approved['allowed'], true, JSON.stringify(approved));
      const { ucp } = await node.run('mandatePayment', { approvalToken: approved['approvalToken'] });
      const mandate = await readChain(ucp.checkoutMandate, node.deps.keys.receiptSigner.jwk, { aud: shop.domain });
      assert.equal(mandate['checkout_jwt'], about.checkoutJwt);
    });
  }

  for (const [alg, id, reason] of [
    ['EdDSA', 'chk_1', /16 characters/],
    ['RS256', 'checkout_of_some_length', /not by ES256, ES384, ES512, EdDSA/],
  ] as const) {
    test(`is refused by ${alg} with the id ${id}`, async () => {
      const { node, validate } = await stage();
      const shop = await ucpBusiness('third.example', 'third', alg);
      await node.run('bindMerchant', { domain: shop.domain, jwk: shop.jwk });
      const refused = await validate(await shop.checkout({ id }), { merchantDomain: shop.domain });
      assert.deepEqual(refused['reasonCodes'], UNSIGNED);
      assert.match(refused['details'].MERCHANT_UNVERIFIED.message, reason);
    });
  }

  for (const [name, { codes, ucp, tell }] of Object.entries(LIES)) {
    test(`is refused ${name}`, async () => {
      const played = await stage();
      const [checkout, more] = await tell(played);
      const refused = await played.validate(checkout, more);
      assert.deepEqual(refused['reasonCodes'], codes, JSON.stringify(refused));
      assert.equal(refused['details'].MERCHANT_UNVERIFIED?.ucp, ucp);
    });
  }

  for (const [name, [more, path]] of Object.entries(UNPAYABLE)) {
    test(`is a bad request ${name}`, async () => {
      const { shop, validate } = await stage();
      await assert.rejects(validate(await shop.checkout(more)), (error: Loose) => {
        assert.equal(error['code'], 'BAD_REQUEST', String(error));
        assert.equal(error['details'][0].path, path);
        return true;
      });
    });
  }

  test('is paid once, also where two intents approved it before', async () => {
    const { node, shop, validate } = await stage();
    const checkout = await shop.checkout();
    const [one, other] = [await validate(checkout), await validate(await shop.sign(checkout))];
    assert.equal(one['cartHash'], other['cartHash']);
    const outcomes = await Promise.all(
      [one, other].map(({ approvalToken }) => node.run('mandatePayment', { approvalToken })),
    );
    const [paid, ...rest] = outcomes.filter(({ ucp }) => ucp !== undefined);
    assert.ok(paid);
    assert.equal(rest.length, 0);
    assert.deepEqual(outcomes.find(({ allowed }) => allowed === false)?.['reasonCodes'], ['CART_USED']);
  });

  test('has no mandates where its payment is declined, and may be paid then', async () => {
    const { node, shop, validate, pay } = await stage();
    const checkout = await shop.checkout();
    const { approvalToken } = await validate(checkout);
    const instrument = 'pm_card_visa_chargeDeclined';
    const { ucp, railResponse } = await node.run('mandatePayment', { approvalToken, instrument });
    assert.deepEqual([ucp, railResponse.status], [undefined, 'failed']);
    assert.ok((await pay(checkout))['ucp']);
  });

  test('gets its mandates once the rail says that the money is held', async () => {
    const { node, shop, validate } = await stage();
    const { approvalToken } = await validate(await shop.checkout());
    node.railAnswers(async () => ({ kind: 'unknown', reason: 'silence' }));
    const asked = await node.run('mandatePayment', { approvalToken });
    const { mandateId } = asked['pmVc'].credentialSubject;
    assert.equal(asked['ucp'], undefined);
    assert.equal((await node.run('getPayment', { mandateId }))['ucp'], undefined);
    node.railAnswers(undefined);
    await node.run('reconcilePayment', { mandateId });
    const { status, ucp } = await node.run('getPayment', { mandateId });
    assert.equal(status, 'AUTHORIZED');
    await readChain(ucp.checkoutMandate, node.deps.keys.receiptSigner.jwk, { aud: SHOP });
  });

  test('has no mandates where it had ended by the time that the money was held', async () => {
    const { node, shop, validate } = await stage();
    const end = new Date(node.clock.now + MINUTE_MS).toISOString();
    const { approvalToken } = await validate(await shop.checkout({ expires_at: end }));
    node.railAnswers(async () => ({ kind: 'unknown', reason: 'silence' }));
    const { pmVc } = await node.run('mandatePayment', { approvalToken });
    const { mandateId } = pmVc.credentialSubject;
    node.clock.now += 2 * MINUTE_MS;
    node.railAnswers(undefined);
    await node.run('reconcilePayment', { mandateId });
    const { status, ucp } = await node.run('getPayment', { mandateId });
    assert.deepEqual([status, ucp], ['AUTHORIZED', undefined]);
  });

  test('ends its mandates when it ends itself', async () => {
    const { node, shop, pay } = await stage();
    const end = new Date(node.clock.now + MINUTE_MS).toISOString();
    const { ucp } = await pay(await shop.checkout({ expires_at: end }));
    assert.equal(ucp.expiresAt, end);
  });

  test('does not show its mandates to a caller who may only read, nor once the hold is given back', async () => {
    const { node, shop, pay } = await stage();
    const { pmVc } = await pay(await shop.checkout());
    const { mandateId } = pmVc.credentialSubject;
    const reader = { ...node.owner, permissions: new Set(['read'] as const) };
    assert.equal((await node.run('getPayment', { mandateId }, reader))['ucp'], undefined);
    await node.run('cancelPayment', { mandateId });
    assert.equal((await node.run('getPayment', { mandateId }))['ucp'], undefined);
  });

  test('shows a person its lines, and with a discount its total as one item', async () => {
    const { node, shop, validate } = await stage();
    const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context: { presence: 'required' } };
    await node.run('createPolicy', { name: 'With a person', rules });
    const plain = await validate(await shop.checkout());
    const items = async ({ approval }: Loose) => {
      const [row] = await node.deps.store.read(function* () {
        return (yield* allRows('SELECT items FROM approval_requests WHERE id = ?', approval.id)) as Loose[];
      });
      return JSON.parse(row?.['items']);
    };
    assert.deepEqual(await items(plain), [
      { name: 'Widget', price: 25, quantity: 2 },
      { name: 'Shipping', price: 4.5, quantity: 1 },
      { name: 'Tax', price: 4, quantity: 1 },
    ]);
    const discount = { type: 'discount', display_text: 'Promo', amount: -300 };
    const cheaper = await validate(await shop.checkout({ totals: total(4700, subtotal(5000), discount) }));
    assert.deepEqual(await items(cheaper), [{ name: 'Total', price: 47, quantity: 1 }]);
  });

  test('keeps its mandates under a new root key', async () => {
    const { node, shop, pay } = await stage();
    const { ucp, pmVc } = await pay(await shop.checkout());
    const { mandateId } = pmVc.credentialSubject;
    const next = sealer(new Uint8Array(32).fill(9));
    const { deps, owner } = node;
    const former = deps.sealer;
    await deps.store.write(owner.tenantId, () => resealAll(former, { sealer: next, mark: 'next' }));
    await assert.rejects(node.run('getPayment', { mandateId }), /cannot be opened/);
    Object.assign(deps, { sealer: next });
    assert.deepEqual((await node.run('getPayment', { mandateId }))['ucp'], ucp);
  });

  test('of the longest kind fits into a mandate', async () => {
    const { node, shop, pay } = await stage();
    const { ucp } = await pay(await shop.checkout({ note: 'ü'.repeat(11_500) }));
    assert.ok(ucp.checkoutMandate.length < CHAIN_BOUNDS.characters);
    const { valid } = verifyAp2Chain(ucp.checkoutMandate, {
      rootKey: () => node.deps.keys.receiptSigner.jwk,
      isSigned: nativeSignatureCheck(node.deps.suite),
      at: Math.floor(node.clock.now / 1000),
    });
    assert.ok(valid);
  });

  test('is named in a payment’s request only where it is paid', async () => {
    const { node } = await stage();
    const { did } = await node.agent();
    const request = { maxAmount: 10, currency: 'USD' };
    const { intentVc } = await node.run('issueIntent', { agentDid: did, principalDid: did, request });
    const offer = { payerDid: did, domain: SHOP, amount: 10, currency: 'USD' };
    const { cartVc } = await node.run('demoCart', offer);
    const { approvalToken } = await node.run('validateCart', { intentVc, cartVc });
    await assert.rejects(node.run('mandatePayment', { approvalToken, ucp: {} }), /ucp is about mandates/);
    assert.ok((await node.run('mandatePayment', { approvalToken }))['pmVc']);
  });
});
