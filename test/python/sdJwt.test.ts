/**
 * The reference library of SD-JWT for Python reads the node's mandates of UCP, hop by hop. It is none of this project's packages: SD_JWT_PATH
 * names where Python finds it (src of openwallet-foundation-labs/sd-jwt-python, with jwcrypto), and without it nothing is played.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryNode } from '../support/memoryNode.ts';
import { askPython } from '../support/python.ts';
import { ucpBusiness } from '../support/ucpBusiness.ts';

const PATH = process.env['SD_JWT_PATH'];
const SHOP = 'shop.example';

test('the library for Python verifies each hop of both mandates of UCP, and none by another key', {
  skip: PATH === undefined ? 'SD_JWT_PATH names no SD-JWT library for Python' : false,
}, async () => {
  const node = await memoryNode();
  node.clock.now = Date.now();
  const shop = await ucpBusiness(SHOP);
  await node.run('bindMerchant', { domain: SHOP, jwk: shop.jwk });
  const { did: agentDid } = await node.agent();
  const request = { maxAmount: 100, currency: 'USD' };
  const { intentVc } = await node.run('issueIntent', { agentDid, principalDid: agentDid, request });
  const intentId = intentVc.credentialSubject.mandateId;
  const checkout = await shop.checkout();
  const { approvalToken } = await node.run('validateUcpCheckout', { intentId, merchantDomain: SHOP, checkout });
  const { ucp } = await node.run('mandatePayment', { approvalToken });
  const chains = [ucp.checkoutMandate, ucp.paymentMandate];
  const ask = (jwk: object) => askPython('test/python/sd_jwt_hops.py', PATH, { chains, jwk });
  assert.deepEqual(ask(node.deps.keys.receiptSigner.jwk), {
    read: [
      ['mandate.checkout.open.1', 'mandate.checkout.1'],
      ['mandate.payment.open.1', 'mandate.payment.1'],
    ],
  });
  assert.throws(() => ask(shop.jwk), /InvalidJWSSignature/);
});
