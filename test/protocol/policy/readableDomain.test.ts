/** How an internationalized domain is read in the console, beside its technical form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII, domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { readableDomain } from '../../../protocol/policy/values/readableDomain.ts';

for (const read of [
  'müller.example',
  'straße.example',
  'łódź.example',
  '買い物.example',
  'データー.jp',
  'пример.рф',
  'παράδειγμα.ελ',
  'اختبار.example',
  'בדיקה.example',
  '한국.kr',
  'shop.bücher.example',
]) {
  test(`${read} is read in its letters`, () => {
    assert.equal(readableDomain(domainToASCII(read)), read);
  });
}

for (const [name, why] of [
  ['shop.example', 'has nothing to decode'],
  [domainToASCII('аmazon.com'), 'mixes Cyrillic and Latin letters'],
  [domainToASCII('аррӏе.com'), 'is of Cyrillic letters alone that look like Latin ones, under a Latin ending'],
  [domainToASCII('gοοgle.com'), 'mixes Greek and Latin letters'],
  [domainToASCII('paypaı.com'), 'has a letter without its dot'],
  [domainToASCII('shop例.com'), 'mixes Han and Latin letters'],
  ['xn--a.example', 'is encoded by no rule'],
  ['xn--99999999999999999999.example', 'encodes no character'],
  ['xn--shop-.example', 'encodes nothing'],
  ['xn--MLLER-kva.example', 'is not in its normal form'],
] as const) {
  test(`${name}, which ${why}, stays as it is`, () => {
    assert.equal(readableDomain(name), undefined);
  });
}

test('what is read is what the browser would read of the same name, for any text', () => {
  const label = fc.oneof(
    fc.stringMatching(/^[a-zäöüßé買い物]{1,12}$/),
    fc.stringMatching(/^xn--[a-z0-9-]{1,40}$/),
    fc.string({ unit: 'binary', maxLength: 12 }),
  );
  fc.assert(
    fc.property(label, (text) => {
      const name = domainToASCII(`${text}.example`);
      const read = readableDomain(text.startsWith('xn--') ? `${text}.example` : name);
      if (read === undefined) return;
      assert.equal(read, domainToUnicode(text.startsWith('xn--') ? `${text}.example` : name));
    }),
    { numRuns: 3000 },
  );
});
