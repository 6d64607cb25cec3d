/** What ends an approval: its intent, its cart or the time that the policy gives people, whichever is first. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent, signCart } from '../../../client/index.ts';
import { memoryNode } from '../../support/memoryNode.ts';

const HOUR = 3600;

for (const [endsWith, { intent, cart, policy, ends }] of Object.entries({
  intent: { intent: 600, cart: HOUR, policy: '2h', ends: 600 },
  cart: { intent: HOUR, cart: 300, policy: '2h', ends: 300 },
  policy: { intent: HOUR, cart: HOUR, policy: '2m', ends: 120 },
})) {
  test(`an approval that ends with its ${endsWith} says so, in the answer to the cart and by itself`, async () => {
    const node = await memoryNode();
    const { did: agentDid } = await node.agent();
    const context = { presence: 'required', approval_ttl: policy };
    const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context };
    await node.run('createPolicy', { name: 'P', rules, activate: true });
    const merchant = makeAgent();
    await node.run('bindMerchant', { domain: 'shop.example', did: merchant.did });
    const now = node.clock.now;
    const request = { maxAmount: 10, currency: 'USD' };
    const expiresAt = new Date(now + intent * 1000).toISOString();
    const asked = { agentDid, principalDid: agentDid, request, expiresAt };
    const { intentVc } = await node.run('issueIntent', asked);
    const offer = { domain: 'shop.example', currency: 'USD', items: [{ name: 'Tea', price: 10, quantity: 1 }] };
    const cartVc = signCart(merchant, offer, { now: new Date(now), validSeconds: cart });
    const { approval } = await node.run('validateCart', { intentVc, cartVc });
    const expected = [endsWith, new Date(now + ends * 1000).toISOString()];
    assert.deepEqual([approval.endsWith, approval.expiresAt], expected);
    const shown = await node.run('getApproval', { id: approval.id, wait: 0 });
    assert.deepEqual([shown.endsWith, shown.expiresAt], expected);
  });
}
