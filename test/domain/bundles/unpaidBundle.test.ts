/** What housekeeping deletes of a purchase that was never paid leaves its portable bundle valid. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import { deleteLiveTokensBefore } from '../../../src/store/statements/purchases/approvalTokens.ts';
import { memoryNode } from '../../support/memoryNode.ts';

test('a bundle of a cart that a person approved and that was never paid holds once cart and approval were deleted', async () => {
  const node = await memoryNode();
  const { did } = await node.agent();
  const rules = { version: '2.0', spend: { currency: 'USD' }, context: { presence: 'required' } };
  await node.run('createPolicy', { name: 'A person each time', rules });
  const request = { maxAmount: 10, currency: 'USD', vendorHints: { domain: 'shop.example' } };
  const { intentVc } = await node.run('issueIntent', { agentDid: did, principalDid: did, request });
  const offer = { payerDid: did, domain: 'shop.example', amount: 10, currency: 'USD' };
  const { cartVc } = await node.run('demoCart', offer);
  const { hpProof } = await node.run('demoPresenceProof', { agentDid: did, freshnessSeconds: 100 });
  const validated = await node.run('validateCart', { intentVc, cartVc, hpProof });
  assert.equal(validated.allowed, true);
  const { data } = await node.run('listDecisions', {});
  const bundle = () => node.run('evidenceBundle', { transactionId: data[0].transactionId, format: 'portable' });
  const verdict = async () => {
    const checked = verifyBundle(node.deps.suite, JSON.stringify(await bundle()), node.deps.issuer.did);
    return checked.ok ? 'it holds' : checked.reason;
  };

  assert.equal(await verdict(), 'it holds');
  assert.ok('presence' in (await bundle()));
  const deleted = await node.deps.store.write('test', () =>
    deleteLiveTokensBefore(10, node.owner.tenantId, node.clock.now + 1),
  );
  assert.equal(deleted, 1);
  assert.deepEqual(Object.keys((await bundle()).credentials), ['intent']);
  assert.equal(await verdict(), 'it holds');
});
