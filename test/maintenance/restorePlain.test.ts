/** Restoring a plain SQLite file, being cut off in between, and whose the files are afterwards. */
import assert from 'node:assert/strict';
import { chown, copyFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { restoreBackup } from '../../src/maintenance/restore.ts';
import { markRestore } from '../../src/maintenance/restoreMark.ts';
import { readConfig } from '../../src/node/config/config.ts';
import { startNode } from '../../src/node/startNode.ts';
import { runHere } from '../cli/runHere.ts';
import { ADMIN_KEY } from '../support/world.ts';

const isRoot = process.getuid?.() === 0;

describe('restore', () => {
  let folder: string;
  let live: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-restore-'));
    live = join(folder, 'live');
    const node = await startNode(readConfig({ ...env(live), PORT: '0' }));
    // As a crash leaves it: the newest commits are in the log only.
    await mkdir(join(folder, 'crashed'));
    for (const name of ['countersign.db', 'countersign.db-wal', 'issuer.key', 'root.key']) {
      await copyFile(join(live, name), join(folder, 'crashed', name));
    }
    await node.stop();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const env = (dataDir: string) => ({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', BOOTSTRAP_API_KEY: ADMIN_KEY });

  function restore(source: string, dataDir: string) {
    const keys = { keyFile: join(dataDir, 'issuer.key'), rootKeyFile: join(dataDir, 'root.key') };
    return restoreBackup(nativeSuite(), { source, dataDir, ...keys, clock: Date.now });
  }

  async function withKeys(t: TestContext, name: string): Promise<string> {
    const dataDir = join(folder, name);
    await mkdir(dataDir, { mode: 0o700 });
    for (const key of ['issuer.key', 'root.key']) await copyFile(join(live, key), join(dataDir, key));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    return dataDir;
  }

  test('of a plain SQLite file brings what its write-ahead log holds', async (t) => {
    const source = join(folder, 'crashed', 'countersign.db');
    const files = (await readdir(join(folder, 'crashed'))).sort();
    const { size } = await stat(`${source}-wal`);
    assert.ok(size > 0);
    const restored = await restore(source, await withKeys(t, 'target'));
    assert.ok((restored.chains[0]?.events ?? 0) >= 2, JSON.stringify(restored.chains));
    assert.equal((await stat(`${source}-wal`)).size, size, 'the source is left as it was');
    for (const file of files) assert.ok((await readdir(join(folder, 'crashed'))).includes(file));
  });

  test('that was cut off is reported by every program that opens the folder, until it was run again', async (t) => {
    const dataDir = await withKeys(t, 'cut');
    const source = join(live, 'countersign.db');
    await restore(source, dataDir);
    markRestore(dataDir, { source, aside: join(dataDir, 'before-restore-x') });
    const told =
      /was cut off.* Run it again: countersign restore .*countersign\.db --data-dir .* is in .*before-restore-x/;
    await assert.rejects(startNode(readConfig({ ...env(dataDir), PORT: '0' })), told);
    assert.match((await runHere(['key', 'list'], env(dataDir))).stderr, told);
    assert.match((await runHere(['doctor'], env(dataDir))).stdout, told);
    await restore(source, dataDir);
    assert.equal((await runHere(['key', 'list'], env(dataDir))).code, 0);
  });

  test('that fails leaves the folder as it was', async (t) => {
    const dataDir = await withKeys(t, 'failing');
    await writeFile(join(dataDir, 'root.key'), `${Buffer.alloc(32, 9).toString('base64url')}\n`, { mode: 0o600 });
    await assert.rejects(restore(join(live, 'countersign.db'), dataDir), /is not the root key of the database/);
    assert.deepEqual((await readdir(dataDir)).sort(), ['issuer.key', 'root.key']);
  });

  test('leaves the files to the owner of the folder, though root runs it', { skip: !isRoot }, async (t) => {
    const dataDir = await withKeys(t, 'owned');
    const owner = { uid: 1234, gid: 2345 };
    for (const path of [dataDir, join(dataDir, 'issuer.key'), join(dataDir, 'root.key')]) {
      await chown(path, owner.uid, owner.gid);
    }
    const source = join(folder, 'with-keys.tar');
    t.after(() => rm(source, { force: true }));
    assert.equal((await runHere(['backup', source, '--data-dir', live])).code, 0);
    for (const _round of ['into an empty folder', 'over former data']) {
      await restore(source, dataDir);
      for (const name of await readdir(dataDir)) {
        const { uid, gid } = await stat(join(dataDir, name));
        assert.deepEqual({ uid, gid }, owner, name);
      }
    }
    assert.equal((await runHere(['key', 'rotate-root'], env(dataDir))).code, 0);
    assert.equal((await runHere(['key', 'rotate-issuer'], env(dataDir))).code, 0);
    for (const name of ['root.key', 'issuer.key']) assert.equal((await stat(join(dataDir, name))).uid, owner.uid, name);
  });
});
