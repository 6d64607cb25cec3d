/** base64, base64url and hexadecimal against Node's own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  fromBase64,
  fromBase64url,
  fromHex,
  toBase64,
  toBase64url,
  toHex,
} from '../../../protocol/credential/encodings.ts';

test('bytes are written as Node writes them and read back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 700, size: 'max' }), (bytes) => {
      const text = toBase64url(bytes);
      assert.equal(text, Buffer.from(bytes).toString('base64url'));
      assert.deepEqual(fromBase64url(text), bytes);
      assert.equal(toBase64(bytes), Buffer.from(bytes).toString('base64'));
      assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
      assert.equal(toHex(bytes), Buffer.from(bytes).toString('hex'));
      assert.deepEqual(fromHex(toHex(bytes)), bytes);
    }),
  );
});

test('a text is read only when writing its bytes gives that very text', () => {
  const char = fc.constantFrom(...'AQgwBCab019-_+/=. é€'.split(''));
  fc.assert(
    fc.property(fc.string({ unit: char, maxLength: 8 }), (text) => {
      const bytes = fromBase64url(text);
      const strict = Buffer.from(text, 'base64url').toString('base64url') === text;
      assert.equal(bytes !== undefined, strict, text);
      if (bytes !== undefined) assert.equal(toBase64url(bytes), text);
    }),
    { numRuns: 5000 },
  );
});

test('a text of other characters than hexadecimal ones, or of half a byte, is none', () => {
  for (const text of ['0', 'abc', '0g', 'é0', ' 00', '0x00']) assert.equal(fromHex(text), undefined, text);
});

test('the vectors of RFC 4648 hold, without padding', () => {
  const vectors = { '': '', f: 'Zg', fo: 'Zm8', foo: 'Zm9v', foob: 'Zm9vYg', fooba: 'Zm9vYmE', foobar: 'Zm9vYmFy' };
  for (const [plain, text] of Object.entries(vectors)) {
    assert.equal(toBase64url(new TextEncoder().encode(plain)), text);
    assert.deepEqual(fromBase64url(text), new TextEncoder().encode(plain));
  }
});

test('padding, spare bits and impossible lengths are refused', () => {
  for (const text of ['Zg==', 'Zh', 'Zm9', 'Z', 'Zm9vY', 'Zm9v\n', 'Zm+v', 'Zm/v']) {
    assert.equal(fromBase64url(text), undefined, text);
  }
});
