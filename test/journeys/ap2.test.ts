/** Purchases by the mandates of AP2 v0.1: intent, cart and payment, the person's touch, and the evidence of it. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { intentOfMandate } from '../../protocol/ap2/intentMandate.ts';
import { readPaymentMandate, requireSamePurchase } from '../../protocol/ap2/paymentMandate.ts';
import { canonical } from '../../protocol/credential/canonical.ts';
import { didOfKey } from '../../protocol/credential/did.ts';
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { fromBase64url } from '../../protocol/credential/encodings.ts';
import { verifyBundle } from '../../protocol/evidence/verifyBundle.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import {
  type Algorithm,
  type Ap2Merchant,
  cartContents,
  intentMandate,
  item,
  makeAp2Merchant,
  paymentMandate,
} from '../support/ap2.ts';
import { everyEngine } from '../support/engines.ts';
import { makePerson, NO_CREDENTIAL, type Person } from '../support/person.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

const FREE = { version: '2.0', spend: { amount_cap: 100, presence_cap: 200, currency: 'USD' } };

for (const engine of everyEngine()) {
  describe(`AP2 on ${engine.name}`, () => {
    let world: World;
    let person: Person;
    const shops = new Map<Algorithm, Ap2Merchant>();
    const published = new Map<string, Loose[]>();
    const documents = new Map<string, string>();
    before(async () => {
      world = await makeWorld(engine);
      person = makePerson(world);
      await person.enroll();
      for (const algorithm of ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256'] as const) {
        const shop = await makeAp2Merchant(algorithm);
        shops.set(algorithm, shop);
        assert.equal((await world.rest('POST', '/ap2/admin/merchants', { domain: SHOP, jwk: shop.jwk })).status, 201);
      }
      Object.assign(world.node.deps.keys, {
        ofMerchant: async (did: string) => documents.get(did),
        at: async (url: string, kid: string) => (published.get(url) ?? []).filter((jwk) => jwk.kid === kid),
      });
    });
    beforeEach(() => policy({}));
    after(() => world.close());

    async function policy(more: Loose): Promise<void> {
      const reply = await world.rest('POST', '/ap2/admin/policies', { name: 'ap2', rules: { ...FREE, ...more } });
      assert.equal(reply.status, 201, reply.text);
    }
    const shopOf = (algorithm: Algorithm = 'ES256') => shops.get(algorithm) as Ap2Merchant;
    /** @returns the id of the intent that a mandate of AP2 becomes */
    async function ask(
      mandate: Loose = {},
      about: Loose = {},
    ): Promise<{ readonly id: string; readonly answer: Loose }> {
      const { rules } = (await world.rest('GET', '/ap2/policies/current')).body;
      const said = { agentDid: world.agent.did, principalDid: world.principal.did, ...about };
      const request = intentOfMandate(intentMandate(mandate), said, { rules, now: Date.now() });
      const { body } = await world.rest('POST', '/ap2/intents', request);
      assert.equal(body.allowed, true, JSON.stringify(body));
      return { id: body.intentVc.credentialSubject.mandateId, answer: body };
    }
    const validate = async (intentId: string, cartMandate: Loose, more: Loose = {}): Promise<Loose> =>
      (await world.rest('POST', '/ap2/carts/validate/ap2', { intentId, cartMandate, ...more })).body;
    const alone = { user_cart_confirmation_required: false };
    async function evidenceOf(intentId: string, format: 'portable' | 'summary' = 'summary') {
      const { transactionId } = (await world.rest('GET', `/ap2/intents/${intentId}`)).body;
      return world.rest('GET', `/ap2/evidence/bundle/${transactionId}?format=${format}`);
    }

    for (const algorithm of ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256'] as const) {
      test(`intent, cart and payment go through with ${algorithm}, 0.1 and 0.2 being 0.3, and the bundle of it holds`, async () => {
        const { id } = await ask({ ...alone, merchants: [SHOP] });
        const contents = cartContents(
          [
            ['Shoes', 0.1],
            ['Laces', 0.2],
          ],
          0.3,
        );
        const cart = await shopOf(algorithm).sign(contents);
        const approved = await validate(id, { ...cart, unknown: [1] });
        assert.equal(approved.allowed, true, JSON.stringify(approved));
        const payment = readPaymentMandate(paymentMandate(contents));
        requireSamePurchase(payment, cart);
        const { approvalToken } = approved;
        const { instrument } = payment;
        const paid = await world.rest('POST', '/ap2/payments/mandate', { approvalToken, instrument });
        assert.equal(paid.body.pmVc.credentialSubject.amount, 0.3, paid.text);

        const validated = (await evidenceOf(id)).body.events.find(
          (each: Loose) => each.eventType === 'CART_VALIDATED',
        ).data;
        assert.deepEqual(
          [validated.cartId, validated.detailsId, validated.merchantName],
          [contents.id, contents.payment_request.details.id, 'Shoe Shop'],
        );
        assert.deepEqual(validated.merchantKey.jwk, shopOf(algorithm).jwk);
        const { text } = await evidenceOf(id, 'portable');
        for (const suite of [nativeSuite(), nobleSuite]) {
          const check = verifyBundle(suite, text, world.node.deps.issuer.did);
          assert.ok(check.ok, check.ok ? '' : check.reason);
          assert.deepEqual(check.bundle.credentials.cartMandate, { ...cart, unknown: [1] });
        }
      });
    }

    test('a bundle whose cart mandate was changed, swapped or taken out does not hold', async () => {
      const { id } = await ask(alone);
      const shop = shopOf('EdDSA');
      const contents = cartContents([['Shoes', 10]], 10);
      const { approvalToken } = await validate(id, await shop.sign(contents));
      await world.rest('POST', '/ap2/payments/mandate', { approvalToken });
      const bundle = JSON.parse((await evidenceOf(id, 'portable')).text);
      const forged = await shop.sign(contents, { iss: 'https://other.example' });
      const signature = (await shop.sign(cartContents([['Shoes', 10]], 10))).merchant_authorization.split('.')[2];
      const cases: readonly (readonly [(mandate: Loose) => void, RegExp])[] = [
        [(mandate) => (mandate.contents.merchant_name = 'Other'), /not the one whose hash/],
        [(mandate) => (mandate.merchant_authorization = forged.merchant_authorization), /not the one whose hash/],
        [(mandate) => (mandate.merchant_authorization = 'x'), /not a signed JWT/],
        [
          (mandate) => (mandate.merchant_authorization = mandate.merchant_authorization.replace(/[^.]+$/, signature)),
          /not by the key in the evidence/,
        ],
      ];
      for (const [tamper, reason] of cases) {
        const changed = structuredClone(bundle);
        tamper(changed.credentials.cartMandate);
        const check = verifyBundle(nativeSuite(), canonical(changed), world.node.deps.issuer.did);
        assert.ok(!check.ok && check.part === 'credentials', `${reason}`);
        assert.match(check.reason, reason);
      }
      delete bundle.credentials.cartMandate;
      const check = verifyBundle(nativeSuite(), canonical(bundle), world.node.deps.issuer.did);
      assert.match(check.ok ? '' : check.reason, /cart credential is missing/);
    });

    test('a person confirms the cart where the agent asks for it, though the policy asks for no person', async () => {
      await policy({ context: { presence: 'never' } });
      const mandate = { merchants: ['Shoe Shop', 'hats.example'], skus: ['red-42'], requires_refundability: true };
      const { id, answer } = await ask(mandate, { maxAmount: 50 });
      assert.equal(answer.hpRequired, true);
      const cart = await shopOf().sign(cartContents([['Shoes', 40]], 40));
      const refused = await validate(id, cart);
      assert.deepEqual(refused.reasonCodes, ['HP_REQUIRED']);
      assert.equal(refused.details.HP_REQUIRED.message, 'The agent asked for a person to confirm the cart.');
      const approval = (await world.rest('GET', `/ap2/approvals/${refused.approval.id}`)).body;
      assert.deepEqual(
        approval.causes.map(({ cause }: Loose) => cause),
        ['merchant'],
      );

      const view = (await world.rest('GET', `/approve/${refused.approval.id}/purchase`, undefined, NO_CREDENTIAL)).body;
      assert.deepEqual([view.merchant, view.merchantName, view.total], [SHOP, 'Shoe Shop', '40.00 USD']);
      assert.deepEqual(view.items, [{ name: 'Shoes', quantity: 1, amount: '40.00 USD' }]);
      assert.deepEqual(view.asked, [
        { name: 'What for', value: 'High top, old school, red basketball shoes' },
        { name: 'Shops', value: 'Shoe Shop, hats.example' },
        { name: 'Articles', value: 'red-42' },
        { name: 'Can be given back', value: 'It must be possible' },
      ]);
      assert.ok(view.details.every(({ value }: Loose) => value !== 'null'));
      assert.ok(view.details.some(({ name, value }: Loose) => name === 'Item 1, refund days' && value === '30'));

      assert.equal((await person.decide(refused.approval.id)).status, 200);
      const { hpProof } = (await world.rest('GET', `/ap2/approvals/${refused.approval.id}`)).body;
      const approved = await validate(id, cart, { hpProof });
      assert.equal(approved.allowed, true, JSON.stringify(approved));
      const { approvalToken } = approved;
      const paid = await world.rest('POST', '/ap2/payments/mandate', { approvalToken });
      assert.equal(paid.body.railResponse.status, 'requires_capture', paid.text);
      const check = verifyBundle(nativeSuite(), (await evidenceOf(id, 'portable')).text, world.node.deps.issuer.did);
      assert.ok(check.ok, check.ok ? '' : check.reason);
      const { credentialSubject } = check.bundle.credentials.intent as Loose;
      assert.deepEqual(credentialSubject.shopping.skus, ['red-42']);
    });

    test('a person confirms the cart where the merchant asks for it, once for each shop that signs it', async () => {
      const { id, answer } = await ask(alone);
      assert.equal(answer.hpRequired, false);
      const contents = cartContents(
        [
          ['Shoes', 50],
          ['Voucher', -10],
        ],
        40,
        { user_cart_confirmation_required: true },
      );
      const cart = await shopOf().sign(contents);
      const refused = await validate(id, cart);
      assert.equal(refused.details.HP_REQUIRED.message, 'The merchant asks for a person to confirm the cart.');
      const view = (await world.rest('GET', `/approve/${refused.approval.id}/purchase`, undefined, NO_CREDENTIAL)).body;
      assert.deepEqual(view.items, [{ name: 'Total', quantity: 1, amount: '40.00 USD' }]);
      const lines = view.details.filter(({ name }: Loose) => /^Item \d$/.test(name)).map(({ value }: Loose) => value);
      assert.deepEqual(lines, ['Shoes: 50 USD', 'Voucher: -10 USD'], 'what a discount is taken from is shown');
      await person.decide(refused.approval.id);
      const { hpProof } = (await world.rest('GET', `/ap2/approvals/${refused.approval.id}`)).body;

      const other = await makeAp2Merchant('ES256', 'other.example');
      published.set('https://other.example/.well-known/jwks.json', [other.jwk]);
      const elsewhere = await validate(id, await other.sign(contents), { hpProof });
      assert.deepEqual(elsewhere.reasonCodes, ['HP_INVALID']);
      assert.match(elsewhere.details.HP_INVALID.message, /for another cart/);
      const anew = await shopOf('EdDSA').sign(contents);
      assert.equal((await validate(id, anew, { hpProof })).allowed, true, 'the same shop may sign it anew');
    });

    test('a cart of a merchant that the intent does not name is refused, and its own name counts as its domain does', async () => {
      const { id } = await ask({ ...alone, merchants: ['  SHOE shop ', 'hats.example'] });
      const named = await validate(id, await shopOf().sign(cartContents([['Shoes', 10]], 10)));
      assert.equal(named.allowed, true, JSON.stringify(named));
      const other = cartContents([['Shoes', 10]], 10, { merchant_name: 'Shoe Shop 2' });
      const refused = await validate(id, await shopOf().sign(other));
      assert.deepEqual(refused.reasonCodes, ['MERCHANT_MISMATCH']);
      const posing = cartContents([['Shoes', 10]], 10, { merchant_name: 'hats.example' });
      assert.deepEqual((await validate(id, await shopOf().sign(posing))).reasonCodes, ['MERCHANT_MISMATCH']);
      const request = {
        ...world.intentBody(50),
        request: { maxAmount: 50, currency: 'USD', vendorHints: { merchants: ['Hats', 'a.example'] } },
      };
      const { intentVc } = (await world.rest('POST', '/ap2/intents', request)).body;
      const credential = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: world.cart(10) });
      assert.deepEqual(credential.body.reasonCodes, ['MERCHANT_MISMATCH']);
    });

    test('what an agent says of its purchase is kept with the intent, by any gate, and asks a person for a credential too', async () => {
      const shopping = { description: 'Tea', skus: ['t-1'], refundable: false, confirmCart: true };
      const request = { maxAmount: 50, currency: 'USD', vendorHints: { merchants: [SHOP] }, shopping };
      const said = await world.say('IntentMandate', { ...world.intentBody(50), request });
      const { intentVc } = said.result.message.body;
      const record = (await world.rest('GET', `/ap2/intents/${intentVc.credentialSubject.mandateId}`)).body;
      assert.deepEqual([record.merchants, record.shopping], [[SHOP], shopping]);
      assert.deepEqual(intentVc.credentialSubject.shopping, shopping);
      const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: world.cart(10) });
      assert.deepEqual(cart.body.reasonCodes, ['HP_REQUIRED']);
      const events = (await evidenceOf(record.mandateId)).body.events;
      assert.deepEqual([events[0].data.merchants, events[0].data.shopping], [[SHOP], shopping]);
    });

    test('keys are found where they are bound, at the site where nothing is, and are gone once they are removed', async () => {
      const shop = await makeAp2Merchant('ES256', 'keys.example');
      const { id } = await ask(alone);
      const cart = () => shop.sign(cartContents([['Shoes', 10]], 10));
      const codes = async () => (await validate(id, await cart())).reasonCodes ?? [];
      assert.deepEqual(await codes(), ['MERCHANT_UNVERIFIED']);
      published.set('https://keys.example/.well-known/jwks.json', [shop.jwk]);
      assert.deepEqual(await codes(), []);
      const jwksUrl = 'https://elsewhere.example/keys';
      const bound = (await world.rest('POST', '/ap2/admin/merchants', { domain: 'keys.example', jwksUrl })).body;
      assert.equal(bound.jwksUrl, jwksUrl);
      assert.deepEqual(await codes(), ['MERCHANT_UNVERIFIED'], 'the address that is bound takes the place of the site');
      published.set(jwksUrl, [shop.jwk]);
      assert.deepEqual(await codes(), []);
      const { kid: _none, ...nameless } = shop.jwk;
      const key = (await world.rest('POST', '/ap2/admin/merchants', { domain: 'keys.example', jwk: nameless })).body;
      published.clear();
      assert.deepEqual(await codes(), [], 'a bound key without a kid is known by itself');
      for (const merchant of [key, bound]) await world.rest('DELETE', `/ap2/admin/merchants/${merchant.id}`);
      assert.deepEqual(await codes(), ['MERCHANT_UNVERIFIED']);
      const local = [
        'https://127.0.0.1/keys',
        'https://localhost/keys',
        'https://a:b@keys.example/',
        'http://keys.example/',
      ];
      const addresses = local.map((address) => ({ jwksUrl: address }));
      for (const wrong of [...addresses, {}, { jwk: shop.jwk, jwksUrl }, { jwk: { ...shop.jwk, d: shop.jwk.x } }]) {
        const reply = await world.rest('POST', '/ap2/admin/merchants', { domain: 'keys.example', ...wrong });
        assert.equal(reply.status, 400, reply.text);
      }
      const twice = { domain: SHOP, jwk: { ...shopOf().jwk, kid: 'renamed' } };
      assert.equal((await world.rest('POST', '/ap2/admin/merchants', twice)).status, 409, 'one key, under any kid');
    });

    test('a merchant that signs as did:web is verified by its document, and else by its set of keys', async () => {
      const shop = await makeAp2Merchant('EdDSA', 'web.example');
      const did = didOfKey(fromBase64url(shop.jwk.x) as Uint8Array);
      const sourceOf = async () => {
        const { id } = await ask(alone);
        const cart = await shop.sign(cartContents([['Shoes', 10]], 10), { iss: 'did:web:web.example' });
        const { allowed } = await validate(id, cart);
        const { data } = (await evidenceOf(id)).body.events.at(-1);
        return allowed ? data.merchantKey.issuer : undefined;
      };
      assert.equal(await sourceOf(), undefined);
      published.set('https://web.example/.well-known/jwks.json', [shop.jwk]);
      assert.equal(await sourceOf(), 'https://web.example/.well-known/jwks.json');
      documents.set('did:web:web.example', did);
      assert.equal(await sourceOf(), 'did:web:web.example');
    });

    test('the sandbox’s demo merchant signs cart mandates too', async () => {
      const { id } = await ask(alone);
      const items = [
        { name: 'Shoes', price: 5, quantity: 2 },
        { name: 'Laces', price: 0.5, quantity: 1 },
      ];
      const demo = await world.rest('POST', '/ap2/demo/cart/ap2', {
        domain: 'any.example',
        amount: 10.5,
        currency: 'USD',
        items,
      });
      const { cartMandate } = demo.body;
      assert.deepEqual(cartMandate.contents.payment_request.details.display_items[0], item('2 × Shoes', 10));
      assert.equal((await validate(id, cartMandate)).allowed, true);
      const wrong = await world.rest('POST', '/ap2/demo/cart/ap2', {
        domain: 'any.example',
        amount: 11,
        currency: 'USD',
        items,
      });
      assert.equal(wrong.status, 400);
    });
  });
}
