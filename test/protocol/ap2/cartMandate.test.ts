/** Cart mandates of AP2 as offers: items and total to the minor unit, and what is refused. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashCartMandate, readCartMandate } from '../../../protocol/ap2/cartMandate.ts';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { cartMandateIn, readCart, storeCartMandate } from '../../../src/domain/purchases/storedCart.ts';
import { ap2CartAuthorizer } from '../../../src/extensions/mandates/carts/ap2CartAuthorizer.ts';
import { cartContents, item, jwtOf } from '../../support/ap2.ts';
import type { Loose } from '../../support/world.ts';

const mandate = (contents: Loose, merchant_authorization: string | null = null): Loose => ({
  contents,
  merchant_authorization,
  risk_payload: null,
});
const read = (items: readonly (readonly [string, number])[], total: number, changes: Loose = {}) =>
  readCartMandate(mandate(cartContents(items, total, changes)));

function refused(path: string, contents: Loose): void {
  assert.throws(
    () => readCartMandate(mandate(contents)),
    (error) =>
      error instanceof Fault &&
      error.code === 'BAD_REQUEST' &&
      error.details?.[0]?.path === `cartMandate.contents.${path}`,
    path,
  );
}

const DETAILS = 'payment_request.details';

function changed(change: (details: Loose) => void): Loose {
  const contents = cartContents([['Shoes', 10]], 10);
  change(contents.payment_request.details);
  return contents;
}

describe('a cart mandate', () => {
  test('is an offer of one of each item, with the ids by which it is found again', () => {
    const contents = cartContents(
      [
        ['Red shoes', 69.99],
        ['Shipping', 2],
        ['Tax', 1.5],
      ],
      73.49,
    );
    const offer = readCartMandate(mandate(contents));
    assert.deepEqual(offer.items, [
      { name: 'Red shoes', price: 69.99, quantity: 1 },
      { name: 'Shipping', price: 2, quantity: 1 },
      { name: 'Tax', price: 1.5, quantity: 1 },
    ]);
    assert.deepEqual([offer.totalMinor, offer.currency, offer.merchantName], [7349, 'USD', 'Shoe Shop']);
    assert.deepEqual([offer.cartId, offer.detailsId], [contents.id, contents.payment_request.details.id]);
    assert.equal(offer.endsAt, Date.parse(contents.cart_expiry));
  });

  test('adds up in decimals, as no sum of floats does', () => {
    assert.equal(
      read(
        [
          ['A', 0.1],
          ['B', 0.2],
        ],
        0.3,
      ).totalMinor,
      30,
    );
    assert.equal(
      read(
        [
          ['A', 1.1],
          ['B', 2.2],
        ],
        3.3,
      ).totalMinor,
      330,
    );
    assert.equal(read([['A', 1.005e3]], 1005).totalMinor, 100_500);
    refused(
      `${DETAILS}.total.amount.value`,
      cartContents(
        [
          ['A', 0.1],
          ['B', 0.2],
        ],
        0.1 + 0.2,
      ),
    );
    refused(
      `${DETAILS}.total`,
      cartContents(
        [
          ['A', 0.1],
          ['B', 0.2],
        ],
        0.31,
      ),
    );
    refused(`${DETAILS}.display_items.0.amount.value`, cartContents([['A', 0.001]], 0.01));
  });

  test('with a discount is shown as a whole, once it adds up', () => {
    const offer = read(
      [
        ['Shoes', 50],
        ['Voucher', -5.5],
      ],
      44.5,
    );
    assert.deepEqual(offer.items, [{ name: 'Total', price: 44.5, quantity: 1 }]);
    refused(
      `${DETAILS}.total`,
      cartContents(
        [
          ['Shoes', 50],
          ['Voucher', -5.5],
        ],
        50,
      ),
    );
    refused(
      `${DETAILS}.total.amount.value`,
      cartContents(
        [
          ['Shoes', 5],
          ['Voucher', -5],
        ],
        0,
      ),
    );
    refused(`${DETAILS}.total.amount.value`, cartContents([['Voucher', -5]], -5));
  });

  test('that is not final, in two currencies or without an end is refused', () => {
    refused(
      `${DETAILS}.display_items.0.pending`,
      changed((details) => Object.assign(details.display_items[0], { pending: true })),
    );
    refused(
      `${DETAILS}.total.pending`,
      changed((details) => Object.assign(details.total, { pending: true })),
    );
    const euro = item('Shoes', 10, { amount: { currency: 'EUR', value: 10 } });
    refused(
      `${DETAILS}.display_items.0.amount.currency`,
      changed((details) => details.display_items.splice(0, 1, euro)),
    );
    refused(
      `${DETAILS}.display_items`,
      changed((details) => details.display_items.pop()),
    );
    refused(
      `${DETAILS}.id`,
      changed((details) => delete details.id),
    );
    refused('cart_expiry', cartContents([['A', 1]], 1, { cart_expiry: '2999-01-01T00:00:00' }));
    refused('merchant_name', cartContents([['A', 1]], 1, { merchant_name: '\u2800' }));
    refused('user_cart_confirmation_required', cartContents([['A', 1]], 1, { user_cart_confirmation_required: null }));
  });

  test('ends with its authorization, where that is sooner, and five minutes for the clocks', () => {
    const contents = cartContents([['A', 1]], 1);
    const exp = Math.floor(Date.now() / 1000) + 60;
    const claims = { iss: 'shop.example', aud: 'payment-processor', iat: 1, exp, jti: 'j', cart_hash: 'h' };
    const jwt = jwtOf({ alg: 'ES256', kid: 'k' }, claims, 'AAAA');
    assert.equal(readCartMandate(mandate(contents, jwt)).endsAt, (exp + 300) * 1000);
  });

  test('has a hash that names its merchant, and every member as it came', () => {
    const contents = cartContents([['A', 1]], 1);
    const hash = hashCartMandate(nobleSuite, 'shop.example', contents);
    assert.notEqual(hashCartMandate(nobleSuite, 'other.example', contents), hash);
    const { options: _none, ...request } = contents.payment_request;
    assert.notEqual(hashCartMandate(nobleSuite, 'shop.example', { ...contents, payment_request: request }), hash);
  });

  test('that is kept is told from a credential, whatever members an agent gives it', () => {
    const cart = {
      ...mandate(cartContents([['A', 1]], 1)),
      '@context': ['x'],
      credentialSubject: {},
      issuanceDate: 'x',
    };
    const stored = JSON.parse(storeCartMandate(cart));
    const operations = { hooks: { authorizers: [ap2CartAuthorizer] } };
    const termsOf = (kept: object) => readCart({ operations, suite: nobleSuite } as never, { ...kept }, 'shop.example');
    assert.deepEqual(cartMandateIn(stored), cart);
    assert.equal(termsOf(stored)?.endsAt, Date.parse(cart.contents.cart_expiry));
    const credential = {
      '@context': ['x'],
      cartMandate: cart,
      contents: cart.contents,
      issuanceDate: '2026-01-01T00:00:00Z',
    };
    assert.equal(cartMandateIn(credential), undefined);
    assert.deepEqual(termsOf(credential), { endsAt: Date.UTC(2026, 0, 2), confirmed: false, key: null });
  });
});
