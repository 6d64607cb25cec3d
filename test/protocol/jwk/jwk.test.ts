/** Which JSON Web Keys may be a merchant's. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { calculateJwkThumbprint } from 'jose';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import { jwkOfDid, PublicJwk, thumbprintOf } from '../../../protocol/jwk/jwk.ts';
import { makePeer } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';

const publicOf = ({ publicKey }: { publicKey: { export(options: { format: 'jwk' }): Loose } }): Loose =>
  publicKey.export({ format: 'jwk' });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed = generateKeyPairSync('ed25519');
const [p384, p521] = [
  generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  generateKeyPairSync('ec', { namedCurve: 'P-521' }),
];
const keys = [publicOf(ec), publicOf(rsa), publicOf(ed), publicOf(p384), publicOf(p521)];

const isTaken = (jwk: Loose) => PublicJwk.safeParse(jwk).success;

describe('a JSON Web Key', () => {
  test('of P-256, P-384, P-521, RSA or Ed25519 is taken, without what only its owner needs to know', () => {
    for (const jwk of keys) {
      const kept = PublicJwk.parse({ ...jwk, kid: 'k', use: 'sig', key_ops: ['verify'], x5c: ['certificate'] });
      assert.deepEqual(kept, { ...jwk, kid: 'k', use: 'sig', key_ops: ['verify'] });
    }
    assert.ok(isTaken({ ...keys[0], alg: 'ES256' }));
    assert.ok(isTaken({ ...keys[1], alg: 'RS256' }));
    assert.ok(isTaken({ ...keys[2], alg: 'EdDSA' }));
    assert.ok(isTaken({ ...keys[3], alg: 'ES384' }));
    assert.ok(isTaken({ ...keys[4], alg: 'ES512' }));
  });

  test('that says Ed25519, as WebCrypto exports it, is one of EdDSA', async () => {
    const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
    const { alg: _, ext: __, ...exported } = await crypto.subtle.exportKey('jwk', pair.publicKey);
    for (const alg of [undefined, 'EdDSA', 'Ed25519']) {
      const kept = PublicJwk.parse({ ...exported, ...(alg === undefined ? {} : { alg }), ext: true });
      assert.deepEqual(kept, { ...exported, ...(alg === undefined ? {} : { alg: 'EdDSA' }) });
    }
    assert.ok(!isTaken({ ...exported, alg: 'Ed448' }));
    assert.ok(!isTaken({ ...keys[0], alg: 'Ed25519' }), 'a P-256 key');
  });

  test('with a private member is refused', () => {
    for (const pair of [ec, rsa, ed, p384, p521]) assert.ok(!isTaken(pair.privateKey.export({ format: 'jwk' })));
    assert.ok(!isTaken({ ...keys[1], qi: 'AA' }));
  });

  test('of another kind, use or algorithm is refused', () => {
    assert.ok(!isTaken({ kty: 'oct', k: 'AAAA' }));
    assert.ok(!isTaken(publicOf(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }))));
    assert.ok(!isTaken(publicOf(generateKeyPairSync('ed448'))));
    assert.ok(!isTaken(publicOf(generateKeyPairSync('rsa', { modulusLength: 1024 }))));
    assert.ok(!isTaken({ ...keys[0], use: 'enc' }));
    assert.ok(!isTaken({ ...keys[0], key_ops: ['encrypt'] }));
    assert.ok(!isTaken({ ...keys[0], alg: 'HS256' }));
    assert.ok(!isTaken({ ...keys[0], alg: 'ES384' }));
    assert.ok(!isTaken({ ...keys[3], crv: 'P-256' }));
    assert.ok(!isTaken({ ...keys[0], crv: 'P-384' }));
    assert.ok(!isTaken({ ...keys[1], alg: 'PS256' }));
  });

  test('that is no key is refused', () => {
    const [{ x, ...point }, { e: _e, ...modulus }] = keys as [Loose, Loose];
    assert.ok(!isTaken({ ...point, x: point.y, y: x }), 'no point of the curve');
    assert.ok(!isTaken({ ...point, x: `${x}A` }));
    for (const { x: one, y: other, ...rest } of keys.slice(3))
      assert.ok(!isTaken({ ...rest, x: other, y: one }), rest.crv);
    for (const e of ['AQ', 'AA', '', 'AQAC', 'AQABAQAB']) assert.ok(!isTaken({ ...modulus, e }), e);
    assert.ok(!isTaken({ kty: 'OKP', crv: 'Ed25519', x: `AQ${'A'.repeat(41)}` }), 'a key of low order');
  });

  test('has the name of its thumbprint, however else it is described', async () => {
    for (const jwk of keys) {
      const name = `urn:ietf:params:oauth:jwk-thumbprint:sha-256:${await calculateJwkThumbprint(jwk)}`;
      assert.equal(thumbprintOf(nobleSuite, PublicJwk.parse({ ...jwk, kid: 'other' })), name);
    }
    assert.ok(isTaken(jwkOfDid(makePeer().did)));
  });
});
