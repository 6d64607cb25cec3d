/** Signatures by ECDSA, EdDSA and RS256 in plain JavaScript: the verdicts of node:crypto, and none for what is malformed. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { describe, test } from 'node:test';
import { fromBase64url, toBase64url } from '../../../protocol/credential/encodings.ts';
import type { PublicJwk } from '../../../protocol/jwk/jwk.ts';
import { isSignedByJwk } from '../../../protocol/jwk/jwkSignature.ts';
import { nativeSignatureCheck } from '../../../src/crypto/nativeJwk.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';

const suite = nativeSuite();
const isSignedNatively = nativeSignatureCheck(suite);
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;

const bytesOf = (value: bigint) => Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' }) as PublicJwk;

describe('a signature by the key of a JWK', () => {
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const es256 = (content: Uint8Array) =>
    Uint8Array.from(sign('sha256', content, { key: p256.privateKey, dsaEncoding: 'ieee-p1363' }));

  for (const [algorithm, namedCurve, hash] of [
    ['ES256', 'P-256', 'sha256'],
    ['ES384', 'P-384', 'sha384'],
    ['ES512', 'P-521', 'sha512'],
  ] as const) {
    test(`by ${algorithm} has the verdict of node:crypto, for contents of its own and others’`, () => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
      const jwk = jwkOf(publicKey);
      for (let index = 0; index < 10; index += 1) {
        const content = Uint8Array.from({ length: index * 7 }, (_, at) => (at * 31 + index) & 255);
        const signature = Uint8Array.from(sign(hash, content, { key: privateKey, dsaEncoding: 'ieee-p1363' }));
        assert.equal(isSignedByJwk(suite, jwk, content, signature), true);
        assert.equal(isSignedNatively(jwk, content, signature), true);
        const at = index % signature.length;
        const changed = signature.with(at, (signature[at] as number) ^ (1 << (index % 8)));
        for (const [what, by] of [
          [content, changed],
          [content, signature.subarray(1)],
          [Uint8Array.of(...content, 1), signature],
        ] as const) {
          const known = verify(hash, what, { key: publicKey, dsaEncoding: 'ieee-p1363' }, by);
          assert.equal(isSignedByJwk(suite, jwk, what, by), known);
          assert.equal(isSignedNatively(jwk, what, by), known);
        }
      }
    });
  }

  test('by ES256 holds with s or n − s, and never with a number outside of its group', () => {
    const content = Uint8Array.of(1, 2, 3);
    const signature = es256(content);
    const [r, s] = [numberOf(signature.subarray(0, 32)), numberOf(signature.subarray(32))];
    const holds = (one: bigint, other: bigint) =>
      isSignedByJwk(suite, jwkOf(p256.publicKey), content, Uint8Array.of(...bytesOf(one), ...bytesOf(other)));
    assert.equal(holds(r, ORDER - s), true);
    for (const [one, other] of [
      [0n, s],
      [r, 0n],
      [ORDER, s],
      [r, ORDER],
      [0n, 0n],
      [r, (1n << 256n) - 1n],
    ] as const) {
      assert.equal(holds(one, other), false, `${one} ${other}`);
    }
    assert.equal(isSignedByJwk(suite, jwkOf(p256.publicKey), content, signature.subarray(1)), false);
  });

  test('by ES256 holds for the points at which the sum of two points is a doubling or infinite', () => {
    // The key is the base point or its negative: a·G + b·Q meets both cases.
    const G = {
      x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
      y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
    };
    const content = Uint8Array.of(9);
    const digest = numberOf(suite.sha256Bytes(content));
    for (const [y, secret] of [
      [G.y, 1n],
      [P - G.y, ORDER - 1n],
    ] as const) {
      const key = { kty: 'EC', crv: 'P-256', x: toBase64url(bytesOf(G.x)), y: toBase64url(bytesOf(y)) } as const;
      // The nonce 1: r is the base point's x, and s = digest + r·secret.
      const s = (digest + (G.x % ORDER) * secret) % ORDER;
      const signature = Uint8Array.of(...bytesOf(G.x % ORDER), ...bytesOf(s));
      assert.equal(isSignedByJwk(suite, key, content, signature), true);
      assert.equal(isSignedByJwk(suite, key, Uint8Array.of(8), signature), false);
    }
  });

  test('by RS256 has the verdict of node:crypto, and every byte of its padding counts', () => {
    const jwk = jwkOf(rsa.publicKey);
    const content = Uint8Array.of(5, 6, 7);
    const signature = Uint8Array.from(sign('sha256', content, rsa.privateKey));
    assert.equal(isSignedByJwk(suite, jwk, content, signature), true);
    assert.equal(isSignedByJwk(suite, jwk, Uint8Array.of(5, 6), signature), false);
    assert.equal(isSignedByJwk(suite, jwk, content, signature.subarray(1)), false);
    const sha512 = Uint8Array.from(sign('sha512', content, rsa.privateKey));
    assert.equal(isSignedByJwk(suite, jwk, content, sha512), false, 'another hash');
    const n = numberOf(fromBase64url(jwk.kty === 'RSA' ? jwk.n : '') as Uint8Array);
    const larger = Uint8Array.from(Buffer.from((numberOf(signature) + n).toString(16).padStart(512, '0'), 'hex'));
    assert.equal(isSignedByJwk(suite, jwk, content, larger), false, 'a number beyond the modulus');
    const pss = Uint8Array.from(sign('sha256', content, { key: rsa.privateKey, padding: 6, saltLength: 32 }));
    assert.equal(isSignedByJwk(suite, jwk, content, pss), false, 'another padding');
  });

  test('by EdDSA is judged by the strict rule of the suite', () => {
    const signer = suite.signer(new Uint8Array(32).fill(3));
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: toBase64url(signer.publicKey) } as const;
    assert.equal(isSignedByJwk(suite, jwk, Uint8Array.of(1), signer.sign(Uint8Array.of(1))), true);
    assert.equal(isSignedByJwk(suite, jwk, Uint8Array.of(2), signer.sign(Uint8Array.of(1))), false);
  });
});
