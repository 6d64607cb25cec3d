/** A witness that cannot be had has five minutes from when the node first asked it, however old the checkpoint, and no more by restarts. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { originOf } from '../../../protocol/evidence/log/checkpoint.ts';
import { keyNamed, verifierKey } from '../../../protocol/evidence/log/note.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import { makeCheckpoint } from '../../../src/domain/checkpoints/makeCheckpoint.ts';
import { type ChainWitnessRow, listChainWitnesses } from '../../../src/store/statements/evidence/cosignatures.ts';
import { run } from '../../../src/store/store.ts';
import { alarmsOf, askedAll, askWitnesses } from '../../support/askedAll.ts';
import { everyEngine } from '../../support/engines.ts';
import { type Lives, makeLives } from '../../support/lives.ts';
import { makePeer } from '../../support/peer.ts';
import { plainKey } from '../../support/plainNotes.ts';
import { type PlainWitness, plainWitness } from '../../support/plainWitness.ts';
import { until } from '../../support/until.ts';
import type { Loose } from '../../support/world.ts';

const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;

for (const engine of everyEngine()) {
  describe(`the grace of a witness on ${engine.name}`, () => {
    let lives: Lives;
    let witnesses: PlainWitness[];
    const keys = [1, 2].map((number) => plainKey(`w${number}.example`, 4, randomBytes(32)));
    const logs = new Map<string, string[]>();

    before(async () => {
      witnesses = await Promise.all(keys.map((key) => plainWitness(key, logs)));
      lives = await makeLives(engine);
      logs.set(originOf(tenantId()), [verifierKey(nativeSuite(), keyNamed(deps().issuer.did))]);
      await sign();
      await restart({ WITNESSES: named(1) });
      await askedAll(deps());
      // All that there is, is of last year.
      await write('UPDATE checkpoints SET created_at = created_at - ?', YEAR_MS);
    });
    after(async () => {
      await lives.close();
      await Promise.all(witnesses.map((witness) => witness.close()));
    });

    const deps = () => lives.node().deps;
    const tenantId = () => lives.node().tenantId;
    const second = () => witnesses[1] ?? assert.fail();
    const named = (count: number) =>
      keys
        .slice(0, count)
        .map(({ vkey }, index) => `${vkey} ${witnesses[index]?.url}`)
        .join(',');
    const restart = async (env: Record<string, string> = {}) => {
      await lives.stop();
      Object.assign(lives.env, env);
      await lives.start();
    };
    const write = (sql: string, ...values: number[]) => deps().store.write(tenantId(), () => run(sql, ...values));
    /** One more event, and a checkpoint over it. */
    const sign = async () => {
      await lives.ask('POST', '/ap2/agents', { name: 'a', publicKey: makePeer().publicKey });
      return (await makeCheckpoint(deps(), tenantId())) ?? assert.fail('an empty chain');
    };
    const healthOf = async (): Promise<Loose> => {
      const { checks } = JSON.parse((await lives.ask('GET', '/ap2/admin/health')).text);
      return checks.find(({ check }: Loose) => check === 'witnesses');
    };
    const rowOfSecond = async (): Promise<ChainWitnessRow | undefined> =>
      (await deps().store.read(() => listChainWitnesses(tenantId()))).find(({ witness }) => witness === keys[1]?.vkey);
    const isAlarmed = () => alarmsOf(deps(), tenantId()).length > 0;

    test('a newly named witness that cannot be had is told after five minutes of asking, not for an old checkpoint', async () => {
      second().answer = { status: 500, body: '' };
      await restart({ WITNESSES: named(2) });
      await askedAll(deps());
      assert.equal((await healthOf()).level, 'ok', 'it may be starting');
      assert.equal(isAlarmed(), false);
      const began = (await rowOfSecond())?.failing_since;
      assert.ok(began);

      await restart();
      await askedAll(deps());
      assert.equal((await rowOfSecond())?.failing_since, began, 'a restart begins no new grace');
      await write('UPDATE chain_witnesses SET failing_since = failing_since - ?', 6 * MINUTE_MS);
      await restart();
      await askedAll(deps());
      const { level, message } = await healthOf();
      assert.equal(level, 'fault');
      const since = new Date(began - 6 * MINUTE_MS).toISOString();
      assert.ok(message.startsWith(`Since ${since} no checkpoint is cosigned by all 2 witnesses. `), message);
      assert.match(message, /The witness w2\.example has cosigned nothing since/);
      assert.ok(isAlarmed());
      const told = alarmsOf(deps(), tenantId());
      await sign();
      await askedAll(deps());
      assert.deepEqual(alarmsOf(deps(), tenantId()), told, 'a further checkpoint is no further alarm');

      second().answer = undefined;
      await write('UPDATE chain_witnesses SET due_at = 1');
      await askedAll(deps());
      assert.equal((await healthOf()).level, 'ok');
      assert.equal(isAlarmed(), false);
      assert.equal((await rowOfSecond())?.failing_since, null);
    });

    test('a node that ends each time while it asks has the grace run on', async () => {
      let release = () => {};
      second().held = new Promise((resolve) => {
        release = resolve;
      });
      try {
        await sign();
        const asking = askWitnesses(deps());
        await until('it is asked', async () => (await rowOfSecond())?.node_id != null);
        assert.ok((await rowOfSecond())?.failing_since, 'kept before it is asked');
        second().held = undefined;
        release();
        await asking;
        await askedAll(deps());
        assert.equal((await rowOfSecond())?.failing_since, null);
      } finally {
        second().held = undefined;
        release();
      }
    });

    test('one that was not asked for days has its grace anew, as a checkpoint from before the node was stopped', async () => {
      second().answer = { status: 500, body: '' };
      await sign();
      await askedAll(deps());
      assert.ok((await rowOfSecond())?.failure);
      // As if the node, or the naming of this witness, had ended a year ago.
      await write('UPDATE checkpoints SET created_at = created_at - ?', YEAR_MS);
      const sql = 'UPDATE chain_witnesses SET failing_since = failing_since - ?, due_at = due_at - ?, tries = 0';
      await write(sql, YEAR_MS, YEAR_MS);
      await askedAll(deps());
      assert.equal((await healthOf()).level, 'ok');
      await write('UPDATE chain_witnesses SET failing_since = failing_since - ?', 6 * MINUTE_MS);
      assert.match((await healthOf()).message, /^Since .* no checkpoint is cosigned by all 2 witnesses/);
    });
  });
}
