/** What an owner tells payments apart by: a line that says what was bought. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeItems } from '../../../protocol/cart.ts';
import { memoryNode } from '../../support/memoryNode.ts';

const item = (name: string, quantity = 1) => ({ name, price: 1, quantity });

test('the line has the first item, how many of it, and how many others', () => {
  assert.equal(describeItems([item('Oat milk')]), 'Oat milk');
  assert.equal(describeItems([item('Oat milk', 2), item('Bread')]), '2 × Oat milk and 1 other');
  assert.equal(describeItems([item('Oat milk'), item('Bread', 5), item('Tea')]), 'Oat milk and 2 others');
});

test('of a long name the line has the beginning, and no half of a character', () => {
  assert.equal(describeItems([item('🥛'.repeat(80))]), '🥛'.repeat(80));
  assert.equal(describeItems([item('🥛'.repeat(81))]), `${'🥛'.repeat(79)}…`);
});

test('a payment says what its cart was of, one and in the list', async () => {
  const node = await memoryNode();
  const { did } = await node.agent();
  const request = { maxAmount: 20, currency: 'USD' };
  const { intentVc } = await node.run('issueIntent', { agentDid: did, principalDid: did, request });
  const items = [
    { name: '=Oat milk', price: 2, quantity: 3 },
    { name: 'Bread', price: 4, quantity: 1 },
  ];
  const { cartVc } = await node.run('demoCart', {
    payerDid: did,
    domain: 'shop.example',
    amount: 10,
    currency: 'USD',
    items,
  });
  const { approvalToken } = await node.run('validateCart', { intentVc, cartVc });
  const { pmVc } = await node.run('mandatePayment', { approvalToken });
  const { mandateId } = pmVc.credentialSubject;
  assert.equal((await node.run('getPayment', { mandateId })).description, '3 × =Oat milk and 1 other');
  assert.equal((await node.run('listPayments', {})).data[0].description, '3 × =Oat milk and 1 other');
});
