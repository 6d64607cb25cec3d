/** An upgrade of a database that summed what counts in limits by three lengths at once: it counts on, and loses and doubles nothing. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { idMaker } from '../../../protocol/wire/id.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { countIntent, releaseIntent } from '../../../src/store/statements/limits/limitBuckets.ts';
import { rollUp } from '../../../src/store/statements/limits/rollUp.ts';
import { useByHolds, useByIntents } from '../../../src/store/statements/limits/windowUse.ts';
import { all, run, type Script } from '../../../src/store/store.ts';
import { engines } from '../../support/engines.ts';

const QUARTER_MS = 900_000;
const DAY_MS = 96 * QUARTER_MS;
const NOW = 20_000 * DAY_MS + 5 * QUARTER_MS;
/** In two earlier days, and in the quarter of an hour that runs. */
const BEFORE = [NOW - 40 * DAY_MS, NOW - DAY_MS, NOW];

/** As the version before counted an intent of 1.00 that is still open. */
function* count(at: number): Script<void> {
  for (const scope of ['did:a', 'policy']) {
    for (const quarters of [1, 32, 1024]) {
      yield* run(
        `INSERT INTO spending_sums VALUES ('t', ?, ?, ?, 'USD', 1, 0, 100, 0, 0, 0, 1, 0, 100, 0, 0, 0)
         ON CONFLICT (tenant_id, scope, quarters, stretch, currency) DO UPDATE SET
           issued = spending_sums.issued + 1, issued_low = spending_sums.issued_low + 100,
           held = spending_sums.held + 1, held_low = spending_sums.held_low + 100`,
        ...[scope, quarters, Math.floor(at / (quarters * QUARTER_MS))],
      );
    }
  }
}

/** The intent of a time, as a script that counts it takes it. */
function intentAt(at: number) {
  const newId = idMaker(
    () => at,
    (size) => new Uint8Array(size),
  );
  const who = { tenant_id: 't', mandate_id: newId('intent_'), agent_did: 'did:a', governed_did: null, currency: 'USD' };
  return { ...who, reserved_minor: 100, held_minor: 100, held_merchant: null, held_mcc: null };
}

for (const engine of engines()) {
  test(`what counted in limits before an upgrade counts after it, and is counted on, on ${engine.name}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-schema-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    for (const name of (await readdir('data/schema')).filter((file) => file < '020')) {
      await cp(join('data/schema', name), join(folder, name));
    }
    const database = await engine.open({ schemaFolder: folder });
    t.after(() => database.drop());
    await database.store.write('t', function* () {
      yield* run("INSERT INTO tenants (id, name, created_at) VALUES ('t', 't', 1)");
      for (const at of BEFORE) yield* count(at);
    });
    const store = await openStore({ databaseUrl: database.url, file: database.file ?? '', clock: () => NOW });
    t.after(() => store.close());
    /** Intents, what they reserve and what they hold, in windows that begin with a quarter of an hour. */
    const counted = () =>
      store.read(function* () {
        const uses: number[][] = [];
        for (const days of [50, 2, 0]) {
          const window = { tenantId: 't', scope: 'agent', agentDid: 'did:a', governedDid: null } as const;
          const from = NOW - days * DAY_MS;
          const { transactions, amounts } = yield* useByIntents({ ...window, from });
          const { held } = yield* useByHolds({ ...window, from });
          uses.push([transactions, amounts['USD'] ?? 0, held.amounts['USD'] ?? 0]);
        }
        return uses;
      });
    assert.deepEqual(await counted(), [
      [3, 300, 300],
      [2, 200, 200],
      [1, 100, 100],
    ]);
    await store.write('t', function* () {
      yield* countIntent(intentAt(NOW));
      yield* releaseIntent(intentAt(NOW - DAY_MS));
    });
    const after = [
      [4, 300, 300],
      [3, 200, 200],
      [2, 200, 200],
    ];
    assert.deepEqual(await counted(), after);
    await store.write('t', () => rollUp('t', NOW + DAY_MS, 100));
    assert.deepEqual(await store.read(() => all('SELECT * FROM limit_tails')), []);
    assert.deepEqual(await counted(), after);
  });
}
