/** Cart mandates of AP2 whose authorization is not the merchant's, not for this cart, or not for this purchase. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  type Ap2Merchant,
  cartContents,
  hashOf,
  hexHashOf,
  jwtOf,
  makeAp2Merchant,
  SAMPLE_JWT,
} from '../support/ap2.ts';
import { everyEngine } from '../support/engines.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

const shoes = (changes: Loose = {}) => cartContents([['Shoes', 10]], 10, changes);

for (const engine of everyEngine()) {
  describe(`a cart mandate on ${engine.name}`, () => {
    let world: World;
    let shop: Ap2Merchant;
    let stranger: Ap2Merchant;
    /** Addresses that keys were asked for at, and what is there. */
    let fetched: string[] = [];
    const published = new Map<string, Loose[]>();
    before(async () => {
      world = await makeWorld(engine);
      [shop, stranger] = await Promise.all([makeAp2Merchant(), makeAp2Merchant('ES256', 'stranger.example')]);
      Object.assign(world.node.deps.keys, {
        at: async (url: string, kid: string) => {
          fetched.push(url);
          return (published.get(url) ?? []).filter((jwk) => jwk.kid === kid);
        },
        ofMerchant: async (did: string) => {
          fetched.push(did);
          return undefined;
        },
      });
      const rules = { version: '2.0', spend: { amount_cap: 100, currency: 'USD' } };
      assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'no windows', rules })).status, 201);
      const bound = await world.rest('POST', '/ap2/admin/merchants', { domain: SHOP, jwk: shop.jwk });
      assert.equal(bound.status, 201, bound.text);
    });
    beforeEach(() => {
      fetched = [];
    });
    after(() => world.close());

    async function newIntent(request: Loose = {}, contextId?: string): Promise<string> {
      const body = { ...world.intentBody(50), request: { maxAmount: 50, currency: 'USD', ...request } };
      if (contextId === undefined) {
        return (await world.rest('POST', '/ap2/intents', body)).body.intentVc.credentialSubject.mandateId;
      }
      const session = { contextId, agentDid: world.agent.did, userDid: world.principal.did };
      await world.rest('POST', '/a2a/sessions', session);
      const said = await world.say('IntentMandate', body, { contextId });
      return said.result.message.body.intentVc.credentialSubject.mandateId;
    }
    const validate = async (cartMandate: Loose, intentId?: string): Promise<Loose> =>
      (await world.rest('POST', '/ap2/carts/validate/ap2', { intentId: intentId ?? (await newIntent()), cartMandate }))
        .body;
    async function refused(cartMandate: Loose, why: RegExp, code = 'MERCHANT_UNVERIFIED'): Promise<void> {
      const body = await validate(cartMandate);
      assert.deepEqual(body.reasonCodes, [code], JSON.stringify(body));
      assert.match(body.details[code].message, why);
    }
    const now = () => Math.floor(Date.now() / 1000);

    test('by the bound key is approved, whichever way it says whose it is and spells its hash', async () => {
      const approved = async (claims: Loose) => {
        const contents = shoes();
        const body = await validate(
          await shop.sign(contents, typeof claims === 'function' ? claims(contents) : claims),
        );
        assert.equal(body.allowed, true, JSON.stringify(body));
      };
      await approved({});
      await approved({ iss: SHOP });
      await approved({ iss: `did:web:${SHOP}`, aud: ['other', 'credentials-provider'] });
      await approved({ iss: `https://${SHOP}/merchants/7`, aud: world.node.baseUrl });
      await approved((contents: Loose) => ({ cart_hash: hexHashOf(contents), aud: `${world.node.baseUrl}/` }));
      await approved((contents: Loose) => ({ cart_hash: `${hashOf(contents)}=` }));
      assert.deepEqual(fetched, []);
    });

    test('with characters that a database may not take is judged, and so is its intent', async () => {
      const odd = 'a\u0000\u202e\ud83d\ude00';
      const intentId = await newIntent({
        shopping: { description: odd, skus: [odd] },
        vendorHints: { merchants: [odd] },
      });
      const contents = shoes({ id: odd, merchant_name: odd, user_cart_confirmation_required: true });
      const body = await validate(await shop.sign(contents, { jti: odd }), intentId);
      assert.deepEqual(body.reasonCodes, ['HP_REQUIRED'], JSON.stringify(body));
      const view = await world.rest('GET', `/approve/${body.approval.id}/purchase`, undefined, {});
      assert.deepEqual([view.status, view.body.merchantName], [200, 'a 😀']);
    });

    test('with the JWT of the samples, with none, or with something else is refused', async () => {
      const contents = shoes();
      for (const merchant_authorization of [SAMPLE_JWT, null, '', 'a.b.c', 'x'.repeat(20_000)]) {
        await refused({ contents, merchant_authorization }, /authorization cannot be trusted/);
      }
      const wrong = await world.rest('POST', '/ap2/carts/validate/ap2', {
        intentId: await newIntent(),
        cartMandate: { contents, merchant_authorization: 7 },
      });
      assert.equal(wrong.status, 400);
    });

    test('without a signature, or by a secret that everybody has, is refused', async () => {
      const contents = shoes();
      const signed = await shop.sign(contents);
      const [, payload, signature] = signed.merchant_authorization.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
      const header = { alg: 'none', kid: shop.jwk.kid };
      await refused({ contents, merchant_authorization: jwtOf(header, claims) }, /ES512, EdDSA or RS256/);
      const hs = jwtOf({ alg: 'HS256', kid: shop.jwk.kid }, claims).slice(0, -1);
      for (const secret of [JSON.stringify(shop.jwk), shop.jwk.x, '']) {
        const mac = createHmac('sha256', secret).update(hs).digest('base64url');
        await refused({ contents, merchant_authorization: `${hs}.${mac}` }, /ES512, EdDSA or RS256/);
      }
      for (const alg of ['RS256', 'EdDSA', 'ES384', 'es256']) {
        const other = jwtOf({ alg, kid: shop.jwk.kid }, claims, signature);
        await refused({ contents, merchant_authorization: other }, /no key of shop|ES512, EdDSA or RS256/);
      }
      await refused(
        { contents, merchant_authorization: `${signed.merchant_authorization}A` },
        /not a signed JWT|no key/,
      );
      const critical = jwtOf({ alg: 'ES256', kid: shop.jwk.kid, crit: ['b64'], b64: false }, claims, signature);
      await refused({ contents, merchant_authorization: critical }, /"crit"/);
    });

    test('by a key that is not the shop’s is refused, and so is one whose kid is unknown', async () => {
      await refused(await stranger.sign(shoes(), { iss: `https://${SHOP}` }), /no key of shop\.example has signed it/);
      await refused(await shop.sign(shoes(), {}, { kid: 'other' }), /no key of shop\.example has signed it/);
      assert.deepEqual(fetched, [], 'what is bound takes the place of what the site says');
      await refused(await stranger.sign(shoes()), /no key of stranger\.example has signed it/);
      assert.deepEqual(fetched, ['https://stranger.example/.well-known/jwks.json']);
      published.set('https://stranger.example/.well-known/jwks.json', [stranger.jwk]);
      assert.equal((await validate(await stranger.sign(shoes()))).allowed, true);
      await refused(await shop.sign(shoes(), { iss: 'https://stranger.example' }), /no key of stranger/);
    });

    test('that names no domain as its issuer, or lacks a claim, is refused', async () => {
      for (const iss of [
        'http://shop.example',
        'https://shop.example:8443',
        'https://a@shop.example',
        'did:web:shop.example:x',
        'did:web:shop.example%3A1',
        'https://127.0.0.1',
        'shop',
        'did:key:z6Mk',
      ]) {
        await refused(await shop.sign(shoes(), { iss }), /iss is no domain/);
      }
      for (const claim of ['iss', 'aud', 'exp', 'iat', 'jti', 'cart_hash']) {
        await refused(await shop.sign(shoes(), { [claim]: undefined }), /claims are malformed/);
      }
      await refused(await shop.sign(shoes(), {}, { kid: undefined }), /header is malformed at "kid"/);
      await refused(await shop.sign(shoes(), { exp: 1e300 }), /claims are malformed at "exp"/);
      await refused(await shop.sign(shoes(), { aud: 'https://another.example' }), /its aud names neither/);
      await refused(await shop.sign(shoes(), { aud: [] }), /its aud names neither/);
    });

    test('of another time is refused: five minutes are what clocks may differ by', async () => {
      await refused(await shop.sign(shoes(), { exp: now() - 310 }), /expired/, 'CART_EXPIRED');
      assert.equal((await validate(await shop.sign(shoes(), { exp: now() - 200 }))).allowed, true);
      await refused(await shop.sign(shoes(), { iat: now() + 400 }), /issued in the future/);
      await refused(await shop.sign(shoes(), { nbf: now() + 400 }), /issued in the future/);
      assert.equal((await validate(await shop.sign(shoes(), { iat: now() + 200 }))).allowed, true);
      const over = shoes({ cart_expiry: new Date(Date.now() - 1000).toISOString() });
      await refused(await shop.sign(over), /expired/, 'CART_EXPIRED');
    });

    test('with the authorization of another cart, or with changed contents, is refused', async () => {
      const [cheap, dear] = [shoes(), cartContents([['Shoes', 40]], 40)];
      const { merchant_authorization } = await shop.sign(cheap);
      await refused({ contents: dear, merchant_authorization }, /cart_hash is not that of the contents/);
      await refused({ contents: { ...cheap, merchant_name: 'Other' }, merchant_authorization }, /cart_hash/);
      await refused({ contents: { ...cheap, extra: null }, merchant_authorization }, /cart_hash/);
      const { options: _null, ...request } = cheap.payment_request;
      await refused({ contents: { ...cheap, payment_request: request }, merchant_authorization }, /cart_hash/);
      const plain = Buffer.from(hashOf(cheap), 'base64url').toString('base64');
      if (plain !== `${hashOf(cheap)}=`) await refused(await shop.sign(cheap, { cart_hash: plain }), /cart_hash/);
      await refused(await shop.sign(cheap, { cart_hash: `sha256:${hexHashOf(cheap)}` }), /cart_hash/);
    });

    test('serves the context that brought it first, and no other, two at once included', async () => {
      const cart = await shop.sign(shoes());
      const first = await newIntent({}, 'context-1');
      assert.equal((await validate(cart, first)).allowed, true);
      assert.equal((await validate(cart, first)).allowed, true, 'the same context may bring it again');
      assert.equal((await validate(cart, await newIntent({}, 'context-1'))).allowed, true);
      for (const intent of [await newIntent({}, 'context-2'), await newIntent()]) {
        const body = await validate(cart, intent);
        assert.deepEqual(body.reasonCodes, ['MERCHANT_UNVERIFIED']);
        assert.match(body.details.MERCHANT_UNVERIFIED.message, /another context before/);
      }
      const raced = await shop.sign(shoes());
      const both = await Promise.all(['context-3', 'context-4'].map((contextId) => newIntent({}, contextId)));
      const answers = await Promise.all(both.map((intent) => validate(raced, intent)));
      assert.deepEqual(answers.map(({ allowed }) => allowed).sort(), [false, true]);
      const jti = 'a number of the shop’s own';
      assert.equal((await validate(await shop.sign(shoes(), { jti }))).allowed, true);
      published.set('https://stranger.example/.well-known/jwks.json', [stranger.jwk]);
      const other = await validate(await stranger.sign(shoes(), { jti }), await newIntent({}, 'context-5'));
      assert.equal(other.allowed, true, 'ids of another shop are its own');
    });

    test('that is forged takes no id away from the shop', async () => {
      const jti = 'wanted';
      await refused(await stranger.sign(shoes(), { iss: SHOP, jti }), /no key/);
      assert.equal((await validate(await shop.sign(shoes(), { jti }), await newIntent({}, 'context-6'))).allowed, true);
    });

    test('that was approved of one shop is not paid to another that signs the same contents', async () => {
      published.set('https://stranger.example/.well-known/jwks.json', [stranger.jwk]);
      const contents = shoes({ user_cart_confirmation_required: true });
      const intentId = await newIntent();
      const [mine, theirs] = [await shop.sign(contents), await stranger.sign(contents)];
      const [one, other] = [await validate(mine, intentId), await validate(theirs, intentId)];
      assert.deepEqual([one.reasonCodes, other.reasonCodes], [['HP_REQUIRED'], ['HP_REQUIRED']]);
      assert.notEqual(one.approval.id, other.approval.id, 'a person is asked for each shop');
    });

    test('that was paid is refused from then on, signed anew as well', async () => {
      const contents = shoes();
      const { approvalToken } = await validate(await shop.sign(contents));
      assert.ok('pmVc' in (await world.rest('POST', '/ap2/payments/mandate', { approvalToken })).body);
      assert.deepEqual((await validate(await shop.sign(contents))).reasonCodes, ['CART_USED']);
    });

    test('that expires between its approval and its payment is not paid', async () => {
      const { approvalToken } = await validate(await shop.sign(shoes(), { exp: now() - 240 }));
      world.clock.aheadMs += 90_000;
      const { body } = await world.rest('POST', '/ap2/payments/mandate', { approvalToken });
      world.clock.aheadMs -= 90_000;
      assert.deepEqual(body.reasonCodes, ['CART_EXPIRED']);
    });

    test('makes the node fetch nothing where it could not be paid even with a valid signature', async () => {
      const from = async (domain: string) => (await makeAp2Merchant('ES256', domain)).sign(shoes());
      const body = await validate(await from('far.example'), await newIntent({ vendorHints: { domain: SHOP } }));
      assert.deepEqual(body.reasonCodes, ['MERCHANT_MISMATCH', 'MERCHANT_UNVERIFIED']);
      assert.match(body.details.MERCHANT_UNVERIFIED.message, /not fetched, since the intent names shop\.example/);
      const several = await newIntent({ vendorHints: { merchants: ['Hat Shop', 'hats.example'] } });
      assert.deepEqual((await validate(await from('far.example'), several)).reasonCodes, [
        'MERCHANT_MISMATCH',
        'MERCHANT_UNVERIFIED',
      ]);
      const { contents, merchant_authorization } = await from('far.example');
      await refused({ contents: { ...contents, id: 'x' }, merchant_authorization }, /cart_hash/);
      const unknown = await world.rest('POST', '/ap2/carts/validate/ap2', {
        intentId: 'intent_x',
        cartMandate: await from('far.example'),
      });
      assert.equal(unknown.status, 404);
      assert.deepEqual(fetched, []);
    });
  });
}
