/** A checkout of UCP is approved, paid and completed, and each lie about one is refused. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import { type Business, digest, ownCheckout, readChain, ucpBusiness } from '../../support/ucpBusiness.ts';
import type { Loose } from '../../support/world.ts';

const SHOP = 'shop.example';

interface Stage {
  readonly node: MemoryNode;
  readonly shop: Business;
  readonly agentDid: string;
  intent(more?: object): Promise<string>;
  validate(checkout: Loose, more?: object): Promise<Loose>;
}

async function stage(): Promise<Stage> {
  const node = await memoryNode();
  node.clock.now = Date.now();
  const shop = await ucpBusiness(SHOP);
  await node.run('bindMerchant', { domain: SHOP, jwk: shop.jwk });
  const { did: agentDid } = await node.agent();
  const intent = async (more: object = {}) => {
    const request = { maxAmount: 100, currency: 'USD', ...more };
    const { intentVc } = await node.run('issueIntent', { agentDid, principalDid: agentDid, request });
    return intentVc.credentialSubject.mandateId;
  };
  const validate = async (checkout: Loose, more: Loose = {}) => {
    const intentId = more['intentId'] ?? (await intent());
    return node.run('validateUcpCheckout', { intentId, merchantDomain: SHOP, checkout, ...more });
  };
  return { node, shop, agentDid, intent, validate };
}

describe('a checkout of UCP', () => {
  test('is approved, paid, and completed by two mandates that its business verifies', async () => {
    const { node, shop, validate } = await stage();
    const checkout = await shop.checkout();
    const approved = await validate(checkout);
    assert.equal(approved.allowed, true, JSON.stringify(approved));
    const paid = await node.run('mandatePayment', { approvalToken: approved.approvalToken });
    const { checkoutMandate, paymentMandate, nonce } = paid.ucp;
    const platform = node.deps.receiptSigner.jwk;
    const mandate = await readChain(checkoutMandate, platform, { aud: SHOP, nonce });
    assert.equal(mandate['vct'], 'mandate.checkout.1');
    assert.deepEqual(await ownCheckout(mandate, shop.jwk), checkout);
    const payment = await readChain(paymentMandate, platform, { aud: SHOP, nonce });
    const { mandateId } = paid.pmVc.credentialSubject;
    assert.equal(payment['transaction_id'], digest(mandate['checkout_jwt']));
    assert.deepEqual(payment['payment_amount'], { amount: 5850, currency: 'USD' });
    assert.deepEqual(payment['payment_instrument'], { id: mandateId, type: 'CARD_RAIL' });
    assert.deepEqual((await node.run('getPayment', { mandateId })).ucp, paid.ucp);
  });
});
