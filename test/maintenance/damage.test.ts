/** Damaged and emptied databases: no backup that a restore would refuse, and no new history where there was one. */
import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, open, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runHere } from '../cli/runHere.ts';
import { startChild } from '../support/child.ts';

/** A folder that a node was started on. */
async function usedFolder(t: TestContext): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-damage-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const node = await startChild({ DATA_DIR: dataDir });
  await node.stop();
  return dataDir;
}

async function damage(dataDir: string): Promise<void> {
  const file = await open(join(dataDir, 'countersign.db'), 'r+');
  await file.write(Buffer.alloc(8192 * 3, 0x55), 0, 8192 * 3, 8192 * 2);
  await file.close();
}

test('of a damaged database no backup is made, and the way back is named; who must can copy it all the same', async (t) => {
  const dataDir = await usedFolder(t);
  const target = join(dataDir, 'backup.tar');
  assert.equal((await runHere(['backup', target], { DATA_DIR: dataDir })).code, 0);
  await rm(target);
  await damage(dataDir);
  const refused = await runHere(['backup', target], { DATA_DIR: dataDir });
  assert.equal(refused.code, 1, refused.stdout);
  assert.match(refused.stderr, /No backup was made\. .*countersign restore FILE --data-dir .* --no-check/s);
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.includes('backup')),
    [],
  );
});

test('a start on a damaged file names it, its damage and the newest copy, and not another try', async (t) => {
  const dataDir = await usedFolder(t);
  await mkdir(join(dataDir, 'backups'));
  await copyFile(join(dataDir, 'countersign.db'), join(dataDir, 'backups', 'schema-005.db'));
  await damage(dataDir);
  await assert.rejects(startChild({ DATA_DIR: dataDir }), (error: Error) => {
    assert.match(error.message, /countersign\.db cannot be used: database disk image is malformed/);
    assert.match(error.message, /countersign restore \S+schema-005\.db --data-dir/);
    assert.doesNotMatch(error.message, /try again/);
    return true;
  });
});

test('a start on a file that was emptied begins no new history', async (t) => {
  const dataDir = await usedFolder(t);
  await truncate(join(dataDir, 'countersign.db'), 0);
  for (const suffix of ['-wal', '-shm']) await rm(join(dataDir, `countersign.db${suffix}`), { force: true });
  await assert.rejects(startChild({ DATA_DIR: dataDir }), /is empty, and was not: this node has keys\. Restore/);
});
