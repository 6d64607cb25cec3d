/** What would have passed in place of a cart or a payment that was refused: asked for, it passes, and a minor unit more does not. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { reconcile } from '../../../src/workers/reconcile.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import { makePeer } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';

const HOUR_MS = 3_600_000;

let node: MemoryNode;
let did: string;
beforeEach(async () => {
  node = await memoryNode();
  ({ did } = await node.agent());
});

const policy = (rules: object) => node.run('createPolicy', { name: 'Test', rules: { version: '2.0', ...rules } });
const intent = (maxAmount: number, more: object = {}, vendorHints: object = { domain: 'shop.example' }) => {
  const request = { maxAmount, currency: 'USD', vendorHints, ...more };
  return node.run('issueIntent', { agentDid: did, principalDid: did, request });
};
const offer = async (intentVc: object, amount: number, more: object = {}, domain = 'shop.example'): Promise<Loose> => {
  const { cartVc } = await node.run('demoCart', { payerDid: did, domain, amount, currency: 'USD' });
  return node.run('validateCart', { intentVc, cartVc, ...more });
};
const proof = async () => (await node.run('demoPresenceProof', { agentDid: did, freshnessSeconds: 100 })).hpProof;
const newest = async (): Promise<Loose> => {
  const { data } = await node.run('listDecisions', { limit: 1 });
  return (await node.run('getDecisions', { transactionId: data[0].transactionId })).decisions.at(-1);
};
const told = async () => {
  const { alone, together } = (await newest()).counterfactual;
  return [alone, together].map((changes) =>
    changes.map(({ change, amount }: Loose) => [change, amount].join(' ').trim()),
  );
};

test('where the agent itself wanted a person, no smaller amount passes without one', async () => {
  await policy({ spend: { amount_cap: 5, presence_cap: 100, currency: 'USD' } });
  const { intentVc } = await intent(10, { shopping: { confirmCart: true } });
  assert.deepEqual((await offer(intentVc, 10)).reasonCodes, ['HP_REQUIRED']);
  assert.deepEqual(await told(), [['presence'], []]);
  assert.deepEqual((await offer(intentVc, 5)).reasonCodes, ['HP_REQUIRED']);
  assert.equal((await offer(intentVc, 10, { hpProof: await proof() })).allowed, true);
});

test('where a person was there, the largest amount is what passes with them', async () => {
  const risk = { velocity_limit: { max_amount: 100, time_window: '1h' } };
  await policy({ spend: { amount_cap: 50, presence_cap: 90, currency: 'USD' }, risk });
  const { intentVc } = await intent(80);
  await policy({
    spend: { amount_cap: 50, presence_cap: 90, currency: 'USD' },
    risk: { velocity_limit: { max_amount: 70, time_window: '1h' } },
  });
  const hpProof = await proof();
  assert.deepEqual((await offer(intentVc, 80, { hpProof })).reasonCodes, ['SPENDING_LIMIT_EXCEEDED']);
  assert.deepEqual(await told(), [['amount 70'], []]);
  assert.deepEqual((await offer(intentVc, 70.01, { hpProof })).reasonCodes, ['SPENDING_LIMIT_EXCEEDED']);
  assert.equal((await offer(intentVc, 70, { hpProof })).allowed, true);
});

test('a cart is offered no merchant, category or country that its intent is not for', async () => {
  const { intentVc } = await intent(10, {}, { domain: 'shop.example', mcc: '7995' });
  const { intentVc: open } = await intent(10, {}, {});
  await node.run('bindMerchant', { domain: 'bar.example', did: makePeer().did, mcc: '5813' });
  await policy({ merchant: { allow_list: ['other.example', 'bar.example'] } });
  assert.deepEqual((await offer(intentVc, 10)).reasonCodes, ['MERCHANT_NOT_ALLOWED']);
  assert.deepEqual(await told(), [[], []]);
  assert.deepEqual((await offer(intentVc, 10, {}, 'other.example')).reasonCodes, ['MERCHANT_MISMATCH']);
  assert.deepEqual((await offer(open, 10)).reasonCodes, ['MERCHANT_NOT_ALLOWED']);
  assert.deepEqual((await newest()).counterfactual.alone[0].names, ['other.example', 'bar.example']);
  assert.equal((await offer(open, 10, {}, 'other.example')).allowed, true);

  await policy({ spend: { categories: ['groceries'] } });
  assert.deepEqual((await offer(intentVc, 10)).reasonCodes, ['MCC_DENIED']);
  assert.deepEqual(await told(), [[], []], 'the intent has named its category');

  await policy({ spend: { categories: ['groceries'] }, merchant: { allow_list: ['other.example', 'bar.example'] } });
  await offer(open, 10);
  assert.deepEqual(
    (await newest()).counterfactual.alone[0].names,
    ['other.example'],
    'the registry knows the other one',
  );
});

test('what was authorized long after it was issued counts from then on, in the figures of a later payment too', async () => {
  const velocity_limit = { max_transactions: 1, max_amount: 100, time_window: '1h' };
  await policy({ spend: { currency: 'USD' }, risk: { velocity_limit } });
  node.railAnswers(async () => ({ kind: 'unknown', reason: 'no answer' }));
  const mandateId = await node.pay(did, 10);
  node.railAnswers(undefined);
  node.clock.now += HOUR_MS + 600_000;
  await reconcile(node.deps);
  assert.equal((await node.run('getPayment', { mandateId })).status, 'AUTHORIZED');
  node.clock.now += 600_000;
  const { intentVc } = await intent(1);
  const { approvalToken } = await offer(intentVc, 1);
  assert.deepEqual((await node.run('mandatePayment', { approvalToken })).reasonCodes, ['VELOCITY_EXCEEDED']);
  const { ruleTable, complete } = await newest();
  const figures = ruleTable.find(({ rule }: Loose) => rule === 'SPENDING_LIMIT_EXCEEDED');
  assert.deepEqual([complete, figures.asked, figures.left], [true, 11, 89]);
});

test('what the registry says of one merchant is not taken for what the agent said of another', async () => {
  await node.run('bindMerchant', { domain: 'shop.example', did: makePeer().did, country: 'DE' });
  await policy({ merchant: { allow_list: ['other.example'] }, context: { geo: { allow: ['DE'] } } });
  assert.deepEqual((await intent(10)).reasonCodes, ['MERCHANT_NOT_ALLOWED']);
  assert.deepEqual(await told(), [[], []]);
  assert.equal((await intent(10, {}, { domain: 'other.example' })).allowed, false);
});

test('a cart shows the category that the registry had for its merchant, though its intent had none', async () => {
  await node.run('bindMerchant', { domain: 'shop.example', did: makePeer().did, mcc: '5411' });
  const bar = await node.run('bindMerchant', { domain: 'bar.example', did: makePeer().did, mcc: '5813' });
  await policy({ spend: { categories: ['groceries'] } });
  const { intentVc } = await intent(10, {}, {});
  const category = async () => (await newest()).ruleTable.find(({ rule }: Loose) => rule === 'MCC_DENIED');
  assert.equal((await offer(intentVc, 10)).allowed, true);
  const { outcome, asked } = await category();
  assert.deepEqual([outcome, asked], ['passed', '5411']);
  assert.deepEqual((await offer(intentVc, 10, {}, 'bar.example')).reasonCodes, ['MCC_DENIED']);
  await node.run('removeMerchant', { id: bar.id });
  assert.deepEqual([(await category()).asked, await told()], ['5813', [[], []]], 'as it was then');
});
