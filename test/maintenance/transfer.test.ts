/** Moving a node's data between the engines: all rows, in both directions, verified on arrival. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { readChains } from '../../src/maintenance/chains.ts';
import { refuseMoved, takeBack } from '../../src/maintenance/moved.ts';
import { countRows, digestTable } from '../../src/maintenance/readRows.ts';
import { transfer } from '../../src/maintenance/transfer.ts';
import { TABLES } from '../../src/store/statements/tables.ts';
import { run, type Store } from '../../src/store/store.ts';
import { type Engine, engines } from '../support/engines.ts';
import { fillPurchases } from '../support/fillPurchases.ts';
import { rounds } from '../support/rounds.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const course = { now: NOW, target: 'sqlite:/elsewhere' };
const PURCHASES = rounds(20_000, 2000);
const [sqlite, postgres] = engines() as [Engine, Engine];
const suite = nativeSuite();
const issuer = suite.signer(new Uint8Array(32).fill(7)).did;
const agentDid = suite.signer(new Uint8Array(32).fill(8)).did;

async function open(t: TestContext, engine: Engine): Promise<Store> {
  const database = await engine.open();
  t.after(() => database.drop());
  return database.store;
}

/** A database with two tenants, one of them with purchases. */
async function openFilled(t: TestContext, count: number, engine = sqlite): Promise<Store> {
  const store = await open(t, engine);
  await store.write('t', function* () {
    yield* run('INSERT INTO settings (name, value) VALUES (?, ?)', 'issuer_did', issuer);
    for (const id of ['tnt_a', 'tnt_b']) {
      yield* run('INSERT INTO tenants (id, name, created_at) VALUES (?, ?, ?)', id, 'naïve "tenant"', 1);
    }
  });
  await fillPurchases(store, { tenantId: 'tnt_a', issuer, agentDid }, count);
  return store;
}

test(`${PURCHASES} purchases go from SQLite to PostgreSQL and back, and every row and chain is as it was`, async (t) => {
  const source = await openFilled(t, PURCHASES);
  const server = await open(t, postgres);
  const back = await open(t, sqlite);
  let progress = { done: 0, total: 0 };
  const onProgress = (done: number, total: number) => {
    progress = { done, total };
  };
  const there = await transfer(suite, source, server, { ...course, onProgress });
  const again = await transfer(suite, server, back, course);
  assert.deepEqual(again, there);
  assert.equal(progress.done, progress.total);
  assert.equal(there.tables['payments']?.rows, PURCHASES);
  assert.equal(there.tables['evidence']?.rows, 3 * PURCHASES);
  assert.deepEqual(
    there.chains.map(({ tenantId, events }) => [tenantId, events]),
    [
      ['tnt_a', 3 * PURCHASES],
      ['tnt_b', 0],
    ],
  );
  assert.deepEqual(Object.keys(there.tables).sort(), TABLES.map(({ name }) => name).sort());
  for (const table of TABLES) assert.deepEqual(await digestTable(back, table), there.tables[table.name], table.name);
  assert.deepEqual(await readChains(suite, back, issuer), there.chains);
});

test('a target that holds anything is refused, and left as it is', async (t) => {
  const source = await openFilled(t, 3);
  const target = await openFilled(t, 1);
  await assert.rejects(transfer(suite, source, target, course), /target is not empty: it has rows in tenants/);
  const payments = TABLES.find(({ name }) => name === 'payments');
  assert.ok(payments);
  assert.equal(await countRows(target, payments), 1);
});

test('a chain that is broken is found on arrival, and the target is empty again', async (t) => {
  const source = await openFilled(t, 3);
  await source.write('t', () => run("UPDATE evidence SET data = '{}' WHERE seq = 5"));
  const target = await open(t, postgres);
  await assert.rejects(
    transfer(suite, source, target, course),
    /chain of tenant tnt_a is broken at event 5: the content of event 5 does not match its hash/,
  );
  for (const table of TABLES) assert.equal(await countRows(target, table), 0, table.name);
});

for (const engine of [sqlite, postgres]) {
  test(`one snapshot is moved, and a source on ${engine.name} that is written to meanwhile is not given up`, async (t) => {
    const source = await openFilled(t, 1200, engine);
    const target = await open(t, sqlite);
    let written = false;
    const onProgress = () => {
      if (written) return;
      written = true;
      void source.write('tnt_b', () =>
        run('INSERT INTO tenants (id, name, created_at) VALUES (?, ?, ?)', 'tnt_c', 'late', 1),
      );
    };
    const moving = transfer(suite, source, target, { ...course, onProgress });
    await assert.rejects(
      moving,
      /written to while it was moved \(tenants, the chains\): stop every program that uses it/,
    );
    for (const table of TABLES) assert.equal(await countRows(target, table), 0, table.name);
    await refuseMoved(source);
    const moved = await transfer(suite, source, target, course);
    assert.equal(moved.tables['tenants']?.rows, 3);
    assert.deepEqual(await readChains(suite, target, issuer), moved.chains);
  });

  test(`a source on ${engine.name} is marked as moved, until its owner takes that back`, async (t) => {
    const source = await openFilled(t, 1, engine);
    const target = await open(t, sqlite);
    await transfer(suite, source, target, course);
    const refusal = /was moved to sqlite:\/elsewhere on 2026-06-01T00:00:00\.000Z, and goes on there.*--take-back/;
    await assert.rejects(refuseMoved(source), refusal);
    await assert.rejects(transfer(suite, source, await open(t, sqlite), course), refusal);
    await refuseMoved(target);
    assert.equal(await takeBack(source), true);
    assert.equal(await takeBack(source), false);
    await refuseMoved(source);
  });
}

test('a source on which no node was ever started has nothing to move', async (t) => {
  await assert.rejects(transfer(suite, await open(t, sqlite), await open(t, sqlite), course), /nothing to move/);
});

test('a source that a node runs on is refused', async (t) => {
  const source = await openFilled(t, 1);
  await source.write('t', () => run('INSERT INTO nodes (node_id, seen_at) VALUES (?, ?)', 'node_1', NOW - 2000));
  await assert.rejects(
    transfer(suite, source, await open(t, sqlite), course),
    /runs on the source, seen 2 s ago: stop it/,
  );
});
