/** Sealed secrets: they open with the right seed and context, and with nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromBase64url, toBase64url } from '../../protocol/credential/encodings.ts';
import { sealer } from '../../src/crypto/seal.ts';

const box = sealer(new Uint8Array(32).fill(1));

test('what was sealed opens to the same text under the same context', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
      assert.equal(box.open(box.seal(plain, context), context), plain);
    }),
  );
});

test('the same secret sealed twice gives two texts, neither of which shows it', () => {
  const [first, second] = [box.seal('whsec_visible', 'webhook'), box.seal('whsec_visible', 'webhook')];
  assert.notEqual(first, second);
  assert.match(first, /^v1\.[A-Za-z0-9_-]+$/);
  assert.ok(!Buffer.from(first.slice(3), 'base64url').includes('visible'));
});

test('a sealed secret does not open for another use, nor with another seed', () => {
  const sealed = box.seal('secret', 'webhook wh_1');
  assert.throws(() => box.open(sealed, 'webhook wh_2'), /cannot be opened/);
  assert.throws(() => sealer(new Uint8Array(32).fill(2)).open(sealed, 'webhook wh_1'), /cannot be opened/);
});

test('a sealed secret does not open after any single byte of it changed', () => {
  const bytes = fromBase64url(box.seal('secret', 'use').slice(3))!;
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = bytes.with(at, (bytes[at] ?? 0) ^ 1);
    assert.throws(() => box.open(`v1.${toBase64url(changed)}`, 'use'), /cannot be opened/);
  }
});

test('a cut, foreign or empty text does not open', () => {
  const sealed = box.seal('secret', 'use');
  for (const wrong of ['', 'v1.', sealed.slice(0, -4), sealed.slice(3), `v2.${sealed.slice(3)}`, `${sealed}=`]) {
    assert.throws(() => box.open(wrong, 'use'), /cannot be opened/);
  }
});
