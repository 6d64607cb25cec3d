/** Checkouts of UCP that are forged, brought twice or at once, or by another agent, and mandates that others ask for. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { keySets } from '../../src/access/keySets.ts';
import { all as allRows, type Script } from '../../src/store/store.ts';
import { everyEngine } from '../support/engines.ts';
import { makeDidProof, type Peer } from '../support/peer.ts';
import { type Business, ucpBusiness } from '../support/ucpBusiness.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

const PROFILE = `https://${SHOP}/.well-known/ucp`;

for (const engine of everyEngine()) {
  describe(`a checkout on ${engine.name}`, () => {
    let world: World;
    let shop: Business;
    /** Addresses that were asked, and what is there. */
    let fetched: string[] = [];
    const sites = new Map<string, string>();
    before(async () => {
      world = await makeWorld(engine);
      shop = await ucpBusiness(SHOP);
      const rules = { version: '2.0', spend: { amount_cap: 100, currency: 'USD' } };
      assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'no windows', rules })).status, 201);
    });
    beforeEach(() => {
      fetched = [];
      publish({ ucp: { version: '2026-08-25' }, keys: [shop.jwk] });
    });
    after(() => world.close());

    /** At the shop's site, and the node forgets what was there. */
    function publish(profile: Loose | string): void {
      sites.set(PROFILE, typeof profile === 'string' ? profile : JSON.stringify(profile));
      const fetchText = async (url: URL) => {
        fetched.push(url.href);
        return sites.get(url.href);
      };
      Object.assign(world.node.deps.keys, { at: keySets(fetchText, world.node.deps.clock) });
    }
    async function newIntent(agent: Peer = world.agent): Promise<string> {
      const { body } = await world.rest('POST', '/ap2/intents', world.intentBody(100, { agent }));
      return body.intentVc.credentialSubject.mandateId;
    }
    const offered = async (checkout: Loose, more: Loose = {}) => ({
      intentId: more['intentId'] ?? (await newIntent()),
      merchantDomain: SHOP,
      checkout,
      ...more,
    });
    const validate = async (checkout: Loose, more: Loose = {}): Promise<Loose> =>
      (await world.rest('POST', '/ap2/carts/validate/ucp', await offered(checkout, more))).body;
    const proven = (peer: Peer, method: string, path: string, body: string) => ({
      'X-DID-Proof': makeDidProof(peer, { baseUrl: world.node.baseUrl, method, path, body }),
    });
    const pay = async (approvalToken: string, more: Loose = {}): Promise<Loose> =>
      (await world.rest('POST', '/ap2/payments/mandate', { approvalToken, ...more })).body;

    test('by a key that its profile does not have, or no more, is refused', async () => {
      const stranger = await ucpBusiness(SHOP);
      const profiles: Readonly<Record<string, Loose | string>> = {
        'another key under the same kid': { keys: [stranger.jwk] },
        'the key for encryption': { keys: [{ ...shop.jwk, use: 'enc' }] },
        'the key with its private part': { keys: [{ ...shop.jwk, d: shop.jwk.x }] },
        'the key under another name': { keys: [{ ...shop.jwk, kid: 'former' }] },
        'the key by its former member': { ucp: { version: '2026-08-25' }, signing_keys: [shop.jwk] },
        'the key behind a hundred others': { keys: [...Array(100).fill(stranger.jwk), shop.jwk] },
        'a list for a profile': [shop.jwk] as Loose,
        'no JSON': '<html>',
        'a member twice': `{"keys":[],"keys":[${JSON.stringify(shop.jwk)}]}`,
      };
      for (const [name, profile] of Object.entries(profiles)) {
        publish(profile);
        const { reasonCodes, details } = await validate(await shop.checkout());
        assert.deepEqual(reasonCodes, ['MERCHANT_UNVERIFIED'], name);
        assert.equal(details.MERCHANT_UNVERIFIED.ucp, 'merchant_authorization_invalid', name);
      }
      publish({ keys: [{ kty: 'AKP', kid: 'business_2026', alg: 'ML-DSA-44', pub: 'x' }, shop.jwk] });
      assert.equal((await validate(await shop.checkout())).allowed, true, 'keys of other kinds are passed over');
    });

    test('with members that no parser agrees on is no request', async () => {
      const intentId = await newIntent();
      const checkout = await shop.checkout();
      const text = JSON.stringify({ intentId, merchantDomain: SHOP, checkout });
      const twice = text.replace('"currency":"USD"', '"currency":"USD","currency":"USD"');
      const proto = text.replace('"currency":"USD"', '"currency":"USD","__proto__":{"status":"x"}');
      const deep = text.replace('"currency":"USD"', `"currency":"USD","x":${'['.repeat(60)}${']'.repeat(60)}`);
      const lone = text.replace('"currency":"USD"', '"currency":"USD","x":"\\ud800"');
      for (const body of [twice, proto, deep, lone]) {
        const reply = await world.rest('POST', '/ap2/carts/validate/ucp', body, {
          Authorization: `Bearer ak_test_${'A'.repeat(32)}`,
          'Content-Type': 'application/json',
        });
        assert.equal(reply.status, 400, reply.text);
      }
      for (const wrong of [[], 'checkout', 7, null, {}]) {
        const reply = await world.rest('POST', '/ap2/carts/validate/ucp', {
          intentId,
          merchantDomain: SHOP,
          checkout: wrong,
        });
        assert.equal(reply.status, 400, reply.text);
      }
      for (const merchantDomain of ['127.0.0.1', 'localhost:80', 'https://shop.example/x', '']) {
        const reply = await world.rest('POST', '/ap2/carts/validate/ucp', { intentId, merchantDomain, checkout });
        assert.equal(reply.status, 400, merchantDomain);
      }
      assert.deepEqual(fetched, []);
    });

    test('has nothing fetched for a stranger, nor for an agent by the intent of another one', async () => {
      const checkout = await shop.checkout();
      const body = await offered(checkout);
      const stranger = await world.rest('POST', '/ap2/carts/validate/ucp', body, {});
      assert.equal(stranger.status, 401);
      const other = await world.newAgent('other');
      const path = '/ap2/carts/validate/ucp';
      const foreign = await world.rest('POST', path, body, proven(other, 'POST', path, JSON.stringify(body)));
      assert.equal(foreign.status, 403, foreign.text);
      assert.deepEqual(fetched, []);
    });

    test('that five agents pay at once is paid once', async () => {
      const checkout = await shop.checkout();
      const agents = await Promise.all([1, 2, 3, 4, 5].map((at) => world.newAgent(`agent ${at}`)));
      const approved: Loose[] = [];
      for (const agent of agents)
        approved.push(await validate(await shop.sign(checkout), { intentId: await newIntent(agent) }));
      const answers = await Promise.all(approved.map(({ approvalToken }) => pay(approvalToken)));
      assert.equal(answers.filter(({ ucp }) => ucp !== undefined).length, 1);
      assert.deepEqual(
        answers.flatMap(({ reasonCodes }) => reasonCodes ?? []),
        Array(4).fill('CART_USED'),
      );
    });

    test('gives its mandates to its own agent alone, and none for another audience under the same key', async () => {
      const { approvalToken } = await validate(await shop.checkout());
      const idempotencyKey = `pay ${engine.name}`;
      const paid = await pay(approvalToken, { idempotencyKey });
      const other = await world.rest('POST', '/ap2/payments/mandate', {
        ...{ approvalToken, idempotencyKey },
        ucp: { audience: 'thief.example' },
      });
      assert.ok(other.status >= 400, other.text);
      const again = await world.rest('POST', '/ap2/payments/mandate', {
        approvalToken,
        ucp: { audience: 'thief.example' },
      });
      assert.equal(again.status, 409, again.text);
      const thief = await world.newAgent('thief');
      const path = `/ap2/payments/${paid.pmVc.credentialSubject.mandateId}`;
      const asked = (peer: Peer) => world.rest('GET', path, undefined, proven(peer, 'GET', path, ''));
      assert.equal((await asked(thief)).status, 404);
      const own = await asked(world.agent);
      assert.deepEqual(own.body.ucp, paid.ucp, own.text);
    });

    test('shows no one its mandates in the database, in lists or in the evidence', async () => {
      const { approvalToken } = await validate(await shop.checkout());
      const { ucp, pmVc } = await pay(approvalToken, { idempotencyKey: `sealed ${engine.name}` });
      const { mandateId } = pmVc.credentialSubject;
      const { transactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
      const shown = [
        await world.rest('GET', '/ap2/payments?limit=20'),
        await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`),
        await world.rest('GET', `/ap2/evidence/bundle/${transactionId}?format=portable`),
      ];
      const rows = await world.node.deps.store.read(() => everything());
      const [leaf] = String(ucp.checkoutMandate).split('~~').slice(-1);
      const needle = String(leaf).split('~')[0] as string;
      for (const { text } of shown) assert.equal(text.includes(needle), false);
      assert.equal(rows.includes(needle), false);
    });
  });
}

/** Every row that a payment writes, as text. */
function* everything(): Script<string> {
  let text = '';
  for (const table of ['requests', 'checkout_mandates', 'evidence', 'payments', 'tasks']) {
    text += JSON.stringify(yield* allRows<object>(`SELECT * FROM ${table}`));
  }
  return text;
}
