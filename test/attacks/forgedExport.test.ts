/** A forger who changes evidence and hashes the chain anew convinces neither the verifier of exports nor the node. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { canonical } from '../../protocol/credential/canonical.ts';
import { type EvidenceEvent, genesisHash, hashEvent } from '../../protocol/evidence/chain.ts';
import { eventLeaf, originOf, signCheckpoint } from '../../protocol/evidence/log/checkpoint.ts';
import { GrowingTree } from '../../protocol/evidence/log/merkle.ts';
import { signRotation } from '../../protocol/evidence/rotation.ts';
import { verifyExport } from '../../protocol/evidence/verifyExport.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { makeCheckpoint } from '../../src/domain/checkpoints/makeCheckpoint.ts';
import { run } from '../../src/store/store.ts';
import { everyEngine } from '../support/engines.ts';
import { purchase } from '../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const suite = nativeSuite();
const forger = suite.signer(new Uint8Array(32).fill(9));

/** The chain hashed anew from the first event on. */
function hashedAnew(events: readonly EvidenceEvent[], issuer: string, tenantId: string): EvidenceEvent[] {
  let hashPrev = genesisHash(suite, issuer, tenantId);
  return events.map((event) => {
    const changed = { ...event, hashPrev };
    hashPrev = hashEvent(suite, { ...changed, dataText: canonical(changed.data) });
    return { ...changed, hashCurr: hashPrev };
  });
}

function signedBy(signer: typeof forger, tenantId: string, events: readonly EvidenceEvent[]): string {
  const tree = new GrowingTree(suite);
  for (const { hashCurr } of events) tree.add(eventLeaf(suite, hashCurr));
  return signCheckpoint(suite, signer, { origin: originOf(tenantId), size: tree.size, root: tree.root() });
}

const cheaper = (event: EvidenceEvent): EvidenceEvent =>
  event.eventType === 'PM_ISSUED' ? { ...event, data: { ...event.data, amount: 1 } } : event;

for (const engine of everyEngine()) {
  describe(`forged evidence on ${engine.name}`, () => {
    let world: World;
    let issuer: string;
    let tenantId: string;
    const exported = async (query = ''): Promise<Loose> =>
      (await world.rest('GET', `/ap2/evidence/export${query}`)).body;
    before(async () => {
      world = await makeWorld(engine);
      issuer = world.node.deps.issuer.did;
      tenantId = world.node.tenantId;
      await purchase(world, 20);
    });
    after(() => world.close());

    test('an export as the node gave it verifies, whichever kept or new checkpoint it has', async () => {
      assert.deepEqual([verifyExport(suite, await exported(), issuer).ok], [true]);
      await world.newAgent();
      assert.equal(verifyExport(suite, await exported(), issuer).ok, true);
      const { checkpoint } = (await world.rest('GET', '/ap2/evidence/verify?toSeq=2')).body;
      assert.equal(checkpoint.split('\n')[1], '2');
    });

    test('an export whose chain was hashed anew does not verify, with its checkpoint, without, or with one of the forger', async () => {
      const whole = await exported();
      const events = hashedAnew(whole.events.map(cheaper), issuer, tenantId);
      for (const checkpoint of [whole.checkpoint, null, signedBy(forger, tenantId, events)]) {
        assert.equal(verifyExport(suite, { ...whole, events, checkpoint }, issuer).ok, false);
      }
      assert.equal(verifyExport(suite, { ...whole, events: [], checkpoint: null }, issuer).ok, false);
    });

    test('an export that a stranger claims to have handed over to the issuer does not verify', async () => {
      const whole = await exported();
      const [first] = whole.events;
      const rotation = signRotation(suite, forger, { to: issuer, at: Date.now() });
      const rotated = { ...first, seq: whole.events.length + 1, eventType: 'ISSUER_ROTATED', data: { rotation } };
      const events = hashedAnew([...whole.events.map(cheaper), rotated], forger.did, tenantId);
      const forged = { ...whole, issuer: forger.did, events, checkpoint: signedBy(forger, tenantId, events) };
      assert.equal(verifyExport(suite, forged, issuer).ok, false);
    });

    test('a database whose history was rewritten is told from the kept checkpoints, and nothing is signed over it', async () => {
      const kept = await makeCheckpoint(world.node.deps, tenantId);
      assert.ok(kept);
      await world.newAgent();
      assert.equal((await world.rest('GET', '/ap2/evidence/verify')).body.valid, true);
      const { events } = await exported();
      for (const event of hashedAnew(events.map(cheaper), issuer, tenantId)) {
        const sql = 'UPDATE evidence SET data = ?, hash_prev = ?, hash_curr = ? WHERE tenant_id = ? AND seq = ?';
        const args = [canonical(event.data), event.hashPrev, event.hashCurr, tenantId, event.seq];
        await world.node.deps.store.write(tenantId, () => run(sql, ...args));
      }
      const { valid, reason, checkpoint } = (await world.rest('GET', '/ap2/evidence/verify')).body;
      assert.deepEqual([valid, checkpoint], [false, null]);
      assert.match(reason, /not those that the kept checkpoint is over/);
    });
  });
}
