/** Backups of a node under load, and what a restore takes and refuses. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { makeBackup } from '../../src/maintenance/backup.ts';
import { digestTable, type TableState } from '../../src/maintenance/readRows.ts';
import { type RestoreResult, restoreBackup } from '../../src/maintenance/restore.ts';
import { openStore } from '../../src/store/openStore.ts';
import { openSqlite } from '../../src/store/sqlite/sqliteStore.ts';
import { integer, table } from '../../src/store/statements/tableDefinition.ts';
import { TABLES } from '../../src/store/statements/tables.ts';
import { run } from '../../src/store/store.ts';
import { type ChildNode, startChild } from '../support/child.ts';
import { makePeer } from '../support/peer.ts';
import { ADMIN_KEY, type Loose } from '../support/world.ts';

const HEADERS = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };

interface Done {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program as a user does. */
async function countersign(args: string[], env: Record<string, string> = {}): Promise<Done> {
  const options = { env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'silent', ...env } };
  return promisify(execFile)(process.execPath, ['bin/countersign.js', ...args], options).then(
    (done) => ({ code: 0, ...done }),
    (error: Done) => error,
  );
}

function backUp(folder: string, target: string, withKey = true) {
  return makeBackup(nativeSuite(), {
    database: join(folder, 'countersign.db'),
    keys: withKey ? { issuer: join(folder, 'issuer.key'), root: join(folder, 'root.key') } : undefined,
    target,
    version: '0',
    clock: Date.now,
    check: true,
  });
}

function restore(source: string, dataDir: string): Promise<RestoreResult> {
  const keys = { keyFile: join(dataDir, 'issuer.key'), rootKeyFile: join(dataDir, 'root.key') };
  return restoreBackup(nativeSuite(), { source, dataDir, ...keys, clock: Date.now });
}

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-backup-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('a backup', () => {
  let dataDir: string;
  let node: ChildNode;
  let body: string;
  const serve = (folder: string) =>
    startChild({
      DATA_DIR: folder,
      BOOTSTRAP_API_KEY: ADMIN_KEY,
      SANDBOX_RATE_PER_MINUTE: '1000000',
      SANDBOX_BURST: '1000000',
    });
  const ask = async (address: string, path: string, payload?: string): Promise<Loose> => {
    const init = payload === undefined ? {} : { method: 'POST', body: payload };
    const response = await fetch(address + path, { headers: HEADERS, ...init });
    assert.ok(response.ok, await response.clone().text());
    return response.json();
  };

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'countersign-backup-source-'));
    node = await serve(dataDir);
    const agent = makePeer();
    await ask(node.address, '/ap2/agents', JSON.stringify({ name: 'Buyer', publicKey: agent.publicKey }));
    body = JSON.stringify({
      agentDid: agent.did,
      principalDid: makePeer().did,
      request: { maxAmount: 1, currency: 'USD', vendorHints: { domain: 'shop.example' } },
    });
  });
  after(async () => {
    await node.kill();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('made under load is of one moment: restored elsewhere, its chain is the beginning of the original', async (t) => {
    const folder = await newFolder(t);
    const backup = join(folder, 'busy.tar');
    let loading = true;
    let answered = 0;
    const load = Array.from({ length: 8 }, async () => {
      while (loading) {
        await ask(node.address, '/ap2/intents', body);
        answered += 1;
      }
    });
    while (answered < 100) await new Promise((resolve) => setTimeout(resolve, 5));
    const before = answered;
    const made = await countersign(['backup', backup, '--json'], { DATA_DIR: dataDir });
    const during = answered - before;
    loading = false;
    await Promise.all(load);
    assert.equal(made.code, 0, made.stderr);
    assert.ok(during > 0, 'the node must answer while it is backed up');
    const manifest = JSON.parse(made.stdout);
    const elsewhere = join(folder, 'elsewhere');
    const restored = await countersign(['restore', backup, '--data-dir', elsewhere, '--json']);
    assert.equal(restored.code, 0, restored.stderr);
    const found = JSON.parse(restored.stdout);
    assert.deepEqual(found.chains, manifest.chains);
    assert.deepEqual(found.rows, manifest.rows);
    const [chain] = manifest.chains;
    assert.ok(chain.events >= 100);
    assert.equal(manifest.rows.evidence, chain.events);
    const original = await ask(node.address, '/ap2/evidence/export?last=1000000');
    assert.equal(original.events[chain.events - 1].hashCurr, chain.head);

    const second = await serve(elsewhere);
    t.after(() => second.kill());
    const { events } = await ask(second.address, '/ap2/evidence/export?last=1000000');
    assert.deepEqual(events.slice(0, chain.events), original.events.slice(0, chain.events));
    assert.equal((await ask(second.address, '/ap2/evidence/verify')).valid, true);
    await ask(second.address, '/ap2/intents', body);
  });

  test('of a node at rest has every row of every table, and the key', async (t) => {
    const folder = await newFolder(t);
    const source = await freshCopy(join(folder, 'source'));
    await backUp(source, join(folder, 'rest.tar'));
    await restore(join(folder, 'rest.tar'), join(folder, 'target'));
    assert.deepEqual(await digestsOf(join(folder, 'target')), await digestsOf(source));
    const keyOf = (name: string) => readFile(join(folder, name, 'issuer.key'), 'utf8');
    assert.equal(await keyOf('target'), await keyOf('source'));
    assert.equal((await stat(join(folder, 'target', 'issuer.key'))).mode & 0o777, 0o600);
  });

  test('is for its owner only, says that it holds the keys, overwrites nothing, and can be opened by tar', async (t) => {
    const folder = await newFolder(t);
    const made = await countersign(['backup', folder], { DATA_DIR: dataDir });
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /holds both keys: who has this file can sign/);
    const [name] = await readdir(folder);
    assert.match(name ?? '', /^countersign-\d{8}T\d{6}Z\.tar$/);
    const file = join(folder, name ?? '');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const { stdout } = await promisify(execFile)('tar', ['tf', file]);
    assert.equal(stdout, 'manifest.json\nissuer.key\nroot.key\ncountersign.db\n');
    const again = await countersign(['backup', file], { DATA_DIR: dataDir });
    assert.equal(again.code, 1);
    assert.match(again.stderr, /exists already; a backup overwrites nothing/);
  });

  test('without the keys wants both at the place of the restore, and those of no other node', async (t) => {
    const folder = await newFolder(t);
    const backup = join(folder, 'keyless.tar');
    assert.equal((await backUp(dataDir, backup, false)).includesKey, false);
    const target = join(folder, 'target');
    await assert.rejects(
      restore(backup, target),
      /has no issuer key\. Put the key file of did:key:z6Mk\w+ at .*issuer\.key/,
    );
    const other = `${Buffer.alloc(32, 5).toString('base64url')}\n`;
    await writeFile(join(target, 'issuer.key'), other, { mode: 0o600 });
    await assert.rejects(restore(backup, target), /is that of did:key:\w+, but the database belongs to did:key:/);
    await copyFile(join(dataDir, 'issuer.key'), join(target, 'issuer.key'));
    await assert.rejects(restore(backup, target), /has no root key\. Put its file at .*root\.key first/);
    await writeFile(join(target, 'root.key'), other, { mode: 0o600 });
    await assert.rejects(restore(backup, target), /is not the root key of the database/);
    await copyFile(join(dataDir, 'root.key'), join(target, 'root.key'));
    assert.equal((await restore(backup, target)).restoredKey, false);
  });

  test('that was changed, cut off, or is something else is refused, and nothing changes', async (t) => {
    const folder = await newFolder(t);
    const backup = join(folder, 'good.tar');
    await backUp(dataDir, backup);
    const target = join(folder, 'target');
    const refused = async (name: string, reason: RegExp) => {
      await assert.rejects(restore(join(folder, name), target), reason);
      assert.deepEqual(await readdir(target), []);
    };
    await mkdir(target);
    const bytes = await readFile(backup);
    const changed = Buffer.from(bytes);
    changed[bytes.length - 30_000] = (changed[bytes.length - 30_000] ?? 0) ^ 1;
    await writeFile(join(folder, 'changed.tar'), changed);
    await refused('changed.tar', /was changed or damaged: its database has the hash/);
    await copyFile(backup, join(folder, 'cut.tar'));
    await truncate(join(folder, 'cut.tar'), bytes.length - 50_000);
    await refused('cut.tar', /truncated/);
    await writeFile(join(folder, 'text.tar'), 'x'.repeat(2000));
    await refused('text.tar', /is not a backup/);
    await refused('none.tar', /There is no file/);
  });

  for (const [what, sql, reason] of [
    ['a broken chain', "UPDATE evidence SET data = '{}' WHERE seq = 3", /chain of tenant tnt_\w+ is broken at event 3/],
    [
      'a newer schema',
      'UPDATE schema_migrations SET version = 900 WHERE version = 1',
      /schema version 900, this program knows versions up to \d+: restore it with/,
    ],
  ] as const) {
    test(`with ${what} is refused, and nothing changes`, async (t) => {
      const folder = await newFolder(t);
      const source = await freshCopy(join(folder, 'source'));
      const store = openSqlite(join(source, 'countersign.db'), Date.now);
      await store.write('t', () => run(sql));
      await store.close();
      await backUp(source, join(folder, 'wrong.tar'));
      const target = join(folder, 'target');
      await assert.rejects(restore(join(folder, 'wrong.tar'), target), reason);
      assert.deepEqual(await readdir(target), []);
    });
  }

  test('kept before a migration is a plain database, and is restored beside the key that is there', async (t) => {
    const folder = await newFolder(t);
    const source = await freshCopy(join(folder, 'source'));
    const kept = join(folder, 'schema-001.db');
    await copyFile(join(source, 'countersign.db'), kept);
    const before = await digestsOf(source);
    const store = openSqlite(join(source, 'countersign.db'), Date.now);
    await store.write('t', () => run('DELETE FROM evidence'));
    await store.close();
    const restored = await restore(kept, source);
    assert.equal(restored.restoredKey, false);
    assert.deepEqual(await digestsOf(source), before);
  });

  test('is not restored under a running node', async (t) => {
    const folder = await newFolder(t);
    await backUp(dataDir, join(folder, 'good.tar'));
    const running = await countersign(['restore', join(folder, 'good.tar'), '--data-dir', dataDir]);
    assert.equal(running.code, 1);
    assert.match(running.stderr, /A node runs on .*: stop it first/);
    assert.equal((await ask(node.address, '/ap2/evidence/verify')).valid, true);
  });

  test('restored over a stopped node keeps what was there', async (t) => {
    const folder = await newFolder(t);
    const stopped = await freshCopy(join(folder, 'stopped'));
    const before = await digestsOf(stopped);
    await backUp(dataDir, join(folder, 'good.tar'));
    const { aside } = await restore(join(folder, 'good.tar'), stopped);
    const kept = ['countersign.db', 'issuer.key', 'root.key'];
    assert.deepEqual((await readdir(aside ?? '')).sort(), kept);
    assert.deepEqual(await digestsOf(aside ?? ''), before);
  });

  test('of a node on PostgreSQL is a matter for pg_dump', async () => {
    const done = await countersign(['backup', '/tmp/never.tar'], { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/db' });
    assert.equal(done.code, 1);
    assert.match(done.stderr, /pg_dump --format=custom/);
  });

  /** A data folder made from a backup of the running node. */
  async function freshCopy(folder: string): Promise<string> {
    const file = `${folder}-of-the-node.tar`;
    await backUp(dataDir, file);
    await restore(file, folder);
    return folder;
  }
});

async function digestsOf(folder: string): Promise<Record<string, TableState>> {
  const store = openSqlite(join(folder, 'countersign.db'), Date.now);
  const digests: Record<string, TableState> = {};
  for (const table of TABLES) digests[table.name] = await digestTable(store, table);
  await store.close();
  return digests;
}

test('before its schema changes a database is kept as it was, the last three versions of it', async (t) => {
  const folder = await newFolder(t);
  const schema = join(folder, 'schema');
  await mkdir(schema);
  const file = join(folder, 'countersign.db');
  const upgrade = async (version: number) => {
    const sql = version === 1 ? 'CREATE TABLE notes (id BIGINT PRIMARY KEY)' : `CREATE TABLE t${version} (id BIGINT)`;
    await writeFile(join(schema, `${String(version).padStart(3, '0')}_x.sql`), `${sql};`);
    const store = await openStore({ file, clock: Date.now, schemaFolder: schema });
    await store.write('t', () => run('INSERT INTO notes (id) VALUES (?)', version));
    await store.close();
  };
  await upgrade(1);
  await assert.rejects(readdir(join(folder, 'backups')));
  for (const version of [2, 3, 4, 5]) await upgrade(version);
  assert.deepEqual(await readdir(join(folder, 'backups')), ['schema-002.db', 'schema-003.db', 'schema-004.db']);
  const kept = openSqlite(join(folder, 'backups', 'schema-003.db'), Date.now);
  t.after(() => kept.close());
  const rules = { retention: { kept: 'for the test' }, isTestData: false };
  const notes = table('notes', ['id'], { id: integer }, rules);
  assert.equal((await digestTable(kept, notes)).rows, 3);
  assert.equal((await stat(join(folder, 'backups', 'schema-003.db'))).mode & 0o777, 0o600);
});

test('what a start left that was killed while it copied goes with the next upgrade, and not what another is writing', async (t) => {
  const folder = await newFolder(t);
  const schema = join(folder, 'schema');
  await mkdir(schema);
  const upgrade = async (version: number) => {
    await writeFile(join(schema, `00${version}_x.sql`), `CREATE TABLE t${version} (id BIGINT);`);
    const store = await openStore({ file: join(folder, 'countersign.db'), clock: Date.now, schemaFolder: schema });
    await store.close();
  };
  await upgrade(1);
  const backups = join(folder, 'backups');
  const hoursAgo = { 'draft-killed': 2, 'draft-writing': 0 };
  for (const [name, hours] of Object.entries(hoursAgo)) {
    const copy = join(backups, name, 'schema-001.db');
    await mkdir(join(backups, name), { recursive: true });
    await writeFile(copy, 'half of it');
    const time = Date.now() / 1000 - hours * 3600;
    for (const path of [copy, join(backups, name)]) await utimes(path, time, time);
  }
  await upgrade(2);
  assert.deepEqual((await readdir(backups)).sort(), ['draft-writing', 'schema-001.db']);
});
