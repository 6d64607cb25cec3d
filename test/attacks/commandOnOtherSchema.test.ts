/** No command but `serve` and `migrate` changes a schema: the others refuse an older or newer one, and touch nothing. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { openStore } from '../../src/store/openStore.ts';
import { readSchema } from '../../src/store/schema/readSchema.ts';
import { openDatabase } from '../../src/store/sqlite/openDatabase.ts';
import { all, run, type Store } from '../../src/store/store.ts';
import { runHere } from '../cli/runHere.ts';
import { engines } from '../support/engines.ts';
import { makeLives } from '../support/lives.ts';

const ENGINES = engines();

const COMMANDS = [
  ['key', 'list'],
  ['key', 'rotate-issuer'],
  ['key', 'rotate-root'],
  ['agent', 'list'],
  ['evidence', 'export'],
  ['policy', 'show'],
  ['payment', 'list'],
] as const;

const versionIn = (store: Store) =>
  store.read(() => all<{ version: number }>('SELECT MAX(version) AS version FROM schema_migrations'));

for (const engine of ENGINES) {
  describe(`a command on another schema, on ${engine.name}`, () => {
    for (const [age, sql, reason] of [
      [
        'an older',
        'DELETE FROM schema_migrations WHERE version = ?',
        /Run "countersign migrate".* "countersign serve"/,
      ],
      [
        'a newer',
        "INSERT INTO schema_migrations (version, name, hash, applied_at) SELECT ? + 1, 'x', '', 0",
        /Start the newer program that made it/,
      ],
    ] as const) {
      test(`refuses ${age} one, names the command to run and leaves the database as it is`, async (t) => {
        const lives = await makeLives(engine);
        const newest = (await readSchema()).length;
        await lives.node().deps.store.write('test', () => run(sql, newest));
        await lives.stop();
        t.after(() => lives.close());
        const before = await contentOf(lives.folder);
        for (const words of COMMANDS) {
          const { code, stderr } = await runHere([...words], lives.env);
          assert.equal(code, 1, `${words.join(' ')}: ${stderr}`);
          assert.match(stderr, reason);
        }
        assert.deepEqual(await contentOf(lives.folder), before);
      });
    }

    test('brings an older one up at a start, after a copy of what was there', async (t) => {
      const schemaFolder = await newFolder(t);
      await cp('data/schema', schemaFolder, { recursive: true });
      const database = await engine.open({ schemaFolder });
      t.after(() => database.drop());
      await database.store.write('t', () => run("INSERT INTO tenants (id, name, created_at) VALUES ('tnt_x', 'x', 1)"));
      const [before] = await versionIn(database.store);
      await database.store.close();
      const next = (before?.version ?? 0) + 1;
      const name = String(next).padStart(3, '0');
      await writeFile(join(schemaFolder, `${name}_later.sql`), 'ALTER TABLE tenants ADD COLUMN later TEXT;');
      const source = { file: database.file ?? '', databaseUrl: database.url, clock: Date.now, schemaFolder };
      const store = await openStore(source);
      t.after(() => store.close());
      assert.equal((await versionIn(store))[0]?.version, next);
      const copied = `SELECT id FROM countersign_before_${name}.tenants`;
      if (engine.name === 'postgres') assert.deepEqual(await store.read(() => all(copied)), [{ id: 'tnt_x' }]);
      else {
        const copies = await readdir(join(dirname(String(database.file)), 'backups'));
        assert.deepEqual(copies, [`schema-${String(before?.version).padStart(3, '0')}.db`]);
      }
    });

    test('refuses the data of a version before 0.1.0, names what reads it, and leaves it as it is', async (t) => {
      const lives = await makeLives(engine);
      t.after(() => lives.close());
      const older = "UPDATE schema_migrations SET name = '001_initial.sql', version = 1 WHERE version = 1";
      await lives.node().deps.store.write('test', function* () {
        yield* run(older);
        yield* run("INSERT INTO schema_migrations (version, name, hash, applied_at) VALUES (34, '034_x.sql', '', 0)");
      });
      await lives.stop();
      const before = await contentOf(lives.folder);
      for (const words of [...COMMANDS, ['migrate'], ['serve']] as const) {
        const { code, stderr } = await runHere([...words], lives.env);
        assert.notEqual(code, 0, words.join(' '));
        assert.match(
          stderr,
          /made by a version before 0\.1\.0.* nothing has been changed\. .*"countersign data export FILE"/,
        );
      }
      assert.deepEqual(await contentOf(lives.folder), before);
    });
  });
}

test('the doctor leaves a database as it is, with its journal mode and its write-ahead log', async (t) => {
  const [engine] = ENGINES;
  assert.ok(engine);
  const lives = await makeLives(engine);
  t.after(() => lives.close());
  await lives.stop();
  const plain = openDatabase(join(lives.folder, 'countersign.db'));
  plain.pragma('journal_mode = DELETE');
  plain.close();
  const before = await contentOf(lives.folder);
  const { stdout } = await runHere(['doctor'], lives.env);
  assert.match(stdout, /✓ evidence/);
  assert.deepEqual(await contentOf(lives.folder), before);
});

/** The hash of each file. */
async function contentOf(folder: string): Promise<Record<string, string>> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const hashes = entries.map(async ({ name }) => {
    const hash = createHash('sha256').update(await readFile(join(folder, name)));
    return [name, hash.digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-schema-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
