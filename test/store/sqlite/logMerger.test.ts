/** The log is merged into the database beside the commits: while they go on, while it is synced, and what a snapshot keeps. */
import assert from 'node:assert/strict';
import fs, { fstatSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { openSqlite } from '../../../src/store/sqlite/sqliteStore.ts';
import { all, get, run, type Store } from '../../../src/store/store.ts';

const MERGE_AT = 100;
const ROWS = 40;

type Done = (error: Error | null) => void;

interface Watched {
  readonly store: Store;
  readonly file: string;
  readonly losses: Error[];
  /** What syncs of the database do; they end at once unless the test changes it. */
  onSync: (done: Done) => void;
  /** How many syncs of the database were asked for. */
  syncs: number;
}

/** A store whose log SQLite never merges by itself. */
async function watchedStore(t: TestContext): Promise<Watched> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-merge-'));
  const file = join(folder, 'merged.db');
  const losses: Error[] = [];
  const store = openSqlite(file, Date.now, { mergeAt: MERGE_AT, onLost: (cause) => losses.push(cause) });
  const watched: Watched = { store, file, losses, syncs: 0, onSync: (done) => done(null) };
  const { fdatasync } = fs;
  const mocked = t.mock.method(fs, 'fdatasync', (descriptor: number, done: Done) => {
    if (fstatSync(descriptor).ino !== statSync(file).ino) {
      fdatasync(descriptor, done);
      return;
    }
    watched.syncs += 1;
    watched.onSync(done);
  });
  syncBuiltinESMExports();
  t.after(async () => {
    mocked.mock.restore();
    syncBuiltinESMExports();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  await store.write('t', () => get('PRAGMA wal_autocheckpoint = 0'));
  await store.write('t', () => run('CREATE TABLE rows (id BIGINT PRIMARY KEY, body TEXT)'));
  for (let id = 0; id < ROWS; id++) await store.write('t', () => run('INSERT INTO rows VALUES (?, ?)', id, 'new'));
  return watched;
}

/** Which log it is: two numbers in its header that change when it begins anew. */
function saltsOf(file: string): string {
  return readFileSync(`${file}-wal`).toString('hex', 16, 24);
}

async function commitUntil(store: Store, isEnough: () => boolean): Promise<void> {
  for (let count = 1; !isEnough(); count++) {
    assert.ok(count < 100_000, 'it never came so far');
    const body = 'x'.repeat(4000);
    const change = () => run('UPDATE rows SET body = ? WHERE id = ?', `${count} ${body}`, count % ROWS);
    await Promise.all([store.write('t', change), store.write('t', () => all('SELECT 1 FROM rows'))]);
  }
}

/** What a process reads that opens the file now. */
function bodiesIn(file: string): unknown[] {
  const database = new Database(file, { readonly: true });
  try {
    assert.deepEqual(database.pragma('integrity_check'), [{ integrity_check: 'ok' }]);
    return database.prepare('SELECT id, body FROM rows ORDER BY id').all();
  } finally {
    database.close();
  }
}

test('a log begins anew again and again though commits never pause, and nothing is lost by it', async (t) => {
  const { store, file } = await watchedStore(t);
  for (let time = 0; time < 5; time++) {
    const before = saltsOf(file);
    await commitUntil(store, () => saltsOf(file) !== before);
  }
  const frames = (statSync(`${file}-wal`).size - 32) / (8192 + 24);
  assert.ok(frames < 50 * MERGE_AT, `the log grew to ${frames} frames`);
  const bodies = await store.read(() => all('SELECT id, body FROM rows ORDER BY id'));
  assert.deepEqual(bodiesIn(file), bodies);
});

test('commits are acknowledged while the database is synced', async (t) => {
  const watched = await watchedStore(t);
  const held: Done[] = [];
  watched.onSync = (done) => held.push(done);
  await commitUntil(watched.store, () => held.length > 0);
  const salts = saltsOf(watched.file);
  for (let id = 0; id < ROWS; id++)
    await watched.store.write('t', () => run('UPDATE rows SET body = ? WHERE id = ?', 'meanwhile', id));
  assert.equal(saltsOf(watched.file), salts, 'a log is kept until all of it is in the database, on disk');
  assert.equal(watched.syncs, 1, 'one merge at a time');
  watched.onSync = (done) => done(null);
  held.shift()?.(null);
  await commitUntil(watched.store, () => saltsOf(watched.file) !== salts);
});

test('a database that cannot be synced is lost: the log is kept, and nothing is answered any more', async (t) => {
  const watched = await watchedStore(t);
  const failure = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
  watched.onSync = (done) => done(failure);
  await assert.rejects(
    commitUntil(watched.store, () => false),
    { code: 'UNAVAILABLE' },
  );
  assert.deepEqual(watched.losses, [failure]);
  const database = new Database(watched.file);
  t.after(() => database.close());
  const [row] = database.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
  assert.ok(row !== undefined && row.log > row.checkpointed, 'what the log holds is judged by the next start');
});

test('what a snapshot still reads is kept, and the log begins anew after it', async (t) => {
  const { store, file } = await watchedStore(t);
  const list = () => all<{ body: string }>('SELECT body FROM rows ORDER BY id');
  const before = await store.read(list);
  const salts = saltsOf(file);
  await store.onSnapshot(async (snapshot) => {
    const commits = store.stats().commits;
    await commitUntil(store, () => store.stats().commits - commits > 3 * MERGE_AT);
    assert.deepEqual(await snapshot.read(list), before);
    assert.equal(saltsOf(file), salts);
  });
  await commitUntil(store, () => saltsOf(file) !== salts);
});
