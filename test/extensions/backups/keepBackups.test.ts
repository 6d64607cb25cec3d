/** One round of the schedule: what is made, kept, tried and removed, and what a failure leaves. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type BackupProgress, keepBackups } from '../../../src/extensions/backups/keepBackups.ts';
import {
  readOutcome,
  type ScheduleOutcome,
  writeOutcome,
  writeSchedule,
} from '../../../src/extensions/backups/scheduleFiles.ts';
import { folderTarget } from '../../../src/extensions/backups/targets/folderTarget.ts';
import type { BackupFile, Backups } from '../../../src/usecase/deps.ts';
import { BUCKET_KEY, type BucketService, bucketService } from '../../support/bucketService.ts';

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
  const tenants = ['ada'];
  const stage = { ...nothing, tenants, now: Date.parse('2026-05-12T10:30:00Z') };
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
  const logged: string[] = [];
  const silent = { info: (event: string) => void logged.push(event), warn: () => {}, error: () => {} };
  const stopping = new AbortController();
  const deps = {
    clock: () => stage.now,
    data: { backups },
    issuer: { did: 'did:key:z6MkAAAABBBB' },
    log: silent,
    sealer: { open: () => BUCKET_KEY.secretAccessKey },
    settings: { webhookAllowPrivate: true },
    stopping: stopping.signal,
    store: { read: async () => stage.tenants },
  } as unknown as Parameters<typeof keepBackups>[0];
  const progress: BackupProgress = { running: undefined, failedAt: undefined };
  const files = async () => (await readdir(place)).filter((name) => name.endsWith('.tar')).toSorted();
  return {
    stage,
    place,
    folder,
    dataDir,
    files,
    progress,
    stopping,
    setByNode: () => writeSchedule(folder, { ...schedule, byNode: true }),
    logged,
    toBucket: ({ endpoint, region, bucket }: BucketService) =>
      writeSchedule(folder, {
        ...{ every: 'hour', hour: 0, keep, sealedSecret: 'sealed' },
        place: { kind: 'bucket', endpoint, region, bucket, prefix: 'ada/', accessKeyId: BUCKET_KEY.accessKeyId },
      }),
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

test('a place that answers without end is read no further than what was sent', { timeout: 20_000 }, async (t) => {
  const { round, place, progress, outcome } = await makeStage(t);
  Object.defineProperty(progress, 'running', {
    set(running: BackupProgress['running']) {
      if (running?.step !== 'trying') return;
      const file = join(place, 'countersign-AAAABBBB-20260512T103000Z.tar');
      rmSync(file);
      symlinkSync('/dev/zero', file);
    },
  });
  await round();
  assert.match(outcome()?.failure?.reason ?? '', /is not there as it was sent/);
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

test('a part that a killed node left in the folder is removed by the next round', async (t) => {
  const { stage, round, place, folder, outcome } = await makeStage(t);
  await round();
  const begun = 'countersign-AAAABBBB-20260512T110000Z.tar';
  writeOutcome(folder, { ...(outcome() as ScheduleOutcome), begun: [begun] });
  await writeFile(join(place, `${begun}.part`), 'half of it');
  stage.now += HOUR_MS;
  await round();
  const names = (await readdir(place)).toSorted();
  assert.deepEqual(names.slice(1), [
    'countersign-AAAABBBB-20260512T103000Z.tar',
    'countersign-AAAABBBB-20260512T113000Z.tar',
  ]);
});

test('what a killed node left of its upload to a bucket is gone after the next round, and a bucket that lists none takes it all the same', async (t) => {
  const { stage, round, toBucket, logged } = await makeStage(t);
  const service = await bucketService();
  t.after(() => service.close());
  toBucket(service);
  const leave = (node: string) => {
    const id = `left-${node}`;
    service.uploads.set(id, new Map([[1, Buffer.from('a part')]]));
    const at = new Date(stage.now - HOUR_MS).toISOString();
    service.begun.set(id, { key: `ada/countersign-${node}-20260512T093000Z.tar`, at });
  };
  for (const node of ['AAAABBBB', 'CCCCDDDD']) leave(node);
  await round();
  assert.deepEqual([...service.objects.keys()], ['ada/countersign-AAAABBBB-20260512T103000Z.tar']);
  assert.deepEqual([...service.uploads.keys()], ['left-CCCCDDDD'], 'another node may be sending');
  leave('AAAABBBB');
  service.listsUploads = false;
  stage.now += HOUR_MS;
  await round();
  assert.equal(service.objects.size, 2);
  assert.equal(service.uploads.size, 2);
  assert.deepEqual(logged, ['backup.kept', 'backup.notSwept', 'backup.kept']);
});

test('what a killed trial left, copies of keys in it, is gone after a round, whether one is due or none is set', async (t) => {
  const { round, folder } = await makeStage(t);
  for (const isSet of [true, false]) {
    await round();
    if (!isSet) writeSchedule(folder, undefined);
    await mkdir(join(folder, 'trial'));
    await writeFile(join(folder, 'trial', 'root.key'), 'a key');
    await writeFile(join(folder, 'read-back.tar'), 'half of it');
    await round();
    assert.deepEqual((await readdir(folder)).toSorted(), ['kept.json', 'schedule.json']);
  }
});

test('a clock that is set back makes one and not one in each round, and leaves no wish unheard', async (t) => {
  const { stage, round, ask } = await makeStage(t);
  ask();
  await round();
  stage.now -= 2 * HOUR_MS;
  for (let rounds = 0; rounds < 3; rounds += 1) await round();
  assert.equal(stage.made, 2);
  stage.now -= HOUR_MS / 4;
  ask();
  for (let rounds = 0; rounds < 3; rounds += 1) await round();
  assert.equal(stage.made, 3);
});

test('a damaged list of what is kept starts anew with a backup', async (t) => {
  const { stage, round, folder, outcome, progress } = await makeStage(t);
  for (const damaged of ['', '{"kept":', '[]', '{}']) {
    await writeFile(join(folder, 'kept.json'), damaged);
    await round();
    assert.equal(outcome()?.kept.length, 1);
    stage.now += 1000;
  }
  assert.deepEqual([stage.made, progress.failedAt], [4, undefined]);
});

test('a damaged schedule makes none, and people are told since when', async (t) => {
  const { stage, round, folder, progress, ask } = await makeStage(t);
  for (const damaged of ['', '{"every":', '[]', '{"every":"month"}']) {
    await writeFile(join(folder, 'schedule.json'), damaged);
    await round();
    stage.now += 1000;
    await round();
    assert.deepEqual([stage.made, progress.failedAt], [0, Date.parse('2026-05-12T10:30:00Z')]);
  }
  ask();
  await round();
  assert.deepEqual([stage.made, progress.failedAt], [1, undefined]);
});

test('a link that lies in the folder by the name of the mark is replaced, and what it leads to stays', async (t) => {
  const { place, dataDir } = await makeStage(t);
  const precious = join(dataDir, 'precious');
  await writeFile(precious, 'precious');
  await rm(join(place, '.countersign-backups'));
  await symlink(precious, join(place, '.countersign-backups'));
  await folderTarget(place, dataDir).prepare();
  assert.equal(await readFile(precious, 'utf8'), 'precious');
  assert.deepEqual(await readdir(place), ['.countersign-backups']);
});

test('a tenant that was alone is given nothing of another one, and the data folder may have all of it', async (t) => {
  const { stage, round, files, outcome, setByNode } = await makeStage(t);
  stage.tenants = ['ada', 'grace'];
  await round();
  assert.match(outcome()?.failure?.reason ?? '', /several tenants by now/);
  assert.deepEqual([stage.made, await files()], [0, []]);
  setByNode();
  stage.now += HOUR_MS;
  await round();
  assert.equal((await files()).length, 1);
});
