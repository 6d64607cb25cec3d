/** What changes between a node and its witnesses: a rotated key, cleared test data, a node that died asking, a quorum of some. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { originOf } from '../../../protocol/evidence/log/checkpoint.ts';
import { cosignedBy } from '../../../protocol/evidence/log/cosignature.ts';
import { type NoteKey, readVerifierKey, WITNESS_KEY } from '../../../protocol/evidence/log/note.ts';
import { verifyExport } from '../../../protocol/evidence/verifyExport.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import { makeCheckpoint } from '../../../src/domain/checkpoints/makeCheckpoint.ts';
import { listChainWitnesses, putChainWitness } from '../../../src/store/statements/evidence/cosignatures.ts';
import { runHere } from '../../cli/runHere.ts';
import { askedAll, askWitnesses } from '../../support/askedAll.ts';
import { everyEngine } from '../../support/engines.ts';
import { type Lives, makeLives } from '../../support/lives.ts';
import { makePeer } from '../../support/peer.ts';
import { isSignedPlainly, plainKey } from '../../support/plainNotes.ts';
import { type PlainWitness, plainWitness } from '../../support/plainWitness.ts';
import type { Loose } from '../../support/world.ts';

const suite = nativeSuite();
const keys = [1, 2, 3].map((number) => plainKey(`w${number}.example`, 4, randomBytes(32)));

for (const engine of everyEngine()) {
  describe(`changes around witnesses on ${engine.name}`, () => {
    let lives: Lives;
    let witnesses: PlainWitness[];
    const logs = new Map<string, string[]>();

    before(async () => {
      witnesses = await Promise.all(keys.map((key) => plainWitness(key, logs)));
      const WITNESSES = keys.map(({ vkey }, index) => `${vkey} ${witnesses[index]?.url}`).join(',');
      lives = await makeLives(engine, { WITNESSES, WITNESS_QUORUM: '2' });
      await watch();
      // The node may have asked them before they were told of it.
      await askedAll(deps());
      await makeDue();
    });
    after(async () => {
      await lives.close();
      await Promise.all(witnesses.map((witness) => witness.close()));
    });

    const deps = () => lives.node().deps;
    const tenantId = () => lives.node().tenantId;
    const grow = async () => {
      const added = await lives.ask('POST', '/ap2/agents', { name: 'a', publicKey: makePeer().publicKey });
      assert.equal(added.status, 201, added.text);
    };
    /** One more event, and a checkpoint over it. */
    const sign = async () => {
      await grow();
      return (await makeCheckpoint(deps(), tenantId())) ?? assert.fail('an empty chain');
    };
    /** Tells the witnesses what evidence log prints. */
    const watch = async () => {
      const told = (await runHere(['evidence', 'log', '--json'], lives.env)).json();
      logs.set(told.origin, [...(logs.get(told.origin) ?? []), told.verifierKey]);
    };
    const rows = () => deps().store.read(() => listChainWitnesses(tenantId()));
    const makeDue = async () => {
      for (const row of await rows()) {
        await deps().store.write(tenantId(), () => putChainWitness(tenantId(), { ...row, due_at: 0, node_id: null }));
      }
    };
    const healthOf = async (): Promise<Loose> => {
      const { checks } = JSON.parse((await lives.ask('GET', '/ap2/admin/health')).text);
      return checks.find(({ check }: Loose) => check === 'witnesses');
    };
    const noteOf = async (): Promise<string> =>
      JSON.parse((await lives.ask('GET', '/ap2/evidence/checkpoints?limit=1')).text).data[0].note;

    test('two of three are a quorum: the third is not missed, and a reader may ask for as many', async () => {
      const [, , third] = witnesses;
      if (third !== undefined) third.answer = { status: 503, body: '' };
      await sign();
      await askedAll(deps());
      const note = await noteOf();
      assert.deepEqual(
        keys.map(({ vkey }) => isSignedPlainly(note, vkey)),
        [true, true, false],
      );
      assert.equal((await healthOf()).level, 'ok');
      const exported = JSON.parse((await lives.ask('GET', '/ap2/evidence/export')).text);
      const named = keys.map(({ vkey }) => readVerifierKey(suite, vkey, WITNESS_KEY) as NoteKey);
      assert.ok(
        verifyExport(suite, exported, deps().issuer.did, cosignedBy(suite, { witnesses: named, quorum: 2 })).ok,
      );
      const all = verifyExport(suite, exported, deps().issuer.did, cosignedBy(suite, { witnesses: named, quorum: 3 }));
      assert.match(all.ok ? '' : all.reason, /cosigned by 2 of the 3 .* of w3\.example is missing/);
      if (third !== undefined) third.answer = undefined;
      await makeDue();
      await askedAll(deps());
    });

    test('a witness that a dead node was asking is asked again when the lease has ended, and not before', async () => {
      const { size } = await sign();
      await askedAll(deps());
      const [first] = await rows();
      assert.ok(first);
      const leased = { ...first, node_id: 'node_gone', due_at: deps().clock() + 3_600_000 };
      await deps().store.write(tenantId(), () => putChainWitness(tenantId(), leased));
      const later = await sign();
      assert.ok(later.size > size);
      await askWitnesses(deps());
      const sizeOf = async () => (await rows()).find(({ witness }) => witness === first.witness)?.size;
      assert.equal(await sizeOf(), size);
      await deps().store.write(tenantId(), () => putChainWitness(tenantId(), { ...leased, due_at: 1 }));
      await askedAll(deps());
      assert.equal(await sizeOf(), later.size);
    });

    test('a rotated key is refused until the witnesses are told of it, which is no alarm of a fork', async () => {
      await lives.stop();
      assert.equal((await runHere(['key', 'rotate-issuer'], lives.env)).code, 0);
      await lives.start();
      await sign();
      await askedAll(deps());
      for (const row of await rows()) {
        assert.equal(row.failure, 'it does not know the key of this node (403)');
        assert.equal(row.refusal, null);
      }
      await watch();
      await makeDue();
      await askedAll(deps());
      const note = await noteOf();
      assert.ok(keys.every(({ vkey }) => isSignedPlainly(note, vkey)));
      assert.ok(note.includes(`— ${deps().issuer.did} `), 'signed by the new key');
      assert.equal((await healthOf()).level, 'ok');
    });

    test('cleared test data are a shorter chain to who has seen a longer one', async () => {
      const seen = witnesses[0]?.seen.get(originOf(tenantId()))?.size;
      assert.equal((await lives.ask('POST', '/ap2/admin/reset-test-data', {})).status, 204);
      await makeCheckpoint(deps(), tenantId());
      await askedAll(deps());
      const { level, message } = await healthOf();
      assert.equal(level, 'fault');
      assert.match(message, new RegExp(`w1\\.example has seen a chain of ${seen} events, and this one is shorter`));
      await grow();
      for (const witness of witnesses) witness.seen.clear();
      await makeDue();
      await askedAll(deps());
      assert.equal((await healthOf()).level, 'ok', 'witnesses that begin anew agree');
    });
  });
}
