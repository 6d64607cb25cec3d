/** A portable bundle whose parts are of different purchases, or signed by another node, is told from a whole one. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { signDocument } from '../../protocol/credential/proof.ts';
import { verifyBundle } from '../../protocol/evidence/verifyBundle.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { runHere } from '../cli/runHere.ts';
import { everyEngine } from '../support/engines.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const suite = nativeSuite();
const stranger = suite.signer(new Uint8Array(32).fill(5));

describe('forged bundles', () => {
  let world: World;
  let issuer: string;
  let bundle: Loose;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    issuer = world.node.deps.issuer.did;
    const hp = { agentDid: world.agent.did, freshnessSeconds: 300 };
    const { hpProof } = (await world.rest('POST', '/ap2/demo/hp-proof', hp)).body;
    const mandateId = mandateIdOf(await purchase(world, 150, { hpProof }));
    const { transactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
    bundle = (await world.rest('GET', `/ap2/evidence/bundle/${transactionId}?format=portable`)).body;
  });
  after(() => world.close());

  const resigned = (document: Loose, signer = world.node.deps.issuer): Loose => {
    const { proof, ...content } = document;
    const { created } = proof;
    return JSON.parse(signDocument(suite, signer, content, { created, proofPurpose: 'assertionMethod' }).text);
  };
  /** What the verifier says of the bundle after a change, sealed by the issuer as if its database had told it so. */
  const verdictOf = (change: (copy: Loose) => void) => {
    const copy = structuredClone(bundle);
    change(copy);
    const { proof, ...content } = copy;
    const { created } = proof;
    const sealed = signDocument(suite, world.node.deps.issuer, content, { created, proofPurpose: 'assertionMethod' });
    return verifyBundle(suite, sealed.text, issuer);
  };

  test('a bundle with mandates that state something else than its events is refused, member by member', () => {
    assert.equal(verdictOf(() => {}).ok, true);
    const others: Readonly<Record<string, readonly string[]>> = {
      intent: ['mandateId', 'agentDid', 'principalDid', 'maxAmount', 'currency', 'merchantDomain'],
      payment: [
        ...['mandateId', 'intentId', 'agentDid', 'principalDid'],
        ...['amount', 'currency', 'merchant', 'rail', 'cartHash', 'expiresAt'],
      ],
    };
    for (const [name, members] of Object.entries(others)) {
      for (const member of members) {
        const verdict = verdictOf((copy) => {
          const mandate = copy.credentials[name];
          const { [member]: value } = mandate.credentialSubject;
          mandate.credentialSubject[member] = typeof value === 'number' ? value + 1 : `${value}x`;
          copy.credentials[name] = resigned(mandate);
        });
        assert.deepEqual([verdict.ok, verdict.ok ? '' : verdict.part], [false, 'credentials'], `${name}.${member}`);
      }
    }
  });

  test('a bundle whose payment mandate is from before it named agent, principal and time holds', () => {
    const verdict = verdictOf((copy) => {
      const { payment } = copy.credentials;
      const { agentDid: _agent, principalDid: _principal, expiresAt: _end, ...subject } = payment.credentialSubject;
      copy.credentials.payment = resigned({ ...payment, credentialSubject: subject });
    });
    assert.equal(verdict.ok, true, JSON.stringify(verdict));
  });

  test('a bundle with the approval of another agent, intent or cart is refused', () => {
    for (const [member, value] of Object.entries({
      agentDid: stranger.did,
      intentId: 'intent_1',
      cartHash: 'sha256:00',
    })) {
      const verdict = verdictOf((copy) => {
        copy.presence = resigned({ ...copy.presence, [member]: value });
      });
      assert.equal(verdict.ok, false, member);
    }
  });

  test('an approval that the issuer did not sign is named, and the exit code is 1 unless it was asked for', async (t) => {
    const verdict = verdictOf((copy) => {
      copy.presence = resigned({ ...copy.presence, issuer: stranger.did }, stranger);
    });
    assert.ok(verdict.ok);
    assert.match(verdict.unsigned.join(), new RegExp(stranger.did));
    const folder = mkdtempSync(join(tmpdir(), 'countersign-bundle-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'bundle.json');
    writeFileSync(file, JSON.stringify(bundle));
    const refused = await runHere(['evidence', 'verify', file, '--issuer', issuer]);
    assert.equal(refused.code, 1);
    assert.match(refused.stdout + refused.stderr, /The approval is signed by did:key:\w+, as a sandbox does/);
    const taken = await runHere(['evidence', 'verify', file, '--issuer', issuer, '--allow-unsigned']);
    assert.equal(taken.code, 0, taken.stderr);
    assert.match(taken.stdout, /as a sandbox does/);
  });
});
