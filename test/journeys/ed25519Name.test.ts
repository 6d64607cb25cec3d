/** EdDSA by an Ed25519 key has two names (RFC 8037, RFC 9864): either one is read, in keys and in what they sign. */
import assert from 'node:assert/strict';
import { createHash, randomUUID, sign } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type JWK, SignJWT } from 'jose';
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { checkProof } from '../../protocol/credential/proof.ts';
import { checkJwt, secureAsJwt } from '../../protocol/credential/vcJwt.ts';
import { cartContents, hashOf } from '../support/ap2.ts';
import { everyEngine } from '../support/engines.ts';
import { type JsonObject, jcs, makeMessage, makePeer, type Peer } from '../support/peer.ts';
import { digest, ucpBusiness } from '../support/ucpBusiness.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const KEY_NAMES = [undefined, 'EdDSA', 'Ed25519'];
const HEADER_NAMES = ['EdDSA', 'Ed25519'];

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The same JWS with another name of its algorithm, signed again. */
function renamed(peer: Peer, token: string, alg: string): string {
  const [head = '', body] = token.split('.');
  const header = { ...JSON.parse(Buffer.from(head, 'base64url').toString()), alg };
  const content = `${encoded(header)}.${body}`;
  return `${content}.${sign(null, Buffer.from(content), peer.privateKey).toString('base64url')}`;
}

/** The same document with another name of the algorithm in its proof, signed again. */
function proofRenamed(peer: Peer, signed: JsonObject, alg: string): JsonObject {
  const { proof, ...document } = signed as { proof: JsonObject };
  const { jws: _, ...own } = proof;
  const header = encoded({ alg, b64: false, crit: ['b64'] });
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  const input = Buffer.concat([Buffer.from(`${header}.`), sha256(jcs(own)), sha256(jcs(document))]);
  const jws = `${header}..${sign(null, input, peer.privateKey).toString('base64url')}`;
  return { ...document, proof: { ...own, jws } };
}

describe('a credential as a token', () => {
  const peer = makePeer();
  const document = {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id: `urn:uuid:${randomUUID()}`,
    type: ['VerifiableCredential'],
    issuer: peer.did,
    validFrom: '2026-01-01T00:00:00Z',
    credentialSubject: {},
  };
  const publicKey = Buffer.alloc(32);
  const signer = { did: peer.did, publicKey, sign: (content: Uint8Array) => sign(null, content, peer.privateKey) };
  const token = secureAsJwt(signer as never, document as never, undefined);
  for (const alg of HEADER_NAMES) {
    test(`holds where its header says ${alg}`, () => {
      assert.equal(checkJwt(nobleSuite, renamed(peer, token, alg)).ok, true);
    });
  }

  test('is written as EdDSA, and refused where its header says another name', () => {
    assert.equal(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).alg, 'EdDSA');
    for (const alg of ['Ed448', 'ed25519', 'ES256']) {
      assert.equal(checkJwt(nobleSuite, renamed(peer, token, alg)).ok, false, alg);
    }
  });
});

for (const engine of everyEngine()) {
  describe(`on ${engine.name}, Ed25519 is EdDSA`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
      const rules = { version: '2.0', spend: { amount_cap: 100, currency: 'USD' } };
      assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'plain', rules })).status, 201);
    });
    after(() => world.close());

    const intentId = async (): Promise<string> => {
      const intent = await world.rest('POST', '/ap2/intents', {
        ...world.intentBody(80),
        request: { maxAmount: 80, currency: 'USD' },
      });
      return intent.body.intentVc.credentialSubject.mandateId;
    };
    async function bind(domain: string, key: JWK, alg: string | undefined): Promise<Loose> {
      const { alg: _, ...jwk } = key;
      const bound = await world.rest('POST', '/ap2/admin/merchants', {
        domain,
        jwk: alg === undefined ? jwk : { ...jwk, alg },
      });
      assert.equal(bound.status, 201, bound.text);
      assert.equal(bound.body.jwk.alg, alg === undefined ? undefined : 'EdDSA');
      return bound.body;
    }

    for (const [at, key] of KEY_NAMES.entries()) {
      for (const alg of HEADER_NAMES) {
        const domain = `shop-${at}-${alg.toLowerCase()}.example`;
        test(`in a cart of AP2 that says ${alg}, by a merchant's key that says ${key}`, async () => {
          const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
          const exported = (await crypto.subtle.exportKey('jwk', pair.publicKey)) as JWK;
          await bind(domain, { ...exported, kid: 'k' }, key);
          const contents = cartContents([['Shoes', 10]], 10);
          const iat = Math.floor(Date.now() / 1000);
          const claims = { iss: `https://${domain}`, sub: domain, aud: 'payment-processor', iat, exp: iat + 900 };
          const jwt = await new SignJWT({ ...claims, jti: randomUUID(), cart_hash: hashOf(contents) })
            .setProtectedHeader({ alg, kid: 'k', typ: 'JWT' })
            .sign(pair.privateKey);
          const cartMandate = { contents, merchant_authorization: jwt, risk_payload: null };
          const validated = await world.rest('POST', '/ap2/carts/validate/ap2', {
            intentId: await intentId(),
            cartMandate,
          });
          assert.equal(validated.body.allowed, true, validated.text);
        });

        test(`in a checkout of UCP that says ${alg}, by a business's key that says ${key}`, async () => {
          const shop = await ucpBusiness(`ucp-${domain}`, 'k', alg);
          await bind(shop.domain, shop.jwk, key);
          const checkout = await shop.checkout();
          const validated = await world.rest('POST', '/ap2/carts/validate/ucp', {
            intentId: await intentId(),
            merchantDomain: shop.domain,
            checkout,
            checkoutJwt: await shop.jwtOf(checkout),
          });
          assert.equal(validated.body.allowed, true, validated.text);
        });
      }

      test(`in an agent's mandateKeys that say ${key}`, async () => {
        const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
        const { alg: _, ...jwk } = (await crypto.subtle.exportKey('jwk', pair.publicKey)) as JWK;
        const mandateKeys = [key === undefined ? jwk : { ...jwk, alg: key }];
        const changed = await world.rest('PUT', `/ap2/agents/${world.agent.did}`, { mandateKeys });
        assert.equal(changed.status, 200, changed.text);
        assert.equal(changed.body.mandateKeys[0].alg, key === undefined ? undefined : 'EdDSA');
      });
    }

    for (const alg of HEADER_NAMES) {
      test(`in the X-DID-Proof of a request that says ${alg}`, async () => {
        const body = JSON.stringify(world.intentBody(5));
        const claims = {
          iss: world.agent.did,
          aud: world.node.baseUrl,
          htm: 'POST',
          htu: `${world.node.baseUrl}/ap2/intents`,
          iat: Math.floor(Date.now() / 1000),
          jti: randomUUID(),
          bh: digest(body),
        };
        const kid = `${world.agent.did}#${world.agent.did.slice('did:key:'.length)}`;
        const proof = renamed(world.agent, `${encoded({ typ: 'did-proof+jwt', alg, kid })}.${encoded(claims)}.`, alg);
        const answer = await fetch(`${world.node.address}/ap2/intents`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-DID-Proof': proof },
          body,
        });
        assert.equal(answer.status, 200, await answer.text());
      });

      test(`in the proof of a message that says ${alg}`, async () => {
        const plain = makeMessage(world.agent, {
          type: 'IntentMandate',
          to: world.node.deps.issuer.did,
          body: world.intentBody(5) as never,
        });
        const message = proofRenamed(world.agent, plain, alg);
        const answer = await fetch(`${world.node.address}/a2a/gateway`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'a2a/message', params: { message } }),
        });
        const { result } = (await answer.json()) as Loose;
        assert.equal(result?.message.body.allowed, true);
        const own = checkProof(world.node.deps.suite, result.message, {
          proofPurpose: 'authentication',
          did: world.node.deps.issuer.did,
        });
        assert.equal(own.ok, true);
        const header = String(result.message.proof.jws).split('.')[0] ?? '';
        assert.match(Buffer.from(header, 'base64url').toString(), /"alg":"EdDSA"/);
      });
    }
  });
}
