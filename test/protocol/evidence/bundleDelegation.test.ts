/** The open mandate behind a purchase, in its portable bundle: verified offline, and refused where it does not cover what was bought. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import type { PortableBundle } from '../../../protocol/evidence/bundle.ts';
import { delegationFault } from '../../../protocol/evidence/bundleDelegation.ts';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import { portableBundle } from '../../../src/domain/bundles/portableBundle.ts';
import { MandateParties, PAYEE } from '../../support/mandates.ts';
import { memoryNode } from '../../support/memoryNode.ts';
import { makeP256 } from '../../support/p256.ts';
import type { Loose } from '../../support/world.ts';

describe('the open mandate in a portable bundle', () => {
  let issuerDid: string;
  let bundle: PortableBundle;
  let other: string;
  before(async () => {
    const node = await memoryNode();
    issuerDid = node.deps.issuer.did;
    const parties = new MandateParties(() => node.clock.now);
    const agentDid = (await node.agent()).did;
    await node.run('addMandateIssuer', { name: 'Provider', kind: 'agent-provider', jwk: parties.provider.jwk });
    const range = { type: 'payment.amount_range', currency: 'USD', max: 3000, min: 500 };
    const token = parties.open([range, { type: 'payment.allowed_payees', allowed: [PAYEE] }]);
    other = parties.open([range]);
    const { id: delegationId } = await node.run('registerDelegation', { token, agentDid });
    const request = { maxAmount: 25, currency: 'USD' };
    const { intentVc } = await node.run('issueIntent', { agentDid, principalDid: agentDid, delegationId, request });
    const offer = { payerDid: agentDid, domain: 'shop.example', amount: 20, currency: 'USD' };
    const { cartVc } = await node.run('demoCart', offer);
    const { approvalToken } = await node.run('validateCart', { intentVc, cartVc });
    await node.run('mandatePayment', { approvalToken });
    const { mandateId } = intentVc.credentialSubject;
    const { transactionId } = await node.run('getIntent', { mandateId });
    bundle = (await portableBundle(node.deps, node.owner.tenantId, transactionId)) as PortableBundle;
  });

  test('covers the purchase, for a reader who knows the issuer alone', () => {
    const check = verifyBundle(nobleSuite, canonical(bundle), issuerDid);
    assert.ok(check.ok, check.ok ? '' : check.reason);
    assert.equal(delegationFault(nobleSuite, bundle), undefined);
  });

  const { jwk } = makeP256();
  for (const [what, eventType, change, reason] of [
    ['another key began it', 'INTENT_ISSUED', () => ({ rootKey: jwk }), /not by the trusted key/],
    ['it is another one', 'INTENT_ISSUED', () => ({ openMandate: other }), /another hash/],
    ['it is none', 'INTENT_ISSUED', () => ({ openMandate: 'x' }), /does not hold/],
    ['it had ended', 'INTENT_ISSUED', (data: Loose) => ({ verifiedAt: data.verifiedAt + 4000 }), /expired/],
    ['the intent outlives it', 'INTENT_ISSUED', () => ({ expiresAt: '2030-01-01T00:00:00.000Z' }), /ends after/],
    ['the intent asks for more', 'INTENT_ISSUED', () => ({ maxAmount: 31 }), /more than 30.00 USD/],
    ['the cart comes to less than it allows', 'CART_VALIDATED', () => ({ amount: 4 }), /less than 5.00 USD/],
    ['another merchant is paid', 'PM_ISSUED', () => ({ merchant: 'other.example' }), /other\.example/],
  ] as const) {
    test(`is refused where ${what}`, () => {
      const copy = structuredClone(bundle) as Loose;
      const { data } = copy.events.find((event: Loose) => event.eventType === eventType);
      Object.assign(data, change(data));
      assert.match(String(delegationFault(nobleSuite, copy as PortableBundle)?.reason), reason);
    });
  }
});
