/** The signature base, by the examples of RFC 9421 (appendix B.2) and their published test keys (B.1). */
import assert from 'node:assert/strict';
import { constants, createHmac, createPublicKey, verify } from 'node:crypto';
import { describe, test } from 'node:test';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import { fromBase64url, toBase64 } from '../../../protocol/credential/encodings.ts';
import {
  type Component,
  type SignatureParameters,
  signatureBase,
  signatureParams,
  stringItem,
} from '../../../protocol/httpSignatures/signatureBase.ts';

const REQUEST = {
  method: 'POST',
  url: 'https://example.com/foo?param=Value&Pet=dog',
  fields: {
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-digest':
      'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
    'content-length': '18',
  },
};
const CREATED = 1618884473;
/** B.1.4. */
const ED25519_SEED = 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU';
/** B.1.2. */
const RSA_PSS = createPublicKey({
  format: 'jwk',
  key: {
    kty: 'RSA',
    e: 'AQAB',
    n: 'r4tmm3r20Wd_PbqvP1s2-QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct-Lh1GH45x28Rw3Ry53mm-oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHqgDsznjPFmTOtCEcN2Z1FpWgchwuYLPL-Wokqltd11nqqzi-bJ9cvSKADYdUAAN5WUtzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4aOT9v6d-nb4bnNkQVklLQ3fVAvJm-xdDOp9LCNCN48V2pnDOkFV6-U9nV5oyc6XI2w',
  },
});
/** B.1.5. */
const SHARED_SECRET = 'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==';

const named = (...names: string[]): Component[] => names.map((name) => ({ name }));
const base = (components: readonly Component[], parameters: SignatureParameters) =>
  signatureBase(REQUEST, components, signatureParams(components, parameters));

describe('the signature base', () => {
  test('is that of full coverage with RSA-PSS (B.2.3), the query among it', () => {
    const components = named(
      ...['date', '@method', '@path', '@query', '@authority', 'content-type', 'content-digest', 'content-length'],
    );
    const signed = base(components, [
      ['created', CREATED],
      ['keyid', 'test-key-rsa-pss'],
    ]);
    const signature =
      'bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRRU5p2voTp768ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFkh/aYA2HXXZzNBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f8ui9eH8LZH896+QIF61ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKEgM4cUA==';
    const key = { key: RSA_PSS, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 };
    assert.ok(verify('sha512', Buffer.from(signed), key, Buffer.from(signature, 'base64')));
  });

  test('is that of a shared secret (B.2.5)', () => {
    const signed = base(named('date', '@authority', 'content-type'), [
      ['created', CREATED],
      ['keyid', 'test-shared-secret'],
    ]);
    const hmac = createHmac('sha256', Buffer.from(SHARED_SECRET, 'base64')).update(signed).digest('base64');
    assert.equal(hmac, 'pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=');
  });

  test('gives the very signature of Ed25519 (B.2.6)', () => {
    const components = named('date', '@method', '@path', '@authority', 'content-type', 'content-length');
    const signed = base(components, [
      ['created', CREATED],
      ['keyid', 'test-key-ed25519'],
    ]);
    assert.equal(
      signed,
      [
        '"date": Tue, 20 Apr 2021 02:07:55 GMT',
        '"@method": POST',
        '"@path": /foo',
        '"@authority": example.com',
        '"content-type": application/json',
        '"content-length": 18',
        '"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
      ].join('\n'),
    );
    const signer = nobleSuite.signer(fromBase64url(ED25519_SEED) as Uint8Array);
    assert.equal(
      toBase64(signer.sign(new TextEncoder().encode(signed))),
      'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==',
    );
  });

  test('has the derived parts as RFC 9421 section 2.2 shows them', () => {
    const of = (url: string, name: string) =>
      signatureBase({ method: 'GET', url, fields: {} }, named(name), '()').split('\n')[0];
    assert.equal(of('https://WWW.Example.com:443/path', '@authority'), '"@authority": www.example.com');
    assert.equal(of('http://127.0.0.1:8402/', '@authority'), '"@authority": 127.0.0.1:8402');
    assert.equal(of('https://example.com', '@path'), '"@path": /');
    assert.equal(of('https://example.com/a%2Fb', '@path'), '"@path": /a%2Fb');
    assert.equal(
      of('https://example.com/path?param=value&foo=bar&baz=bat%2Dman', '@query'),
      '"@query": ?param=value&foo=bar&baz=bat%2Dman',
    );
    assert.equal(of('https://example.com/path', '@query'), '"@query": ?');
  });

  test('has the member of a dictionary, and a part of the request', () => {
    const message = {
      method: 'GET',
      url: 'https://example.com/',
      fields: { 'signature-agent': { sig1: '"https://a"' } },
    };
    const components: Component[] = [
      { name: 'signature-agent', key: 'sig1' },
      { name: '@authority', isOfRequest: true },
    ];
    const params = signatureParams(components, [['tag', 'a "b" \\']]);
    assert.equal(params, '("signature-agent";key="sig1" "@authority";req);tag="a \\"b\\" \\\\"');
    const [agent, authority] = signatureBase(message, components, params).split('\n');
    assert.equal(agent, '"signature-agent";key="sig1": "https://a"');
    assert.equal(authority, '"@authority";req: example.com');
  });

  test('takes nothing that would begin a line of its own, and nothing that is not there', () => {
    for (const wrong of ['a\nb', 'a\r', 'é', '\u0000', 'a\u2028']) {
      assert.throws(() => stringItem(wrong), RangeError);
      const message = { method: wrong, url: 'https://example.com/', fields: { date: wrong } };
      assert.throws(() => signatureBase(message, named('@method'), '()'), RangeError);
      assert.throws(() => signatureBase(message, named('date'), '()'), RangeError);
    }
    assert.throws(() => base(named('host'), []), /has no host/);
  });
});
