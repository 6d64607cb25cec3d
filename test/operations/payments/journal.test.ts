/** A month's journal: each event that moved money as two postings, in the month of its zone, with strangers' words as text. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeAgent } from '../../../client/index.ts';
import { journalEntry } from '../../../protocol/evidence/journal.ts';
import { ByteStream } from '../../../src/usecase/byteStream.ts';
import { memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

const PAYMENT = {
  mandateId: 'pm_1',
  merchant: 'shop.example',
  rail: 'SANDBOX_RAIL',
  currency: 'USD',
  description: undefined,
  mcc: '5411',
  agent: 'Ada’s agent',
  principal: 'Ada',
};

const entryOf = (type: string, data: object) =>
  journalEntry({ id: 'ev_1', type, data: data as Readonly<Record<string, unknown>> }, '2026-06-03', PAYMENT);
const postings = (type: string, data: object) =>
  entryOf(type, data)?.postings.map(({ account, minor }) => `${account} ${minor}`);

async function journalOf(node: Awaited<ReturnType<typeof memoryNode>>, input: Loose): Promise<string> {
  const stream = (await node.run('exportJournal', input)) as unknown;
  assert.ok(stream instanceof ByteStream);
  let text = '';
  for await (const piece of stream.pieces) text += piece;
  return text;
}

describe('an event', () => {
  const spent = 'Expenses:Agents:Groceries';
  const rail = 'Liabilities:SANDBOX-RAIL';
  for (const [type, data, expected] of [
    ['PAYMENT_CAPTURED', { captured: 12.5 }, [`${spent} 1250`, `${rail} -1250`]],
    ['PAYMENT_REFUNDED', { refund: 2 }, [`${rail} 200`, `${spent} -200`]],
    ['PAYMENT_REFUND_FAILED', { refund: 2 }, [`${spent} 200`, `${rail} -200`]],
    ['PAYMENT_DISPUTED', { amount: 12.5 }, [`${rail} 1250`, 'Liabilities:Disputed -1250']],
    ['PAYMENT_DISPUTE_CLOSED', { amount: 12.5, status: 'won' }, ['Liabilities:Disputed 1250', `${rail} -1250`]],
    ['PAYMENT_DISPUTE_CLOSED', { amount: 12.5, status: 'lost' }, ['Liabilities:Disputed 1250', `${spent} -1250`]],
  ] as const) {
    test(`${type} ${'status' in data ? data.status : ''} is booked on both of its accounts`, () => {
      assert.deepEqual(postings(type, data), expected);
    });
  }

  test('that moved nothing is no entry', () => {
    for (const data of [{ captured: 0 }, {}]) assert.equal(entryOf('PAYMENT_CAPTURED', data), undefined);
    assert.equal(entryOf('PAYMENT_AUTHORIZED', { amount: 5 }), undefined);
  });

  test('of a payment whose dispute was lost and whose rest was refunded leaves no expense', () => {
    const sums = new Map<string, number>();
    for (const [type, data] of [
      ['PAYMENT_CAPTURED', { captured: 30 }],
      ['PAYMENT_DISPUTED', { amount: 20 }],
      ['PAYMENT_DISPUTE_CLOSED', { amount: 20, status: 'lost' }],
      ['PAYMENT_REFUNDED', { refund: 10 }],
    ] as const) {
      for (const { account, minor } of entryOf(type, data)?.postings ?? []) {
        sums.set(account, (sums.get(account) ?? 0) + minor);
      }
    }
    assert.deepEqual([...sums.values()], [0, 0, 0]);
  });
});

describe('the journal of a month', () => {
  test('has what was captured and refunded, with names, category and the amounts of each currency', async () => {
    const node = await memoryNode();
    const { did } = await node.agent();
    await node.run('bindMerchant', { domain: 'shop.example', railProfileId: 'acct_shop', mcc: '5411' });
    const mandateId = await node.pay(did, 12.5);
    await node.run('capturePayment', { mandateId });
    await node.run('refundPayment', { mandateId, amount: 2 });
    const held = await node.pay(did, 7);
    const month = new Date(node.deps.clock()).toISOString().slice(0, 7);
    const csv = await journalOf(node, { month });
    const [head, ...lines] = csv.trimEnd().split('\r\n');
    assert.equal(
      head,
      'date,entry,account,debit,credit,currency,payee,narration,agent,principal,category,rail,mandateId',
    );
    const cells = lines.map((line) => line.split(','));
    assert.deepEqual(
      cells.map((row) => [row[2], row[3], row[4], row[5], row[8], row[10]]),
      [
        ['Liabilities:CARD-RAIL', '2.00', '', 'USD', 'Agent', 'groceries'],
        ['Expenses:Agents:Groceries', '', '2.00', 'USD', 'Agent', 'groceries'],
        ['Expenses:Agents:Groceries', '12.50', '', 'USD', 'Agent', 'groceries'],
        ['Liabilities:CARD-RAIL', '', '12.50', 'USD', 'Agent', 'groceries'],
      ],
    );
    assert.ok(!csv.includes(held), 'what is only held is no entry');
    assert.equal((await journalOf(node, { month: '2031-01' })).trimEnd(), head);
  });

  test('is text that Beancount reads, with quotes in the name of an agent', async () => {
    const node = await memoryNode();
    const { did, publicKey } = makeAgent();
    const name = 'The "best"\\ agent';
    await node.run('registerAgent', { name, publicKey });
    const mandateId = await node.pay(did, 12);
    await node.run('capturePayment', { mandateId });
    const month = new Date(node.deps.clock()).toISOString().slice(0, 7);
    const text = await journalOf(node, { month, format: 'beancount' });
    assert.match(text, /^plugin "beancount\.plugins\.auto_accounts"\n/);
    assert.match(text, /\n\d{4}-\d\d-\d\d \* "shop\.example" "Paid: [^"\n]+"\n/);
    assert.ok(text.includes('  agent: "The \\"best\\"\\\\ agent"\n'), text);
    assert.match(text, /\n {2}Expenses:Agents:Uncategorized {2}12\.00 USD\n {2}Liabilities:CARD-RAIL {2}-12\.00 USD\n/);
  });

  test('begins and ends with the days of its zone, and a month that is none is refused', async () => {
    const node = await memoryNode();
    const { did } = await node.agent();
    const mandateId = await node.pay(did, 12);
    await node.run('capturePayment', { mandateId });
    const { data } = await node.run('searchEvidence', { eventType: 'PAYMENT_CAPTURED', limit: 1 });
    const at = Date.parse(data[0].createdAt);
    for (const [timezone, offset] of [
      ['Pacific/Kiritimati', 14],
      ['Pacific/Niue', -11],
    ] as const) {
      const local = new Date(at + offset * 3_600_000).toISOString();
      const csv = await journalOf(node, { month: local.slice(0, 7), timezone });
      assert.ok(csv.includes(`\r\n${local.slice(0, 10)},`), csv);
    }
    for (const month of ['2026-13', '2026-1', 'now']) await assert.rejects(journalOf(node, { month }), /month/);
  });
});
