/** A purchase does not count against itself in a limit, whoever may spend its principal's money by then. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryNode } from '../../support/memoryNode.ts';
import { makePeer } from '../../support/peer.ts';

test('a cart whose agent has lost its delegation is refused for that alone, where its own hold fits the limit', async () => {
  const node = await memoryNode();
  const { did } = await node.agent();
  const principal = makePeer().did;
  await node.run('registerPrincipal', { did: principal, name: 'A principal', agents: [did] });
  const limits = [{ name: 'a day', max_amount: 30, window: 'day', scope: 'principal' }];
  const rules = { version: '2.0', spend: { amount_cap: 100, currency: 'USD' }, risk: { limits } };
  await node.run('createPolicy', { name: 'Limited', rules });
  const request = { maxAmount: 20, currency: 'USD' };
  const { intentVc } = await node.run('issueIntent', { agentDid: did, principalDid: principal, request });
  await node.run('changePrincipal', { did: principal, agents: [] });
  const offer = { payerDid: did, domain: 'shop.example', amount: 20, currency: 'USD' };
  const { cartVc } = await node.run('demoCart', offer);
  const { reasonCodes } = await node.run('validateCart', { intentVc, cartVc });
  assert.deepEqual(reasonCodes, ['AGENT_NOT_DELEGATED']);
});
