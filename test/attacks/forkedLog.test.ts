/**
 * The owner rewrites the database and deletes the checkpoint beside it: the node signs the new history with its true key,
 * and a witness that saw the old one refuses. The fork is told, and a stranger who asks for the witness is not taken in.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { hashEvent } from '../../protocol/evidence/chain.ts';
import { originOf } from '../../protocol/evidence/log/checkpoint.ts';
import { cosignedBy } from '../../protocol/evidence/log/cosignature.ts';
import { keyNamed, type NoteKey, readVerifierKey, WITNESS_KEY } from '../../protocol/evidence/log/note.ts';
import { verifyBundle } from '../../protocol/evidence/verifyBundle.ts';
import { isoTime } from '../../protocol/wire/time.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { makeCheckpoint } from '../../src/domain/checkpoints/makeCheckpoint.ts';
import { openWitness, type Witness } from '../../src/extensions/witness/serving/openWitness.ts';
import { serveWitness } from '../../src/extensions/witness/serving/serveWitness.ts';
import { evidence } from '../../src/store/statements/evidence/events.ts';
import { insertManyInto, type RowOf } from '../../src/store/statements/tableDefinition.ts';
import { all, run } from '../../src/store/store.ts';
import { runHere } from '../cli/runHere.ts';
import { alarmsOf, askedAll } from '../support/askedAll.ts';
import { everyEngine } from '../support/engines.ts';
import { type Lives, makeLives } from '../support/lives.ts';
import { makePeer } from '../support/peer.ts';
import type { Loose } from '../support/world.ts';

const suite = nativeSuite();
type Row = RowOf<typeof evidence>;

for (const engine of everyEngine()) {
  describe(`a forked log on ${engine.name}`, () => {
    let lives: Lives;
    let witness: Witness;
    let folder: string;
    let stop: () => Promise<void>;
    const watched = new Map<string, NoteKey[]>();
    const agent = makePeer();

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'countersign-forked-'));
      const logs = { get: (origin: string) => watched.get(origin), keys: () => watched.keys() } as typeof watched;
      witness = openWitness({ suite, folder, name: 'w.example', logs, randomBytes, clock: Date.now });
      const quiet = { info() {}, error() {} };
      const served = await serveWitness(witness, { host: '127.0.0.1', port: 0, clock: Date.now, log: quiet });
      stop = served.stop;
      lives = await makeLives(engine, { WITNESSES: `${witness.verifierKey} ${served.address}` });
      watched.set(originOf(lives.node().tenantId), [keyNamed(lives.node().deps.issuer.did)]);
      await lives.ask('POST', '/ap2/agents', { name: 'a', publicKey: agent.publicKey });
      for (let i = 0; i < 3; i++) await askIntent();
    });
    after(async () => {
      await lives.close();
      await stop();
      witness.close();
      await rm(folder, { recursive: true, force: true });
    });

    const deps = () => lives.node().deps;
    const askIntent = async (): Promise<Loose> => {
      const request = { maxAmount: 1, currency: 'USD' };
      const body = { agentDid: agent.did, principalDid: agent.did, request };
      return JSON.parse((await lives.ask('POST', '/ap2/intents', body)).text);
    };
    const rows = () => deps().store.read(() => all<Row>('SELECT * FROM evidence ORDER BY seq'));
    const findings = async (): Promise<Loose[]> => (await runHere(['doctor', '--json'], lives.env)).json().findings;
    const asked = () => {
      const key = readVerifierKey(suite, witness.verifierKey, WITNESS_KEY) as NoteKey;
      return cosignedBy(suite, { witnesses: [key], quorum: 1 });
    };
    const newBundle = async (): Promise<string> => {
      await askIntent();
      const { transaction_id: transactionId } = (await rows()).at(-1) as Row;
      const bundle = await lives.ask('GET', `/ap2/evidence/bundle/${transactionId}?format=portable`);
      assert.equal(bundle.status, 200, bundle.text);
      return bundle.text;
    };
    /** Rewrites the history behind the node's back, hashes and all, and leaves nothing that remembers the true one. */
    const replaceBy = async (events: readonly Row[]) => {
      await deps().store.write(lives.node().tenantId, function* () {
        for (const table of ['evidence', 'checkpoints', 'evidence_subtrees', 'cosignatures', 'chain_witnesses']) {
          yield* run(`DELETE FROM ${table}`);
        }
        yield* insertManyInto(evidence)(events);
      });
      await lives.stop();
      rmSync(join(lives.folder, 'checkpoint'), { force: true });
      await lives.start();
    };
    const rewritten = (events: readonly Row[]): Row[] => {
      const at = events.findLast(({ event_type: type }) => type === 'INTENT_ISSUED')?.seq ?? assert.fail();
      let previous = '';
      return events.map((row) => {
        const data = row.seq === at ? row.data.replace('"maxAmount":1', '"maxAmount":9') : row.data;
        const hashPrev = row.seq <= at ? row.hash_prev : previous;
        const { id, seq, event_type: eventType, actor_did: actorDid } = row;
        const record = { id, seq, eventType, actorDid, dataText: data, hashPrev, createdAt: isoTime(row.created_at) };
        previous = hashEvent(suite, record as Parameters<typeof hashEvent>[1]);
        return { ...row, data, hash_prev: hashPrev, hash_curr: previous };
      });
    };

    test('an honest log is cosigned, and a bundle of it holds for a stranger who asks for the witness', async () => {
      const text = await newBundle();
      const check = verifyBundle(suite, text, deps().issuer.did, { demand: asked() });
      assert.ok(check.ok, check.ok ? '' : check.reason);
      assert.equal((await findings()).find(({ check }) => check === 'witnesses').level, 'ok');
    });

    for (const [what, forge, sentence] of [
      ['rewritten', rewritten, /has seen \d+ events that this chain does not begin with/],
      [
        'cut short',
        (events: readonly Row[]) => events.slice(0, -4),
        /has seen a chain of \d+ events, and this one is shorter/,
      ],
    ] as const) {
      test(`a log that was ${what} is signed by the node and refused by the witness, until the true events are back`, async () => {
        const { did } = deps().issuer;
        const honest = await makeCheckpoint(deps(), lives.node().tenantId);
        await askedAll(deps());
        const seen = witness.sizes().get(originOf(lives.node().tenantId));
        assert.equal(seen, honest?.size);
        const events = await rows();
        await replaceBy(forge(events));
        const made = await makeCheckpoint(deps(), lives.node().tenantId);
        assert.ok(made && made.note !== honest?.note, 'nothing on this machine forbids it');
        await askedAll(deps());

        const { metrics } = deps();
        assert.match(String(alarmsOf(deps(), lives.node().tenantId)), sentence);
        assert.match((await metrics.expose()).text, /^countersign_witness_refusals 1$/m);
        const finding = (await findings()).find(({ check }) => check === 'witnesses');
        assert.equal(finding.level, 'fault');
        assert.match(finding.message, sentence);
        assert.match(finding.message, /The witness w\.example /);
        assert.match((await lives.ask('GET', '/readyz')).text, /A witness has seen other evidence than this node has/);
        assert.equal(JSON.parse((await lives.ask('GET', '/ap2/admin/health')).text).healthy, false);
        assert.equal(witness.sizes().get(originOf(lives.node().tenantId)), seen, 'the witness stays where it was');

        if (what === 'rewritten') {
          const text = await newBundle();
          const taken = verifyBundle(suite, text, did);
          assert.ok(taken.ok, 'without a witness the fork could not be detected');
          const lacking = verifyBundle(suite, text, did, { demand: asked() });
          assert.match(lacking.ok ? '' : lacking.reason, /the cosignature of w\.example is missing/);
          const kept = JSON.parse(readFileSync(join(folder, 'witness.json'), 'utf8'));
          const { unproven, forked } = kept.logs[originOf(lives.node().tenantId)];
          assert.ok((unproven ?? forked).includes(`— ${did} `), 'the witness keeps what the node signed');
        }
        await lives.stop();
        await lives.start();
        await askedAll(deps());
        assert.match(String(alarmsOf(deps(), lives.node().tenantId)), sentence, 'it stays');
        assert.equal((await askIntent()).allowed, true, 'purchases go on');

        await replaceBy(events);
        await makeCheckpoint(deps(), lives.node().tenantId);
        await askedAll(deps());
        assert.deepEqual(alarmsOf(deps(), lives.node().tenantId), [], 'it ends when the witness agrees');
      });
    }
  });
}
