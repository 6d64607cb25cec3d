/** What the embedded store promises beyond the contract: its file, its groups, trouble with the disk. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { Fault } from '../../../protocol/wire/fault.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { openSqlite } from '../../../src/store/sqlite/sqliteStore.ts';
import { all, allCached, get, run, type Script, type Store } from '../../../src/store/store.ts';
import { addNote, CONTRACT_SCHEMA, countOf, NOTES_OF, setCounter } from '../notes.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-sqlite-'));
});
after(() => rm(folder, { recursive: true, force: true }));

test('every acknowledged write survives a kill -9', async () => {
  const file = join(folder, 'killed.db');
  const acknowledged = new Set<number>();
  const child = startWriter(file);
  const lines = createInterface({ input: child.stdout ?? assert.fail('no output') });
  for await (const line of lines) {
    acknowledged.add(Number(line));
    if (acknowledged.size === 400) child.kill('SIGKILL');
  }
  assert.ok(acknowledged.size >= 400);
  const store = await open(file);
  const rows = await store.read(() => all<{ seq: number }>(NOTES_OF, 't'));
  const stored = new Set(rows.map((row) => row.seq));
  assert.deepEqual(
    [...acknowledged].filter((seq) => !stored.has(seq)),
    [],
  );
  await store.close();
});

test('the file and its folder are for their owner only, a commit is synced, references are checked', async () => {
  const file = join(folder, 'new', 'deep', 'store.db');
  const store = await open(file);
  const mode = async (path: string) => (await stat(path)).mode & 0o777;
  assert.equal(await mode(file), 0o600);
  assert.equal(await mode(`${file}-wal`), 0o600);
  assert.equal(await mode(dirname(file)), 0o700);
  const pragma = (name: string) => store.write('t', () => get<Record<string, unknown>>(`PRAGMA ${name}`));
  assert.deepEqual({ ...(await pragma('synchronous')) }, { synchronous: 2 });
  assert.deepEqual({ ...(await pragma('journal_mode')) }, { journal_mode: 'wal' });
  assert.deepEqual({ ...(await pragma('foreign_keys')) }, { foreign_keys: 1 });
  await store.close();
});

test('a store in memory works like one in a file', async () => {
  const store = await open(':memory:');
  await store.write('t', () => addNote('t', 1, 'a'));
  assert.equal(await countOf(store, 't'), 1);
  await store.close();
});

test('scripts of one turn share a commit, up to the size of a group', async () => {
  const store = openSqlite(join(folder, 'groups.db'), Date.now, { maxGroup: 10 });
  await store.write('t', () => run('CREATE TABLE rows (id BIGINT)'));
  await Promise.all(
    Array.from({ length: 25 }, (_, id) => store.write('t', () => run('INSERT INTO rows VALUES (?)', id))),
  );
  assert.deepEqual(store.stats(), { commits: 4, scripts: 26, statements: 26 });
  await store.close();
});

test('the scripts of a group run again only where one of them failed after it wrote', async () => {
  let now = 0;
  const store = openSqlite(join(folder, 'again.db'), () => ++now);
  await store.write('t', () => run('CREATE TABLE rows (id BIGINT)'));
  const runsOf = async (failing: () => Script<void>) => {
    const times: number[][] = Array.from({ length: 5 }, () => []);
    const written = times.map((seen, id) =>
      store.write('t', function* (at) {
        seen.push(at);
        if (id === 2) yield* failing();
        yield* run('INSERT INTO rows VALUES (?)', at);
        return at;
      }),
    );
    const outcomes = await Promise.allSettled(written);
    assert.deepEqual(
      outcomes.map(({ status }) => status === 'rejected'),
      [false, false, true, false, false],
    );
    const rows = await store.read(() => all<{ id: number }>('SELECT id FROM rows ORDER BY id'));
    await store.write('t', () => run('DELETE FROM rows'));
    // Each of the others was committed once, at the time at which it last ran.
    const last = times.filter((_seen, id) => id !== 2).map((seen) => seen.at(-1));
    assert.deepEqual(
      rows.map(({ id }) => id),
      last,
    );
    return times.map((seen) => seen.length);
  };
  const refused = await runsOf(function* () {
    yield* all('SELECT id FROM rows');
    throw new Fault('CONFLICT', 'No.');
  });
  assert.deepEqual(refused, [1, 1, 1, 1, 1]);
  const undone = await runsOf(function* () {
    yield* run('INSERT INTO rows VALUES (?)', 0);
    throw new Fault('CONFLICT', 'No.');
  });
  assert.deepEqual(undone, [2, 2, 2, 1, 1]);
  await store.close();
});

test('a group of slow scripts lets other work run in between', async () => {
  const store = openSqlite(join(folder, 'slow.db'), Date.now);
  await store.write('t', () => run('CREATE TABLE rows (id BIGINT)'));
  let turns = 0;
  let running = true;
  const count = () => {
    turns += 1;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(
    Array.from({ length: 24 }, (_, id) =>
      store.write('t', function* () {
        yield* run('INSERT INTO rows VALUES (?)', id);
        const until = performance.now() + 6;
        while (performance.now() < until);
      }),
    ),
  );
  running = false;
  assert.ok(turns >= 4, `${turns} turns`);
  await store.close();
});

test('a full disk rejects as UNAVAILABLE without telling internals, and the store goes on', async () => {
  const store = await open(join(folder, 'full.db'));
  await store.write('t', () => run('PRAGMA max_page_count = 20'));
  const tooLong = 'x'.repeat(200_000);
  const attempts = ['short', tooLong, 'short too'].map((body, seq) => store.write('t', () => addNote('t', seq, body)));
  const outcomes = await Promise.allSettled(attempts);
  // SQLite gives up the whole transaction then, so that the scripts before it in the group have not happened either.
  for (const outcome of outcomes) assertUnavailable(outcome.status === 'rejected' ? outcome.reason : undefined);
  assert.equal(await countOf(store, 't'), 0);
  await store.write('t', () => addNote('t', 1, 'short'));
  await store.write('t', () => run('PRAGMA max_page_count = 100000'));
  await store.write('t', () => addNote('t', 2, tooLong));
  assert.equal(await countOf(store, 't'), 2);
  await store.close();
});

test('a cached row that was read in a group the disk refused is read anew', async () => {
  const store = await open(join(folder, 'refused.db'));
  const sql = 'SELECT value FROM counters WHERE name = ?';
  const cached = () => allCached<{ value: number }>({ tables: ['counters'] }, sql, 'c');
  await store.write('t', () => setCounter('c', 1));
  await store.write('t', () => run('PRAGMA max_page_count = 20'));
  for (const body of ['x'.repeat(200_000), 'x'.repeat(100_000_000)]) {
    const outcomes = await Promise.allSettled([
      store.write('t', function* () {
        yield* setCounter('c', 2);
        yield* cached();
      }),
      store.write('t', () => addNote('t', 1, body)),
    ]);
    assert.equal(outcomes[1]?.status, 'rejected');
    const asked = await store.read(() => all(`${sql} LIMIT 1`, 'c'));
    assert.deepEqual(await store.read(cached), asked);
  }
  await store.close();
});

test('while another process holds the file, writes reject as UNAVAILABLE and reads are answered', async () => {
  const file = join(folder, 'busy.db');
  const store = await open(file);
  await store.write('t', () => addNote('t', 0, 'before'));
  await store.write('t', () => run('PRAGMA busy_timeout = 20'));
  const other = new Database(file);
  other.exec('BEGIN IMMEDIATE');
  const outcomes = await Promise.allSettled([1, 2].map((seq) => store.write('t', () => addNote('t', seq, `${seq}`))));
  for (const outcome of outcomes) assertUnavailable(outcome.status === 'rejected' ? outcome.reason : undefined);
  assert.equal(await countOf(store, 't'), 1);
  other.exec('ROLLBACK');
  other.close();
  await store.write('t', () => addNote('t', 1, 'after'));
  assert.equal(await countOf(store, 't'), 2);
  await store.close();
});

test('a script that reads the store around its statements is refused', async () => {
  const store = await open(':memory:');
  let around: Promise<unknown> | undefined;
  await store.write('t', function* () {
    yield* addNote('t', 1, 'uncommitted');
    around = store.read(() => all(NOTES_OF, 't'));
    around.catch(() => {});
  });
  await assert.rejects(around ?? assert.fail());
  assert.equal(await countOf(store, 't'), 1);
  await store.close();
});

function open(file: string): Promise<Store> {
  return openStore({ file, clock: Date.now, schemaFolder: CONTRACT_SCHEMA });
}

function startWriter(file: string): ChildProcess {
  const program = fileURLToPath(new URL('../acknowledge.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, file, CONTRACT_SCHEMA], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  void once(child, 'exit').then(([, signal]) => assert.equal(signal, 'SIGKILL'));
  return child;
}

function assertUnavailable(error: unknown): void {
  assert.ok(error instanceof Fault);
  assert.equal(error.code, 'UNAVAILABLE');
  assert.doesNotMatch(error.message, /sqlite|database|disk|\//i);
  assert.ok(error.cause instanceof Error, 'the cause is kept for the log');
}
