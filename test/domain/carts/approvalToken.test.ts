/** Approval tokens: their form, how their rows are ordered, and those of earlier versions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approvalKeyOf, makeApprovalToken } from '../../../src/domain/carts/approvalToken.ts';
import { get, run } from '../../../src/store/store.ts';
import { memoryNode } from '../../support/memoryNode.ts';

test('rows of tokens are in the order in which these were made, and each token is another one', async () => {
  const { deps } = await memoryNode();
  const times = [0, 1, 255, 256, 1_799_999_999_999, 1_800_000_000_000, 2 ** 47];
  const tokens = times.map((time) => makeApprovalToken(deps, time));
  for (const token of tokens) assert.match(token, /^apt_[\w-]{43}$/);
  const keys = tokens.map((token) => approvalKeyOf(deps, token));
  assert.deepEqual(keys.toSorted(), keys);
  assert.equal(new Set(Array.from({ length: 100 }, () => makeApprovalToken(deps, 5))).size, 100);
  for (const [index, token] of tokens.entries()) assert.ok(!String(keys[index]).includes(token.slice(12)));
});

test('a token that an earlier version stored by its hash alone is paid', async () => {
  const node = await memoryNode();
  const { store } = node.deps;
  const { did } = await node.agent();
  const request = { maxAmount: 5, currency: 'USD' };
  const { intentVc } = await node.run('issueIntent', { agentDid: did, principalDid: did, request });
  const offer = { payerDid: did, domain: 'shop.example', amount: 5, currency: 'USD' };
  const { cartVc } = await node.run('demoCart', offer);
  const { approvalToken } = await node.run('validateCart', { intentVc, cartVc });
  const hash = node.deps.hashToken(approvalToken);
  await store.write(node.owner.tenantId, () => run('UPDATE approvals SET token_hash = ?', hash));
  assert.ok((await node.run('mandatePayment', { approvalToken })).pmVc);
  const row = await store.read(() => get<{ status: string }>('SELECT status FROM approvals'));
  assert.equal(row?.status, 'USED');
});
