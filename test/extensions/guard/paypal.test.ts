/** The guard before PayPal's server: the sum of the items, an order that is paid by its id, errors without isError. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardedClient, stateFileIn, statusOf, textOf } from './doubles/guardedClient.ts';
import { PaypalDouble } from './doubles/paypalDouble.ts';
import { SILENT } from './doubles/vendor.ts';

const PRESET = '[[upstream]]\nname = "paypal"\npreset = "paypal"\nmerchant = "tools.example"\n';
const ORDER = {
  currencyCode: 'USD',
  items: [
    { name: 'Rope', quantity: 3, itemCost: 9.99, taxPercent: 7, itemTotal: 1 },
    { name: 'Hook', itemCost: 0.1, itemTotal: 0.1 },
  ],
  shippingCost: 4.5,
  discount: 2,
};
// 29.97 + 2.0979 + 0.10 + 4.50 − 2.00 = 34.6679, rounded up.
const SUM = 34.67;

const behind = async (vendor: PaypalDouble, more: Parameters<typeof guardedClient>[1] = {}) =>
  guardedClient({ paypal: vendor }, { ...more, rest: PRESET });
const idOf = (result: Parameters<typeof textOf>[0]) => JSON.parse(textOf(result)).id;

test('an order is reserved by the sum of its items, and paid by its id', async () => {
  const guarded = await behind(new PaypalDouble());
  const made = await guarded.call('create_order', ORDER);
  assert.equal(statusOf(made), 'reserved');
  const [reserved] = [...guarded.node.reservations.values()];
  assert.equal(reserved?.amount, SUM);
  assert.equal(reserved?.merchant, 'tools.example');
  assert.equal(reserved?.enforcement, 'proxy');
  const paid = await guarded.call('pay_order', { id: idOf(made) });
  assert.equal(statusOf(paid), 'paid');
  assert.equal(guarded.node.reservations.size, 1);
  const { reference, amount } = guarded.node.told[0] ?? {};
  assert.equal(reference, `CAPTURE-${idOf(made)}`);
  assert.equal(amount, SUM);
  await guarded.close();
});

test('a guard that was started anew pays the order that was reserved before', async () => {
  const vendor = new PaypalDouble();
  const stateFile = stateFileIn();
  const first = await behind(vendor, { stateFile });
  const order = idOf(await first.call('create_order', ORDER));
  await first.close();
  const second = await behind(vendor, { stateFile, node: first.node });
  assert.equal(statusOf(await second.call('pay_order', { id: order })), 'paid');
  assert.equal(second.node.reservations.size, 1);
  await second.close();
});

test('an order that was not made by way of the guard is not paid', async () => {
  const vendor = new PaypalDouble();
  const guarded = await behind(vendor);
  const refused = await guarded.call('pay_order', { id: 'ELSEWHERE00000001' });
  assert.equal(refused.isError, true);
  assert.match(textOf(refused), /Nothing was reserved for the order ELSEWHERE00000001/);
  assert.deepEqual(vendor.captured, []);
  await guarded.close();
});

test('an order that costs more than its items is not paid', async () => {
  const vendor = new PaypalDouble();
  vendor.surcharge = 5;
  const guarded = await behind(vendor);
  const order = idOf(await guarded.call('create_order', ORDER));
  const refused = await guarded.call('pay_order', { id: order });
  assert.match(textOf(refused), /The order costs 39\.67 USD, and its items came to 34\.67 USD/);
  assert.deepEqual(vendor.captured, []);
  await guarded.close();
});

test('a declined order is released, and is reserved once more when it is paid again', async () => {
  const vendor = new PaypalDouble();
  const guarded = await behind(vendor);
  const order = idOf(await guarded.call('create_order', ORDER));
  vendor.next = 'declined';
  const declined = await guarded.call('pay_order', { id: order });
  assert.equal(statusOf(declined), 'released');
  assert.equal(guarded.node.reservations.size, 0);
  vendor.next = 'paid';
  assert.equal(statusOf(await guarded.call('pay_order', { id: order })), 'paid');
  assert.equal(guarded.node.spent, SUM);
  await guarded.close();
});

test('a connection that broke at PayPal leaves it reserved, and what was captured before is no failure', async () => {
  const vendor = new PaypalDouble();
  const guarded = await behind(vendor);
  const order = idOf(await guarded.call('create_order', ORDER));
  vendor.next = 'broken';
  assert.equal(statusOf(await guarded.call('pay_order', { id: order })), 'unknown');
  vendor.next = 'paid';
  const again = await guarded.call('pay_order', { id: order });
  assert.match(textOf(again), /already captured/);
  assert.equal(statusOf(again), 'unknown');
  assert.deepEqual(guarded.node.told, []);
  assert.equal(guarded.node.spent, SUM);
  await guarded.close();
});

test('reading tools are known by name, and no annotation is not read-only', async () => {
  const guarded = await behind(new PaypalDouble());
  assert.match(textOf(await guarded.call('get_order', { id: 'ORDER000000000001' })), /APPROVED/);
  const refused = await guarded.call('create_subscription');
  assert.match(textOf(refused), /No rule of the guard says what create_subscription may spend/);
  await guarded.close();
});

test('a refund of all that was captured names no amount, and is refused', async () => {
  const guarded = await behind(new PaypalDouble());
  const refused = await guarded.call('create_refund', { capture_id: 'CAPTURE0000000001' });
  assert.match(textOf(refused), /The currency of create_refund is not at \$\.amount\.currency_code/);
  const amount = { currency_code: 'USD', value: '12.34' };
  assert.equal(statusOf(await guarded.call('create_refund', { capture_id: 'CAPTURE0000000001', amount })), 'paid');
  const cents = { currency_code: 'USD', value: '12.345' };
  const odd = await guarded.call('create_refund', { capture_id: 'CAPTURE0000000001', amount: cents });
  assert.match(textOf(odd), /has more decimals than USD has/);
  await guarded.close();
});

test('silence leaves it reserved', async () => {
  const vendor = new PaypalDouble();
  const guarded = await behind(vendor);
  const order = idOf(await guarded.call('create_order', ORDER));
  vendor.next = 'silent';
  assert.equal(vendor.call('pay_order', { id: order }), SILENT);
  const asked = guarded.client.callTool({ name: 'pay_order', arguments: { id: order } }, { timeout: 50 });
  await assert.rejects(asked, /timed out/i);
  assert.deepEqual(guarded.node.told, []);
  assert.equal(guarded.node.spent, SUM);
  await guarded.close();
});
