/** What looks like the number of a card, and what is as long and is the number of an order. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { holdsCardNumber, withoutCardNumbers } from '../../protocol/instrument.ts';

/** The schemes' own numbers for tests. */
const CARDS = [
  '4222222222222',
  '4242424242424242',
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
  '30569309025904',
  '38520000023237',
  '3530111333300000',
  '6011111111111117',
  '6205500000000000004',
  '6759649826438453',
  '2200000000000004',
  '8171999900000026',
  '9792030394440796',
  '135412345678911',
  '9704000000000018',
  '8600000000000007',
];

describe('the number of a card', () => {
  for (const number of CARDS) {
    test(`${number} is found alone, in groups, and in a sentence`, () => {
      const grouped = number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
      for (const text of [number, grouped, grouped.replaceAll(' ', '-'), `Paid with ${grouped}, thanks.`])
        assert.ok(holdsCardNumber(text), text);
    });
  }

  test('is found beside its end and its code, and by any sign between its groups', () => {
    for (const text of [
      '4242 4242 4242 4242 12/29 123',
      '123 4242 4242 4242 4242',
      '4242424242424242 12 29',
      '4242.4242.4242.4242',
      'https://tea.example/?card=4242%204242%204242%204242',
      'https://tea.example/?card=4242+4242+4242+4242',
      '4242\u00a04242\u00a04242\u00a04242',
      '4242 – 4242 – 4242 – 4242',
      '4242\n4242\n4242\n4242',
      '\uff14\uff12\uff14\uff12 4242 4242 4242',
    ])
      assert.ok(holdsCardNumber(text), JSON.stringify(text));
  });

  test('is left out but for its last four digits, and the rest of the text stays', () => {
    assert.equal(withoutCardNumbers('SHOP 4242 4242 4242 4242 12/29 AT NOON'), 'SHOP …4242 12/29 AT NOON');
    assert.equal(withoutCardNumbers('378282246310005 or 5555-5555-5555-4444.'), '…0005 or …4444.');
    assert.equal(withoutCardNumbers('ＳＨＯＰ 112-1234567-1234567'), 'ＳＨＯＰ 112-1234567-1234567');
  });

  test('is in no text from which it was taken, also where other digits stand beside it', () => {
    const part = fc.constantFrom('4242', '4242424242424242', '123', '12/29', ' ', '-', '%20', '+', ' of ', '\uff14242');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 16 }), (parts) => {
        assert.ok(!holdsCardNumber(withoutCardNumbers(parts.join(''))), parts.join(''));
      }),
      { numRuns: 2000 },
    );
    assert.equal(withoutCardNumbers('a%204242%204242%204242%204242'), 'a …4242');
  });

  test('is no number of an order, a time or an account that is as long, though its check digit is right', () => {
    for (const text of ['112-1234567-1234565', '1795956737120', '701-1234567-1234562', '7000000000000005'])
      assert.ok(!holdsCardNumber(text), text);
    for (const text of ['4242424242424241', '4242 4242', '42424242424242421']) assert.ok(!holdsCardNumber(text), text);
  });
});
