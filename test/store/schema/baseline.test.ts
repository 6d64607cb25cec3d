/** A new SQLite database is made from one text, and is the one that the schema files make. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { baselineText } from '../../../scripts/baselineText.ts';
import { type Baseline, migrate, type SchemaFile } from '../../../src/store/schema/migrate.ts';
import { readBaseline, readSchema } from '../../../src/store/schema/readSchema.ts';
import { NO_CLOCK, openSqlite } from '../../../src/store/sqlite/sqliteStore.ts';
import { all } from '../../../src/store/store.ts';

const LATER: SchemaFile = {
  name: '',
  text: 'ALTER TABLE tenants ADD COLUMN later TEXT; CREATE TABLE later (id BIGINT);',
};

describe('a new SQLite database', async () => {
  const files = await readSchema();
  const baseline = readBaseline();
  assert.ok(baseline);

  /** Everything that a database made so consists of, by name, and what it says of its schema files. */
  async function made(of: readonly SchemaFile[], from?: Baseline) {
    const store = openSqlite(':memory:', NO_CLOCK);
    try {
      await migrate(store, of, from);
      return await store.read(function* () {
        const parts = yield* all('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name');
        return { parts, applied: yield* all('SELECT * FROM schema_migrations ORDER BY version') };
      });
    } finally {
      await store.close();
    }
  }

  test('made from the baseline is the one that the schema files make one by one', async () => {
    const fromBaseline = await made(files, baseline);
    assert.deepEqual(fromBaseline, await made(files));
    assert.equal(fromBaseline.applied.length, files.length);
    assert.ok(fromBaseline.parts.length > 100);
  });

  test('gets the files that the baseline does not have yet after it', async () => {
    const name = `${String(files.length + 1).padStart(3, '0')}_later.sql`;
    const more = [...files, { ...LATER, name }];
    const fromBaseline = await made(more, baseline);
    assert.deepEqual(fromBaseline, await made(more));
    assert.ok(fromBaseline.parts.some((part) => (part as { name: string }).name === 'later'));
  });

  test('is made from a baseline that "npm run baseline" wrote', async () => {
    assert.equal(baseline.text.replaceAll('\r\n', '\n'), await baselineText(files.slice(0, baseline.version)));
  });

  test('has no baseline that holds rows', async () => {
    const text = `CREATE TABLE kept (id BIGINT); INSERT INTO kept VALUES (1);`;
    await assert.rejects(baselineText([{ name: '001_rows.sql', text }]), /store rows in kept/);
  });
});
