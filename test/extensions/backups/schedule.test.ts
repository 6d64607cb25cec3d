/** The schedule of backups over the API, on a node that serves: by whom, where to, and what is shown of it. */
import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import { readSchedule, writeSchedule } from '../../../src/extensions/backups/scheduleFiles.ts';
import { restoreBackup } from '../../../src/maintenance/restore.ts';
import { insertTenant } from '../../../src/store/statements/node/tenants.ts';
import { BUCKET_KEY, type BucketService, bucketService } from '../../support/bucketService.ts';
import { engines } from '../../support/engines.ts';
import { signInUser } from '../../support/signInUser.ts';
import { until } from '../../support/until.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const PATH = '/ap2/admin/backups/schedule';
const [sqlite, postgres] = engines();

/** @returns the schedule once a backup of it is kept, or one failed */
async function ended(world: World, count = 1): Promise<Loose> {
  let shown: Loose;
  await until(
    'a backup that is kept',
    async () => {
      shown = (await world.rest('GET', PATH)).body;
      return shown.running === undefined && (shown.kept.length >= count || shown.failure !== undefined);
    },
    180_000,
  );
  return shown;
}

describe('a schedule of backups', () => {
  let world: World;
  let service: BucketService;
  let root: string;
  before(async () => {
    world = await makeWorld(sqlite as NonNullable<typeof sqlite>, { WEBHOOK_ALLOW_PRIVATE: 'true' });
    service = await bucketService();
    root = await mkdtemp(join(tmpdir(), 'countersign-schedule-'));
  });
  after(async () => {
    await world.close();
    await service.close();
    await rm(root, { recursive: true, force: true });
  });

  const bucket = (more: Record<string, unknown> = {}) => ({
    kind: 'bucket',
    endpoint: service.endpoint,
    region: service.region,
    bucket: service.bucket,
    accessKeyId: BUCKET_KEY.accessKeyId,
    ...more,
  });

  test('keeps a backup in a folder at once, restored there, and it gives another node the same chain', async (t) => {
    const folder = join(root, 'place');
    await mkdir(folder);
    const input = { every: 'day', keep: 1, target: { kind: 'folder', folder } };
    const set = await world.rest('PUT', PATH, input);
    assert.deepEqual(set.body.schedule, { hour: 2, ...input }, set.text);
    const { kept, failure, isOnNodesDisk } = await ended(world);
    assert.equal(failure, undefined);
    assert.equal(isOnNodesDisk, true);
    const [{ fileName, events, rows }] = kept;
    assert.deepEqual((await readdir(folder)).toSorted(), ['.countersign-backups', fileName]);
    const dataDir = String(world.node.deps.data.freeSpace()?.folder);
    assert.deepEqual(
      (await readdir(join(dataDir, 'backups'))).toSorted(),
      ['download', 'kept.json', 'schedule.json'],
      'what it was tried in is gone, the keys in it too',
    );
    const target = join(root, 'restored');
    await mkdir(target);
    const keys = { keyFile: join(target, 'issuer.key'), rootKeyFile: join(target, 'root.key') };
    await copyFile(join(dataDir, 'issuer.key'), keys.keyFile);
    await copyFile(join(dataDir, 'root.key'), keys.rootKeyFile);
    const source = join(folder, fileName);
    const found = await restoreBackup(nativeSuite(), { source, dataDir: target, ...keys, clock: Date.now });
    assert.equal(
      found.chains.reduce((sum, chain) => sum + chain.events, 0),
      events,
    );
    assert.equal(
      Object.values(found.rows).reduce((sum, count) => sum + count, 0),
      rows,
    );
    assert.ok((await world.rest('GET', '/ap2/admin/backups/latest')).body.lastBackupAt);
    t.diagnostic(`${events} events, ${rows} rows`);
  });

  test('keeps one when it is asked for besides, and takes the oldest away', async () => {
    const [before] = (await world.rest('GET', PATH)).body.kept;
    const asked = await world.rest('POST', `${PATH}/start`);
    assert.equal(asked.status, 200, asked.text);
    let kept: Loose;
    await until(
      'another one',
      async () => {
        ({ kept } = (await world.rest('GET', PATH)).body);
        return kept[0].fileName !== before.fileName;
      },
      180_000,
    );
    assert.equal(kept.length, 1);
    const { data } = (await world.rest('GET', '/ap2/evidence/search?eventType=BACKUP_STARTED')).body;
    assert.equal(data.length, 1);
  });

  test('keeps one in a bucket, whose secret is sealed and in no answer and no evidence', async () => {
    const input = {
      every: 'week',
      hour: 23,
      keep: 3,
      target: bucket({ prefix: 'n1/', secretAccessKey: BUCKET_KEY.secretAccessKey }),
    };
    const set = await world.rest('PUT', PATH, input);
    assert.equal(set.status, 200, set.text);
    const { kept, failure } = await ended(world);
    assert.equal(failure, undefined);
    assert.deepEqual([...service.objects.keys()], [`n1/${kept[0].fileName}`]);
    const shown = await world.rest('GET', PATH);
    const { body, text } = await world.rest('GET', '/ap2/evidence/search?eventType=BACKUP_SCHEDULE_CHANGED');
    assert.equal(body.data[0].data.target.bucket, service.bucket);
    const dataDir = String(world.node.deps.data.freeSpace()?.folder);
    const stored = await readFile(join(dataDir, 'backups', 'schedule.json'), 'utf8');
    assert.equal(JSON.parse(stored).byNode, false);
    for (const told of [set.text, shown.text, text, stored]) assert.ok(!told.includes(BUCKET_KEY.secretAccessKey));
  });

  test('goes on with the secret it has, for the same key and bucket alone', async () => {
    const again = await world.rest('PUT', PATH, { every: 'day', keep: 3, target: bucket({ prefix: 'n1/' }) });
    assert.equal(again.status, 200, again.text);
    const other = await world.rest('PUT', PATH, {
      every: 'day',
      keep: 3,
      target: bucket({ prefix: 'n1/', accessKeyId: 'AKIDOTHER' }),
    });
    assert.equal(other.status, 400, other.text);
    assert.equal(other.body.error.details[0].path, 'target.secretAccessKey');
    const elsewhere = await world.rest('PUT', PATH, {
      every: 'day',
      keep: 3,
      target: bucket({ endpoint: 'http://127.0.0.1:9' }),
    });
    assert.equal(elsewhere.body.error.details[0].path, 'target.secretAccessKey');
  });

  test('is refused for a place that takes nothing, with the reason, and the former one stays', async () => {
    const before = (await world.rest('GET', PATH)).body.schedule;
    const wrong = [
      [{ kind: 'folder', folder: 'backups' }, /must be an absolute path/],
      [{ kind: 'folder', folder: join(root, 'nowhere') }, /There is no folder/],
      [{ kind: 'folder', folder: String(world.node.deps.data.freeSpace()?.folder) }, /lies in the node's data folder/],
      [bucket({ secretAccessKey: 'wrong' }), /answered 403 \(SignatureDoesNotMatch\)/],
      [bucket({ endpoint: 'ftp://x.example', secretAccessKey: 'a' }), /must begin with https/],
      [bucket({ prefix: '/../x', secretAccessKey: 'a' }), /begin with no slash/],
      [bucket({ prefix: 'a/../../b/', secretAccessKey: 'a' }), /no part “\.” or “\.\.”/],
      [bucket({ endpoint: `${service.endpoint}?a=b`, secretAccessKey: 'a' }), /no query and no fragment/],
      [bucket({ region: 'eu\r\nx: y', secretAccessKey: 'a' }), /must be of letters, digits and hyphens/],
    ] as const;
    for (const [target, message] of wrong) {
      const { status, body, text } = await world.rest('PUT', PATH, { every: 'day', keep: 1, target });
      assert.equal(status, 400, text);
      assert.match(body.error.message, message);
    }
    assert.deepEqual((await world.rest('GET', PATH)).body.schedule, before);
  });

  test('keeps its list where the same place is written in another way', async () => {
    const before = (await world.rest('GET', PATH)).body.kept;
    assert.equal(before.length, 1);
    const target = bucket({ prefix: 'n1/', endpoint: `${service.endpoint}/` });
    const { body, text } = await world.rest('PUT', PATH, { every: 'week', hour: 23, keep: 3, target });
    assert.deepEqual(body.kept, before, text);
    assert.equal(body.schedule.target.endpoint, service.endpoint);
  });

  test('that is damaged is told as such, and can be set again without its secret being guessed', async () => {
    const dataDir = String(world.node.deps.data.freeSpace()?.folder);
    const file = join(dataDir, 'backups', 'schedule.json');
    const whole = await readFile(file);
    await writeFile(file, whole.subarray(0, 20));
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', `${PATH}/start`],
    ] as const) {
      const { status, body } = await world.rest(method, path);
      assert.equal(status, 409);
      assert.match(body.error.message, /schedule\.json is damaged; set it again, or end it/);
    }
    const input = { every: 'week', hour: 23, keep: 3, target: bucket({ prefix: 'n1/' }) };
    assert.equal((await world.rest('PUT', PATH, input)).body.error.details[0].path, 'target.secretAccessKey');
    assert.deepEqual((await world.rest('DELETE', PATH)).body, { kept: [] });
    await writeFile(file, whole);
    assert.equal((await world.rest('GET', PATH)).body.kept.length, 1);
  });

  test('that cannot be kept is told to people and to who watches the node, without its place', async () => {
    service.refuse = 'AccessDenied';
    await world.rest('POST', `${PATH}/start`);
    await until('a failure', async () => (await world.rest('GET', PATH)).body.failure !== undefined, 180_000);
    const { failure, kept } = (await world.rest('GET', PATH)).body;
    assert.match(failure.reason, /AccessDenied/);
    assert.equal(kept.length, 1);
    const { items } = (await world.rest('GET', '/ap2/admin/attention')).body;
    const told = items.find(({ kind }: Loose) => kind === 'node');
    assert.match(told.message, /A backup that was due could not be made/);
    assert.ok(!told.message.includes(service.bucket));
    service.refuse = undefined;
  });

  test('that is ended while one is asked for stays ended', async (t) => {
    const { store, data } = world.node.deps;
    const folder = join(String(data.freeSpace()?.folder), 'backups');
    const schedule = readSchedule(folder);
    const write = store.write.bind(store);
    t.mock.method(store, 'write', async (...given: Parameters<typeof write>) => {
      const result = await write(...given);
      writeSchedule(folder, undefined);
      return result;
    });
    const started = await world.rest('POST', `${PATH}/start`);
    assert.deepEqual([started.status, started.body], [200, { kept: [] }]);
    t.mock.restoreAll();
    writeSchedule(folder, schedule);
  });

  test('ends, and leaves what was kept where it is', async () => {
    const { body } = await world.rest('DELETE', PATH);
    assert.deepEqual(body, { kept: [] });
    assert.equal(service.objects.size, 1);
    const start = await world.rest('POST', `${PATH}/start`);
    assert.equal(start.status, 409, start.text);
  });

  test('is the owner’s, after a touch, and not one tenant’s of several', async () => {
    const input = { every: 'day', keep: 1, target: { kind: 'folder', folder: root } };
    const asked = async (role: string) => {
      const { headers } = await signInUser(world, role);
      const { status, body } = await world.rest('PUT', PATH, input, headers);
      return status < 300 ? 'let in' : body.error.code;
    };
    assert.deepEqual([await asked('VIEWER'), await asked('ADMIN')], ['FORBIDDEN', 'FORBIDDEN']);
    const { headers } = await signInUser(world, 'OWNER');
    world.clock.aheadMs += 301_000;
    assert.equal((await world.rest('PUT', PATH, input, headers)).body.error.code, 'STEP_UP_REQUIRED');
    await world.node.deps.store.write('other', (now) => insertTenant({ id: 'other', name: 'Other', created_at: now }));
    assert.equal((await world.rest('PUT', PATH, input)).status, 403);
    assert.equal((await world.rest('GET', PATH)).status, 403);
  });
});

test('a node on PostgreSQL has no schedule, and says what makes its backups', {
  skip: postgres === undefined,
}, async (t) => {
  const world = await makeWorld(postgres as NonNullable<typeof postgres>);
  t.after(() => world.close());
  const { status, body } = await world.rest('GET', PATH);
  assert.equal(status, 409);
  assert.match(body.error.message, /pg_dump/);
});
