/** What the store on PostgreSQL promises beyond the contract: several nodes, lost connections, unknown outcomes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { Fault } from '../../../protocol/wire/fault.ts';
import { openPostgres } from '../../../src/store/postgres/postgresStore.ts';
import { lockOf } from '../../../src/store/postgres/tenantLock.ts';
import { all, get, run, type Store } from '../../../src/store/store.ts';
import { engines, type TestDatabase } from '../../support/engines.ts';
import { until } from '../../support/until.ts';
import { addNote, CONTRACT_SCHEMA, countOf, NOTES_OF, setCounter } from '../notes.ts';
import { COMMIT, startProxy } from './proxy.ts';

const postgres = engines().find((engine) => engine.name === 'postgres') ?? assert.fail();
let database: TestDatabase;
let store: Store;
before(async () => {
  database = await postgres.open({ schemaFolder: CONTRACT_SCHEMA });
  store = database.store;
});
after(() => database?.drop());

test('tenants run side by side, one tenant in order', async () => {
  const now = 'SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now';
  const nap = (tenant: string) =>
    store.write(tenant, function* () {
      const from = (yield* get<{ now: number }>(now))?.now ?? 0;
      yield* run('SELECT pg_sleep(0.2)');
      return { from, to: (yield* get<{ now: number }>(now))?.now ?? 0 };
    });
  const beside = await Promise.all(['a', 'b', 'c'].map(nap));
  assert.ok(Math.max(...beside.map(({ from }) => from)) < Math.min(...beside.map(({ to }) => to)), 'all overlap');
  const inOrder = await Promise.all(['a', 'a', 'a'].map(nap));
  for (const [index, { from }] of inOrder.entries()) assert.ok(from >= (inOrder[index - 1]?.to ?? 0));
});

test('a script that comes while another node holds the lock is in the commit that waits for it', async () => {
  const client = new pg.Client({ connectionString: String(database.url) });
  await client.connect();
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${lockOf('waiting')})`);
  const before = store.stats();
  const add = (seq: number) =>
    store.write(
      'waiting',
      () => addNote('waiting', seq, String(seq)),
      () => [all(NOTES_OF, 'waiting')],
    );
  const first = add(0);
  await until('a session that waits for the lock', async () => {
    const { rows } = await client.query("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
    return rows.length > 0;
  });
  const others = Array.from({ length: 9 }, (_, seq) => add(seq + 1));
  await client.query('COMMIT');
  await Promise.all([first, ...others]);
  assert.equal(store.stats().commits - before.commits, 1);
  assert.equal(await countOf(store, 'waiting'), 10);
  await client.end();
});

test('a deadlock between two nodes is resolved by running one of them again', async () => {
  const other = await database.reopen();
  await store.write('x', () => setCounter('one', 0));
  await store.write('x', () => setCounter('two', 0));
  let runs = 0;
  const crossing = (first: string, second: string) =>
    function* () {
      runs += 1;
      yield* run('UPDATE counters SET value = value + 1 WHERE name = ?', first);
      yield* run('SELECT pg_sleep(0.2)');
      yield* run('UPDATE counters SET value = value + 1 WHERE name = ?', second);
      return 'done';
    };
  const ends = await Promise.all([
    store.write('left', crossing('one', 'two')),
    other.write('right', crossing('two', 'one')),
    store.write('left', () => addNote('left', 1, 'in the same group or the next')),
  ]);
  assert.deepEqual(ends, ['done', 'done', 1]);
  assert.ok(runs >= 3, 'one was run again');
  assert.deepEqual(await counters('one', 'two'), [2, 2]);
  assert.equal(await countOf(store, 'left'), 1);
});

test('a serialization failure runs the group again, a bounded number of times', async () => {
  let runs = 0;
  const failing = (times: number) =>
    store.write('serial', function* () {
      runs += 1;
      yield* setCounter('serial', runs);
      if (runs <= times) yield* run(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END $$`);
      return runs;
    });
  assert.equal(await failing(2), 3);
  assert.deepEqual(await counters('serial'), [3]);
  runs = 0;
  await assert.rejects(failing(1000), { code: 'UNAVAILABLE' });
  assert.ok(runs < 10);
});

/** Halts this process, as a stopped one is halted: it sends nothing, and hears nothing. */
function halt(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
}

for (const [name, before] of [
  ['between two statements', true],
  ['just before its commit', false],
] as const) {
  test(`a process that halts ${name} holds others up for a second, and runs its scripts again when it wakes`, async () => {
    const tenant = `halted ${before}`;
    let runs = 0;
    const halting = store.write(tenant, function* () {
      runs += 1;
      yield* addNote(tenant, 1, 'once');
      if (runs === 1 && before) halt();
      const notes = yield* all(NOTES_OF, tenant);
      if (runs === 1 && !before) halt();
      return notes.length;
    });
    const beside = store.write(tenant, () => addNote(tenant, 2, 'in the same group or the next'));
    assert.deepEqual(await Promise.all([halting, beside]), [1, 1]);
    assert.equal(runs, 2);
    assert.equal(await countOf(store, tenant), 2);
  });
}

test('a connection the server ended is replaced, whether it was idle or in the middle of a script', async () => {
  const killOthers = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                      WHERE pid <> pg_backend_pid() AND datname = current_database()`;
  const asleep = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
  const admin = await database.reopen();
  await store.write('lost', () => addNote('lost', 1, 'before'));
  await admin.read(() => all(killOthers));
  await store.write('lost', () => addNote('lost', 2, 'after idle'));
  await admin.read(() => all(killOthers));
  assert.equal(await countOf(store, 'lost'), 2);

  let runs = 0;
  const writing = store.write('lost', function* () {
    runs += 1;
    yield* addNote('lost', 3, 'in the middle');
    yield* run('SELECT pg_sleep(0.5)');
  });
  const reading = store.read(function* () {
    yield* run('SELECT pg_sleep(0.5)');
    return yield* all(NOTES_OF, 'lost');
  });
  while ((await admin.read(() => all(asleep))).length < 2);
  await admin.read(() => all(killOthers));
  await writing;
  assert.ok((await reading).length >= 2);
  assert.equal(runs, 2);
  assert.equal(await countOf(store, 'lost'), 3);
});

test('an outcome that got lost on the way back is said to be unknown, and nothing is done twice', async () => {
  const proxy = await startProxy(database.url ?? assert.fail());
  const behind = await openPostgres(proxy.url, Date.now);
  await behind.write('unknown', () => addNote('unknown', 1, 'seen'));
  proxy.cutAfter(COMMIT);
  let runs = 0;
  const lost = behind.write('unknown', function* () {
    runs += 1;
    yield* addNote('unknown', 2, 'unseen');
  });
  await assert.rejects(lost, (error) => {
    assert.ok(error instanceof Fault);
    assert.equal(error.code, 'UNAVAILABLE');
    assert.match(error.message, /outcome .* unknown; ask again/);
    return true;
  });
  assert.equal(runs, 1);
  assert.equal(await countOf(store, 'unknown'), 2);

  proxy.cutAfter('pg_sleep');
  await behind.write('unknown', function* () {
    yield* addNote('unknown', 3, 'before its commit');
    yield* run('SELECT pg_sleep(0)');
  });
  assert.equal(await countOf(store, 'unknown'), 3);
  await behind.close();
  await proxy.stop();
});

test('a server that is gone rejects as UNAVAILABLE, tells no internals and is used again once it is back', async () => {
  const proxy = await startProxy(database.url ?? assert.fail());
  const behind = await openPostgres(proxy.url, Date.now);
  proxy.refuse(true);
  const outcomes = await Promise.allSettled([
    behind.write('gone', () => addNote('gone', 1, 'a')),
    behind.read(() => all(NOTES_OF, 'gone')),
  ]);
  for (const outcome of outcomes) {
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof Fault);
    assert.equal(outcome.reason.code, 'UNAVAILABLE');
    assert.doesNotMatch(outcome.reason.message, /127|postgres|ECONN|socket/i);
  }
  proxy.refuse(false);
  await behind.write('gone', () => addNote('gone', 1, 'a'));
  assert.equal(await countOf(behind, 'gone'), 1);
  await behind.close();
  await proxy.stop();
});

test('a column that another node adds does not disturb prepared statements', async () => {
  const everything = () =>
    store.read(() => get<Record<string, unknown>>('SELECT * FROM counters WHERE name = ?', 'plan'));
  await store.write('plan', () => setCounter('plan', 1));
  assert.deepEqual({ ...(await everything()) }, { name: 'plan', value: 1 });
  const other = await database.reopen();
  await other.write('plan', () => run('ALTER TABLE counters ADD COLUMN note TEXT'));
  assert.deepEqual({ ...(await everything()) }, { name: 'plan', value: 1, note: null });
});

test('a database that cannot be reached is named as the trouble at start', async () => {
  await assert.rejects(openPostgres('postgres://u:secret@127.0.0.1:1/none', Date.now), (error) => {
    assert.ok(error instanceof Error);
    assert.match(error.message, /PostgreSQL database cannot be used: .*ECONNREFUSED/);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
});

test('a server whose locks exclude no other session is refused at start', async () => {
  const without = await postgres.open({ schemaFolder: CONTRACT_SCHEMA });
  const change = (sql: string) => without.store.write('locks', () => run(sql));
  await change('CREATE SCHEMA lockless');
  await change(
    "CREATE FUNCTION lockless.pg_advisory_xact_lock(bigint) RETURNS void LANGUAGE sql AS 'SELECT NULL::text::void'",
  );
  await change(`DO $$ BEGIN EXECUTE
    'ALTER DATABASE ' || current_database() || ' SET search_path = lockless, pg_catalog, public'; END $$`);
  await assert.rejects(openPostgres(String(without.url), Date.now), /cannot be used: its advisory locks keep no other/);
  await change(`DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' RESET search_path'; END $$`);
  await (await openPostgres(String(without.url), Date.now)).close();
  await without.drop();
});

test('two nodes lose no count where the server has another isolation as its default', async () => {
  const url = new URL(String(database.url));
  url.searchParams.set('options', '-c default_transaction_isolation=serializable');
  const nodes = await Promise.all([openPostgres(url.href, Date.now), openPostgres(url.href, Date.now)]);
  await store.write('isolation', () => setCounter('isolation', 0));
  let runs = 0;
  const increment = (node: Store) =>
    node.write('isolation', function* () {
      runs += 1;
      const row = yield* get<{ value: number }>('SELECT value FROM counters WHERE name = ?', 'isolation');
      yield* setCounter('isolation', (row?.value ?? 0) + 1);
      return (yield* get<{ level: string }>("SELECT current_setting('transaction_isolation') AS level"))?.level;
    });
  const levels: unknown[] = [];
  for (let round = 0; round < 10; round++) levels.push(...(await Promise.all(nodes.map(increment))));
  assert.deepEqual(new Set(levels), new Set(['read committed']));
  assert.deepEqual(await counters('isolation'), [20]);
  assert.equal(runs, 20, 'nothing conflicts under the lock');
  await Promise.all(nodes.map((node) => node.close()));
});

test('nodes that start at the same time do not take each other for a server without locks', async () => {
  const stores = await Promise.all(Array.from({ length: 8 }, () => openPostgres(String(database.url), Date.now)));
  await Promise.all(stores.map((each) => each.close()));
});

async function counters(...names: string[]): Promise<unknown[]> {
  const rows = names.map((name) =>
    store.read(() => get<{ value: number }>('SELECT value FROM counters WHERE name = ?', name)),
  );
  return (await Promise.all(rows)).map((row) => row?.value);
}
