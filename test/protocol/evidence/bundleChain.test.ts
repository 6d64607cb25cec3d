/** The chain of mandates behind a purchase, in its portable bundle: verified offline, with its receipt, and refused where either was changed. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import type { PortableBundle } from '../../../protocol/evidence/bundle.ts';
import { chainFault } from '../../../protocol/evidence/bundleChain.ts';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import { portableBundle } from '../../../src/domain/bundles/portableBundle.ts';
import { checkoutJwt, MandateParties } from '../../support/mandates.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import { makeP256 } from '../../support/p256.ts';
import type { Loose } from '../../support/world.ts';

describe('the chain of mandates in a portable bundle', () => {
  let node: MemoryNode;
  let bundle: PortableBundle;
  let refused: PortableBundle;
  let other: Loose;
  before(async () => {
    node = await memoryNode();
    const parties = new MandateParties(() => node.clock.now);
    const agentDid = (await node.agent()).did;
    await node.run('addMandateIssuer', { name: 'Provider', kind: 'agent-provider', jwk: parties.provider.jwk });
    const present = (body: Loose) => node.run('issuePaymentCredential', { agentDid, ...body });
    const bundleOf = (transactionId: string) =>
      portableBundle(node.deps, node.owner.tenantId, transactionId) as Promise<PortableBundle>;
    const { approvalToken, intentId } = await present(parties.close(parties.open()));
    await node.run('mandatePayment', { approvalToken });
    bundle = await bundleOf((await node.run('getIntent', { mandateId: intentId })).transactionId);
    other = parties.close(parties.open(), { amount: 2100 });
    await present(parties.close(parties.open(), { amount: 0 }));
    const { data } = await node.run('searchEvidence', { eventType: 'MANDATE_REFUSED', limit: 1 });
    refused = await bundleOf(data[0].data.transactionId);
  });

  test('holds, with its receipt, for a reader who knows the issuer alone; and so does that of a refusal', () => {
    for (const each of [bundle, refused]) {
      const check = verifyBundle(nobleSuite, canonical(each), node.deps.issuer.did);
      assert.ok(check.ok, check.ok ? '' : check.reason);
    }
    const types = bundle.events.map(({ eventType }) => eventType);
    assert.ok(types.includes('MANDATE_ACCEPTED') && types.includes('RECEIPT_ISSUED'));
  });

  const faultOf = (from: PortableBundle, eventType: string, change: (data: Loose) => void) => {
    const copy = structuredClone(from) as Loose;
    change(copy.events.find((event: Loose) => event.eventType === eventType).data);
    return chainFault(nobleSuite, copy as PortableBundle)?.reason;
  };
  const { jwk } = makeP256();
  for (const [what, change, reason] of [
    ['another key began it', (data: Loose) => Object.assign(data, { rootKey: jwk }), /not by the trusted key/],
    ['it is another chain', (data: Loose) => Object.assign(data, other), /does not hold/],
    ['it is for another checkout', (data: Loose) => Object.assign(data, { checkoutHash: 'x' }), /does not hold/],
    ['it is no chain', (data: Loose) => Object.assign(data, { paymentMandate: 'x' }), /does not hold/],
    ['it had ended', (data: Loose) => Object.assign(data, { verifiedAt: data.verifiedAt + 4000 }), /expired/],
    ['its reference is another', (data: Loose) => Object.assign(data, { reference: 'x' }), /another reference/],
    ['it was for another cart', (data: Loose) => Object.assign(data, { cartHash: 'x' }), /another cartHash/],
  ] as const) {
    test(`is refused where ${what}`, () => {
      assert.match(String(faultOf(bundle, 'MANDATE_ACCEPTED', change)), reason);
    });
  }

  test('holds with a checkout mandate that another issuer began, by that issuer’s key alone', async () => {
    const [payer, shopper] = [0, 1].map(() => new MandateParties(() => node.clock.now)) as [
      MandateParties,
      MandateParties,
    ];
    for (const [name, { provider }] of Object.entries({ payer, shopper })) {
      await node.run('addMandateIssuer', { name, kind: 'agent-provider', jwk: provider.jwk });
    }
    const checkout = checkoutJwt([{ id: 'li_1', item: { id: 'x', title: 'X', price: 2000 }, quantity: 1 }]);
    const body = { ...payer.close(payer.open(), { checkout }), checkoutMandate: shopper.checkoutMandate(checkout) };
    const agentDid = (await node.agent()).did;
    const bought = await node.run('issuePaymentCredential', { agentDid, ...body });
    assert.equal(bought.allowed, true, JSON.stringify(bought));
    const { transactionId } = await node.run('getIntent', { mandateId: bought.intentId });
    const found = (await portableBundle(node.deps, node.owner.tenantId, transactionId)) as PortableBundle;
    assert.equal(chainFault(nobleSuite, found), undefined);
    const byPayer = (data: Loose) => delete data.checkoutRootKey;
    assert.match(String(faultOf(found, 'MANDATE_ACCEPTED', byPayer)), /does not hold/);
  });

  test('is refused where it pays another amount than the purchase', () => {
    const change = (data: Loose) => Object.assign(data, { amount: 19 });
    assert.match(String(faultOf(bundle, 'PM_ISSUED', change)), /another amount/);
  });

  for (const [what, change, reason] of [
    ['by another key', (data: Loose) => Object.assign(data, { receiptKey: jwk }), /A receipt does not hold/],
    ['of another mandate', (data: Loose) => Object.assign(data, { reference: 'x' }), /A receipt does not hold/],
    ['of another payment', (data: Loose) => Object.assign(data, { mandateId: 'pm_x' }), /another payment/],
  ] as const) {
    test(`is refused with a receipt ${what}`, () => {
      assert.match(String(faultOf(bundle, 'RECEIPT_ISSUED', change)), reason);
    });
  }

  test('is refused with a receipt of an error that was changed', () => {
    const change = (data: Loose) => Object.assign(data, { receipt: `${data.receipt.slice(0, -4)}AAAA` });
    assert.match(String(faultOf(refused, 'MANDATE_REFUSED', change)), /A receipt does not hold/);
  });
});
