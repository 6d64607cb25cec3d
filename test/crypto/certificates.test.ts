/** Certificates of those who sign mandates: what is a root, and which chains lead to it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeRoot, keyOfChain, readRoot } from '../../src/crypto/certificates.ts';
import { certify, makeP256 } from '../support/p256.ts';

const NOW = Date.UTC(2026, 5, 1);
const DAY = 24 * 3600 * 1000;
const LIFE = { from: NOW - DAY, until: NOW + DAY };

const party = (name: string) => ({ name, key: makeP256() });
const [root, between, leaf, stranger] = ['Root', 'Between', 'Leaf', 'Stranger'].map(party) as [
  ReturnType<typeof party>,
  ReturnType<typeof party>,
  ReturnType<typeof party>,
  ReturnType<typeof party>,
];
const authority = { ...LIFE, ca: true };
const signer = { ...LIFE, ca: false };
/** Name constraints (RFC 5280 section 4.2.1.10), and an extension that nothing here knows. */
const names = { oid: '0603551d1e', critical: true };
const unknown = { oid: '0603551d7f', critical: true };
const rootCertificate = certify(root, root, authority);
const middle = certify(between, root, authority);
const direct = certify(leaf, root, signer);
const below = certify(leaf, between, signer);

describe('a root', () => {
  test('is one certificate of an authority that is valid now, as PEM or as base64', () => {
    const pem = `-----BEGIN CERTIFICATE-----\n${rootCertificate.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
    for (const text of [rootCertificate, pem]) {
      const read = readRoot(text, NOW);
      assert.ok(!('fault' in read));
      assert.deepEqual([read.subject, read.validUntil, read.der], ['CN=Root', NOW + DAY, rootCertificate]);
      assert.deepEqual(describeRoot(read.der), read);
    }
  });

  for (const [what, text, fault] of [
    ['no certificate', 'hello', /one certificate/],
    ['a certificate of no authority', direct, /certificate authority/],
    ['one for some names alone', certify(root, root, { ...authority, extension: names }), /limited to no names/],
    ['an old one', certify(root, root, { ...authority, until: NOW - 1000 }), /valid now/],
    ['one of the future', certify(root, root, { ...authority, from: NOW + 1000 }), /valid now/],
  ] as const) {
    test(`is not ${what}`, () => {
      const read = readRoot(text, NOW);
      assert.match('fault' in read ? read.fault : '', fault);
    });
  }
});

describe('a chain', () => {
  for (const [what, x5c] of [
    ['of the signer alone', [direct]],
    ['with an authority between', [below, middle]],
    ['that brings the root along', [below, middle, rootCertificate]],
    [
      'with an extension that is not known, and not critical',
      [certify(leaf, root, { ...signer, extension: { ...unknown, critical: false } })],
    ],
    ['whose key is for signatures', [certify(leaf, root, { ...signer, usage: '80' })]],
    [
      'whose authority may have none below',
      [below, certify(between, root, { ...authority, pathLength: 0, usage: '06' })],
    ],
  ] as const) {
    test(`${what} gives the key of the signer`, () => {
      assert.deepEqual(keyOfChain(x5c, rootCertificate, NOW), leaf.key.jwk);
    });
  }

  const otherRoot = certify({ name: 'Root', key: stranger.key }, { name: 'Root', key: stranger.key }, authority);
  const late = { ...LIFE, until: NOW - 1000 };
  for (const [what, x5c] of [
    ['is not there', undefined],
    ['is empty', []],
    ['holds something else', [7]],
    ['is the root alone', [rootCertificate]],
    ['leads to another root of the same name', [certify(leaf, { name: 'Root', key: stranger.key }, signer), otherRoot]],
    ['misses an authority', [below]],
    ['has an authority that is none', [certify(stranger, leaf, signer), direct]],
    ['is in another order', [middle, below]],
    ['has an old signer', [certify(leaf, root, { ...signer, ...late })]],
    ['has an old authority', [below, certify(between, root, { ...authority, ...late })]],
    [
      'names the issuer, and is not signed by it',
      [certify(leaf, { name: 'Between', key: stranger.key }, signer), middle],
    ],
    ['has a signer whose key is for agreements', [certify(leaf, root, { ...signer, usage: '08' })]],
    [
      'has an authority below one that may have none',
      [
        certify(leaf, stranger, signer),
        certify(stranger, between, authority),
        certify(between, root, { ...authority, pathLength: 0 }),
      ],
    ],
    ['has an authority for some names alone', [below, certify(between, root, { ...authority, extension: names })]],
    [
      'has such a one that does not mark it critical',
      [below, certify(between, root, { ...authority, extension: { ...names, critical: false } })],
    ],
    [
      'has a signer with a critical extension that is not known',
      [certify(leaf, root, { ...signer, extension: unknown })],
    ],
    ['is longer than any that is taken', [below, middle, middle, middle, middle, middle]],
  ] as const) {
    test(`that ${what} gives none`, () => {
      assert.equal(keyOfChain(x5c, rootCertificate, NOW), undefined);
    });
  }

  test('gives none below a root that may have no authority between', () => {
    const alone = certify(root, root, { ...authority, pathLength: 0 });
    assert.deepEqual(keyOfChain([direct], alone, NOW), leaf.key.jwk);
    assert.equal(keyOfChain([below, middle], alone, NOW), undefined);
  });

  test('gives none once its root has ended', () => {
    const old = certify(root, root, { ...authority, ...late });
    assert.equal(keyOfChain([direct], old, NOW), undefined);
  });
});
