/** The log is synced beside the event loop: who waits for that, who need not, and what a sync that fails means. */
import assert from 'node:assert/strict';
import fs, { chownSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { openSqlite } from '../../../src/store/sqlite/sqliteStore.ts';
import { syncedFrames } from '../../../src/store/sqlite/syncedMark.ts';
import { all, allCached, putCached, run, type Store } from '../../../src/store/store.ts';

const UNKNOWN = { code: 'UNAVAILABLE', message: /outcome .* unknown; ask again/ };
const CLOSED_TO_ALL = { code: 'UNAVAILABLE', message: /cannot answer/ };

type Done = (error: Error | null) => void;

interface Held {
  readonly store: Store;
  readonly file: string;
  /** The syncs under way. */
  readonly syncs: Done[];
  readonly losses: Error[];
}

/** A store with a table, all of it synced, whose syncs from now on end when the test says so. */
async function heldStore(t: TestContext): Promise<Held> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-log-'));
  const file = join(folder, 'held.db');
  const losses: Error[] = [];
  const store = openSqlite(file, Date.now, { onLost: (cause) => losses.push(cause) });
  await store.write('t', () => run('CREATE TABLE rows (id BIGINT PRIMARY KEY)'));
  await store.read(() => all('SELECT id FROM rows'));
  const syncs: Done[] = [];
  const mocked = t.mock.method(fs, 'fdatasync', (_descriptor: number, done: Done) => syncs.push(done));
  syncBuiltinESMExports();
  t.after(async () => {
    mocked.mock.restore();
    syncBuiltinESMExports();
    for (const done of syncs.splice(0)) done(null);
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return { store, file, syncs, losses };
}

/** Adds a row; its number is noted once the promise has resolved. */
function add(store: Store, id: number, resolved: number[]): Promise<unknown> {
  return store.write('t', () => run('INSERT INTO rows VALUES (?)', id)).then(() => resolved.push(id));
}

async function committed(store: Store, commits: number): Promise<void> {
  while (store.stats().commits < commits) await turn();
  await turn();
}

test('groups commit while the log is synced, and resolve with the sync that began after them', async (t) => {
  const { store, syncs } = await heldStore(t);
  const resolved: number[] = [];
  const writes = [add(store, 1, resolved)];
  await committed(store, 2);
  for (const id of [2, 3]) {
    writes.push(add(store, id, resolved));
    await committed(store, id + 1);
  }
  assert.equal(syncs.length, 1, 'one sync at a time');
  assert.deepEqual(resolved, []);
  syncs.shift()?.(null);
  await turn();
  assert.deepEqual(resolved, [1]);
  assert.equal(syncs.length, 1, 'one sync for both groups');
  syncs.shift()?.(null);
  await Promise.all(writes);
  assert.deepEqual(resolved, [1, 2, 3]);
});

test('scripts that come while the log is synced share a commit as long as each turn brings some and they are few', async (t) => {
  const { store, syncs } = await heldStore(t);
  const resolved: number[] = [];
  const commitsOf = async (turns: number) => {
    const before = store.stats().commits;
    for (let at = 0; at < turns; at++) {
      for (const one of [0, 1]) void add(store, 1000 * before + 2 * at + one, []);
      await turn();
    }
    // No turn brings more.
    await turn();
    await turn();
    return store.stats().commits - before;
  };
  void add(store, 0, resolved);
  await committed(store, 2);
  assert.equal(syncs.length, 1);
  assert.equal(await commitsOf(3), 1, 'six scripts');
  assert.equal(await commitsOf(1), 1, 'two scripts');
  assert.ok((await commitsOf(20)) > 1, 'forty scripts');
  assert.deepEqual(resolved, [], 'nobody is answered before the sync');
  syncs.shift()?.(null);
  await turn();
  assert.deepEqual(resolved, [0]);
  const rows = store.write('t', () => all('SELECT id FROM rows'));
  await turn();
  await turn();
  for (const done of syncs.splice(0)) done(null);
  await turn();
  for (const done of syncs.splice(0)) done(null);
  assert.equal((await rows).length, 49);
});

test('a reading, a refusal and a snapshot that saw a commit wait for its sync, and then no more', async (t) => {
  const { store, syncs } = await heldStore(t);
  const resolved: unknown[] = [];
  const write = add(store, 1, []);
  await committed(store, 2);
  const list = () => all<{ id: number }>('SELECT id FROM rows');
  const noted = (what: string, work: Promise<unknown>) => work.catch(() => {}).then(() => resolved.push(what));
  const waiting = [
    noted('read', store.read(list)),
    noted('apart', store.readApart(list)),
    noted(
      'snapshot',
      store.onSnapshot((snapshot) => snapshot.read(list)),
    ),
    noted('refused', add(store, 1, [])),
    noted('looked', store.write('t', list)),
    noted(
      'failed',
      store.read(function* () {
        yield* list();
        throw new Error('It is there already.');
      }),
    ),
  ];
  for (let turns = 0; turns < 50; turns++) await turn();
  assert.deepEqual(resolved, []);
  while (resolved.length < waiting.length) {
    syncs.shift()?.(null);
    await turn();
  }
  await Promise.all([write, ...waiting]);
  assert.deepEqual(await store.read(list), [{ id: 1 }]);
  assert.deepEqual(await store.write('t', list), [{ id: 1 }]);
  assert.equal(syncs.length, 0, 'all is on disk');
});

const ROWS = { tables: ['rows'] };

test('what the row cache has of old commits is answered while newer ones are synced', async (t) => {
  const { store, syncs } = await heldStore(t);
  await Promise.all([add(store, 1, []), committed(store, 2).then(() => syncs.shift()?.(null))]);
  const cached = () => store.read(() => allCached<{ id: number }>(ROWS, 'SELECT id FROM rows WHERE id = ?', 1));
  assert.deepEqual(await cached(), [{ id: 1 }]);
  const write = store.write('t', () => run('CREATE TABLE others (id BIGINT)'));
  await committed(store, 3);
  let isAnswered = false;
  // The change of an unknown table has emptied the cache, and what fills it again is of the commit that is not synced.
  const filling = cached().then(() => (isAnswered = true));
  await turn();
  const again = cached();
  await turn();
  assert.equal(isAnswered, false);
  syncs.shift()?.(null);
  await Promise.all([write, filling, again]);
  const other = store.write('t', function* () {
    yield* run('INSERT INTO others VALUES (1)');
    // An answer of this commit waits for it, and makes no other wait.
    yield* putCached({ tables: ['others'] }, [{ id: 1 }], 'SELECT id FROM others');
  });
  await committed(store, 4);
  let isNewAnswered = false;
  const newest = store
    .read(() => allCached({ tables: ['others'] }, 'SELECT id FROM others'))
    .then(() => {
      isNewAnswered = true;
    });
  assert.deepEqual(await cached(), [{ id: 1 }]);
  await turn();
  assert.equal(isNewAnswered, false);
  assert.equal(syncs.length, 1);
  syncs.shift()?.(null);
  await Promise.all([other, newest]);
});

test('a commit of another process is synced before it is told of', async (t) => {
  const { store, file, syncs } = await heldStore(t);
  const other = new Database(file);
  other.exec('INSERT INTO rows VALUES (7)');
  let seen: unknown;
  const reading = store.read(() => all('SELECT id FROM rows')).then((rows) => (seen = rows));
  await turn();
  assert.equal(seen, undefined);
  assert.equal(syncs.length, 1);
  syncs.shift()?.(null);
  await reading;
  assert.deepEqual(seen, [{ id: 7 }]);
  other.close();
});

test('after a sync that failed, what waited has an unknown outcome, and the store answers nothing more', async (t) => {
  const { store, syncs, losses } = await heldStore(t);
  const waiting = [add(store, 1, [])];
  await committed(store, 2);
  waiting.push(add(store, 2, []));
  await committed(store, 3);
  const reading = store.read(() => all('SELECT id FROM rows'));
  const failure = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
  syncs.shift()?.(failure);
  for (const write of waiting) await assert.rejects(write, UNKNOWN);
  await assert.rejects(reading, CLOSED_TO_ALL);
  await assert.rejects(add(store, 3, []), CLOSED_TO_ALL);
  await assert.rejects(
    store.read(() => all('SELECT 1')),
    CLOSED_TO_ALL,
  );
  await assert.rejects(
    store.readApart(() => all('SELECT 1')),
    CLOSED_TO_ALL,
  );
  await assert.rejects(
    store.onSnapshot(async () => {}),
    CLOSED_TO_ALL,
  );
  assert.deepEqual(losses, [failure]);
  assert.equal(syncs.length, 0, 'a second sync would succeed, and prove nothing');
  assert.equal(store.stats().commits, 3);
});

test('close() waits for the last sync', async (t) => {
  const { store, syncs } = await heldStore(t);
  const order: unknown[] = [];
  const write = add(store, 1, []).then(() => order.push('written'));
  const closing = store.close().then(() => order.push('closed'));
  for (let turns = 0; turns < 5; turns++) await turn();
  assert.deepEqual(order, []);
  syncs.shift()?.(null);
  await Promise.all([write, closing]);
  assert.deepEqual(order, ['written', 'closed']);
});

test('the mark beside the file says how much of the log was synced, and nothing of what was not', async (t) => {
  const { store, file, syncs } = await heldStore(t);
  const salts = () => readFileSync(`${file}-wal`).subarray(16, 24);
  const marked = () => syncedFrames(file, salts());
  // The log has a header of 32 bytes, and before each page one of 24.
  const written = () => (statSync(`${file}-wal`).size - 32) / (8192 + 24);
  const before = written();
  assert.equal(marked(), before);
  const write = add(store, 1, []);
  await committed(store, 2);
  assert.ok(written() > before);
  assert.equal(marked(), before);
  syncs.shift()?.(null);
  await write;
  assert.equal(marked(), written());
  assert.equal(syncedFrames(file, Buffer.alloc(8, 1)), 0, 'of another log');
});

test('the mark belongs to the owner of the database, though root opens it', {
  skip: process.getuid?.() !== 0,
}, async (t) => {
  const { store, file } = await heldStore(t);
  const mark = `${file}-synced`;
  rmSync(mark);
  chownSync(file, 12_345, 12_345);
  const again = openSqlite(file, Date.now);
  const { uid, gid, mode } = statSync(mark);
  assert.deepEqual([uid, gid, mode & 0o777], [12_345, 12_345, 0o600]);
  await again.close();
  await store.close();
});
