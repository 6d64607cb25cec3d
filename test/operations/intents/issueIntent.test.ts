/** Intents: what is issued and what is refused is recorded with the same facts. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';

describe('an intent', () => {
  let node: MemoryNode;
  let did: string;
  before(async () => {
    node = await memoryNode();
    ({ did } = await node.agent());
  });

  const ask = (maxAmount: number, more: object = {}) =>
    node.run('issueIntent', {
      agentDid: did,
      principalDid: did,
      request: { maxAmount, currency: 'USD', vendorHints: { domain: 'Shop.Example.', mcc: '5411' } },
      ...more,
    });
  const lastEvent = async () => (await node.run('searchEvidence', { limit: 1 })).data[0];

  test('has the same facts in its evidence whether it is issued or refused', async () => {
    const { intentVc, attestation } = await ask(12.5);
    const issued = await lastEvent();
    const { allowed } = await ask(5000);
    const denied = await lastEvent();
    assert.equal(allowed, false);
    const { hpRequired, expiresAt, mandateId, transactionId, maxAmount, ...common } = issued.data;
    assert.equal(mandateId, intentVc.credentialSubject.mandateId);
    assert.equal(maxAmount, 12.5);
    assert.deepEqual(common, {
      agentDid: did,
      principalDid: did,
      currency: 'USD',
      merchantDomain: 'shop.example',
      mcc: '5411',
      ...attestation,
    });
    const {
      reasonCodes,
      details,
      mandateId: _,
      transactionId: _other,
      maxAmount: asked,
      ...deniedCommon
    } = denied.data;
    assert.deepEqual(deniedCommon, common);
    assert.deepEqual(reasonCodes, ['AMOUNT_OVER_CAP']);
    assert.equal(asked, 5000);
    assert.match(details.AMOUNT_OVER_CAP.message, /5,000.00 USD/);
    assert.match(transactionId, /^txn_/);
    assert.ok(Date.parse(expiresAt) > node.clock.now);
    assert.equal(hpRequired, false);
  });

  test('expires when it asks to, not later than a day ahead and not in the past', async () => {
    const at = (seconds: number) => ({ expiresAt: new Date(node.clock.now + seconds * 1000).toISOString() });
    const { intentVc } = await ask(1, at(90));
    assert.equal(Date.parse(intentVc.expirationDate), node.clock.now + 90_000);
    await assert.rejects(ask(1, at(0)), /lies in the past/);
    await assert.rejects(ask(1, at(24 * 3600 + 1)), /more than 24 hours ahead/);
  });

  test('takes its time from the moment when its script runs, not from when it was asked for', async () => {
    const asked = ask(1);
    // The script waits for its turn; the clock goes on meanwhile.
    node.clock.now += 60_000;
    const { intentVc } = await asked;
    assert.equal(Date.parse(intentVc.issuanceDate), node.clock.now);
  });
});
