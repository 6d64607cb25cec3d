/** Two disputes of one payment, told in every order, twice: neither hides the other one, and each event of them is recorded once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DisputeStatus } from '../../../protocol/payment.ts';
import { handleRailEvent } from '../../../src/domain/railEvents/handleRailEvent.ts';
import { memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

const TOLD = [
  ['dp_lost', 'needs_response'],
  ['dp_won', 'needs_response'],
  ['dp_lost', 'lost'],
  ['dp_won', 'won'],
] as const;

async function disputedNode() {
  const node = await memoryNode();
  const mandateId = await node.pay((await node.agent()).did, 168);
  await node.run('capturePayment', { mandateId });
  const payment = (): Promise<Loose> => node.run('getPayment', { mandateId });
  const { railTransactionId: railId } = await payment();
  const tell = (disputeId: string, status: DisputeStatus, more: object = {}) => {
    const said = { amountMinor: 8400, currency: 'USD', reason: undefined, reopens: false, dueBy: undefined };
    const notice = { kind: 'dispute', railId, disputeId, status, ...said, ...more } as const;
    return handleRailEvent(node.deps, 'CARD_RAIL', { id: undefined, type: 'test', notice });
  };
  return { node, mandateId, payment, tell };
}

for (const order of permutations([0, 1, 2, 3])) {
  const names = order.map((index) => TOLD[index]?.join(' ')).join(', ');
  test(`two halves of a payment are one lost and one won, told as ${names}`, async () => {
    const { node, payment, tell } = await disputedNode();
    for (const index of [...order, ...order]) {
      const [disputeId, told] = TOLD[index] as (typeof TOLD)[number];
      await tell(disputeId, told);
    }
    const { status, disputed, disputes } = await payment();
    assert.deepEqual([status, disputed], ['DISPUTED', 84]);
    const stands = disputes.map(
      ({ railDisputeId, amount, status: each }: Loose) => `${railDisputeId} ${amount} ${each}`,
    );
    assert.deepEqual(stands.sort(), ['dp_lost 84 lost', 'dp_won 84 won']);
    const events = (await node.events()).filter((type) => type.includes('DISPUTE')).sort();
    const [opened, closed] = ['PAYMENT_DISPUTED', 'PAYMENT_DISPUTE_CLOSED'];
    assert.deepEqual(events, [opened, opened, closed, closed]);
    assert.equal((await node.run('showSpend', {})).totals[0].disputed.text, '84.00');
    assert.equal((await node.run('showAttention', {})).counts.dispute, 0);
  });
}

test('a dispute whose rail says no amount is about what was captured and not refunded', async () => {
  const { node, mandateId, payment, tell } = await disputedNode();
  await node.run('refundPayment', { mandateId, amount: 30 });
  await tell('dp_1', 'needs_response', { amountMinor: undefined, currency: undefined });
  assert.equal((await payment()).disputed, 138);
  await tell('dp_1', 'needs_response', { amountMinor: 2000 });
  assert.equal((await payment()).disputed, 20, 'the rail says it later');
});

test('an amount in another currency is never added', async () => {
  const { payment, tell } = await disputedNode();
  await tell('dp_1', 'needs_response', { amountMinor: 9_000_000, currency: 'JPY' });
  const { disputed, disputes } = await payment();
  assert.deepEqual([disputed, disputes[0].amount, disputes[0].currency], [168, 168, 'USD']);
});

test('a refund that fails brings a payment back into its dispute', async () => {
  const { node, mandateId, payment, tell } = await disputedNode();
  await tell('dp_1', 'lost');
  await node.run('refundPayment', { mandateId });
  assert.equal((await payment()).status, 'REFUNDED');
  await node.run('demoRefundFailure', { mandateId });
  assert.equal((await payment()).status, 'DISPUTED');
});

test('the sandbox disputes parts of a payment, up to what is left of it, and decides each', async () => {
  const { node, mandateId } = await disputedNode();
  await node.run('refundPayment', { mandateId, amount: 8 });
  const dispute = (amount: number) => node.run('demoDispute', { mandateId, amount });
  assert.equal((await dispute(60)).disputed, 60);
  await assert.rejects(dispute(100.01), /at most the 100\.00 USD captured and neither refunded nor disputed/);
  const both = await dispute(100);
  assert.equal(both.disputed, 160);
  const decided = await node.run('demoDisputeEnd', { mandateId, disputeId: both.disputes[1].id, outcome: 'won' });
  assert.deepEqual([decided.status, decided.disputed], ['DISPUTED', 60]);
  const last = await node.run('demoDisputeEnd', { mandateId, outcome: 'won' });
  assert.deepEqual([last.status, last.disputed], ['PARTIALLY_REFUNDED', 0]);
  await assert.rejects(node.run('demoDisputeEnd', { mandateId, outcome: 'won' }), /No dispute of this payment is open/);
});

function permutations(items: readonly number[]): number[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}
