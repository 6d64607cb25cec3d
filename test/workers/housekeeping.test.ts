/** Housekeeping on both engines: what is old goes, what is needed stays, and no commit is long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstIdAt } from '../../protocol/wire/id.ts';
import { approvalTokens } from '../../src/store/statements/purchases/approvalTokens.ts';
import { RETENTION } from '../../src/store/statements/retention.ts';
import { webhookDeliveries } from '../../src/store/statements/webhooks/deliveries.ts';
import { count, type Result, run, type Script, type Statement, type Store } from '../../src/store/store.ts';
import { keepHouse } from '../../src/workers/housekeeping.ts';
import { engines } from '../support/engines.ts';
import { addRows } from '../support/oldRows.ts';

const DAY = 24 * 3600 * 1000;
const OLD = 1100;
const TENANT = 'tnt_1';
const tables = RETENTION.filter((retention) => 'purges' in retention).map(({ table }) => table);

function countRows(store: Store, name: string): Promise<number> {
  return store.read(() => count(`SELECT COUNT(*) AS count FROM ${name}`));
}

/** A store that tells how many rows each of its commits deleted. */
function watched(store: Store): { readonly store: Store; readonly commits: number[] } {
  const commits: number[] = [];
  const write: Store['write'] = (tenantId, script) =>
    store.write(tenantId, function* (now): Script<never> {
      let deleted = 0;
      const inner = script(now) as Generator<Statement, never, Result>;
      let step = inner.next();
      while (!step.done) {
        const result: Result = yield step.value;
        deleted += result.changes;
        step = inner.next(result);
      }
      commits.push(deleted);
      return step.value;
    });
  return {
    store: Object.assign(Object.create(store), {
      write,
      read: store.read.bind(store),
      readApart: store.readApart.bind(store),
    }),
    commits,
  };
}

function deps(store: Store, failures: unknown[] = []) {
  const log = { info: () => {}, warn: () => {}, error: (_event: string, facts: unknown) => failures.push(facts) };
  return { store, log, stopping: new AbortController().signal };
}

async function addTenant(store: Store): Promise<void> {
  await store.write(TENANT, () => run('INSERT INTO tenants (id, name, created_at) VALUES (?, ?, ?)', TENANT, 'x', 1));
}

for (const engine of engines()) {
  test(`old rows of every table go in commits of at most a thousand, and young ones stay, on ${engine.name}`, async (t) => {
    const database = await engine.open();
    t.after(() => database.drop());
    const { store, commits } = watched(database.store);
    await addTenant(store);
    const now = Date.now();
    for (const table of tables) {
      await addRows(database.store, table, { tenantId: TENANT, time: now - 500 * DAY, count: OLD });
      await addRows(database.store, table, { tenantId: TENANT, time: now + 60_000, count: 3 });
    }
    commits.length = 0;
    const failures: unknown[] = [];
    await keepHouse(deps(store, failures));
    assert.deepEqual(failures, []);
    for (const { name } of tables) assert.equal(await countRows(store, name), 3, name);
    assert.ok(Math.max(...commits) <= 1000, `a commit deleted ${Math.max(...commits)} rows`);
  });

  test(`what a paid cart, a paused subscription and an open request still need stays, on ${engine.name}`, async (t) => {
    const database = await engine.open();
    t.after(() => database.drop());
    const { store } = database;
    await addTenant(store);
    const now = Date.now();
    const requests = tables.find(({ name }) => name === 'requests');
    assert.ok(requests);
    const old = { tenantId: TENANT, time: now - 500 * DAY, count: 2 };
    await addRows(store, approvalTokens, { ...old, cells: { status: 'USED' } });
    await addRows(store, requests, { ...old, cells: { state: 'OPEN' } });
    await addRows(store, webhookDeliveries, { ...old, time: now - 6 * DAY, cells: { state: 'HELD' } });
    await keepHouse(deps(store));
    for (const name of ['approvals', 'requests', 'webhook_deliveries'])
      assert.equal(await countRows(store, name), 2, name);
    const live = (number: number) => ({ status: 'LIVE', intent_id: `${firstIdAt('intent_', old.time)}${number}` });
    await addRows(store, approvalTokens, { ...old, time: now - 29 * DAY, cells: live });
    await keepHouse(deps(store));
    assert.equal(await countRows(store, 'approvals'), 4, 'a token stays as long as it was made, not its intent');
    const older = (number: number) => live(number + 2);
    await addRows(store, approvalTokens, { ...old, time: now - 31 * DAY, cells: older });
    await keepHouse(deps(store));
    assert.equal(await countRows(store, 'approvals'), 4, 'a live token that was not used goes after 30 days');
    await addRows(store, webhookDeliveries, { ...old, time: now - 8 * DAY, cells: { state: 'HELD' } });
    await keepHouse(deps(store));
    assert.equal(await countRows(store, 'webhook_deliveries'), 2, 'a pause keeps its events for seven days');
  });

  test(`two nodes that keep house at once delete each row once, on ${engine.name}`, async (t) => {
    const database = await engine.open();
    t.after(() => database.drop());
    const other = await database.reopen();
    await addTenant(database.store);
    for (const table of tables) {
      await addRows(database.store, table, { tenantId: TENANT, time: Date.now() - 500 * DAY, count: OLD });
    }
    const failures: unknown[] = [];
    await Promise.all([keepHouse(deps(database.store, failures)), keepHouse(deps(other, failures))]);
    assert.deepEqual(failures, []);
    for (const { name } of tables) assert.equal(await countRows(database.store, name), 0, name);
  });
}
