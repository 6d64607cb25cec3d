/** Moving a node's data between the engines: all rows, in both directions, verified on arrival. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { readChains } from '../../src/maintenance/chains.ts';
import { countRows, digestTable } from '../../src/maintenance/readRows.ts';
import { transfer } from '../../src/maintenance/transfer.ts';
import { TABLES } from '../../src/store/statements/tables.ts';
import { run, type Store } from '../../src/store/store.ts';
import { type Engine, engines } from '../support/engines.ts';
import { fillPurchases } from '../support/fillPurchases.ts';
import { rounds } from '../support/rounds.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
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
async function openFilled(t: TestContext, count: number): Promise<Store> {
  const store = await open(t, sqlite);
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
  const there = await transfer(suite, source, server, NOW, (done, total) => {
    progress = { done, total };
  });
  const again = await transfer(suite, server, back, NOW);
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
  await assert.rejects(transfer(suite, source, target, NOW), /target is not empty: it has rows in tenants/);
  const payments = TABLES.find(({ name }) => name === 'payments');
  assert.ok(payments);
  assert.equal(await countRows(target, payments), 1);
});

test('a chain that is broken is found on arrival, and the target is empty again', async (t) => {
  const source = await openFilled(t, 3);
  await source.write('t', () => run("UPDATE evidence SET data = '{}' WHERE seq = 5"));
  const target = await open(t, postgres);
  await assert.rejects(
    transfer(suite, source, target, NOW),
    /chain of tenant tnt_a is broken at event 5: the content of event 5 does not match its hash/,
  );
  for (const table of TABLES) assert.equal(await countRows(target, table), 0, table.name);
});

test('a source on which no node was ever started has nothing to move', async (t) => {
  await assert.rejects(transfer(suite, await open(t, sqlite), await open(t, sqlite), NOW), /nothing to move/);
});

test('a source that a node runs on is refused', async (t) => {
  const source = await openFilled(t, 1);
  await source.write('t', () => run('INSERT INTO nodes (node_id, seen_at) VALUES (?, ?)', 'node_1', NOW - 2000));
  await assert.rejects(
    transfer(suite, source, await open(t, sqlite), NOW),
    /runs on the source, seen 2 s ago: stop it/,
  );
});
