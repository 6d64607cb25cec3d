/** The one rule for signatures, held against every suite. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { didOfKey } from '../../protocol/credential/did.ts';
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { isPublicKey, pointOf } from '../../protocol/credential/publicKey.ts';
import { nativeSuite, nodeCryptoSuite, sodiumSuite } from '../../src/crypto/nativeSuite.ts';
import {
  BAD_ENCODINGS,
  HONEST,
  IDENTITY_FORGERY,
  LARGE_S,
  MIXED_ORDER_CASES,
  MIXED_R,
  SMALL_ORDER_KEYS,
  SMALL_ORDER_R,
} from '../support/hardKeys.ts';

/** RFC 8032 section 7.1. */
const VECTORS = [
  {
    name: 'TEST 1',
    seed: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    message: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    name: 'TEST 2',
    seed: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
  {
    name: 'TEST 3',
    seed: 'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    publicKey: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    message: 'af82',
    signature:
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  },
  {
    name: 'TEST SHA(abc)',
    seed: '833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42',
    publicKey: 'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    message: createHash('sha512').update('abc').digest('hex'),
    signature:
      'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
  },
];

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex');

for (const suite of [nobleSuite, sodiumSuite(), nodeCryptoSuite()]) {
  describe(`the ${suite.name} suite`, () => {
    for (const vector of VECTORS) {
      test(`signs and verifies ${vector.name} of RFC 8032`, () => {
        const signer = suite.signer(bytes(vector.seed));
        assert.equal(hex(signer.publicKey), vector.publicKey);
        assert.equal(signer.did, didOfKey(signer.publicKey));
        assert.equal(hex(signer.sign(bytes(vector.message))), vector.signature);
        assert.ok(suite.verify(signer.publicKey, bytes(vector.message), bytes(vector.signature)));
      });
    }

    const verifies = ({ publicKey, message, signature }: typeof HONEST) => suite.verify(publicKey, message, signature);

    test('accepts the honest signature that the forgeries below are made from', () => {
      assert.ok(verifies(HONEST));
    });

    test('refuses every small-order key in every encoding', () => {
      assert.equal(SMALL_ORDER_KEYS.length, 14);
      for (const publicKey of SMALL_ORDER_KEYS) {
        assert.equal(verifies({ ...IDENTITY_FORGERY, publicKey }), false, hex(publicKey));
      }
    });

    test('refuses the forgery that the identity as key would let anyone make', () => {
      assert.equal(verifies(IDENTITY_FORGERY), false);
    });

    test('refuses keys of mixed order, whether the equation holds or not', () => {
      assert.deepEqual(
        MIXED_ORDER_CASES.map(verifies),
        MIXED_ORDER_CASES.map(() => false),
      );
    });

    test('refuses an R that only multiplying by the cofactor would save', () => {
      assert.equal(verifies(MIXED_R), false);
    });

    test('refuses an R of small order, the identity included', () => {
      assert.deepEqual(
        SMALL_ORDER_R.map(verifies),
        SMALL_ORDER_R.map(() => false),
      );
    });

    test('refuses an S at or above the group order', () => {
      assert.equal(verifies(LARGE_S), false);
    });

    test('refuses keys that are off the curve or not canonically encoded', () => {
      for (const publicKey of BAD_ENCODINGS) assert.equal(verifies({ ...HONEST, publicKey }), false, hex(publicKey));
    });

    test('refuses keys and signatures of a wrong length without throwing', () => {
      for (const length of [0, 31, 33, 63, 65, 128]) {
        assert.equal(verifies({ ...HONEST, publicKey: new Uint8Array(length) }), false);
        assert.equal(verifies({ ...HONEST, signature: new Uint8Array(length) }), false);
      }
      assert.equal(verifies({ ...HONEST, signature: Uint8Array.of(...HONEST.signature, 0) }), false);
    });

    test('reads keys and signatures that are windows into larger buffers', () => {
      const all = Uint8Array.of(1, ...HONEST.publicKey, ...HONEST.signature, ...HONEST.message);
      const end = 97;
      assert.ok(suite.verify(all.subarray(1, 33), all.subarray(end), all.subarray(33, end)));
    });

    test('hashes texts as UTF-8, as FIPS 180-4 has it', () => {
      const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
      assert.equal(hex(suite.sha256('abc')), abc);
      assert.equal(hex(suite.sha256Bytes(new TextEncoder().encode('abc'))), abc);
      assert.equal(hex(suite.sha256('pæy 1 €')), createHash('sha256').update('pæy 1 €', 'utf8').digest('hex'));
    });

    test('makes no signer from a seed of a wrong length', () => {
      assert.throws(() => suite.signer(new Uint8Array(31)), RangeError);
      assert.throws(() => suite.signer(new Uint8Array(64)), RangeError);
    });
  });
}

test('the native suite is libsodium where that loads', () => {
  assert.equal(nativeSuite().name, 'sodium');
});

test('the native examination of keys agrees with the plain one, on hard keys and on any', () => {
  sodiumSuite();
  const random = Array.from({ length: 300 }, (_, at) => Uint8Array.from(createHash('sha256').update(`${at}`).digest()));
  const honest = random.slice(0, 50).map((seed) => nobleSuite.signer(seed).publicKey);
  const hard = [...SMALL_ORDER_KEYS, ...BAD_ENCODINGS, ...MIXED_ORDER_CASES.map(({ publicKey }) => publicKey)];
  for (const key of [...random, ...honest, ...hard, HONEST.publicKey, new Uint8Array(31)]) {
    assert.equal(isPublicKey(key), pointOf(key) !== undefined, hex(key));
  }
});
