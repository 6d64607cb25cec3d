/** One round of the schedule: what is made, kept, tried and removed, and what a failure leaves. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type BackupProgress, keepBackups } from '../../../src/extensions/backups/keepBackups.ts';
import { readOutcome, writeSchedule } from '../../../src/extensions/backups/scheduleFiles.ts';
import { folderTarget } from '../../../src/extensions/backups/targets/folderTarget.ts';
import type { BackupFile, Backups } from '../../../src/usecase/deps.ts';

const HOUR_MS = 3_600_000;
const BYTES = Buffer.from('an archive');

interface Owner {
  after(end: () => Promise<void>): void;
}

/** A node whose backups are ten bytes, on a schedule of each hour. */
async function makeStage(t: Owner, keep = 2) {
  const root = await mkdtemp(join(tmpdir(), 'countersign-schedule-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  const [dataDir, place] = [join(root, 'data'), join(root, 'place')];
  await mkdir(join(dataDir, 'backups'), { recursive: true });
  await mkdir(place);
  await folderTarget(place, dataDir).prepare();
  const folder = join(dataDir, 'backups');
  const schedule = { every: 'hour', hour: 0, keep, place: { kind: 'folder', folder: place } } as const;
  writeSchedule(folder, schedule);
  const nothing = { made: 0, tried: 0, keptAt: 0, open: 0, sent: BYTES, isBroken: false, cannot: '' };
  const stage = { ...nothing, now: Date.parse('2026-05-12T10:30:00Z') };
  const archive = (): BackupFile => ({
    fileName: 'countersign.tar',
    createdAt: stage.now,
    bytes: BYTES.length,
    sha256: createHash('sha256').update(BYTES).digest('hex'),
    events: 3,
    rows: 7,
    schemaVersion: 1,
  });
  const backups: Backups = {
    folder,
    lastAt: () => undefined,
    attempt: () =>
      stage.cannot === '' ? { state: 'NONE' } : { state: 'FAILED', startedAt: stage.now, reason: stage.cannot },
    latest: archive,
    start() {
      stage.made += 1;
      return { state: 'RUNNING', startedAt: stage.now, done: 0, total: 0 };
    },
    async read() {
      stage.open += 1;
      const sending = [stage.sent];
      const end = async (): Promise<IteratorResult<Uint8Array>> => {
        stage.open = 0;
        return { done: true, value: undefined };
      };
      const next = async (): Promise<IteratorResult<Uint8Array>> => {
        const value = sending.shift();
        return value === undefined ? end() : { done: false, value };
      };
      return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
    },
    noteKept({ createdAt }) {
      stage.keptAt = createdAt;
    },
    async tryRestore() {
      stage.tried += 1;
      if (stage.isBroken) throw new Error('a chain of it is broken');
      return { events: 3, rows: 7 };
    },
  };
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  const stopping = new AbortController();
  const deps = {
    clock: () => stage.now,
    data: { backups },
    issuer: { did: 'did:key:z6MkAAAABBBB' },
    log: silent,
    sealer: undefined,
    settings: { webhookAllowPrivate: true },
    stopping: stopping.signal,
  } as unknown as Parameters<typeof keepBackups>[0];
  const progress: BackupProgress = { running: undefined, failedAt: undefined };
  const files = async () => (await readdir(place)).filter((name) => name.endsWith('.tar')).toSorted();
  return {
    stage,
    place,
    files,
    progress,
    stopping,
    ask: () => writeSchedule(folder, { ...schedule, askedAt: stage.now }),
    round: () => keepBackups(deps, progress),
    outcome: () => readOutcome(folder, schedule.place),
  };
}

test('a backup is made once an hour, restored from its place, and the oldest goes once there are more than are to stay', async (t) => {
  const { stage, round, files, outcome } = await makeStage(t);
  await round();
  await round();
  assert.deepEqual(await files(), ['countersign-AAAABBBB-20260512T103000Z.tar']);
  assert.deepEqual([stage.made, stage.tried, stage.keptAt], [1, 1, stage.now]);
  for (let hour = 0; hour < 3; hour += 1) {
    stage.now += HOUR_MS;
    await round();
  }
  assert.deepEqual(await files(), [
    'countersign-AAAABBBB-20260512T123000Z.tar',
    'countersign-AAAABBBB-20260512T133000Z.tar',
  ]);
  assert.deepEqual(
    outcome()
      ?.kept.map(({ fileName }) => fileName)
      .toReversed(),
    await files(),
  );
});

test('a file of others in the same folder is never removed', async (t) => {
  const { stage, round, place, files } = await makeStage(t, 1);
  const others = 'countersign-CCCCDDDD-20200101T000000Z.tar';
  await writeFile(join(place, others), 'of another node');
  for (let hour = 0; hour < 3; hour += 1) {
    await round();
    stage.now += HOUR_MS;
  }
  assert.deepEqual(await files(), ['countersign-AAAABBBB-20260512T123000Z.tar', others]);
});

test('one that cannot be restored is not listed, takes no good one away, and is removed by the next', async (t) => {
  const { stage, round, files, outcome, progress } = await makeStage(t, 1);
  await round();
  stage.now += HOUR_MS;
  stage.isBroken = true;
  await round();
  assert.deepEqual(outcome()?.failure, { at: stage.now, reason: 'a chain of it is broken' });
  assert.equal(progress.failedAt, stage.now);
  assert.deepEqual(
    outcome()?.kept.map(({ fileName }) => fileName),
    ['countersign-AAAABBBB-20260512T103000Z.tar'],
  );
  assert.equal((await files()).length, 2);
  stage.now += HOUR_MS;
  stage.isBroken = false;
  await round();
  assert.deepEqual(await files(), ['countersign-AAAABBBB-20260512T123000Z.tar']);
  assert.deepEqual([outcome()?.failure, progress.failedAt, outcome()?.begun], [undefined, undefined, []]);
});

test('one that is not at its place as it was sent is found when it is read back', async (t) => {
  const { stage, round, outcome } = await makeStage(t);
  stage.sent = Buffer.from('an Archive');
  await round();
  assert.match(outcome()?.failure?.reason ?? '', /is not there as it was sent/);
  assert.deepEqual([stage.tried, stage.keptAt], [0, 0]);
});

test('what failed is tried again after a quarter of an hour, and at once when a person asks', async (t) => {
  const { stage, round, ask } = await makeStage(t);
  stage.cannot = 'the disk is full';
  await round();
  stage.now += 14 * 60_000;
  await round();
  assert.equal(stage.made, 1);
  ask();
  await round();
  assert.equal(stage.made, 2);
  stage.now += 15 * 60_000;
  stage.cannot = '';
  await round();
  await round();
  assert.deepEqual([stage.made, stage.tried], [3, 1]);
});

test('a folder whose disk is not mounted takes no backup, and leaves no file open', async (t) => {
  const { stage, round, place, outcome } = await makeStage(t);
  await rm(place, { recursive: true });
  await mkdir(place);
  await round();
  assert.match(outcome()?.failure?.reason ?? '', /is not the folder that was chosen/);
  assert.deepEqual([await readdir(place), stage.open], [[], 0]);
});

test('a node that is stopped meanwhile says nothing of a failure, and makes it when it is started again', async (t) => {
  const { stage, round, stopping, outcome } = await makeStage(t);
  stage.isBroken = true;
  stopping.abort();
  await round();
  assert.deepEqual([outcome()?.failure, outcome()?.kept], [undefined, []]);
  stage.isBroken = false;
  await round();
  assert.equal(outcome()?.kept.length, 1);
});
