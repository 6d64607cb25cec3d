/** Long reads on a replica: they find what was committed before them there, or at the server itself. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { openStore } from '../../../src/store/openStore.ts';
import { openPostgres } from '../../../src/store/postgres/postgresStore.ts';
import { all, get, type Store } from '../../../src/store/store.ts';
import { type PostgresServer, startPostgres, startReplica } from '../../support/postgresServer.ts';
import { until } from '../../support/until.ts';
import { addNote, CONTRACT_SCHEMA, NOTES_OF } from '../notes.ts';

let server: PostgresServer;
let replica: PostgresServer;
let store: Store;
/** What was told of the replica: the reasons why it is not used, undefined where it is. */
const told: (string | undefined)[] = [];
before(async () => {
  server = await startPostgres(true);
  replica = await startReplica(server);
  store = await openStore({
    databaseUrl: server.url,
    replicaUrl: replica.url,
    onReplica: (unused) => told.push(unused),
    file: '',
    clock: Date.now,
    schemaFolder: CONTRACT_SCHEMA,
  });
});
after(async () => {
  await store?.close();
  await replica?.stop();
  await server?.stop();
});

const IS_REPLICA = 'SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END AS is_replica';

/** How many notes a long read finds, and where. */
function longRead(from: Store, tenant: string): Promise<{ notes: number; isReplica: boolean }> {
  return from.readApart(function* () {
    const notes = (yield* all(NOTES_OF, tenant)).length;
    return { notes, isReplica: (yield* get<{ is_replica: number }>(IS_REPLICA))?.is_replica === 1 };
  });
}

async function command(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

test('a long read goes to the replica, and finds there what was committed just before', async () => {
  const other = await openPostgres(server.url, Date.now);
  for (let seq = 1; seq <= 50; seq++) {
    // By another node as well.
    await (seq % 2 === 0 ? store : other).write('fresh', () => addNote('fresh', seq, String(seq)));
    assert.deepEqual(await longRead(store, 'fresh'), { notes: seq, isReplica: true });
  }
  assert.deepEqual(told, [undefined]);
  await other.close();
});

test('all other reads, and what a long read throws, stay what they are', async () => {
  const isReplica = (await store.read(() => get<{ is_replica: number }>(IS_REPLICA)))?.is_replica;
  assert.equal(isReplica, 0);
  await assert.rejects(
    store.readApart(() => all('SELECT nothing FROM nowhere')),
    /nowhere/,
  );
  await assert.rejects(store.readApart(() => addNote('thrown', 1, 'never')));
  assert.deepEqual(await longRead(store, 'fresh'), { notes: 50, isReplica: true });
});

test('a replica that lags is not asked: the server is, and the log says so', async () => {
  const notices: (string | undefined)[] = [];
  const node = await openPostgres(server.url, Date.now, {
    replica: { url: replica.url, onChange: (unused) => notices.push(unused) },
  });
  await until('the first look at the replica', async () => notices.length === 1);
  await command(replica.url, 'SELECT pg_wal_replay_pause()');
  await node.write('lag', () => addNote('lag', 1, 'a'));
  assert.deepEqual(await longRead(node, 'lag'), { notes: 1, isReplica: false });
  assert.match(String(notices[1]), /has not had what was committed/);
  // It is left alone for a while.
  await command(replica.url, 'SELECT pg_wal_replay_resume()');
  assert.deepEqual(await longRead(node, 'lag'), { notes: 1, isReplica: false });
  assert.deepEqual(await longRead(store, 'lag'), { notes: 1, isReplica: true });
  assert.equal(notices.length, 2);
  await node.close();
});

test('a server that is no replica of the database is never asked', async () => {
  for (const url of [server.url, replica.url.replace(/\/postgres$/, '/template1')]) {
    const notices: (string | undefined)[] = [];
    const node = await openPostgres(server.url, Date.now, {
      replica: { url, onChange: (unused) => notices.push(unused) },
    });
    assert.deepEqual(await longRead(node, 'fresh'), { notes: 50, isReplica: false });
    assert.match(notices.join(), /^it is no replica of this database, or has not followed/);
    await node.close();
  }
});

test('a replica that is gone, before a read or in the midst of one, leaves the read to the server', async () => {
  const reading = store.readApart(function* () {
    yield* get('SELECT pg_sleep(0.5)');
    return (yield* get<{ is_replica: number }>(IS_REPLICA))?.is_replica;
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  await replica.stop();
  assert.equal(await reading, 0);
  assert.deepEqual(await longRead(store, 'fresh'), { notes: 50, isReplica: false });
  const node = await openPostgres(server.url, Date.now, { replica: { url: replica.url, onChange: () => {} } });
  assert.deepEqual(await longRead(node, 'fresh'), { notes: 50, isReplica: false });
  await node.close();
  assert.equal(told.filter((unused) => unused !== undefined).length, 1);
});
