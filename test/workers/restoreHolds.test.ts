/** Approvals that end unused: what their intents hold of limits from then on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restoreHolds } from '../../src/workers/restoreHolds.ts';
import { memoryNode } from '../support/memoryNode.ts';

for (const total of [20, 12]) {
  test(`an intent of 20 for any merchant holds 20 there again, once the approval of a cart of ${total} has ended`, async () => {
    const node = await memoryNode();
    const { did } = await node.agent();
    const limits = [
      { name: 'all', maxAmount: 100, window: 'day' },
      { name: 'a shop', maxAmount: 100, window: 'day', merchant: 'shop.example' },
    ];
    await node.run('setAgentVelocity', { did, limits });
    const used = async () =>
      (await node.run('showAgentLimits', { did })).limits.map((limit: { used: number }) => limit.used);
    const request = { maxAmount: 20, currency: 'USD' };
    const { intentVc } = await node.run('issueIntent', { agentDid: did, principalDid: did, request });
    assert.deepEqual(await used(), [20, 0]);
    const offer = { payerDid: did, domain: 'shop.example', amount: total, currency: 'USD' };
    const { cartVc } = await node.run('demoCart', offer);
    await node.run('validateCart', { intentVc, cartVc });
    assert.deepEqual(await used(), [total, total]);
    node.clock.now += node.deps.settings.approvalTtlSeconds * 1000;
    assert.equal(await restoreHolds(node.deps), 1);
    assert.deepEqual(await used(), [20, 0]);
  });
}
