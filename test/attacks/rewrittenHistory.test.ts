/** A database insider cuts or rewrites the evidence, hashes and all; the node signs nothing that its last checkpoint denies. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { hashEvent } from '../../protocol/evidence/chain.ts';
import { isoTime } from '../../protocol/wire/time.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { makeCheckpoint } from '../../src/domain/checkpoints/makeCheckpoint.ts';
import { evidence } from '../../src/store/statements/evidence/events.ts';
import { insertManyInto, type RowOf } from '../../src/store/statements/tableDefinition.ts';
import { all, run } from '../../src/store/store.ts';
import { signDueCheckpoints } from '../../src/workers/signCheckpoints.ts';
import { runHere } from '../cli/runHere.ts';
import { everyEngine } from '../support/engines.ts';
import { type Lives, makeLives } from '../support/lives.ts';
import { makePeer } from '../support/peer.ts';
import type { Loose } from '../support/world.ts';

const suite = nativeSuite();
type Row = RowOf<typeof evidence>;

for (const engine of everyEngine()) {
  describe(`rewritten history on ${engine.name}`, () => {
    let lives: Lives;
    const agent = makePeer();
    before(async () => {
      lives = await makeLives(engine);
      await lives.ask('POST', '/ap2/agents', { name: 'a', publicKey: agent.publicKey });
      for (let i = 0; i < 3; i++) await askIntent();
    });
    after(() => lives.close());

    const deps = () => lives.node().deps;
    const askIntent = async (): Promise<Loose> => {
      const request = { maxAmount: 1, currency: 'USD' };
      const body = { agentDid: agent.did, principalDid: agent.did, request };
      return JSON.parse((await lives.ask('POST', '/ap2/intents', body)).text);
    };
    const rows = () => deps().store.read(() => all<Row>('SELECT * FROM evidence ORDER BY seq'));
    const sign = () => makeCheckpoint(deps(), lives.node().tenantId);
    const readiness = async (): Promise<Loose> => JSON.parse((await lives.ask('GET', '/readyz')).text);
    const replaceBy = (events: readonly Row[]) =>
      deps().store.write(lives.node().tenantId, function* () {
        for (const table of ['evidence', 'checkpoints', 'evidence_subtrees']) yield* run(`DELETE FROM ${table}`);
        yield* insertManyInto(evidence)(events);
      });
    /** Changes one event and hashes it and all later ones anew. */
    const rewritten = (events: readonly Row[], at: number): Row[] => {
      let previous = '';
      return events.map((row) => {
        const data = row.seq === at ? row.data.replace('"maxAmount":1', '"maxAmount":9') : row.data;
        const hashPrev = row.seq <= at ? row.hash_prev : previous;
        const event = {
          id: row.id,
          seq: row.seq,
          eventType: row.event_type,
          actorDid: row.actor_did,
          dataText: data,
          hashPrev,
          createdAt: isoTime(row.created_at),
        };
        previous = hashEvent(suite, event as Parameters<typeof hashEvent>[1]);
        return { ...row, data, hash_prev: hashPrev, hash_curr: previous };
      });
    };

    async function assertRefused(): Promise<void> {
      const checkpoints = () => deps().store.read(() => all('SELECT size FROM checkpoints'));
      const before = await checkpoints();
      await assert.rejects(sign(), { code: 'UNAVAILABLE' });
      await signDueCheckpoints(deps());
      const { allowed, intentVc } = await askIntent();
      assert.equal(allowed, true, 'purchases go on');
      const events = await rows();
      const { transaction_id: transactionId } = events.at(-1) as Row;
      assert.ok(intentVc && transactionId);
      const bundle = await lives.ask('GET', `/ap2/evidence/bundle/${transactionId}?format=portable`);
      assert.equal(bundle.status, 503, bundle.text);
      assert.deepEqual(await checkpoints(), before, 'no checkpoint is published');
      const { status, warnings } = await readiness();
      assert.equal(status, 'ready');
      assert.match(String(warnings), /does not extend the checkpoint that this node signed last/);
      assert.match((await deps().metrics.expose()).text, /^countersign_checkpoints_refused 1$/m);
      const doctor = await runHere(['doctor', '--json'], lives.env);
      const { findings } = doctor.json();
      assert.equal(findings.find((finding: Loose) => finding.check === 'checkpoint').level, 'fault');
      assert.equal(doctor.code, 1);
    }

    test('is not signed, whether the chain was cut or hashed anew, until the true events are back', async () => {
      const { size } = (await sign()) ?? { size: 0 };
      const kept = JSON.parse(readFileSync(join(lives.folder, 'checkpoint'), 'utf8'))[lives.node().tenantId];
      assert.equal(kept.size, size);
      assert.equal((await stat(join(lives.folder, 'checkpoint'))).mode & 0o777, 0o600);
      const events = await rows();
      assert.equal((await readiness()).warnings, undefined);
      const at = events.find(({ event_type: type }) => type === 'INTENT_ISSUED')?.seq ?? 0;
      for (const forged of [events.slice(0, -2), rewritten(events, at)]) {
        assert.notDeepEqual(forged, events);
        await replaceBy(forged);
        await assertRefused();
        await lives.stop();
        await lives.start();
        assert.ok((await readiness()).warnings, 'a restart forgets nothing');
        await replaceBy(events);
        assert.equal((await sign())?.size, events.length, 'the alarm ends with the true events');
        assert.equal((await readiness()).warnings, undefined);
      }
    });

    test('is not signed when it grew past the last checkpoint', async () => {
      const events = await rows();
      await sign();
      await replaceBy(rewritten(events, events.findLast(({ event_type: type }) => type === 'INTENT_ISSUED')?.seq ?? 0));
      for (let i = 0; i < 2; i++) await askIntent();
      await assertRefused();
      await replaceBy(events);
      await sign();
    });

    test('does not forbid to begin anew in the sandbox, on every node', async () => {
      await sign();
      const reset = await lives.ask('POST', '/ap2/admin/reset-test-data', {});
      assert.equal(reset.status, 204, reset.text);
      assert.equal((await sign())?.size, 1);
      assert.equal((await readiness()).warnings, undefined);
    });
  });
}
