/** The client's part for merchants: carts that a node takes, and payment mandates that hold for them alone. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Agent, makeAgent, type Offer, signCart, verifyPaymentMandate } from '../../client/index.ts';
import { everyEngine } from '../support/engines.ts';
import { isProvenBy, type JsonObject, makePeer, prove } from '../support/peer.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

const tea: Offer = {
  domain: SHOP,
  currency: 'USD',
  items: [
    { name: 'Tea', price: 0.1, quantity: 3 },
    { name: 'Shipping', price: 4.9, quantity: 1 },
  ],
};

describe('a merchant', () => {
  let world: World;
  const merchant = makeAgent();
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    await world.client.bindMerchant({ domain: SHOP, did: merchant.did });
  });
  after(() => world.close());

  async function pay(cartVc: Loose): Promise<Loose> {
    const intent = await world.client.issueIntent(world.intentBody(50) as never);
    assert.ok(intent.allowed);
    const cart = await world.client.validateCart({ intentVc: intent.intentVc, cartVc });
    assert.ok(cart.allowed, JSON.stringify(cart));
    const payment = await world.client.mandatePayment({ approvalToken: cart.approvalToken });
    assert.ok('pmVc' in payment);
    return { pmVc: payment.pmVc, intentVc: intent.intentVc };
  }
  const nodeDid = () => world.node.deps.issuer.did;
  const fails = (pmVc: unknown, cart: Loose, message: RegExp, by: Agent = merchant, did = nodeDid()) =>
    assert.throws(() => verifyPaymentMandate(by, pmVc, { nodeDid: did, cart }), { code: 'INVALID_MANDATE', message });

  test('signs a cart that adds up, and that every program which follows the standards can verify', () => {
    const cart = signCart(merchant, { ...tea, shipTo: '1 Lane' });
    assert.deepEqual(cart.credentialSubject, {
      merchant: SHOP,
      total: 5.2,
      items: tea.items,
      currency: 'USD',
      shipTo: '1 Lane',
    });
    assert.ok(isProvenBy(merchant.did, cart as unknown as JsonObject, 'assertionMethod'));
    assert.equal(Date.parse(String(cart.expirationDate)) - Date.parse(cart.issuanceDate), 3_600_000);
    assert.notEqual(signCart(merchant, tea).id, cart.id);
    const web = signCart(merchant, tea, { issuer: `did:web:${SHOP}`, id: 'urn:order:7', validSeconds: 60 });
    assert.deepEqual([web.issuer, web.id], [`did:web:${SHOP}`, 'urn:order:7']);
  });

  test('is told which member is no DID', () => {
    assert.throws(() => verifyPaymentMandate(merchant, {}, { nodeDid: '', cart: {} }), {
      code: 'BAD_REQUEST',
      message: 'nodeDid: A DID must begin with did:key: here.',
    });
  });

  test('is told what no node would take, before anything is signed', () => {
    const wrong: readonly (readonly [Loose, RegExp])[] = [
      [{ domain: 'https://shop.example' }, /"merchant" A domain is a plain host name/],
      [{ currency: 'usd' }, /"currency" must be an active ISO 4217 code/],
      [{ items: [] }, /"items"/],
      [{ items: [{ name: 'Tea', price: 1, quantity: 0 }] }, /"items\.0\.quantity"/],
      [{ items: [{ name: 'Tea', price: 1.005, quantity: 1 }] }, /more decimals/],
      [{ items: [{ name: 'Tea', price: -1, quantity: 1 }] }, /0 or more/],
      [{ items: [{ name: 'Tea', price: 0, quantity: 1 }] }, /more than 0/],
      [{ items: [{ name: 'Tea', price: 1e12, quantity: 1e6 }] }, /more than/],
      [{ total: 5.21 }, /does not add up/],
    ];
    for (const [change, message] of wrong) {
      assert.throws(() => signCart(merchant, { ...tea, ...change }), { code: 'BAD_REQUEST', status: 0, message });
    }
  });

  test('signs in the name of its own domain only', () => {
    const wrong = { code: 'BAD_REQUEST', message: /must be did:web:shop\.example, or left out/ };
    assert.throws(() => signCart(merchant, tea, { issuer: 'did:web:other.example' }), wrong);
    assert.throws(() => signCart(merchant, tea, { issuer: makeAgent().did }), wrong);
  });

  test('is paid for its cart, and accepts the mandate for this cart alone', async () => {
    const cart = signCart(merchant, tea);
    const { pmVc, intentVc } = await pay(cart);
    const paid = verifyPaymentMandate(merchant, pmVc, { nodeDid: nodeDid(), cart });
    assert.deepEqual([paid.amount, paid.currency, paid.merchant], [5.2, 'USD', SHOP]);
    assert.match(paid.mandateId, /^pm_/);
    assert.deepEqual([paid.agentDid, paid.principalDid], [world.agent.did, world.principal.did]);
    const days = (Date.parse(paid.expiresAt ?? '') - Date.parse(pmVc.issuanceDate)) / 86_400_000;
    assert.equal(days, 7);
    const later = new Date(Date.parse(paid.expiresAt ?? ''));
    assert.throws(() => verifyPaymentMandate(merchant, pmVc, { nodeDid: nodeDid(), cart, now: later }), {
      code: 'INVALID_MANDATE',
      message: /expired/,
    });
    const stored = JSON.parse(JSON.stringify(cart));
    assert.equal(verifyPaymentMandate(merchant, pmVc, { nodeDid: nodeDid(), cart: stored }).mandateId, paid.mandateId);

    fails(pmVc, signCart(merchant, tea), /Its cartHash is sha256:/);
    fails(pmVc, { ...cart, id: 'urn:other' }, /The cart does not hold: The signature does not match/);
    fails(intentVc, cart, /not of type PaymentMandate/);
    for (const change of [{ amount: 1 }, { agentDid: merchant.did }, { expiresAt: '2999-01-01T00:00:00Z' }]) {
      fails({ ...pmVc, credentialSubject: { ...pmVc.credentialSubject, ...change } }, cart, /signature does not match/);
    }
    fails(pmVc, cart, /issued by did:key:\w+ and not by/, merchant, merchant.did);
    fails(pmVc, cart, /The cart was signed by did:key:\w+ and not by/, makeAgent());
    fails('pm_1', cart, /malformed/);
    fails(undefined, cart, /malformed/);
    assert.throws(() => verifyPaymentMandate(merchant, pmVc, { nodeDid: 'x', cart }), { code: 'BAD_REQUEST' });
  });

  test('does not accept a mandate that another node signed, nor one of another amount, or that has ended', async () => {
    const cart = signCart(merchant, tea);
    const { pmVc } = await pay(cart);
    const node = makeAgent();
    const forge = (change: Loose, subject: Loose = {}): Loose => {
      const { proof: _proof, ...content } = pmVc;
      const forged = { ...content, ...change, credentialSubject: { ...content.credentialSubject, ...subject } };
      return prove(makePeer(Buffer.from(node.seed)), JSON.parse(JSON.stringify(forged)), 'assertionMethod');
    };
    fails(forge({}), cart, /verificationMethod must be the key of/);
    const own = { issuer: node.did };
    assert.equal(verifyPaymentMandate(merchant, forge(own), { nodeDid: node.did, cart }).amount, 5.2);
    fails(forge(own, { amount: 5 }), cart, /Its amount is 5, and that of the cart 5\.2/, merchant, node.did);
    fails(forge(own, { currency: 'EUR' }), cart, /Its currency/, merchant, node.did);
    fails(forge(own, { merchant: 'other.example' }), cart, /Its merchant/, merchant, node.did);
    fails(forge({ ...own, expirationDate: '2020-01-01T00:00:00Z' }), cart, /has expired/, merchant, node.did);
    const ended = { expirationDate: undefined, ...own };
    fails(forge(ended, { expiresAt: '2020-01-01T00:00:00Z' }), cart, /captured until 2020/, merchant, node.did);
    fails(forge(own, { expiresAt: 'soon' }), cart, /malformed at "expiresAt"/, merchant, node.did);
    const old = forge(ended, { agentDid: undefined, principalDid: undefined, expiresAt: undefined });
    const read = verifyPaymentMandate(merchant, old, { nodeDid: node.did, cart });
    assert.deepEqual(
      [read.amount, read.agentDid, read.expiresAt],
      [5.2, undefined, undefined],
      'a mandate from before',
    );
    fails(forge({ ...own, issuanceDate: '2999-01-01T00:00:00Z' }), cart, /in the future/, merchant, node.did);
  });

  test('of a domain with a did:web signs and verifies under that name', async () => {
    const cart = signCart(merchant, tea, { issuer: `did:web:${SHOP}` });
    fails({}, cart, /malformed/);
    fails({}, cart, /The cart does not hold/, makeAgent());
  });
});
