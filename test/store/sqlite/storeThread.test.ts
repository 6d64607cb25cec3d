/** The thread beside a store: as the program starts it, and as the single binary does, with the native part alone. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { openSqlite } from '../../../src/store/sqlite/sqliteStore.ts';
import { THREAD_CODE } from '../../../src/store/sqlite/threadCode.ts';
import { all, run, type Store } from '../../../src/store/store.ts';

async function notes(t: { after(hook: () => void): void }): Promise<{ readonly store: Store; readonly file: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-reader-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'notes.db');
  const store = openSqlite(file, Date.now);
  await store.write('t', () => run('CREATE TABLE notes (seq BIGINT PRIMARY KEY, body TEXT)'));
  await store.write('t', () => run('INSERT INTO notes VALUES (?, ?)', 2 ** 40, 'a'));
  return { store, file };
}

test('a reading thread that fails is followed by another', async (t) => {
  const { store } = await notes(t);
  const find = () => store.readApart(() => all('SELECT seq, body FROM notes WHERE seq = ?', 2 ** 40));
  assert.deepEqual(await find(), [{ seq: 2 ** 40, body: 'a' }]);
  await assert.rejects(
    store.readApart(() => all('SELECT 1 FROM nowhere')),
    /no such table/,
  );
  assert.deepEqual(await find(), [{ seq: 2 ** 40, body: 'a' }]);
  await store.close();
  await assert.rejects(find(), { code: 'UNAVAILABLE' });
});

test('a reading thread answers by the native part of the library alone, which is all that the binary carries', async (t) => {
  const { store, file } = await notes(t);
  const library = dirname(dirname(createRequire(import.meta.url).resolve('better-sqlite3')));
  const addon = join(library, 'build/Release/better_sqlite3.node');
  const worker = new Worker(THREAD_CODE, {
    eval: true,
    execArgv: [],
    workerData: { file, addon, setup: [], writable: false },
  });
  const answers: unknown[] = [];
  for (const sql of ['BEGIN', 'SELECT body FROM notes', 'DELETE FROM notes', 'SELECT 1 FROM nowhere', 'COMMIT']) {
    worker.postMessage({ sql, args: [], writes: false });
    answers.push(...(await once(worker, 'message')));
  }
  assert.deepEqual(answers, [
    { rows: [], changes: 0 },
    { rows: [{ body: 'a' }], changes: 0 },
    { message: 'A reading script may not write: DELETE FROM notes', code: undefined },
    { message: 'no such table: nowhere', code: 'SQLITE_ERROR' },
    { rows: [], changes: 0 },
  ]);
  await worker.terminate();
  await store.close();
});
