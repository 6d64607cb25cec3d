/** Forged chains of mandates, brought to the node: none is valid, none is a fault of the node, none leaves a trace. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { joinChain } from '../../protocol/sdjwt/mint.ts';
import {
  AT,
  AUD,
  CHECKOUT_JWT,
  checkoutJwt,
  closedCheckout,
  hop,
  NONCE,
  openCheckout,
  openPayment,
  PAYEES,
  PAYMENT,
  PROVIDER,
  paymentChain,
  RANGE,
  root,
  STRANGER,
} from '../protocol/sdjwt/chains.ts';
import { CARD, delegated, ISSUER, NETWORK } from '../protocol/sdjwt/intents.ts';
import { everyEngine } from '../support/engines.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const CHAIN = paymentChain();
const INTENT = delegated();
const ASKED = { trustedJwk: PROVIDER.jwk, aud: AUD, nonce: NONCE, at: AT };

function signedBy(signer: typeof STRANGER): string {
  const first = root(openPayment([RANGE, PAYEES]), { signer });
  return joinChain([first, hop(first, PAYMENT)]);
}

function checkoutOf(jwt: string, hashed: string): string {
  const first = root(openCheckout([]));
  const { checkout_hash } = closedCheckout(hashed);
  return joinChain([first, hop(first, closedCheckout(jwt, { checkout_hash }))]);
}

for (const engine of everyEngine()) {
  describe(`a made-up chain of mandates on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const verify = (body: Loose, headers?: Record<string, string>) =>
      world.rest('POST', '/ap2/mandates/verify', { ...ASKED, ...body }, headers);

    test('an honest one is valid, and leaves no trace', async () => {
      const events = async () => (await world.rest('GET', '/ap2/evidence/verify')).body.toSeq;
      const length = await events();
      const { status, body } = await verify({ token: CHAIN, checkoutJwt: CHECKOUT_JWT });
      assert.deepEqual([status, body.valid, body.reason], [200, true, undefined], JSON.stringify(body));
      assert.deepEqual(body.content, PAYMENT);
      assert.equal((await verify({ token: CHAIN }, {})).status, 401);
      assert.equal(await events(), length);
    });

    test('an honest purchase of Verifiable Intent is valid, in its layers', async () => {
      const asked = {
        profile: 'vi',
        trustedJwk: ISSUER.jwk,
        aud: NETWORK,
        nonce: 'nonce-of-layer-3a',
        at: AT,
        ...INTENT,
      };
      const { status, body } = await world.rest('POST', '/ap2/mandates/verify', asked);
      assert.deepEqual([status, body.valid, body.reason], [200, true, undefined]);
      assert.deepEqual([body.kind, body.hops.length, body.credential.card_id], ['payment', 5, CARD]);
    });

    const INVALID: Readonly<Record<string, readonly [body: Loose, reason: RegExp]>> = {
      'a verifier without a trusted key': [{ token: CHAIN, trustedJwk: undefined }, /No trusted key/],
      'a stranger’s key of the same name': [{ token: signedBy(STRANGER) }, /not by the trusted key/],
      'a chain for another verifier': [{ token: CHAIN, aud: 'merchant' }, /not for this verifier/],
      'a chain of a former challenge': [{ token: CHAIN, nonce: 'x' }, /nonce/],
      'a payment for another checkout': [{ token: CHAIN, checkoutJwt: checkoutJwt([]) }, /another checkout/],
      'a checkout put in the place of another': [
        { token: CHAIN, checkoutMandate: checkoutOf(checkoutJwt([]), CHECKOUT_JWT) },
        /another checkout than the checkout mandate/,
      ],
      'a card of an issuer that is not trusted': [
        { token: undefined, profile: 'vi', ...INTENT, aud: NETWORK, nonce: 'nonce-of-layer-3a' },
        /not by the trusted key|kid is not that of the trusted key/,
      ],
      'layers 3 in each other’s place': [
        {
          token: undefined,
          profile: 'vi',
          trustedJwk: ISSUER.jwk,
          ...INTENT,
          l3Payment: INTENT.l3Checkout,
          l3Checkout: INTENT.l3Payment,
        },
        /sd_hash is not that of the hop before|not for this verifier/,
      ],
      'an expired chain, by the clock of the node': [{ token: CHAIN, at: AT + 4000 }, /expired/],
    };
    for (const [name, [body, reason]] of Object.entries(INVALID)) {
      test(`${name} is told so, with 200`, async () => {
        const answer = await verify(body);
        assert.deepEqual([answer.status, answer.body.valid], [200, false]);
        assert.match(answer.body.reason, reason);
      });
    }

    const MALFORMED: Readonly<Record<string, readonly [body: Loose, message: RegExp]>> = {
      'no chain': [{ token: 'no chain' }, /is no chain of SD-JWTs/],
      'no text': [{ token: 1 }, /token: must be a text/],
      'a checkout mandate that is no chain': [{ token: CHAIN, checkoutMandate: 'x' }, /is no chain of SD-JWTs/],
      'layers of one profile in another': [{ token: CHAIN, l1: INTENT.l1 }, /l1: is no member for the profile ap2/],
      'no layers': [{ token: undefined, profile: 'vi' }, /l1: is missing for the profile vi/],
      'a token beside layers': [{ token: CHAIN, profile: 'vi', ...INTENT }, /token: is no member for the profile vi/],
      'an unknown profile': [{ token: CHAIN, profile: 'ap3' }, /profile: /],
      'layers of 80 KiB together': [
        { token: undefined, profile: 'vi', l1: 'e'.repeat(40_000), l2: 'e'.repeat(40_000) },
        /has 80000 characters; it may have at most 65536/,
      ],
      'a misspelt member, which would not be compared': [
        { token: CHAIN, checkoutJWTHash: 'x' },
        /checkoutJWTHash: is not/,
      ],
      'a private key': [{ token: CHAIN, trustedJwk: { ...PROVIDER.jwk, d: 'AAAA' } }, /without its private part/],
      'a key that signs no chain': [
        { token: CHAIN, trustedJwk: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } },
        /must be a P-256 key/,
      ],
      'a time of milliseconds with a fraction': [{ token: CHAIN, at: 1.5 }, /at: /],
    };
    for (const [name, [body, message]] of Object.entries(MALFORMED)) {
      test(`${name} is a bad request`, async () => {
        const answer = await verify(body);
        assert.equal(answer.status, 400);
        assert.match(answer.body.error.message, message);
      });
    }

    test('without a key it is valid by an issuer that the tenant trusts for what it signs, and by no other one', async () => {
      const trust = (name: string, kind: string, jwk: object) =>
        world.rest('POST', '/ap2/admin/mandate-issuers', { name, kind, jwk });
      const isValid = async (body: Loose) =>
        (await world.rest('POST', '/ap2/mandates/verify', { at: AT, ...body })).body.valid;
      const layers = { profile: 'vi', ...INTENT };
      assert.deepEqual([await isValid({ token: CHAIN }), await isValid(layers)], [false, false]);
      assert.equal((await trust('Surface', 'agent-provider', PROVIDER.jwk)).status, 201);
      assert.equal((await trust('Bank', 'card-issuer', ISSUER.jwk)).status, 201);
      assert.deepEqual([await isValid({ token: CHAIN }), await isValid(layers)], [true, true]);
      const byBank = { token: signedBy(ISSUER) };
      assert.deepEqual([await isValid(byBank), await isValid({ ...byBank, trustedJwk: ISSUER.jwk })], [false, true]);
    });
  });
}
