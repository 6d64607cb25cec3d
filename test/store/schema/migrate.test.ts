/** Migrations on every engine: applied once, in order, by one node, and never against a schema they do not know. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { openStore } from '../../../src/store/openStore.ts';
import { all, get, type Store } from '../../../src/store/store.ts';
import { engines, type TestDatabase } from '../../support/engines.ts';
import { addNote, CONTRACT_SCHEMA, countOf } from '../notes.ts';

const SECOND = ['002_second.sql', 'CREATE TABLE second (id BIGINT PRIMARY KEY, name TEXT);'] as const;

for (const engine of engines()) {
  describe(`migrations on ${engine.name}`, () => {
    test('a file added later is applied at the next start and recorded with its hash and time', async (t) => {
      const { database, folder } = await prepare(t);
      await database.store.write('t', () => addNote('t', 1, 'kept'));
      await writeFile(join(folder, SECOND[0]), SECOND[1]);
      const store = await openAgain(t, database, folder, 1234);
      const rows = await store.read(() =>
        all<Record<string, unknown>>('SELECT version, name, applied_at FROM schema_migrations ORDER BY version'),
      );
      assert.deepEqual({ ...rows[1] }, { version: 2, name: '002_second.sql', applied_at: 1234 });
      assert.equal(rows.length, 2);
      assert.equal(await countOf(store, 't'), 1);
      assert.deepEqual(await store.read(() => all('SELECT id, name FROM second')), []);
    });

    test('a database of a newer program is refused with both versions and what to do', async (t) => {
      const { database, folder } = await prepare(t);
      await writeFile(join(folder, SECOND[0]), SECOND[1]);
      await openAgain(t, database, folder);
      await assert.rejects(
        openAgain(t, database, CONTRACT_SCHEMA),
        /schema version 2, this program knows versions up to 1\. Start the newer program .* or restore a backup/,
      );
    });

    test('a file changed after it was applied is refused by name', async (t) => {
      const { database, folder } = await prepare(t);
      await writeFile(join(folder, '001_contract.sql'), 'CREATE TABLE other (id BIGINT);');
      await assert.rejects(
        openAgain(t, database, folder),
        /version 1 \(001_contract\.sql\) was applied .* in another form .* Restore that file/,
      );
    });

    test('a file that fails half-way leaves nothing behind', async (t) => {
      const { database, folder } = await prepare(t);
      await writeFile(join(folder, SECOND[0]), `${SECOND[1]} CREATE TABLE second (id BIGINT);`);
      await assert.rejects(openAgain(t, database, folder), /already exists/);
      await writeFile(join(folder, SECOND[0]), SECOND[1]);
      const store = await openAgain(t, database, folder);
      assert.deepEqual(await store.read(() => all('SELECT id FROM second')), []);
    });

    test('files are numbered without gaps', async (t) => {
      const { database, folder } = await prepare(t);
      await writeFile(join(folder, '003_third.sql'), 'CREATE TABLE third (id BIGINT);');
      await assert.rejects(openAgain(t, database, folder), /003_third\.sql: file 2 is to be named 002_<name>\.sql/);
    });

    test('nodes that start at the same time apply each file once', async (t) => {
      const { database, folder } = await prepare(t);
      await writeFile(join(folder, SECOND[0]), SECOND[1]);
      await writeFile(join(folder, '003_third.sql'), 'CREATE TABLE third (id BIGINT); INSERT INTO third VALUES (1);');
      const stores = await Promise.all([1, 2, 3, 4].map(() => openAgain(t, database, folder)));
      const row = await stores[0]?.read(() => get<{ count: number }>('SELECT COUNT(*) AS count FROM third'));
      assert.equal(row?.count, 1);
    });

    test("the program's own schema applies", async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      assert.deepEqual(await database.store.read(() => all('SELECT seq FROM evidence')), []);
    });
  });

  async function prepare(t: TestContext): Promise<{ database: TestDatabase; folder: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-schema-'));
    await cp(CONTRACT_SCHEMA, folder, { recursive: true });
    const database = await engine.open({ schemaFolder: folder });
    t.after(async () => {
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    });
    return { database, folder };
  }
}

/** A store that is closed with the test, so that the database can be dropped. */
async function openAgain(t: TestContext, database: TestDatabase, schemaFolder: string, now = 0): Promise<Store> {
  const file = database.file ?? '';
  const store = await openStore({ databaseUrl: database.url, file, clock: () => now, schemaFolder });
  t.after(() => store.close());
  return store;
}
