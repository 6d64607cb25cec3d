/** Layers of Verifiable Intent behind a purchase, in its portable bundle: verified offline, and refused where any of them was changed. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import type { PortableBundle } from '../../../protocol/evidence/bundle.ts';
import { chainFault } from '../../../protocol/evidence/bundleChain.ts';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import { portableBundle } from '../../../src/domain/bundles/portableBundle.ts';
import { IntentParties } from '../../support/intents.ts';
import { MandateParties } from '../../support/mandates.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import { makeP256 } from '../../support/p256.ts';
import type { Loose } from '../../support/world.ts';

describe('Verifiable Intent in a portable bundle', () => {
  let node: MemoryNode;
  let delegated: PortableBundle;
  let immediate: PortableBundle;
  let refused: PortableBundle;
  /** What may stand in the place of each layer. */
  let other: Loose;
  let ap2: Loose;
  before(async () => {
    node = await memoryNode();
    const parties = new IntentParties(() => node.clock.now);
    const chains = new MandateParties(() => node.clock.now);
    const agentDid = (await node.agent()).did;
    await node.run('addMandateIssuer', parties.issuerKey);
    const bundleOf = (transactionId: string) =>
      portableBundle(node.deps, node.owner.tenantId, transactionId) as Promise<PortableBundle>;
    const buy = async (body: Loose) => {
      const { approvalToken, intentId } = await node.run('issuePaymentCredential', { agentDid, ...body });
      await node.run('mandatePayment', { approvalToken });
      return bundleOf((await node.run('getIntent', { mandateId: intentId })).transactionId);
    };
    delegated = await buy(parties.close(parties.delegate()));
    immediate = await buy(parties.immediate());
    other = parties.close(parties.delegate(), { amount: 2100 });
    ap2 = chains.close(chains.open());
    await node.run('issuePaymentCredential', { agentDid, ...parties.immediate({ amount: 0 }) });
    const { data } = await node.run('searchEvidence', { eventType: 'MANDATE_REFUSED', limit: 1 });
    refused = await bundleOf(data[0].data.transactionId);
  });

  test('holds for a reader who knows the node’s issuer alone: delegated, immediate, and refused', () => {
    for (const each of [delegated, immediate, refused]) {
      const check = verifyBundle(nobleSuite, canonical(each), node.deps.issuer.did);
      assert.ok(check.ok, check.ok ? '' : check.reason);
    }
    const told = refused.events.find(({ eventType }) => eventType === 'MANDATE_REFUSED')?.data as Loose;
    assert.deepEqual(Object.keys(told.verifiableIntent), ['l1', 'l2']);
  });

  const faultOf = (from: PortableBundle, change: (data: Loose) => void) => {
    const copy = structuredClone(from) as Loose;
    change(copy.events.find((event: Loose) => event.eventType === 'MANDATE_ACCEPTED').data);
    return chainFault(nobleSuite, copy as PortableBundle)?.reason;
  };
  const { jwk } = makeP256();
  for (const [what, change, reason] of [
    ['another key issued the card', (data: Loose) => Object.assign(data, { rootKey: jwk }), /not by the trusted key/],
    ['it is another purchase', (data: Loose) => Object.assign(data, other), /does not hold/],
    ['it is for another checkout', (data: Loose) => Object.assign(data, { checkoutHash: 'x' }), /does not hold/],
    ['it had ended', (data: Loose) => Object.assign(data, { verifiedAt: data.verifiedAt + 4000 }), /expired/],
    ['its reference is another', (data: Loose) => Object.assign(data, { reference: 'x' }), /another reference/],
    ['it has no layers', (data: Loose) => delete data.verifiableIntent, /neither a chain of AP2 nor/],
    ['it has a chain of AP2 besides', (data: Loose) => Object.assign(data, ap2), /neither a chain of AP2 nor/],
    ['a layer more', (data: Loose) => Object.assign(data.verifiableIntent, { l4: 'x' }), /neither a chain of AP2 nor/],
    ['its layer 2 is no text', (data: Loose) => Object.assign(data.verifiableIntent, { l2: 'x' }), /does not hold/],
  ] as const) {
    test(`is refused where ${what}`, () => {
      for (const each of [delegated, immediate]) assert.match(String(faultOf(each, change)), reason);
    });
  }

  test('is refused where one layer is that of another purchase, or the last one is left out', () => {
    for (const name of ['l1', 'l2', 'l3Payment']) {
      const swap = (data: Loose) => Object.assign(data.verifiableIntent, { [name]: other.verifiableIntent[name] });
      assert.match(String(faultOf(delegated, swap)), /does not hold/, name);
    }
    const cut = (data: Loose) => delete data.verifiableIntent.l3Payment;
    assert.match(String(faultOf(delegated, cut)), /does not hold: Layer 2 delegates/);
  });
});
