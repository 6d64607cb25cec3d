/** Canonical JSON that is recognized by its bytes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { isSurelyCanonical } from '../../../protocol/credential/canonicalBytes.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const surely = (text: string) => isSurelyCanonical(encode(text), 0, encode(text).length);

/** What a reader who parses it finds. */
function isCanonical(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return canonical(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

test('what is taken for canonical is what the canonical form of its content is, whatever was changed in it', () => {
  const texts = fc.jsonValue({ maxDepth: 4 }).map((value) => canonical(value));
  const change = fc.record({
    at: fc.nat(),
    byte: fc.integer({ min: 0, max: 255 }),
    how: fc.constantFrom('set', 'add', 'cut'),
  });
  fc.assert(
    fc.property(texts, fc.array(change, { maxLength: 3 }), (text, changes) => {
      let bytes = [...encode(text)];
      for (const { at, byte, how } of changes) {
        const place = at % (bytes.length + 1);
        bytes = bytes.toSpliced(place, how === 'add' ? 0 : 1, ...(how === 'cut' ? [] : [byte]));
      }
      const given = Uint8Array.from(bytes);
      if (isSurelyCanonical(given, 0, given.length)) assert.ok(isCanonical(given), new TextDecoder().decode(given));
    }),
    { numRuns: 3000 },
  );
});

test('what events are made of is recognized', () => {
  const plain = fc.oneof(
    fc.string({ unit: 'grapheme-ascii' }),
    fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
    fc.integer({ min: 0, max: 99_999_999 }).map((cents) => cents / 100),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom('é', '日本', '🙂', 'a"b', 'a\\b', 'a\nb'),
  );
  const names = fc.stringMatching(/^[a-zA-Z]{1,8}$/);
  const values = fc.oneof(plain, fc.array(plain), fc.dictionary(names, plain));
  fc.assert(
    fc.property(fc.dictionary(names, values, { noNullPrototype: true }), (value) => {
      assert.ok(surely(canonical(value)), canonical(value));
    }),
  );
});

test('each way to write the same otherwise is left to the parser', () => {
  for (const text of [
    '',
    ' {}',
    '{} ',
    '{"a" :1}',
    '{"b":1,"a":2}',
    '{"a":1,"a":1}',
    '{"a!":1,"a":2}',
    '[1,]',
    '[1 ,2]',
    '01',
    '-0',
    '1.0',
    '1.',
    '.5',
    '1e3',
    '0.0000001',
    '12345678901234567890',
    '"\\/"',
    '"\\u0041"',
    '"a',
    '"\n"',
    'nul',
    'nulls',
    '{"a":1}}',
  ]) {
    assert.equal(surely(text), false, text);
  }
  assert.equal(isSurelyCanonical(Uint8Array.of(0x22, 0xff, 0x22), 0, 3), false, 'no UTF-8');
  assert.equal(surely('{"a":1,"a!":2}'), true, 'a key before those that it begins');
});
