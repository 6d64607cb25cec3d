/** An operator switches mandates off while purchases by them are open: what only they guard is not let through meanwhile. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Authorizer } from '../../src/usecase/hooks.ts';
import { MandateParties } from '../support/mandates.ts';
import { type MemoryNode, memoryNode } from '../support/memoryNode.ts';
import { ucpBusiness } from '../support/ucpBusiness.ts';
import type { Loose } from '../support/world.ts';

const SHOP = 'shop.example';

describe('with mandates switched off', () => {
  let node: MemoryNode;
  let parties: MandateParties;
  let agentDid: string;
  beforeEach(async () => {
    node = await memoryNode();
    node.clock.now = Date.now();
    parties = new MandateParties(() => node.clock.now);
    agentDid = (await node.agent()).did;
    const { jwk } = parties.provider;
    await node.run('addMandateIssuer', { name: 'Issuer', kind: 'agent-provider', jwk });
  });

  /** Runs with what a node has that starts again without them, and then with them. */
  const without = async (run: () => Promise<void>) => {
    const authorizers = node.deps.operations.hooks.authorizers as Authorizer[];
    const own = authorizers.splice(0);
    await run();
    authorizers.push(...own);
  };
  const refused = (answer: Loose) => {
    assert.deepEqual([answer['allowed'], answer['reasonCodes']], [false, ['MANDATE_INVALID']], JSON.stringify(answer));
    assert.match(answer['details'].MANDATE_INVALID.message, /an extension that this node runs without/);
  };
  const pay = (approvalToken: string) => node.run('mandatePayment', { approvalToken });
  /** Not while they are off, and once they are there again. */
  const paidOnlyWith = async (approvalToken: string) => {
    await without(async () => refused(await pay(approvalToken)));
    assert.equal((await pay(approvalToken))['railResponse'].status, 'requires_capture');
  };
  const cartOf = async () => {
    const { cartVc } = await node.run('demoCart', { payerDid: agentDid, domain: SHOP, amount: 20, currency: 'USD' });
    return cartVc;
  };

  test('an intent by a delegation gets no cart and no payment', async () => {
    const { id: delegationId } = await node.run('registerDelegation', {
      token: parties.open([{ type: 'payment.amount_range', currency: 'USD', max: 5000 }]),
      agentDid,
    });
    const parts = { agentDid, principalDid: agentDid, delegationId, request: { maxAmount: 20, currency: 'USD' } };
    const { intentVc } = await node.run('issueIntent', parts);
    await without(async () => {
      await assert.rejects(node.run('issueIntent', parts), { code: 'NOT_FOUND' });
      refused(await node.run('validateCart', { intentVc, cartVc: await cartOf() }));
    });
    const { approvalToken } = await node.run('validateCart', { intentVc, cartVc: await cartOf() });
    await paidOnlyWith(approvalToken);
  });

  test('the token of a chain pays nothing', async () => {
    const { approvalToken } = await node.run('issuePaymentCredential', { agentDid, ...parties.close(parties.open()) });
    await paidOnlyWith(approvalToken);
  });

  test('an approved cart of AP2 is not paid, nor is a checkout of UCP', async () => {
    const shop = await ucpBusiness(SHOP);
    await node.run('bindMerchant', { domain: SHOP, jwk: shop.jwk });
    const approvedAs = async (name: 'validateAp2Cart' | 'validateUcpCheckout', cart: object) => {
      const request = { maxAmount: 100, currency: 'USD' };
      const { intentVc } = await node.run('issueIntent', { agentDid, principalDid: agentDid, request });
      const answer = await node.run(name, { intentId: intentVc.credentialSubject.mandateId, ...cart });
      assert.equal(answer['allowed'], true, JSON.stringify(answer));
      return answer['approvalToken'];
    };
    const { cartMandate } = await node.run('demoAp2Cart', { domain: SHOP, amount: 20, currency: 'USD' });
    await paidOnlyWith(await approvedAs('validateAp2Cart', { cartMandate }));
    const checkout = await shop.checkout();
    await paidOnlyWith(await approvedAs('validateUcpCheckout', { merchantDomain: SHOP, checkout }));
  });

  test('an ordinary purchase is bought as ever', async () => {
    await without(async () => {
      const { intentVc } = await node.run('issueIntent', {
        ...{ agentDid, principalDid: agentDid },
        request: { maxAmount: 20, currency: 'USD' },
      });
      const { approvalToken } = await node.run('validateCart', { intentVc, cartVc: await cartOf() });
      assert.equal((await pay(approvalToken))['railResponse'].status, 'requires_capture');
    });
  });
});
