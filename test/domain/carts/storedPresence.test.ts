/** A presence proof that comes back is known by its row; what is no row's is verified in full. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import { signDocument } from '../../../protocol/credential/proof.ts';
import { signRotation } from '../../../protocol/evidence/rotation.ts';
import { presenceFault } from '../../../protocol/presence.ts';
import { checkPresence, isStoredPresence } from '../../../src/domain/carts/checkPresence.ts';
import { issuePresence } from '../../../src/domain/passkeys/verifyPresence.ts';
import { findIntent, type IntentRow } from '../../../src/store/statements/purchases/intents.ts';
import { countingSuite } from '../../support/countingSuite.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import { everyMutation } from '../../support/mutate.ts';
import type { Loose } from '../../support/world.ts';

const CART = 'sha256:cart';

describe('a presence proof that comes back', () => {
  let node: MemoryNode;
  let intent: IntentRow;
  let stored: Loose;

  before(async () => {
    node = await memoryNode();
    const { did } = await node.agent();
    const request = { maxAmount: 10, currency: 'USD' };
    const { intentVc } = await node.run('issueIntent', { agentDid: did, principalDid: did, request });
    const { mandateId } = intentVc.credentialSubject;
    const { tenantId } = node.owner;
    intent = (await node.deps.store.read(() => findIntent(tenantId, mandateId))) as IntentRow;
    const subject = { agentDid: did, intentId: mandateId, cartHash: CART };
    stored = await node.deps.store.write(tenantId, (now) =>
      issuePresence(node.deps, tenantId, subject, 'passkey', now),
    );
  });

  async function check(hpProof: Loose, { deps = node.deps, now = node.clock.now, tenantId = intent.tenant_id } = {}) {
    const { suite, verified } = countingSuite(deps.suite);
    const given = { cartHash: CART, hpProof, bound: true, circle: undefined, paying: {}, now };
    const approver = { kind: 'agent', did: intent.agent_did } as const;
    const script = () =>
      checkPresence({ ...deps, suite }, { ...intent, tenant_id: tenantId }, { ...given, approver } as Loose);
    const { verdict } = await deps.store.read(script);
    return { verdict, verified: verified() };
  }

  /** By its signature alone. */
  const faultOf = (hpProof: Loose, now = node.clock.now) =>
    presenceFault(
      nobleSuite,
      hpProof,
      {
        ...{ agentDid: intent.agent_did, principalDid: undefined, instrument: undefined, bound: true },
        ...{ intentId: intent.mandate_id, cartHash: CART, trustedIssuers: [node.deps.issuer.did] },
        demoIssuer: node.deps.keys.demo?.presence.did,
      },
      now,
    );

  test('is verified by no signature where it is the one that was stored, in any order of members', async () => {
    const reversed = Object.fromEntries(Object.entries(stored).reverse());
    for (const hpProof of [stored, reversed]) {
      assert.deepEqual(await check(hpProof), { verdict: 'valid', verified: 0 });
      assert.equal(faultOf(hpProof), undefined);
    }
  });

  test('is refused where a full verification refuses it, by any change of a member', async () => {
    const thief = nobleSuite.signer(new Uint8Array(32).fill(9));
    const { proof: _proof, ...unsigned } = stored;
    const options = { created: stored.verifiedAt, proofPurpose: 'assertionMethod' } as const;
    const lies = [
      ...everyMutation(stored),
      { name: 'by another key', document: signDocument(nobleSuite, thief, unsigned, options).document },
      { name: 'a lone surrogate', document: { ...stored, note: '\ud800' } },
      { name: 'an id with a zero', document: { ...stored, id: 'hp_\u0000' } },
      { name: 'nothing', document: {} },
    ];
    for (const { name, document } of lies) {
      const fault = faultOf(document);
      assert.notEqual(fault, undefined, name);
      assert.deepEqual((await check(document)).verdict, { fault }, name);
    }
  });

  test('that our own key signed, and the node never issued, is refused; and so is another tenant’s', async () => {
    const { deps } = node;
    const { proof: _proof, ...unsigned } = stored;
    const options = { created: stored.verifiedAt, proofPurpose: 'assertionMethod' } as const;
    const stolen = signDocument(deps.suite, deps.issuer, { ...unsigned, extra: 1 }, options).document;
    assert.equal(faultOf(stolen), undefined);
    const notIssued = { fault: 'The presence proof was not issued by this node.' };
    assert.deepEqual(await check(stolen), { verdict: notIssued, verified: 1 });
    assert.deepEqual(await check(stored, { tenantId: 'tnt_other' }), { verdict: notIssued, verified: 1 });
    assert.equal(await deps.store.read(() => isStoredPresence(deps, 'tnt_other', stored)), false);
  });

  test('is held to its times and to the rotations of its key, though it is stored', async () => {
    const { deps, clock } = node;
    const late = clock.now + 301_000;
    assert.deepEqual((await check(stored, { now: late })).verdict, { fault: faultOf(stored, late) });
    const early = clock.now - 61_000;
    assert.deepEqual((await check(stored, { now: early })).verdict, { fault: faultOf(stored, early) });
    const issuer = nobleSuite.signer(new Uint8Array(32).fill(8));
    const retired = (at: number) => ({
      ...deps,
      issuer,
      evidence: { ...deps.evidence, rotations: [signRotation(deps.suite, deps.issuer, { to: issuer.did, at })] },
    });
    assert.equal((await check(stored, { deps: retired(clock.now) })).verdict, 'valid');
    assert.match(JSON.stringify(await check(stored, { deps: retired(clock.now - 1) })), /was retired/);
    const unknown = { ...deps, issuer };
    assert.deepEqual((await check(stored, { deps: unknown })).verdict, {
      fault: 'The presence proof was not issued by this node.',
    });
  });
});
