/** Mandates that a node hands out as documents and tokens, verified by the libraries of others. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import * as Ed25519Multikey from '@digitalbazaar/ed25519-multikey';
import { createSignCryptosuite, createVerifyCryptosuite } from '@digitalbazaar/eddsa-jcs-2022-cryptosuite';
import { issue, verifyCredential } from '@digitalbazaar/vc';
import bs58 from 'bs58';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { agentOf } from '../../client/identity.ts';
import { CountersignError, countersign, verifyPaymentMandate } from '../../client/index.ts';
import { verifyBundle } from '../../protocol/evidence/verifyBundle.ts';
import { loadDidKey } from '../support/didKeyLoader.ts';
import { everyEngine } from '../support/engines.ts';
import { type Peer, seedOf } from '../support/peer.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { ADMIN_KEY, type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

const ADMIN = { Authorization: `Bearer ${ADMIN_KEY}` };

const isVerified = async (credential: object): Promise<boolean> => {
  const suite = new DataIntegrityProof({ cryptosuite: createVerifyCryptosuite() });
  // Its status is statusLists.test.ts's to read; without this the library refuses a credential that has one.
  const checkStatus = async () => ({ verified: true });
  return (await verifyCredential({ credential, suite, documentLoader: loadDidKey, checkStatus })).verified;
};

/** A cart as a shop with a stock library signs it. @param lastsMs how long it holds */
async function cartOfOthers({ merchant, node }: World, amount: number, lastsMs = 3_600_000): Promise<Loose> {
  const key = await Ed25519Multikey.from({
    type: 'Multikey',
    controller: merchant.did,
    id: `${merchant.did}#${merchant.did.slice('did:key:'.length)}`,
    publicKeyMultibase: merchant.did.slice('did:key:'.length),
    secretKeyMultibase: `z${bs58.encode(Buffer.concat([Buffer.from([0x80, 0x26]), seedOf(merchant)]))}`,
  });
  const now = node.deps.clock();
  const at = (ms: number) => new Date(ms).toISOString();
  const credential = {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id: `urn:uuid:${randomUUID()}`,
    type: ['VerifiableCredential', 'CartMandate'],
    issuer: merchant.did,
    validFrom: at(now - 7_200_000),
    validUntil: at(now + lastsMs),
    credentialSubject: {
      merchant: SHOP,
      items: [{ name: 'Oat milk', price: amount, quantity: 1 }],
      total: amount,
      currency: 'USD',
    },
  };
  const suite = new DataIntegrityProof({ signer: key.signer(), cryptosuite: createSignCryptosuite() });
  return issue({ credential, suite, documentLoader: loadDidKey });
}

for (const engine of everyEngine()) {
  describe(`a mandate for strangers on ${engine.name}`, () => {
    let world: World;
    let id: string;
    let intentId: string;
    before(async () => {
      world = await makeWorld(engine);
      const payment = await purchase(world, 29.9);
      id = mandateIdOf(payment);
      intentId = String(payment.pmVc.credentialSubject.intentId);
    });
    after(() => world.close());

    const get = async (of: string, accept: string, headers: Record<string, string> = ADMIN) =>
      fetch(`${world.node.address}/ap2/credentials/${of}`, { headers: { ...headers, Accept: accept } });

    test('is verified as a document by @digitalbazaar/vc, and refused when a member is altered', async () => {
      for (const of of [id, intentId]) {
        const answer = await get(of, 'application/vc');
        assert.match(String(answer.headers.get('content-type')), /^application\/vc(;|$)/);
        const credential = (await answer.json()) as Loose;
        assert.equal(await isVerified(credential), true);
        const altered = structuredClone(credential);
        altered.credentialSubject.agentDid = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK';
        assert.equal(await isVerified(altered), false);
        const later = { ...credential, validUntil: '2046-01-01T00:00:00Z' };
        assert.equal(await isVerified(later), false);
      }
    });

    test('is verified as a token by jose and the node’s key set, and refused when it has ended or was altered', async () => {
      const answer = await get(id, 'application/vc+jwt');
      assert.match(String(answer.headers.get('content-type')), /^application\/vc\+jwt(;|$)/);
      const token = await answer.text();
      const keys = createRemoteJWKSet(new URL(`${world.node.address}/.well-known/jwks.json`));
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        typ: 'vc+jwt',
        issuer: world.node.deps.issuer.did,
      });
      assert.equal(protectedHeader.alg, 'EdDSA');
      assert.equal((payload as Loose).credentialSubject.amount, 29.9);
      const [head, body = '', tail] = token.split('.');
      const cent = Buffer.from(Buffer.from(body, 'base64url').toString().replace('29.9', '29.8')).toString('base64url');
      await assert.rejects(jwtVerify([head, cent, tail].join('.'), keys), errors.JWSSignatureVerificationFailed);
      const currentDate = new Date(Number(payload.exp) * 1000 + 1000);
      await assert.rejects(jwtVerify(token, keys, { currentDate }), errors.JWTExpired);
    });

    test('pays a cart of the data model 2.0, whose proof others make, and no cart that was altered', async () => {
      const cart = await cartOfOthers(world, 12);
      const judged = async (cartVc: object) => {
        const { body } = await world.rest('POST', '/ap2/intents', world.intentBody(12));
        return (await world.rest('POST', '/ap2/carts/validate', { intentVc: body.intentVc, cartVc })).body;
      };
      const { reasonCodes } = await judged({ ...cart, validUntil: '2036-01-01T00:00:00Z' });
      assert.deepEqual(reasonCodes, ['MERCHANT_UNVERIFIED']);
      const ended = await cartOfOthers(world, 12, -1000);
      assert.deepEqual((await judged(ended)).reasonCodes, ['CART_EXPIRED']);
      const { approvalToken, cartHash } = await judged(cart);
      const { pmVc } = (await world.rest('POST', '/ap2/payments/mandate', { approvalToken })).body;
      assert.equal(pmVc.credentialSubject.cartHash, cartHash);
      const paid = verifyPaymentMandate(agentOf(seedOf(world.merchant)), pmVc, {
        nodeDid: world.node.deps.issuer.did,
        cart,
      });
      assert.equal(paid.amount, 12);
      const { transactionId } = await world.client.getPayment({ mandateId: String(paid.mandateId) });
      const bundle = await (
        await fetch(`${world.node.address}/ap2/evidence/bundle/${transactionId}?format=portable`, { headers: ADMIN })
      ).text();
      const { issuer, suite } = world.node.deps;
      assert.equal(verifyBundle(suite, bundle, issuer.did).ok, true);
    });

    test('takes no cart whose moments have no zone, since readers would differ in when it ends', async () => {
      const { body } = await world.rest('POST', '/ap2/intents', world.intentBody(12));
      const cart = await cartOfOthers(world, 12);
      for (const name of ['validFrom', 'validUntil']) {
        const cartVc = { ...cart, [name]: String(cart[name]).replace('Z', '') };
        const answer = await world.rest('POST', '/ap2/carts/validate', { intentVc: body.intentVc, cartVc });
        assert.notEqual(answer.body.allowed, true, answer.text);
        assert.match(answer.text, new RegExp(name));
      }
    });

    test('says the same in each form, and stays as it was issued without one', async () => {
      const { pmVc } = (await world.rest('GET', `/ap2/payments/${id}`)).body;
      const own = await world.rest('GET', `/ap2/credentials/${id}`);
      assert.deepEqual(own.body, pmVc);
      assert.equal(own.headers.get('vary')?.includes('Accept'), true);
      const vc = (await (await get(id, 'application/vc')).json()) as Loose;
      const asked = await world.rest('GET', `/ap2/credentials/${id}?as=vc`);
      assert.deepEqual(asked.body, vc, 'signing again gives the same bytes');
      const { credentialSubject, id: uuid, type, issuer } = pmVc;
      assert.deepEqual(
        { credentialSubject: vc.credentialSubject, id: vc.id, type: vc.type, issuer: vc.issuer },
        { credentialSubject, id: uuid, type, issuer },
      );
      assert.equal(Date.parse(vc.validFrom), Date.parse(pmVc.issuanceDate) - 5000);
      assert.equal(vc.validUntil, pmVc.expirationDate);
      const terms = await fetch(vc['@context'][1].replace(world.node.baseUrl, world.node.address));
      assert.equal(terms.headers.get('access-control-allow-origin'), '*');
      const known = Object.keys(((await terms.json()) as Loose)['@context']);
      for (const member of [...Object.keys(credentialSubject), 'PaymentMandate'])
        assert.ok(known.includes(member), member);
    });

    test('is verified by its merchant in each form, against the cart that it pays', async () => {
      const merchant = agentOf(seedOf(world.merchant));
      const cart = world.cart(12);
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(12));
      const { approvalToken } = (
        await world.rest('POST', '/ap2/carts/validate', { intentVc: intent.body.intentVc, cartVc: cart })
      ).body;
      const { pmVc } = (await world.rest('POST', '/ap2/payments/mandate', { approvalToken })).body;
      const { mandateId } = pmVc.credentialSubject;
      const vc = (await (await get(mandateId, 'application/vc')).json()) as Loose;
      const token = await (await get(mandateId, 'application/vc+jwt')).text();
      const expected = { nodeDid: world.node.deps.issuer.did, cart };
      for (const mandate of [pmVc, vc, token]) {
        assert.equal(verifyPaymentMandate(merchant, mandate, expected).mandateId, mandateId);
      }
      const other = { ...expected, cart: world.cart(13) };
      for (const mandate of [pmVc, vc, token]) {
        assert.throws(() => verifyPaymentMandate(merchant, mandate, other), CountersignError);
      }
    });

    test('is answered 304 to a reader who has it, 404 to another agent, 406 to one who takes none of its forms', async () => {
      const first = await get(id, 'application/vc');
      const again = await get(id, 'application/vc', { ...ADMIN, 'If-None-Match': String(first.headers.get('etag')) });
      assert.deepEqual([again.status, again.headers.get('vary')], [304, 'Accept']);
      const other = await world.newAgent('other');
      const as = (peer: Peer) =>
        countersign({ baseUrl: world.node.address, credential: { agent: agentOf(seedOf(peer)) } });
      await assert.rejects(as(other).showCredential({ id }), { code: 'NOT_FOUND' });
      assert.equal(typeof (await as(world.agent).showCredential({ id, as: 'vc+jwt' })), 'string');
      const both = await get(`${id}?as=vc`, 'application/vc+jwt');
      assert.match(await both.text(), /^[\w-]+\.[\w-]+\.[\w-]+$/, 'the type of the answer says what comes');
      const refused = await get(id, 'text/html');
      assert.deepEqual([refused.status, refused.headers.get('vary')], [406, 'Accept']);
      assert.match(
        ((await refused.json()) as Loose).error.message,
        /application\/json, application\/vc, application\/vc\+jwt/,
      );
      assert.equal((await get('pm_unknown', 'application/vc')).status, 404);
    });
  });
}
