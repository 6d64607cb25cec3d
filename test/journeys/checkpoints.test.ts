/** Evidence that convinces a stranger: checkpoints, proofs, and bundles that need nothing but the issuer's DID. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { canonical } from '../../protocol/credential/canonical.ts';
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { fromBase64 } from '../../protocol/credential/encodings.ts';
import type { EvidenceEvent } from '../../protocol/evidence/chain.ts';
import { compareChain, compareCheckpoints } from '../../protocol/evidence/compareCheckpoint.ts';
import { eventLeaf, openCheckpoint, originOf, signCheckpoint } from '../../protocol/evidence/log/checkpoint.ts';
import { verifyConsistency, verifyInclusion } from '../../protocol/evidence/log/merkle.ts';
import { verifyBundle } from '../../protocol/evidence/verifyBundle.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { makeCheckpoint } from '../../src/domain/checkpoints/makeCheckpoint.ts';
import { everyEngine } from '../support/engines.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const suite = nativeSuite();

for (const engine of everyEngine()) {
  describe(`evidence for a stranger on ${engine.name}`, () => {
    let world: World;
    let issuer: string;
    let text: string;
    before(async () => {
      world = await makeWorld(engine);
      issuer = world.node.deps.issuer.did;
      text = await bundleOf(await purchaseWithPresence(world));
    });
    after(() => world.close());

    async function bundleOf(transactionId: string): Promise<string> {
      const reply = await world.rest('GET', `/ap2/evidence/bundle/${transactionId}?format=portable`);
      assert.equal(reply.status, 200, reply.text);
      return reply.text;
    }

    const opened = (note: string) => {
      const check = openCheckpoint(suite, note, [issuer]);
      assert.ok(check.ok);
      return check.checkpoint;
    };

    test('a bundle holds for a verifier who knows the issuer’s DID, with the plain JavaScript suite too', () => {
      for (const each of [suite, nobleSuite]) {
        const check = verifyBundle(each, text, issuer);
        assert.ok(check.ok, check.ok ? '' : check.reason);
        assert.deepEqual(Object.keys(check.bundle.credentials).sort(), ['cart', 'intent', 'payment']);
        assert.ok(check.bundle.presence);
        assert.ok(check.bundle.policies.length > 0);
      }
      const stranger = verifyBundle(suite, text, world.agent.did);
      assert.equal(stranger.ok ? '' : stranger.part, 'issuer');
    });

    test('a bundle whose transaction went on has the events up to a newer checkpoint', async () => {
      const mandateId = mandateIdOf(await purchase(world, 20));
      const { transactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
      const first = JSON.parse(await bundleOf(transactionId));
      await world.rest('POST', `/ap2/payments/${mandateId}/capture`, {});
      const second = JSON.parse(await bundleOf(transactionId));
      assert.equal(second.eventCount, first.eventCount + 1);
      assert.ok(verifyBundle(suite, JSON.stringify(second), issuer).ok);
    });

    test('each part that was tampered with is the part that is named', () => {
      const cases: readonly (readonly [string, (bundle: Loose) => void, RegExp])[] = [
        ['events', (b) => (b.events[0].data.maxAmount = 1), /content of event \d+ \(INTENT_ISSUED\)/],
        ['events', (b) => b.events.splice(1, 1), /was made of \d events and has/],
        ['events', (b) => b.events.reverse(), /stands after/],
        ['events', (b) => (b.transactionId = 'txn_other'), /of another transaction/],
        ['checkpoint', (b) => (b.inclusion[0][0] = b.inclusion[1][1]), /is not in the chain/],
        ['checkpoint', (b) => (b.checkpoint = b.checkpoint.replace(/\n\d+\n/, '\n999\n')), /does not match its text/],
        ['checkpoint', (b) => (b.tenantId = 'tnt_other'), /another chain/],
        [
          'credentials',
          (b) => (b.credentials.payment.credentialSubject.amount = 1),
          /payment credential does not hold/,
        ],
        ['credentials', (b) => delete b.credentials.cart, /cart credential is missing/],
        ['credentials', (b) => (b.credentials.cart.credentialSubject.total = 1), /not the one whose hash/],
        ['policies', (b) => (b.policies[0].rules.spend.amount_cap = 9999), /do not match their hash/],
        ['policies', (b) => (b.policies = []), /is missing/],
        ['presence', (b) => delete b.presence, /is missing/],
        ['presence', (b) => (b.presence.credentialId = 'other'), /approval does not hold/],
        ['seal', (b) => (b.proof.created = '2020-01-01T00:00:00.000Z'), /signature over the bundle fails/],
        ['file', (b) => (b.extra = true), /malformed/],
      ];
      for (const [part, tamper, reason] of cases) {
        const bundle = JSON.parse(text);
        tamper(bundle);
        const check = verifyBundle(suite, canonical(bundle), issuer);
        assert.ok(!check.ok, `${part} ${reason}`);
        assert.match(check.reason, reason);
        assert.equal(check.part, part, check.reason);
      }
    });

    test('the chain is proven to have only grown since an older checkpoint, and each event to be in it', async () => {
      const { tenantId } = world.node;
      const older = await makeCheckpoint(world.node.deps, tenantId);
      await purchase(world, 15);
      const newer = await makeCheckpoint(world.node.deps, tenantId);
      assert.ok(older && newer && newer.size > older.size);
      const path = `/ap2/evidence/checkpoints/${newer.size}`;
      const { body } = await world.rest('GET', `${path}/consistency?from=${older.size}`);
      const proof = body.proof.map(fromBase64);
      assert.ok(verifyConsistency(suite, opened(body.from.note), opened(body.to.note), proof));
      for (const seq of [1, older.size, newer.size]) {
        const shown = (await world.rest('GET', `${path}/inclusion/${seq}`)).body;
        const { root, size } = opened(shown.checkpoint.note);
        const claim = { index: seq - 1, size, leaf: eventLeaf(suite, shown.hashCurr), root };
        assert.ok(verifyInclusion(suite, claim, shown.proof.map(fromBase64)));
      }
      const list = (await world.rest('GET', '/ap2/evidence/checkpoints?limit=1')).body;
      assert.equal(list.data[0].note, newer.note);
      assert.ok(list.hasMore);
      assert.equal((await world.rest('GET', `${path}/consistency?from=${newer.size + 1}`)).status, 400);
      assert.equal((await world.rest('GET', '/ap2/evidence/checkpoints/99999/inclusion/1')).status, 404);
    });

    test('a chain that was cut short, rewritten or forked is told by an older checkpoint', async () => {
      const { tenantId, deps } = world.node;
      const exported = (await world.rest('GET', '/ap2/evidence/export')).body;
      const events: EvidenceEvent[] = exported.events;
      const row = await makeCheckpoint(deps, tenantId);
      const older = opened(row?.note ?? '');
      const origin = originOf(tenantId);
      assert.deepEqual(compareChain(suite, older, origin, events), { ok: true });
      const cut = compareChain(suite, older, origin, events.slice(0, -1));
      assert.equal(cut.ok ? '' : cut.fault, 'truncated');
      const other = events.map((event, index) => (index === 2 ? { ...event, hashCurr: event.hashPrev } : event));
      const rewritten = compareChain(suite, older, origin, other);
      assert.equal(rewritten.ok ? '' : rewritten.fault, 'forked');
      const fork = opened(signCheckpoint(suite, deps.issuer, { ...older, root: new Uint8Array(32).fill(1) }));
      const forked = compareCheckpoints(suite, older, fork, []);
      assert.equal(forked.ok ? '' : forked.fault, 'forked');
      const shorter = opened(signCheckpoint(suite, deps.issuer, { ...older, size: older.size - 1 }));
      const wrong = compareCheckpoints(suite, older, shorter, []);
      assert.equal(wrong.ok ? '' : wrong.fault, 'forked');
      const unproven = compareCheckpoints(suite, older, shorter, undefined);
      assert.equal(unproven.ok ? '' : unproven.fault, 'unproven', 'a shorter one says nothing of the chain since');
    });

    test('proofs over a chain of thousands are made of kept subtrees and hold', async () => {
      const { tenantId, deps } = world.node;
      await Promise.all(
        Array.from({ length: 520 }, () => world.rest('POST', '/ap2/intents', world.intentBody(100_000))),
      );
      const row = await makeCheckpoint(deps, tenantId);
      const { size, root } = opened(row?.note ?? '');
      assert.ok(size > 512);
      for (const seq of [1, 256, 257, 512, size]) {
        const shown = (await world.rest('GET', `/ap2/evidence/checkpoints/${size}/inclusion/${seq}`)).body;
        const claim = { index: seq - 1, size, leaf: eventLeaf(suite, shown.hashCurr), root };
        assert.ok(verifyInclusion(suite, claim, shown.proof.map(fromBase64)), `seq ${seq} of ${size}`);
      }
    });

    if (engine.name === 'sqlite') {
      test('a bundle with any byte changed is refused', () => {
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; at++) {
          const byte = bytes[at] as number;
          bytes[at] = byte ^ 1;
          assert.ok(!verifyBundle(suite, bytes.toString('utf8'), issuer).ok, `byte ${at} of ${bytes.length}`);
          bytes[at] = byte;
        }
      });
    }
  });
}

/** A purchase that a person approved, by the sandbox's own proof. */
async function purchaseWithPresence(world: World): Promise<string> {
  const hp = { agentDid: world.agent.did, freshnessSeconds: 300 };
  const { hpProof } = (await world.rest('POST', '/ap2/demo/hp-proof', hp)).body;
  const mandateId = mandateIdOf(await purchase(world, 150, { hpProof }));
  return (await world.rest('GET', `/ap2/payments/${mandateId}`)).body.transactionId;
}
