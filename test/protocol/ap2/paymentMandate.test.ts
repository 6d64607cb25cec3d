/** Payment mandates of AP2: which cart they pay, with what, and what cannot be verified. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readPaymentMandate, requireSamePurchase } from '../../../protocol/ap2/paymentMandate.ts';
import { cartContents, item, paymentMandate } from '../../support/ap2.ts';

describe('a payment mandate', () => {
  const contents = cartContents(
    [
      ['Shoes', 0.1],
      ['Laces', 0.2],
    ],
    0.3,
  );
  const cart = { contents, merchant_authorization: null };

  test('names the cart by its details and total, and the payment method by its token', () => {
    const payment = readPaymentMandate(paymentMandate(contents));
    const detailsId = contents.payment_request.details.id;
    assert.deepEqual(payment, { detailsId, totalMinor: 30, currency: 'USD', instrument: 'pm_card_visa' });
    requireSamePurchase(payment, cart);
  });

  test('has no payment method where its token names none, as in the samples', () => {
    for (const details of [null, {}, { token: { value: 'fake', url: 'http://localhost:8002' } }, { token: null }]) {
      const read = readPaymentMandate(paymentMandate(contents, { payment_response: { details } }));
      assert.equal(read.instrument, undefined);
    }
  });

  test('of another cart or total does not fit', () => {
    const other = cartContents([['Shoes', 0.3]], 0.3);
    assert.throws(
      () => requireSamePurchase(readPaymentMandate(paymentMandate(other)), cart),
      /is not that of the cart/,
    );
    const more = paymentMandate(contents, { payment_details_total: item('Total', 0.31) });
    assert.throws(() => requireSamePurchase(readPaymentMandate(more), cart), /is not the total/);
    const yen = paymentMandate(contents, {
      payment_details_total: { label: 'T', amount: { currency: 'JPY', value: 30 } },
    });
    assert.throws(() => requireSamePurchase(readPaymentMandate(yen), cart), /is not the total/);
  });

  test('that a user is said to have signed is refused, since the node could not verify it', () => {
    for (const user_authorization of ['eyJhbGciOiJFUzI1NksifQ', '', {}, false]) {
      const signed = { ...paymentMandate(contents), user_authorization };
      assert.throws(() => readPaymentMandate(signed), /user_authorization cannot be verified/);
    }
    const { user_authorization: _none, ...absent } = paymentMandate(contents);
    assert.equal(readPaymentMandate(absent).totalMinor, 30);
    assert.throws(() => readPaymentMandate({}), /malformed/);
  });
});
