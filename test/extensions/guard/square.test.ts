/** The guard before Square's server: one tool for everything, known by service and method. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardedClient, statusOf, textOf } from './doubles/guardedClient.ts';
import { SquareDouble } from './doubles/squareDouble.ts';

const PRESET = '[[upstream]]\nname = "square"\npreset = "square"\n';
const behind = (vendor: SquareDouble, more: object = {}) =>
  guardedClient({ square: vendor }, { ...more, rest: PRESET });

const payment = (amount: number, key: string, more: object = {}) => ({
  service: 'payments',
  method: 'create',
  request: { idempotency_key: key, source_id: 'cnon:ok', amount_money: { amount, currency: 'USD' }, ...more },
});

test('amount and tip are one sum, in minor units, and the service has two spellings', async () => {
  const guarded = await behind(new SquareDouble());
  const tipped = payment(1050, 'a', { tip_money: { amount: 200, currency: 'USD' } });
  assert.equal(statusOf(await guarded.call('make_api_request', tipped)), 'paid');
  assert.equal(statusOf(await guarded.call('make_api_request', { ...payment(100, 'b'), service: 'Payments' })), 'paid');
  assert.deepEqual(
    [...guarded.node.reservations.values()].map(({ amount }) => amount),
    [12.5, 1],
  );
  assert.deepEqual(
    guarded.node.told.map(({ reference, amount }) => [reference, amount]),
    [
      ['pay_1', 12.5],
      ['pay_2', 1],
    ],
  );
  await guarded.close();
});

test('the same key is one reservation and one payment, and with another amount it is refused', async () => {
  const vendor = new SquareDouble();
  const guarded = await behind(vendor);
  await guarded.call('make_api_request', payment(1050, 'order-7'));
  await guarded.call('make_api_request', payment(1050, 'order-7', { note: 'planned anew' }));
  assert.equal(vendor.payments.size, 1);
  assert.equal(guarded.node.reservations.size, 1);
  assert.equal(guarded.node.told.length, 1);
  const other = await guarded.call('make_api_request', payment(1051, 'order-7'));
  assert.match(textOf(other), /does not take this purchase: The key was used with another body\. Nothing was sent\./);
  assert.equal(vendor.payments.size, 1);
  await guarded.close();
});

test('what no rule names is refused, in whatever spelling', async () => {
  const vendor = new SquareDouble();
  const guarded = await behind(vendor);
  for (const [service, method] of [
    ['payments', 'complete'],
    ['orders', 'pay'],
    ['giftCardActivities', 'createGiftCardActivity'],
    ['OAuth', 'obtainToken'],
    ['payments', 'create '],
    ['constructor', 'create'],
  ]) {
    const refused = await guarded.call('make_api_request', { service, method, request: {} });
    assert.match(
      textOf(refused),
      /No rule of the guard lets this call of make_api_request through/,
      `${service}.${method}`,
    );
  }
  assert.deepEqual(vendor.reached, []);
  await guarded.call('make_api_request', { service: 'Customers', method: 'list' });
  assert.deepEqual(vendor.reached, ['Customers.list']);
  await guarded.close();
});

test('a refund is guarded, though the server calls it no write', async () => {
  const vendor = new SquareDouble();
  const guarded = await behind(vendor);
  const request = { amount_money: { amount: 20_000, currency: 'USD' }, payment_id: 'pay_1', idempotency_key: 'r' };
  const refused = await guarded.call('make_api_request', { service: 'refunds', method: 'payment', request });
  assert.match(textOf(refused), /200 is over the cap/);
  assert.deepEqual(vendor.reached, []);
  await guarded.close();
});

test('a declined card is released, and an error of Square’s own says nothing', async () => {
  const vendor = new SquareDouble();
  const guarded = await behind(vendor);
  vendor.next = 'declined';
  assert.equal(statusOf(await guarded.call('make_api_request', payment(1000, 'a'))), 'released');
  vendor.next = 'error';
  assert.equal(statusOf(await guarded.call('make_api_request', payment(1000, 'b'))), 'unknown');
  assert.deepEqual(
    guarded.node.told.map(({ what }) => what),
    ['release'],
  );
  await guarded.close();
});

test('amounts that are no whole minor units are refused', async () => {
  const guarded = await behind(new SquareDouble());
  for (const amount of [10.5, -5, '1e3', 0, null, [5]]) {
    const call = { ...payment(1, 'x'), request: { amount_money: { amount, currency: 'USD' } } };
    const refused = await guarded.call('make_api_request', call);
    assert.match(textOf(refused), /^The amount of make_api_request .* Nothing was sent\.$/, String(amount));
  }
  const yen = payment(1050, 'yen');
  Object.assign(yen.request.amount_money, { currency: 'JPY' });
  guarded.node.cap = 5000;
  await guarded.call('make_api_request', yen);
  assert.equal([...guarded.node.reservations.values()][0]?.amount, 1050);
  await guarded.close();
});
