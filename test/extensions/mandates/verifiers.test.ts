/** What verifiers say that they did not look at, and what became of a payment since its receipt. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Caller } from '../../../src/access/caller.ts';
import { MandateParties, referenceOf } from '../../support/mandates.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

describe('a verification', () => {
  let node: MemoryNode;
  let parties: MandateParties;
  let agentDid: string;
  beforeEach(async () => {
    node = await memoryNode();
    parties = new MandateParties(() => node.clock.now);
    agentDid = (await node.agent()).did;
    await node.run('addMandateIssuer', { name: 'P', kind: 'agent-provider', jwk: parties.provider.jwk });
  });
  const verify = (token: string, more: object = {}): Promise<Loose> => node.run('verifyMandate', { token, ...more });
  const audienceOf = ({ hops }: Loose) =>
    hops.map(({ checks }: Loose) => checks.find(({ name }: Loose) => name === 'audience')?.holds);

  test('of a mandate names what it was not given to compare with', async () => {
    const { paymentMandate, nonce, checkoutJwtHash } = parties.close(parties.open());
    const bare = await verify(paymentMandate);
    assert.equal(bare.valid, true);
    const all = ['aud', 'nonce', 'hops', 'checkoutJwtHash', 'openCheckoutHash', 'merchantJwk'];
    assert.deepEqual(bare.notCompared, all);
    const compared = { aud: 'credential-provider', nonce, checkoutJwtHash, openCheckoutHash: 'x', hops: [{}, {}] };
    const full = await verify(paymentMandate, { ...compared, merchantJwk: parties.provider.jwk });
    assert.deepEqual(full.notCompared, []);
  });

  test('says nothing of an audience that was neither asked for nor carried, and no where it is asked for and lacks', async () => {
    const { paymentMandate } = parties.close(parties.open());
    assert.deepEqual(audienceOf(await verify(paymentMandate)), [undefined, true]);
    assert.deepEqual(audienceOf(await verify(paymentMandate, { hops: [{ aud: 'x' }] })), [false, true]);
    assert.deepEqual(audienceOf(await verify(paymentMandate, { aud: 'another' })), [undefined, false]);
  });

  test('of a receipt says what the payment is now, to who may see it', async () => {
    const body = parties.close(parties.open());
    const { approvalToken } = await node.run('issuePaymentCredential', { agentDid, ...body });
    const { pmVc, paymentReceipt: receipt } = await node.run('mandatePayment', { approvalToken });
    const told = async (more: object = {}, caller = node.owner) => {
      const { valid, paymentStatus, notCompared } = await node.run('verifyReceipt', { receipt, ...more }, caller);
      return [valid, paymentStatus, notCompared];
    };
    assert.deepEqual(await told(), [true, 'AUTHORIZED', ['reference']]);
    await node.run('cancelPayment', { mandateId: pmVc.credentialSubject.mandateId });
    const reference = referenceOf(body.paymentMandate);
    assert.deepEqual(await told({ reference }), [true, 'CANCELED', []]);
    const other: Caller = { ...node.owner, agents: new Set([(await node.agent()).did]) };
    assert.deepEqual(await told({}, other), [true, undefined, ['reference']]);
  });
});
