/** The filters of payments, and the story of one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filtersIn, idIn, inputOf } from '../../console/screens/payments/filters.ts';
import { storyOf } from '../../console/screens/payments/story.ts';

const inputFor = (query: string) => inputOf(filtersIn(new URLSearchParams(query)));

test('what an address says that is no filter is left out', () => {
  assert.deepEqual(inputFor('status=PAID&merchant=sho&from=yesterday&to=2026-13-40&x=1'), {});
});

test('days are those of the browser’s time zone, the last one to its end', () => {
  const { from, to, ...rest } = inputFor('from=2026-11-01&to=2026-11-30&status=CAPTURED&merchant=shop.example');
  assert.deepEqual(rest, { status: 'CAPTURED', merchant: 'shop.example' });
  assert.equal(from, new Date(2026, 10, 1).toISOString());
  assert.equal(to, new Date(2026, 11, 1).toISOString());
});

test('amounts filter with a currency or without, and what is no amount does not', () => {
  assert.deepEqual(inputFor('min=10&max=20.5&currency=EUR'), { min: 10, max: 20.5, currency: 'EUR' });
  assert.deepEqual(inputFor('min=10&max=20'), { min: 10, max: 20 });
  assert.deepEqual(inputFor('min=-1&max=1e9&currency=EUR'), { currency: 'EUR' });
  assert.deepEqual(inputFor('min=1&currency=eur'), { min: 1 });
});

test('a text is a merchant’s domain or an id, and an id of anything else is neither', () => {
  const textOf = (text: string) => filtersIn(new URLSearchParams({ text }));
  assert.equal(idIn(textOf(' pm_01abc ')), 'pm_01abc');
  assert.equal(idIn(textOf('txn_01')), 'txn_01');
  for (const text of ['shop.example', 'pm', 'intent_01', 'pm_ 1']) assert.equal(idIn(textOf(text)), undefined, text);
  assert.deepEqual(inputOf(textOf(' shop.example ')), { merchant: 'shop.example' });
});

test('a cart that only lacks a person is no refusal, and other reasons are told', () => {
  const event = (eventType: string, data: object) => ({
    id: eventType,
    seq: 1,
    eventType,
    actorDid: 'did:key:z6Mk',
    data: data as Record<string, unknown>,
    hashPrev: '',
    hashCurr: '',
    createdAt: '',
  });
  const [asks, refused, paid, unknown] = storyOf([
    event('CART_REJECTED', { reasonCodes: ['HP_REQUIRED'] }),
    event('CART_REJECTED', { reasonCodes: ['AMOUNT_OVER_CAP', 'HP_REQUIRED'] }),
    event('PAYMENT_CAPTURED', { amount: 1200, currency: 'USD', merchant: 'shop.example' }),
    event('SOMETHING_NEW', {}),
  ]);
  assert.deepEqual([asks?.tone, asks?.more], ['plain', undefined]);
  assert.deepEqual([refused?.tone, refused?.more], ['bad', 'Amount over the cap · Needs a person']);
  assert.equal(paid?.more, '1,200.00 USD · shop.example');
  assert.equal(unknown?.title, 'Something new');
});
