/** `countersign backup schedule` and `backup try`: at a running node and on its data folder. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { BUCKET_KEY, type BucketService, bucketService } from '../../support/bucketService.ts';
import { PROGRAM } from '../../support/command.ts';
import { engines } from '../../support/engines.ts';
import { until } from '../../support/until.ts';
import { ADMIN_KEY, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const [sqlite] = engines();

describe('countersign backup', { skip: sqlite?.name === 'sqlite' ? false : 'PostgreSQL has its own tools' }, () => {
  let world: World;
  let folder: string;
  let place: string;
  let service: BucketService;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-backup-'));
    place = join(folder, 'place');
    await mkdir(place);
    const data = { DATA_DIR: join(folder, 'data'), WEBHOOK_ALLOW_PRIVATE: 'true' };
    world = await makeWorld(sqlite as NonNullable<typeof sqlite>, data);
    service = await bucketService();
  });
  after(async () => {
    await world.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  const atNode = (words: string[], env: Record<string, string> = {}) =>
    runHere(['backup', ...words], { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY, ...env });
  const inFolder = (words: string[], env: Record<string, string> = {}) =>
    runHere(['backup', ...words], { DATA_DIR: join(folder, 'data'), WEBHOOK_ALLOW_PRIVATE: 'true', ...env });
  const kept = async () => (await atNode(['schedule', '--json'])).json().kept;

  test('sets a schedule from the data folder, which the running node keeps to', async () => {
    assert.match((await inFolder(['schedule'])).stdout, /^No schedule is set\./);
    const set = await inFolder(['schedule', 'set', place, '--every', 'week', '--hour', '4', '--keep', '3']);
    assert.equal(set.code, 0, set.stderr);
    assert.match(set.stdout, new RegExp(`^Made +each Monday at 4:00 UTC\nKept +the newest 3, ${place}\n`));
    await until('a backup', async () => (await kept()).length === 1, 180_000);
    const [{ fileName }] = await kept();
    assert.ok((await readdir(place)).includes(fileName));
    const { stdout } = await atNode(['schedule', 'show']);
    assert.match(stdout, new RegExp(`\n${fileName} +\\S+ \\S+ +\\S+ \\S+ +\\d+ +\\d+\n$`));
  });

  test('tries what lies there, and what was changed there fails', async () => {
    const [{ fileName, events, rows }] = await kept();
    const good = await inFolder(['try', join(place, fileName), '--json']);
    assert.equal(good.code, 0, good.stderr);
    const { events: found, rows: counted, includesKey } = good.json();
    assert.deepEqual([found, counted, includesKey], [events, rows, false]);
    const bad = join(folder, 'bad.tar');
    await writeFile(bad, 'no archive');
    const refused = await inFolder(['try', bad]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^The backup is truncated\.\n$/);
  });

  test('leaves no key behind where a try is interrupted', async () => {
    const [{ fileName }] = await kept();
    const temporary = join(folder, 'temporary');
    await mkdir(temporary);
    const env = { PATH: process.env['PATH'] ?? '', TMPDIR: temporary, DATA_DIR: join(folder, 'data') };
    const child = spawn(process.execPath, [PROGRAM, 'backup', 'try', join(place, fileName)], { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    // It is there for some hundred milliseconds.
    const isThere = async () => (await readdir(temporary)).some((name) => name.startsWith('countersign-trial'));
    await until('its folder', isThere, 60_000, 1);
    child.kill('SIGINT');
    assert.deepEqual(await ended, [130, null]);
    assert.deepEqual(await readdir(temporary), []);
  });

  test('keeps backups in a bucket, by the key of the environment, and ends', async () => {
    const { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY } = BUCKET_KEY;
    const words = [
      'schedule',
      'set',
      `s3://${service.bucket}/n1`,
      '--endpoint',
      service.endpoint,
      '--region',
      service.region,
    ];
    const without = await atNode(words);
    assert.deepEqual([without.code, /AWS_ACCESS_KEY_ID/.test(without.stderr)], [2, true], without.stderr);
    const set = await atNode(words, { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY });
    assert.equal(set.code, 0, set.stderr);
    assert.ok(!set.stdout.includes(AWS_SECRET_ACCESS_KEY));
    await until('a backup', async () => (await kept()).length === 1, 180_000);
    assert.deepEqual([...service.objects.keys()], [`n1/${(await kept())[0].fileName}`]);
    assert.equal(
      (await atNode(['schedule', 'end'])).stdout,
      'No schedule is set. Set one: countersign backup schedule set <place>\n',
    );
    const start = await atNode(['schedule', 'start']);
    assert.match(start.stderr, /^CONFLICT: There is no schedule/);
  });
});
