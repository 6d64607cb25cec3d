/** A replay's history is what the draft would have led to: what was paid with an intent that the draft refuses is left out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

const DRAFT = { version: '2.0', spend: { amount_cap: 5, currency: 'USD' } };

test('a merchant that was paid with an intent that the draft refuses stays a new one', async () => {
  const node = await memoryNode();
  const { did } = await node.agent();
  const ask = () => {
    node.clock.now += 1000;
    const request = { maxAmount: 1, currency: 'USD', vendorHints: { domain: 'shop.example' } };
    return node.run('issueIntent', { agentDid: did, principalDid: did, request });
  };
  const replay = (rules: object) => node.run('replayPolicy', { rules });
  await node.pay(did, 10);
  await ask();
  const rules = { ...DRAFT, context: { presence_new_merchant: true } };
  const first = await replay(rules);
  assert.deepEqual([first.requests, first.wouldBeAllowed, first.wouldNeedPresence], [2, 1, 1]);
  await node.pay(did, 2);
  await ask();
  const second = await replay(rules);
  assert.deepEqual([second.requests, second.wouldBeAllowed], [4, 3]);
  // The intent of that payment named no merchant, and was paid at the shop.
  assert.equal(second.wouldNeedPresence, 1);
});

test('an amount that the draft would not have let through is no usual amount', async () => {
  const node = await memoryNode();
  const { did } = await node.agent();
  for (const amount of [4, 900, 4]) await node.pay(did, amount);
  const anomaly = { min_history: 3, max_deviation: 1, action: 'deny' };
  const flips = async () => {
    const replayed = await node.run('replayPolicy', { rules: { ...DRAFT, risk: { anomaly } } });
    return replayed.flips.map(({ amount, would }: Loose) => [amount, ...would.reasonCodes]);
  };
  await node.pay(did, 4.5);
  assert.deepEqual(await flips(), [[900, 'AMOUNT_OVER_CAP']], 'two payments are too few');
  await node.pay(did, 5);
  assert.deepEqual(await flips(), [
    [5, 'ANOMALY_DETECTED'],
    [900, 'AMOUNT_OVER_CAP'],
  ]);
});
