/** The print of a purchase: what it depends on, and what it does not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import {
  payerOf,
  purchasePrint,
  type SameBefore,
  sameBeforeFacts,
  sameBeforeIn,
} from '../../../protocol/policy/values/samePurchase.ts';

type Purchase = Parameters<typeof purchasePrint>[1];
type Item = Purchase['items'][number];

const NAMES = ['Shoe', 'Red hat', 'Ärmel', 'ﬁne wool', 'Çelik'];
const item = fc.record({
  name: fc.constantFrom(...NAMES),
  price: fc.integer({ min: 0, max: 500 }).map((cents) => cents / 100),
  quantity: fc.integer({ min: 1, max: 5 }),
});
const purchase: fc.Arbitrary<Purchase> = fc.record({
  payer: fc.constantFrom('did:key:one', 'did:key:two'),
  merchant: fc.constantFrom('shop.example', 'hats.example'),
  currency: fc.constantFrom('USD', 'EUR'),
  totalMinor: fc.integer({ min: 1, max: 10_000 }),
  items: fc.array(item, { minLength: 1, maxLength: 6 }),
});

const printOf = (of: Purchase) => purchasePrint(nobleSuite, of);

test('the print is SHA-256 over its name and the canonical JSON of the purchase', () => {
  const print = printOf({
    payer: 'did:key:one',
    merchant: 'shop.example',
    currency: 'USD',
    totalMinor: 4050,
    items: [
      { name: ' Red   Hat', price: 10.5, quantity: 1 },
      { name: 'SHOE', price: 9, quantity: 2 },
      { name: 'red hat', price: 10.5, quantity: 1 },
      { name: 'shoe', price: 1.5, quantity: 1 },
    ],
  });
  const what = [
    { name: 'shoe', price: '1.50', quantity: '1' },
    { name: 'red hat', price: '10.50', quantity: '2' },
    { name: 'shoe', price: '9.00', quantity: '2' },
  ];
  const said = { payer: 'did:key:one', merchant: 'shop.example', currency: 'USD', total: '40.50', what };
  assert.equal(print, nobleSuite.sha256Hex(`purchase-v1\n${canonical(said)}`));
});

test('order, case, spaces, compatibility forms and the splitting of lines change nothing', () => {
  const respelled = (name: string, how: number) =>
    [name.toUpperCase(), ` ${name.replaceAll(' ', ' \t ')} `, name.normalize('NFD'), name.normalize('NFKC')][
      how % 4
    ] as string;
  fc.assert(
    fc.property(purchase, fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), (of, picks) => {
      const other = of.items.flatMap((each, at): Item[] => {
        const named = { ...each, name: respelled(each.name, picks[at] ?? 0) };
        if (each.quantity === 1) return [named];
        return [
          { ...named, quantity: 1 },
          { ...each, quantity: each.quantity - 1 },
        ];
      });
      const turned = other.map((each, at) => [picks[at] ?? 0, each] as const).sort(([one], [two]) => one - two);
      assert.equal(printOf({ ...of, items: turned.map(([, each]) => each) }), printOf(of));
    }),
  );
});

test('payer, merchant, currency, total, and the name, price and quantity of a line change it', () => {
  fc.assert(
    fc.property(purchase, fc.nat(), (of, pick) => {
      const changed = (change: Partial<Item>) =>
        of.items.map((each, at) => (at === pick % of.items.length ? { ...each, ...change } : each));
      const { quantity, price } = of.items[pick % of.items.length] as Item;
      const others: Purchase[] = [
        { ...of, payer: 'did:key:three' },
        { ...of, merchant: 'other.example' },
        { ...of, currency: 'GBP' },
        { ...of, totalMinor: of.totalMinor + 1 },
        { ...of, items: changed({ quantity: quantity + 1 }) },
        { ...of, items: changed({ price: price + 100 }) },
        { ...of, items: changed({ name: 'Something else' }) },
        { ...of, items: [...of.items, { name: 'Gift', price: 0, quantity: 1 }] },
      ];
      assert.equal(new Set([of, ...others].map(printOf)).size, others.length + 1);
    }),
  );
});

test('equal lines of more than a number can count are summed exactly', () => {
  const of = (...quantities: number[]): Purchase => ({
    payer: 'did:key:one',
    merchant: 'shop.example',
    currency: 'USD',
    totalMinor: 1,
    items: quantities.map((quantity) => ({ name: 'Leaf', price: 0, quantity })),
  });
  const most = Number.MAX_SAFE_INTEGER;
  assert.notEqual(printOf(of(most, 1, 1)), printOf(of(most, 1)));
  assert.equal(printOf(of(most, 1, 1)), printOf(of(1, most, 1)));
});

test('a registered principal pays, and for an unregistered one the agent', () => {
  assert.equal(payerOf('did:a', 'did:p', { name: 'Anna' }), 'did:p');
  assert.equal(payerOf('did:a', 'did:p', { name: undefined }), 'did:a');
});

test('what is recorded of the same is read again as it was, and other data is none', () => {
  const facts: SameBefore[] = [
    { count: 0, latestAt: undefined },
    { count: 2, latestAt: 1_764_000_000_123, status: 'APPROVED' },
  ];
  for (const same of facts) {
    assert.deepEqual(sameBeforeIn(JSON.parse(JSON.stringify(sameBeforeFacts(same)))), same);
  }
  assert.deepEqual(sameBeforeFacts(undefined), {});
  for (const data of [{}, { sameBefore: 1 }, { sameBefore: { count: -1 } }]) {
    assert.equal(sameBeforeIn(data), undefined);
  }
});
