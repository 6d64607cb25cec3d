/** A limit after the clock was days ahead for a while: it is as wide as before once the right time is back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryNode } from '../../support/memoryNode.ts';

const MINUTE_MS = 60_000;
const DAYS_MS = 48 * 60 * MINUTE_MS;

test('a limit of five an hour allows five an hour after a clock that was two days ahead, at the intent and at the payment', async () => {
  const node = await memoryNode();
  const { did } = await node.agent();
  await node.run('createPolicy', {
    name: 'five an hour',
    rules: {
      version: '2.0',
      spend: { amount_cap: 100, currency: 'USD' },
      risk: { velocity_limit: { max_transactions: 5, time_window: '1h', scope: 'agent' } },
    },
  });
  const start = node.clock.now;
  const at = (minutes: number, aheadMs = 0) => {
    node.clock.now = start + minutes * MINUTE_MS + aheadMs;
  };
  await node.pay(did, 1);
  await node.pay(did, 1);
  at(1, DAYS_MS);
  await node.pay(did, 1);
  at(2);
  // What was bought by the wrong clock counts, too.
  await node.pay(did, 1);
  await node.pay(did, 1);
  await assert.rejects(node.pay(did, 1));
  for (const hour of [1, 2, 3]) {
    at(hour * 62 + 2);
    for (let bought = 0; bought < 4; bought++) await node.pay(did, 1);
    await assert.rejects(node.pay(did, 1), `a fifth beside that of the wrong clock, in hour ${hour}`);
  }
  at(60, DAYS_MS + 62 * MINUTE_MS);
  for (let bought = 0; bought < 5; bought++) await node.pay(did, 1);
  await assert.rejects(node.pay(did, 1));
});
