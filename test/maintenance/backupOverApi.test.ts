/** Backups that an owner has made and downloads over the API, while the node runs. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { countersign, streamBackup } from '../../client/index.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { restoreBackup } from '../../src/maintenance/restore.ts';
import { insertTenant } from '../../src/store/statements/node/tenants.ts';
import { countersign as command } from '../support/command.ts';
import { engines } from '../support/engines.ts';
import { signInUser } from '../support/signInUser.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../support/world.ts';

const [sqlite, postgres] = engines();

/** @returns the state once none is being made */
async function whole(world: World): Promise<Loose> {
  let state: Loose;
  await until(
    'the end of the backup',
    async () => {
      state = (await world.rest('GET', '/ap2/admin/backups/latest')).body;
      return state.state !== 'RUNNING';
    },
    60_000,
  );
  return state;
}

for (const gates of ['0', '1']) {
  describe(`a backup over the API, with ${gates} gates beside the core`, () => {
    let world: World;
    let folder: string;
    before(async () => {
      world = await makeWorld(sqlite as NonNullable<typeof sqlite>, { GATES: gates });
      folder = join(String(world.node.deps.data.freeSpace()?.folder));
    });
    after(() => world.close());

    const download = async (): Promise<Buffer> => {
      const pieces: Uint8Array[] = [];
      const options = { baseUrl: world.node.address, credential: { apiKey: ADMIN_KEY } };
      for await (const piece of streamBackup(options)) pieces.push(piece);
      return Buffer.concat(pieces);
    };
    const eventTypes = async (): Promise<string[]> => {
      const { body } = await world.rest('GET', '/ap2/evidence/search?limit=5');
      return body.data.map((event: Loose) => event.eventType);
    };

    test('it is made beside the node, downloaded, and restored with the keys to the same chain', async (t) => {
      assert.equal((await world.rest('GET', '/ap2/admin/backups/latest')).body.state, 'NONE');
      const missing = await world.rest('GET', '/ap2/admin/backups/latest/file');
      assert.equal(missing.status, 404);
      assert.match(missing.body.error.message, /have one made first/);
      const begun = await world.rest('POST', '/ap2/admin/backups');
      assert.equal(begun.body.state, 'RUNNING', begun.text);
      const { state, archive, lastBackupAt } = await whole(world);
      assert.equal(state, 'READY');
      assert.equal(lastBackupAt, undefined, 'on the same disk it saves nothing yet');
      const bytes = await download();
      assert.equal(bytes.length, archive.bytes);
      assert.equal(createHash('sha256').update(bytes).digest('hex'), archive.sha256);
      assert.ok((await world.rest('GET', '/ap2/admin/backups/latest')).body.lastBackupAt);
      const [last, before] = await eventTypes();
      assert.deepEqual([last, before], ['BACKUP_DOWNLOADED', 'BACKUP_STARTED']);

      const elsewhere = await mkdtemp(join(tmpdir(), 'countersign-restored-'));
      t.after(() => rm(elsewhere, { recursive: true, force: true }));
      const file = join(elsewhere, archive.fileName);
      await writeFile(file, bytes);
      const target = join(elsewhere, 'data');
      await mkdir(target);
      const keys = { keyFile: join(target, 'issuer.key'), rootKeyFile: join(target, 'root.key') };
      await copyFile(join(folder, 'issuer.key'), keys.keyFile);
      await copyFile(join(folder, 'root.key'), keys.rootKeyFile);
      const restored = await restoreBackup(nativeSuite(), { source: file, dataDir: target, ...keys, clock: Date.now });
      assert.equal(
        restored.chains.reduce((sum, { events }) => sum + events, 0),
        archive.events,
      );
    });

    test('it holds no key, says its name, and is stored by no cache', async () => {
      const response = await fetch(`${world.node.address}/ap2/admin/backups/latest/file`, {
        headers: { Authorization: `Bearer ${ADMIN_KEY}` },
      });
      assert.equal(response.headers.get('content-type'), 'application/x-tar');
      assert.match(
        String(response.headers.get('content-disposition')),
        /^attachment; filename="countersign-\w+\.tar"$/,
      );
      assert.match(String(response.headers.get('cache-control')), /no-store/);
      const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
      assert.ok(text.includes('manifest.json') && !text.includes('issuer.key') && !text.includes('root.key'));
    });

    test('downloads that are broken off leave the node no open file', async () => {
      const open = async () => (await readdir('/proc/self/fd')).length;
      const before = await open();
      for (let time = 0; time < 10; time += 1) {
        const stream = streamBackup({ baseUrl: world.node.address, credential: { apiKey: ADMIN_KEY } });
        await stream.next();
        await stream.return(undefined);
      }
      await until('the end of the downloads', async () => (await open()) <= before + 3);
    });

    test('the command line brings one from a running node, and overwrites nothing', async (t) => {
      const elsewhere = await mkdtemp(join(tmpdir(), 'countersign-brought-'));
      t.after(() => rm(elsewhere, { recursive: true, force: true }));
      const file = join(elsewhere, 'node.tar');
      const words = ['backup', file, '--url', world.node.address, '--key', ADMIN_KEY, '--json'];
      const brought = await command(words);
      assert.equal(brought.code, 0, brought.stderr);
      const hash = createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
      assert.equal(brought.json().sha256, hash);
      assert.match((await command(words)).stderr, /exists already/);
      assert.match((await command([...words, '--without-key'])).stderr, /cannot be used with/);
    });

    test('two that ask at once have one made, and only the newest is kept', async () => {
      const asked = await Promise.all([1, 2].map(() => world.rest('POST', '/ap2/admin/backups')));
      assert.deepEqual(
        asked.map(({ body }) => body.startedAt),
        Array(2).fill(asked[0]?.body.startedAt),
      );
      const { archive } = await whole(world);
      const kept = await readdir(join(folder, 'backups', 'download'));
      assert.deepEqual(kept.sort(), [archive.fileName, 'latest.json'].sort());
    });

    test('an OWNER needs a fresh touch for it, and no other role gets one', async () => {
      const [{ headers: ada }, { headers: bob }] = [await signInUser(world, 'OWNER'), await signInUser(world, 'ADMIN')];
      const ask = async (headers: Record<string, string>) => {
        const asked = [
          await world.rest('POST', '/ap2/admin/backups', undefined, headers),
          await world.rest('GET', '/ap2/admin/backups/latest/file', undefined, headers),
        ];
        return asked.map(({ status, body }) => (status < 300 ? 'let in' : body.error.code));
      };
      assert.deepEqual(await ask(ada), ['let in', 'let in'], 'a new passkey was touched a moment ago');
      await whole(world);
      assert.deepEqual(await ask(bob), ['FORBIDDEN', 'FORBIDDEN']);
      world.clock.aheadMs += 301_000;
      assert.deepEqual(await ask(ada), ['STEP_UP_REQUIRED', 'STEP_UP_REQUIRED']);
    });

    test('what is missing on the disk is not offered', async () => {
      const { archive } = await whole(world);
      await rm(join(folder, 'backups', 'download', archive.fileName));
      assert.equal((await world.rest('GET', '/ap2/admin/backups/latest/file')).status, 404);
    });

    test('no caller may start one where the node has several tenants', async () => {
      await world.node.deps.store.write('other', (now) =>
        insertTenant({ id: 'other', name: 'Other', created_at: now }),
      );
      for (const [method, path] of [
        ['POST', '/ap2/admin/backups'],
        ['GET', '/ap2/admin/backups/latest/file'],
      ] as const) {
        const refused = await world.rest(method, path);
        assert.equal(refused.status, 403, refused.text);
        assert.match(refused.body.error.message, /several tenants/);
      }
    });
  });
}

test('a node on PostgreSQL says which tool backs it up', async () => {
  const world = await makeWorld(postgres as NonNullable<typeof postgres>);
  try {
    const client = countersign({ baseUrl: world.node.address, credential: { apiKey: ADMIN_KEY } });
    await assert.rejects(client.startBackup(), { code: 'CONFLICT', message: /pg_dump/ });
  } finally {
    await world.close();
  }
});
