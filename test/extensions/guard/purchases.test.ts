/** One call that costs money, with what goes wrong: losses, a person, a node that is away, other amounts, many calls at once. */
import assert from 'node:assert/strict';
import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { describe, test } from 'node:test';
import { until } from '../../support/until.ts';
import { type GuardedClient, guardedClient, stateFileIn, statusOf, textOf } from './doubles/guardedClient.ts';
import { ReservationDouble } from './doubles/reservationDouble.ts';
import { type DoubleTool, type Input, SILENT, textResult, type Vendor } from './doubles/vendor.ts';

const BUY: DoubleTool = {
  name: 'buy',
  description: 'Buys.',
  inputSchema: { type: 'object', properties: { amount: { type: 'string' } } },
  annotations: { readOnlyHint: false },
};
const RULE = `[[tool]]
match = "buy"
amount = "$.amount"
unit = "major"
currency = "USD"
merchant = "shop.example"
reference = "$.id"
paid = "$.amount"
failed = { "$.status" = ["declined"] }
`;

class Shop implements Vendor {
  tools: readonly DoubleTool[] = [BUY];
  readonly sold: Input[] = [];
  answer: (input: Input, number: number) => object | typeof SILENT = ({ amount }, number) =>
    textResult({ id: `o_${number}`, amount });

  call(_name: string, input: Input): object | typeof SILENT {
    this.sold.push(input);
    return this.answer(input, this.sold.length);
  }
}

async function behind(shop: Shop, more: object = {}): Promise<GuardedClient> {
  return guardedClient({ shop }, { rest: RULE, ...more });
}

test('what was paid is committed, less frees the rest, and more is told', async () => {
  const shop = new Shop();
  const guarded = await behind(shop);
  assert.equal(statusOf(await guarded.call('buy', { amount: '19.99' })), 'paid');
  shop.answer = () => textResult({ id: 'less', amount: '8.00' });
  assert.equal(statusOf(await guarded.call('buy', { amount: '10' })), 'paid');
  assert.deepEqual(
    guarded.node.told.map(({ amount }) => amount),
    [19.99, 8],
  );
  shop.answer = () => textResult({ id: 'more', amount: '11.50' });
  const more = await guarded.call('buy', { amount: '10.00' });
  assert.equal(statusOf(more), 'attention');
  assert.match(more.content[0].text, /"id":"more"/);
  assert.match(more.content[1].text, /11\.5 was paid of the 10 that were reserved/);
  await guarded.close();
});

test('what a tool sells, and where, is what its rule says', async () => {
  const shop = new Shop();
  const guarded = await behind(shop, { rest: `${RULE}mcc = "5411"\ncountry = "DE"\n` });
  assert.equal(statusOf(await guarded.call('buy', { amount: '8' })), 'paid');
  const [reserved] = [...guarded.node.reservations.values()];
  assert.deepEqual([reserved?.mcc, reserved?.country], ['5411', 'DE']);
  await guarded.close();
});

test('an order that the guard cannot keep is not lost: the client has it, with what is wrong below it', async () => {
  const shop = new Shop();
  const stateFile = stateFileIn();
  const guarded = await behind(shop, { rest: `${RULE}holds = true\n`, stateFile });
  shop.answer = () => {
    rmSync(stateFile, { force: true });
    mkdirSync(stateFile);
    return textResult({ id: 'o_1', amount: '8' });
  };
  const told = await guarded.call('buy', { amount: '8' });
  assert.equal(told.isError, undefined);
  assert.match(told.content[0].text, /"id":"o_1"/);
  assert.match(told.content[1].text, /^The guard says: what came of buy cannot be kept .* Its reservation is pm_/);
  assert.equal(statusOf(told), 'attention');
  assert.match(String(guarded.lines), /what came of buy cannot be kept/);
  rmdirSync(stateFile);
  await guarded.close();
});

test('a refusal is a result with its sentence, and its codes beside it', async () => {
  const shop = new Shop();
  const guarded = await behind(shop);
  const refused = await guarded.call('buy', { amount: '100.01' });
  assert.equal(refused.isError, true);
  assert.equal(textOf(refused), 'Not paid: 100.01 is over the cap.');
  assert.deepEqual(refused._meta['countersign/refusal'].reasonCodes, ['AMOUNT_OVER_CAP']);
  assert.equal(refused.structuredContent, undefined);
  assert.deepEqual(shop.sold, []);
  await guarded.close();
});

test('the same call goes through once a person has approved it, also by a guard that was started anew', async () => {
  const shop = new Shop();
  const node = new ReservationDouble();
  node.askAbove = 20;
  const stateFile = stateFileIn();
  const first = await behind(shop, { node, stateFile });
  const asked = await first.call('buy', { amount: '30' });
  assert.match(textOf(asked), /A person decides at https:\/\/node\.example\/approve\/apr_1 /);
  assert.equal(asked._meta['countersign/refusal'].approval.id, 'apr_1');
  assert.equal((await first.call('buy', { amount: '30' })).isError, true);
  await first.close();
  node.approved.add('apr_1');
  const second = await behind(shop, { node, stateFile });
  assert.equal((await second.call('buy', { amount: '31' })).isError, true);
  assert.equal(statusOf(await second.call('buy', { amount: '30' })), 'paid');
  assert.equal([...node.reservations.values()][0]?.approvalId, 'apr_1');
  assert.equal((await second.call('buy', { amount: '30' })).isError, true, 'an approval is for one purchase');
  assert.equal(shop.sold.length, 1);
  await second.close();
});

test('a node that is away lets nothing through', async () => {
  const shop = new Shop();
  const guarded = await behind(shop);
  guarded.node.isAway = true;
  const refused = await guarded.call('buy', { amount: '5' });
  assert.match(textOf(refused), /does not answer .* Nothing was sent\./);
  assert.deepEqual(refused._meta['countersign/refusal'].reasonCodes, ['NETWORK']);
  assert.deepEqual(shop.sold, []);
  guarded.node.isAway = false;
  assert.equal(statusOf(await guarded.call('buy', { amount: '5' })), 'paid');
  await guarded.close();
});

test('a node that is away when it is to be told does not change the result', async () => {
  const guarded = await behind(new Shop());
  guarded.node.commitsAreLost = true;
  const bought = await guarded.call('buy', { amount: '5' });
  assert.equal(statusOf(bought), 'paid');
  assert.ok(guarded.lines.some((line) => line.startsWith('commit: No answer came')));
  assert.equal(guarded.node.spent, 5);
  await guarded.close();
});

test('a declined purchase is released; an error, or no reference, leaves it reserved', async () => {
  const shop = new Shop();
  const guarded = await behind(shop);
  shop.answer = () => textResult({ status: 'DECLINED' });
  assert.equal(statusOf(await guarded.call('buy', { amount: '5' })), 'released');
  shop.answer = () => ({ content: [], structuredContent: { status: 'declined' } });
  assert.equal(statusOf(await guarded.call('buy', { amount: '6' })), 'released');
  for (const answer of [textResult('Bad gateway', { isError: true }), textResult('Thank you'), { content: [] }]) {
    shop.answer = () => answer;
    assert.equal(statusOf(await guarded.call('buy', { amount: '7' })), 'unknown');
  }
  assert.equal(guarded.node.told.length, 2);
  assert.equal(guarded.node.spent, 21);
  await guarded.close();
});

test('a server that breaks off leaves it reserved, and says so', async () => {
  const shop = new Shop();
  const guarded = await behind(shop);
  shop.answer = () => {
    setImmediate(() => guarded.wire.close());
    return SILENT;
  };
  const broken = await guarded.call('buy', { amount: '5' });
  assert.match(textOf(broken), /The connection to shop broke\. Whether it paid is not known: pm_\w+ stays reserved\./);
  assert.equal(guarded.node.spent, 5);
  assert.deepEqual(guarded.node.told, []);
});

test('an error of the protocol after the call went on leaves it reserved, and passes', async () => {
  const shop = new Shop();
  const guarded = await behind(shop);
  shop.answer = () => {
    throw new Error('database is gone');
  };
  await assert.rejects(guarded.call('buy', { amount: '5' }), /database is gone/);
  assert.equal(guarded.node.spent, 5);
  assert.deepEqual(guarded.node.told, []);
  await guarded.close();
});

test('a second answer to one call is thrown away', async () => {
  const shop = new Shop();
  const guarded = await behind(shop);
  shop.answer = ({ amount }, number) => {
    // The low-level server answers once; this is its wire.
    setImmediate(() => {
      const result = textResult({ id: 'second', amount: '1.00' });
      for (let id = 0; id < 20; id++) void guarded.wire.send({ jsonrpc: '2.0', id, result } as never);
    });
    return textResult({ id: `o_${number}`, amount });
  };
  const bought = await guarded.call('buy', { amount: '5' });
  assert.match(textOf(bought), /"o_1"/);
  assert.equal((await guarded.call('buy', { amount: '6' })).isError, undefined);
  assert.deepEqual(
    guarded.node.told.map(({ reference }) => reference),
    ['o_1', 'o_2'],
  );
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(guarded.lines.some((line) => line.includes('an answer to no open request')));
  await guarded.close();
});

test('20 equal calls at once are one purchase, and 20 others never pass the limit', async () => {
  const shop = new Shop();
  const guarded = await behind(shop);
  const same = await Promise.all(Array.from({ length: 20 }, () => guarded.call('buy', { amount: '10' })));
  assert.equal(shop.sold.length, 1);
  assert.equal(guarded.node.reservations.size, 1);
  for (const each of same) assert.match(textOf(each), /"o_1"/);
  const others = await Promise.all(
    Array.from({ length: 20 }, (_, number) => guarded.call('buy', { amount: `10.${10 + number}` })),
  );
  assert.equal(others.filter(({ isError }) => isError !== true).length, 8);
  assert.ok(guarded.node.spent <= 100);
  assert.equal(shop.sold.length, 9);
  await guarded.close();
});

test('a canceled call that was not sent yet is released', async () => {
  const shop = new Shop();
  const guarded = await behind(shop);
  await guarded.client.listTools();
  let reserved = () => {};
  const reserve = guarded.node.reserve.bind(guarded.node);
  guarded.node.reserve = async (input) => {
    await new Promise<void>((resolve) => {
      reserved = resolve;
    });
    return reserve(input);
  };
  const cancel = new AbortController();
  const bought = guarded.client.callTool({ name: 'buy', arguments: { amount: '5' } }, { signal: cancel.signal });
  await new Promise((resolve) => setImmediate(resolve));
  cancel.abort();
  await assert.rejects(bought);
  reserved();
  while (guarded.node.told.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(guarded.node.told[0]?.reason, 'abandoned');
  assert.deepEqual(shop.sold, []);
  await guarded.close();
});

test('a canceled call that was sent is not sent again while it may be paid, and a late answer is told', async () => {
  const shop = new Shop();
  const guarded = await behind(shop);
  await guarded.client.listTools();
  const cancel = new AbortController();
  shop.answer = () => SILENT;
  const input = { name: 'buy', arguments: { amount: '5' } };
  const bought = guarded.client.callTool(input, { signal: cancel.signal });
  const shared = guarded.call('buy', { amount: '5' });
  await until('it is sent', async () => shop.sold.length > 0);
  cancel.abort();
  await assert.rejects(bought);
  for (const each of [await shared, await guarded.call('buy', { amount: '5' })])
    assert.match(
      textOf(each),
      /was canceled after it was sent\. Whether it paid is not known: pm_\w+ stays reserved\. Do not call it again/,
    );
  assert.deepEqual([shop.sold.length, guarded.node.reservations.size, guarded.node.told], [1, 1, []]);
  const result = textResult({ id: 'o_late', amount: '5' });
  for (let id = 0; id < 20; id++) void guarded.wire.send({ jsonrpc: '2.0', id, result } as never);
  await until('the late answer is told', async () => guarded.node.told.length > 0);
  assert.deepEqual([guarded.node.told[0]?.what, guarded.node.told[0]?.reference], ['commit', 'o_late']);
  shop.answer = ({ amount }) => textResult({ id: 'o_next', amount });
  assert.equal(statusOf(await guarded.call('buy', { amount: '5' })), 'paid');
  assert.equal(guarded.node.reservations.size, 2);
  await guarded.close();
});

test('a canceled call that names its purchase is sent again, and is one reservation', async () => {
  const shop = new Shop();
  const guarded = await behind(shop, { rest: `${RULE}idempotency = "$.key"\n` });
  await guarded.client.listTools();
  const cancel = new AbortController();
  shop.answer = () => SILENT;
  const input = { amount: '5', key: 'one' };
  const bought = guarded.client.callTool({ name: 'buy', arguments: input }, { signal: cancel.signal });
  await until('it is sent', async () => shop.sold.length > 0);
  cancel.abort();
  await assert.rejects(bought);
  shop.answer = ({ amount }) => textResult({ id: 'o_1', amount });
  assert.equal(statusOf(await guarded.call('buy', input)), 'paid');
  assert.equal(guarded.node.reservations.size, 1);
  await guarded.close();
});

test('a page where a person pays is given to them, and the tool is not asked again', async () => {
  const shop = new Shop();
  const guarded = await behind(shop);
  shop.answer = () => textResult({ status: 'payment_required', data: { checkoutUrl: 'https://pay.example/1' } });
  for (const _time of [1, 2]) {
    const page = await guarded.call('buy', { amount: '5' });
    assert.match(textOf(page), /is paid by a person, on this page: https:\/\/pay\.example\/1 /);
  }
  assert.equal(shop.sold.length, 1);
  await guarded.close();
});

describe('a name that a call gives its purchase', () => {
  const NAMED = `${RULE}idempotency = "$.key"\n`;
  const named = async (shop: Shop, more: object = {}) => guardedClient({ shop }, { rest: NAMED, ...more });

  test('is reserved and judged anew after it was declined, also by a guard that was started anew', async () => {
    const shop = new Shop();
    const stateFile = stateFileIn();
    const first = await named(shop, { stateFile });
    shop.answer = () => textResult({ status: 'declined' });
    assert.equal(statusOf(await first.call('buy', { amount: '60', key: 'a' })), 'released');
    await first.close();
    const second = await named(shop, { stateFile, node: first.node });
    second.node.cap = 50;
    const refused = await second.call('buy', { amount: '60', key: 'a' });
    assert.match(textOf(refused), /60 is over the cap/);
    assert.equal(shop.sold.length, 1);
    await second.close();
  });

  test('is not trusted any more once its server paid twice under it', async () => {
    const shop = new Shop();
    const guarded = await named(shop);
    const buy = () => guarded.call('buy', { amount: '30', key: 'a' });
    assert.equal(statusOf(await buy()), 'paid');
    const second = await buy();
    assert.equal(statusOf(second), 'attention');
    assert.match(second.content[1].text, /buy was paid twice under one name, first as pm_/);
    assert.equal(guarded.node.spent, 60, 'the second is recorded too');
    assert.deepEqual(
      guarded.node.told.map(({ reference }) => reference),
      ['o_1', 'o_2'],
    );
    assert.equal(statusOf(await buy()), 'paid');
    assert.equal((await buy()).isError, true);
    assert.equal(guarded.node.spent, 90);
    assert.equal(shop.sold.length, 3);
    await guarded.close();
  });

  test('is reserved twice at most by a guard whose clock is ahead of the node’s', async () => {
    const shop = new Shop();
    const guarded = await named(shop, { now: () => Date.now() + 86_400_000 });
    await guarded.call('buy', { amount: '10', key: 'a' });
    assert.ok(guarded.node.spent <= 20, `${guarded.node.spent}`);
    assert.equal(shop.sold.length, 1);
    await guarded.close();
  });
});
