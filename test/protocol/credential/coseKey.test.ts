/** Public keys as COSE: the three kinds that passkeys have here, others by their number, and bytes that are none. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { readCoseKey } from '../../../protocol/credential/coseKey.ts';

const bytes = (base64url: string | undefined) => [...Buffer.from(String(base64url), 'base64url')];
const text = (value: number[]) =>
  value.length < 24
    ? [0x40 + value.length, ...value]
    : value.length < 256
      ? [0x58, value.length, ...value]
      : [0x59, value.length >> 8, value.length & 255, ...value];
const read = (...parts: number[][]) => readCoseKey(Uint8Array.from([0xa0 + parts.length / 2, ...parts.flat()]));

test('keys of ES256, EdDSA and RS256 are read, whatever the order of their members', () => {
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const ecKey = read([1], [2], [3], [0x26], [0x20], [1], [0x21], text(bytes(ec.x)), [0x22], text(bytes(ec.y)));
  assert.deepEqual(ecKey, { algorithm: -7, jwk: { kty: 'EC', crv: 'P-256', x: ec.x, y: ec.y } });
  const turned = read([0x22], text(bytes(ec.y)), [3], [0x26], [0x21], text(bytes(ec.x)), [1], [2], [0x20], [1]);
  assert.deepEqual(turned, ecKey);
  const okp = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const okpKey = read([1], [1], [3], [0x27], [0x20], [6], [0x21], text(bytes(okp.x)));
  assert.deepEqual(okpKey, { algorithm: -8, jwk: { kty: 'OKP', crv: 'Ed25519', x: okp.x } });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
  const rsaKey = read([1], [3], [3], [0x39, 1, 0], [0x20], text(bytes(rsa.n)), [0x21], text(bytes(rsa.e)));
  assert.deepEqual(rsaKey, { algorithm: -257, jwk: { kty: 'RSA', n: rsa.n, e: rsa.e } });
});

test('another algorithm is named, and parts that are no key of it give none', () => {
  assert.deepEqual(read([1], [2], [3], [0x38, 0x22]), { algorithm: -35, jwk: undefined });
  const zeros = text(new Array(32).fill(0));
  const offCurve = read([1], [2], [3], [0x26], [0x20], [1], [0x21], zeros, [0x22], zeros);
  assert.deepEqual(offCurve, { algorithm: -7, jwk: undefined }, 'no point of the curve');
  assert.equal(read([1], [1], [3], [0x26], [0x20], [1])?.jwk, undefined, 'an Ed25519 kind with the algorithm ES256');
});

test('bytes that are no map of numbers and byte strings, cut or with something behind, are no key', () => {
  const whole = [0xa2, 1, 2, 3, 0x26];
  assert.ok(readCoseKey(Uint8Array.from(whole)));
  const wrong = [
    [],
    [0x80],
    [0xa2, 1, 2, 3],
    [...whole, 0],
    [0xa2, 1, 2, 1, 2],
    [0xba, 255, 255, 255, 255, 1, 2],
    [0xa1, 3, 0x5a, 255, 255, 255, 255],
    [0xa1, 3, 0x3b, 0, 0, 0, 0, 0, 0, 0, 1],
    [0xa1, 0x61, 97, 2],
    [0xbf, 255],
  ];
  for (const each of wrong) assert.equal(readCoseKey(Uint8Array.from(each)), undefined, each.join());
});
