/** How often a script waits for PostgreSQL, and what becomes of it when the connection is lost with statements on the way. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPostgres } from '../../../src/store/postgres/postgresStore.ts';
import { tablesOf } from '../../../src/store/postgres/transactionRowCache.ts';
import { all, allCached, run, type Script, type Store, send, sendAll, together } from '../../../src/store/store.ts';
import { engines, type TestDatabase } from '../../support/engines.ts';
import { CONTRACT_SCHEMA, countOf, NOTES_OF, setCounter } from '../notes.ts';
import { COMMIT, startProxy } from './proxy.ts';

const postgres = engines().find((engine) => engine.name === 'postgres') ?? assert.fail();
let database: TestDatabase;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let behind: Store;
before(async () => {
  database = await postgres.open({ schemaFolder: CONTRACT_SCHEMA });
  proxy = await startProxy(String(database.url));
  behind = await openPostgres(proxy.url, Date.now);
});
after(async () => {
  await behind?.close();
  await proxy?.stop();
  await database?.drop();
});

const INSERT = 'INSERT INTO notes (tenant_id, seq, body) VALUES (?, ?, ?)';
const COUNTER = 'SELECT value FROM counters WHERE name = ?';

/** The fewest of a few times: what goes out at once may reach the proxy in two parts. */
async function waitsOf(work: (round: number) => Promise<unknown>): Promise<number> {
  const waits: number[] = [];
  for (let round = 0; round < 20; round++) {
    const before = proxy.trips();
    await work(round);
    waits.push(proxy.trips() - before);
  }
  return Math.min(...waits);
}

test('a script waits for its lock, for each read that was not loaded, and for its commit with all its writes', async () => {
  const script = (round: number, reads: number) =>
    function* (): Script<void> {
      for (let read = 0; read < reads; read++) yield* all(COUNTER, `none ${read}`);
      for (let seq = 0; seq < 10; seq++) yield* send(INSERT, `waits ${reads} ${round}`, seq, String(seq));
    };
  const load = () => [all(COUNTER, 'none 0'), all(COUNTER, 'none 1')];
  assert.equal(await waitsOf((round) => behind.write('waits', script(round, 0))), 2);
  assert.equal(await waitsOf((round) => behind.write('waits', script(round, 1))), 3);
  assert.equal(await waitsOf((round) => behind.write('waits', script(round, 2), load)), 2);
  assert.equal(await waitsOf((round) => behind.write('waits', script(round, 3), load)), 3);
});

test('scripts of one commit wait no more than once for what each of them loads', async () => {
  const add = (tenant: string, seq: number) =>
    behind.write(
      'group',
      function* (): Script<void> {
        yield* all(NOTES_OF, tenant);
        yield* send(INSERT, tenant, seq, String(seq));
      },
      () => [all(NOTES_OF, tenant)],
    );
  const waits = await waitsOf(async (round) => {
    // The first one has its own commit, while the others gather.
    await Promise.all(Array.from({ length: 11 }, (_, seq) => add(`group ${round}`, seq)));
  });
  // Each of them reads all notes of the tenant, which the one before has changed.
  assert.ok(waits <= 2 + 11, String(waits));
  assert.equal(await countOf(behind, 'group 19'), 11);
});

test('scripts of one commit that load rows of their own by key wait for all of them at once', async () => {
  const names = Array.from({ length: 11 }, (_, index) => `own ${index}`);
  for (const name of names) await behind.write('own', () => setCounter(name, 0));
  const counter = (name: string) => allCached<{ value: number }>({ tables: ['counters'], byKey: true }, COUNTER, name);
  const increment = (name: string) =>
    behind.write(
      'own',
      function* (): Script<void> {
        const [row] = yield* counter(name);
        yield* sendAll('UPDATE counters SET value = ? WHERE name = ?', [(row?.value ?? 0) + 1, name], [name]);
      },
      () => [counter(name)],
    );
  assert.equal(await waitsOf(() => Promise.all(names.map(increment))), 2);
  const values = await behind.read(() => together(...names.map((name) => all(COUNTER, name))));
  assert.deepEqual(values, Array(11).fill([{ value: 20 }]));
});

test('a query is known to read each table that its text names, and any where it names a list', () => {
  const tables = (sql: string) => [...(tablesOf(sql) ?? ['any'])];
  assert.deepEqual(tables('SELECT * FROM a WHERE id = (SELECT b_id FROM b LEFT JOIN c ON true)'), ['a', 'b', 'c']);
  assert.deepEqual(tables('SELECT * FROM (SELECT 1 FROM d\n UNION ALL SELECT 2 from e) AS f'), ['d', 'e']);
  for (const list of ['FROM a, b', 'FROM a x, b y', 'from a AS x , b'])
    assert.deepEqual(tables(`SELECT * ${list}`), ['any']);
});

test('reads that go together are waited for once', async () => {
  const reads = Array.from({ length: 8 }, (_, index) => `none ${index}`);
  const waits = await waitsOf(() => behind.read(() => together(...reads.map((name) => all(COUNTER, name)))));
  assert.equal(waits, 1);
});

test('a connection lost with unread statements on the way has done nothing, and the script runs again', async () => {
  let runs = 0;
  proxy.cutAfter('/* lost on the way */');
  await behind.write('lost', function* () {
    runs += 1;
    yield* send(`${INSERT} /* lost on the way */`, 'lost', 1, 'a');
    yield* run('SELECT pg_sleep(0)');
    yield* send(INSERT, 'lost', 2, 'b');
  });
  assert.equal(runs, 2);
  assert.equal(await countOf(behind, 'lost'), 2);
});

test('a commit that was lost with the unread statements before it has an unknown outcome, and is not repeated', async () => {
  let runs = 0;
  proxy.cutAfter(COMMIT);
  const lost = behind.write('unknown', function* () {
    runs += 1;
    yield* send(INSERT, 'unknown', 1, 'a');
  });
  await assert.rejects(lost, { code: 'UNAVAILABLE', message: /outcome .* unknown; ask again/ });
  assert.equal(runs, 1);
  assert.equal(await countOf(behind, 'unknown'), 1);
});

test('a server that ends the connection between unread statements has the script run again', async () => {
  let runs = 0;
  await behind.write('ended', function* () {
    runs += 1;
    yield* send(INSERT, 'ended', 1, 'a');
    if (runs === 1) yield* send('SELECT pg_terminate_backend(pg_backend_pid())');
    yield* send(INSERT, 'ended', 2, 'b');
    yield* all(NOTES_OF, 'ended');
  });
  assert.equal(runs, 2);
  assert.equal(await countOf(behind, 'ended'), 2);
});

test('an unread statement that conflicts runs the group again', async () => {
  let runs = 0;
  await behind.write('serial', function* () {
    runs += 1;
    yield* setCounter('serial', runs);
    if (runs <= 2) yield* send(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END $$`);
  });
  assert.equal(runs, 3);
  const [row] = await behind.read(() => all<{ value: number }>(COUNTER, 'serial'));
  assert.equal(row?.value, 3);
});

test('a deferred failure at the commit itself reaches the callers, and nothing is there', async () => {
  await behind.write('deferred', () =>
    run('CREATE TABLE parts (id BIGINT PRIMARY KEY, whole BIGINT REFERENCES parts (id) DEFERRABLE INITIALLY DEFERRED)'),
  );
  const insert = 'INSERT INTO parts (id, whole) VALUES (?, ?)';
  await assert.rejects(behind.write('deferred', () => send(insert, 1, 2)));
  assert.deepEqual(await behind.read(() => all('SELECT * FROM parts')), []);
  await behind.write('deferred', () => send(insert, 1, 1));
});
