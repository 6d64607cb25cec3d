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

test('a cart that only lacks a person is no refusal, and other reasons are told', () => {
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

test('what was paid beyond what was reserved is told by what was paid', () => {
  const bought = { amount: 24.5, currency: 'USD', merchant: 'tea.example' };
  const [entry] = storyOf([event('EXTERNAL_OVERRUN', { ...bought, paid: 30, attested: 'agent' })]);
  assert.equal(entry?.more, '30.00 USD · tea.example · by the agent’s word');
});

test('what a server asked by HTTP is told exactly, with whom it pays, and each word of a settlement with whose it is', () => {
  const bought = { amount: 1.24, currency: 'USD', merchant: 'shop.example' };
  const exact = { amount: '1.234567', asset: 'USDC', decimals: 6 };
  const payTo = '0x209693bc6afc0c5328ba36faf03c514ef312287c';
  const entries = storyOf([
    event('CART_VALIDATED', {
      ...bought,
      source: 'x402',
      exact,
      network: 'eip155:8453',
      payTo,
      payee: `eip155:8453:${payTo}`,
    }),
    event('CART_VALIDATED', { ...bought, source: 'mpp', payee: 'profile_shop' }),
    event('CART_REJECTED', { ...bought, source: 'mpp', payee: 'profile_shop', reasonCodes: ['HP_REQUIRED'] }),
    event('PAYMENT_NOTED', { ...bought, note: 'The server ended with HTTP 500.', attested: 'agent' }),
    event('PAYMENT_CAPTURED', { ...bought, attested: 'merchant_signed' }),
    event('PAYMENT_CAPTURED', { ...bought, attested: 'chain' }),
  ]);
  assert.deepEqual(
    entries.map(({ title, more }) => [title, more]),
    [
      ['What the server asks was accepted', '1.234567 USDC to 0x209693bc6a…12287c on Base, by x402 · shop.example'],
      ['What the server asks was accepted', '1.24 USD to profile_shop, by MPP · shop.example'],
      ['What the server asks needs a person', undefined],
      ['Word of the payment came', 'The server ended with HTTP 500. · by the agent’s word'],
      ['The money was taken', '1.24 USD · shop.example · by the merchant’s signature'],
      ['The money was taken', '1.24 USD · shop.example · by the chain’s word'],
    ],
  );
});
