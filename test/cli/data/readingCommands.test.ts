/** Commands that only read leave every file of a stopped folder as it is, in every journal mode of the database. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { leaveWalMode } from '../../../src/store/sqlite/copyDatabase.ts';
import { startChild } from '../../support/child.ts';
import { runHere } from '../runHere.ts';

async function filesOf(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const name of (await readdir(folder)).sort()) {
    files[name] = createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex');
  }
  return files;
}

const READING = [
  ['agent', 'list'],
  ['payment', 'list'],
  ['policy', 'show'],
  ['key', 'list'],
  ['webhook', 'list'],
  ['evidence', 'search'],
  ['user', 'list'],
  ['attention'],
];

test('commands that only read change no byte of a stopped folder, in journal mode wal and delete', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-reading-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const node = await startChild({ DATA_DIR: dataDir });
  await node.stop();
  for (const isWal of [true, false]) {
    if (!isWal) assert.equal(leaveWalMode(join(dataDir, 'countersign.db')), true);
    const before = await filesOf(dataDir);
    for (const words of READING) {
      const { code, stderr } = await runHere(words, { DATA_DIR: dataDir });
      assert.equal(code, 0, `${words.join(' ')}: ${stderr}`);
      assert.deepEqual(await filesOf(dataDir), before, words.join(' '));
    }
  }
  const made = await runHere(['key', 'create', '--name', 'one', '--permissions', 'read'], { DATA_DIR: dataDir });
  assert.equal(made.code, 0, made.stderr);
  assert.match((await runHere(['key', 'list'], { DATA_DIR: dataDir })).stdout, /one/);
});
