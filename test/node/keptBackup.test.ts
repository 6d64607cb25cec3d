/** The backup that a node keeps: what a broken one leaves takes no room from the next one. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { noteBackup } from '../../src/maintenance/backupMark.ts';
import { DATABASE } from '../../src/maintenance/manifest.ts';
import { keptBackup } from '../../src/node/backups/keptBackup.ts';
import { until } from '../support/until.ts';

/** More than any disk of a test has free, and nothing on this one: the file is empty. */
const HUGE_BYTES = 4 * 1024 ** 4;

test('what a backup left that was broken off is removed before it is said that there is no room', async (t) => {
  const dataDir = await folderWithRemains(t);
  await writeFile(join(dataDir, DATABASE), '');
  await truncate(join(dataDir, DATABASE), HUGE_BYTES);
  const backups = keptBackup(placesIn(dataDir), new AbortController().signal, Date.now);
  const attempt = backups.start();
  assert.ok(attempt.state === 'FAILED' && /MiB free and a backup needs/.test(attempt.reason), JSON.stringify(attempt));
  assert.deepEqual(await readdir(join(dataDir, 'backups', 'download')), []);
});

test('a backup that ends with its process leaves nothing', async (t) => {
  const dataDir = await folderWithRemains(t);
  await writeFile(join(dataDir, DATABASE), '');
  const stopping = new AbortController();
  const backups = keptBackup(placesIn(dataDir), stopping.signal, Date.now);
  assert.equal(backups.start().state, 'RUNNING');
  await leaveRemains(dataDir);
  stopping.abort();
  await until('the end of the backup', async () => backups.attempt().state === 'FAILED');
  assert.deepEqual(await readdir(join(dataDir, 'backups', 'download')), []);
});

test('a backup of a month ago that is downloaded today is one of a month ago, and makes no later one older', async (t) => {
  const dataDir = await folderWithRemains(t);
  const folder = join(dataDir, 'backups', 'download');
  const createdAt = Date.parse('2026-05-01T00:00:00Z');
  const facts = { fileName: 'old.tar', createdAt, bytes: 3, sha256: 'x', events: 0, rows: 0, schemaVersion: 1 };
  await writeFile(join(folder, 'old.tar'), 'tar');
  await writeFile(join(folder, 'latest.json'), JSON.stringify(facts));
  const backups = keptBackup(placesIn(dataDir), new AbortController().signal, () => Date.parse('2026-06-01T00:00:00Z'));
  const download = async () => {
    const pieces = await backups.read(facts, () => backups.noteKept(facts));
    assert.ok(pieces);
    for await (const _piece of pieces);
  };
  await download();
  assert.equal(backups.lastAt(), createdAt);
  const later = Date.parse('2026-05-20T00:00:00Z');
  noteBackup(dataDir, later);
  await download();
  assert.equal(backups.lastAt(), later);
});

function placesIn(dataDir: string) {
  return { dataDir, issuerKeyFile: join(dataDir, 'issuer.key'), rootKeyFile: join(dataDir, 'root.key') };
}

async function folderWithRemains(t: { after(end: () => Promise<void>): void }): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-kept-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  await leaveRemains(dataDir);
  return dataDir;
}

/** As a process leaves them that is killed while it copies. */
async function leaveRemains(dataDir: string): Promise<void> {
  const work = join(dataDir, 'backups', 'download', '.countersign-backup-a1b2c3');
  await mkdir(work, { recursive: true });
  await writeFile(join(work, DATABASE), 'half a copy');
}
