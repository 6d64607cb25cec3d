/** Lists read the views beside an SQLite file, and have every row where these are behind, missing, damaged or of another ledger. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, open, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../../src/store/openStore.ts';
import { openDatabase } from '../../../src/store/sqlite/openDatabase.ts';
import { listEvidence } from '../../../src/store/statements/evidence/search.ts';
import { clearTestData } from '../../../src/store/statements/reset.ts';
import { all, run, type Store } from '../../../src/store/store.ts';
import { rounds } from '../../support/rounds.ts';
import { missingMount, mountSmallDisk } from '../../support/smallDisk.ts';
import { until } from '../../support/until.ts';
import { ACTORS, append, listsOf, TENANTS } from './listedEvents.ts';

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-views-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'countersign.db');
}

const serve = (file: string) => openStore({ file, clock: Date.now, views: true });

/** What the ledger gives without any view. */
async function plainLists(file: string): Promise<unknown> {
  const store = await openStore({ file, clock: Date.now });
  try {
    return await listsOf(store);
  } finally {
    await store.close();
  }
}

/** A node that met another one's lock tries again in five seconds, and may meet it again. */
const PATIENCE_MS = 60_000;

async function quiet(store: Store): Promise<void> {
  const isQuiet = async () => {
    const { views } = store.stats();
    return views?.behindMs === 0 && !views.isFar && views.failure === undefined;
  };
  await until('views reach the ledger', isQuiet, PATIENCE_MS);
}

describe('views beside the ledger', () => {
  test('give what the ledger gives, while they are behind and when they are not', async (t) => {
    const file = await folderOf(t);
    const store = await serve(file);
    for (const count of [30, 1, 25]) {
      for (const tenantId of TENANTS) await store.write(tenantId, () => append(tenantId, count));
      assert.deepEqual(await listsOf(store), await plainLists(file));
    }
    await quiet(store);
    assert.deepEqual(await listsOf(store), await plainLists(file));
    const apart = await store.readApart(() => listEvidence('t', { actorDid: ACTORS[1] }, undefined, 40));
    assert.deepEqual(apart, await store.read(() => listEvidence('t', { actorDid: ACTORS[1] }, undefined, 40)));
    await store.close();
  });

  test('come back equal where the file was deleted, is of an older form or of another ledger', async (t) => {
    const file = await folderOf(t);
    const views = join(dirname(file), 'views.db');
    let store = await serve(file);
    await store.write('t', () => append('t', 50));
    await quiet(store);
    await store.close();
    const early = `${file}.early`;
    await copyFile(file, early);
    const expected = await plainLists(file);

    await rm(views);
    store = await serve(file);
    assert.deepEqual(await listsOf(store), expected);
    await quiet(store);
    await store.write('u', () => append('u', 50));
    await quiet(store);
    await store.close();

    // An older copy in the ledger's place: its next rows take places that the views have already.
    await copyFile(early, file);
    store = await serve(file);
    await store.write('t', () => append('t', 60));
    await quiet(store);
    assert.deepEqual(await listsOf(store), await plainLists(file));
    await store.close();

    const former = openDatabase(views);
    former.exec("UPDATE state SET form = 'of a former version'; DELETE FROM evidence_lists");
    former.close();
    store = await serve(file);
    assert.deepEqual(await listsOf(store), await plainLists(file));
    await store.close();
  });

  test('are made once, by one of several nodes that begin on a file at the same time', async (t) => {
    const file = await folderOf(t);
    const views = join(dirname(file), 'views.db');
    await (await openStore({ file, clock: Date.now })).close();
    const begin = () => Promise.all([serve(file), serve(file), serve(file)]);
    const end = (stores: readonly Store[]) => Promise.all(stores.map((store) => store.close()));
    const inodeOf = async () => (await stat(views)).ino;
    async function check(stores: readonly Store[]): Promise<void> {
      for (const [index, store] of stores.entries()) await store.write('t', () => append('t', 10 + index));
      const expected = await plainLists(file);
      for (const store of stores) assert.deepEqual(await listsOf(store), expected);
      for (const store of stores) await quiet(store);
      for (const store of stores) assert.deepEqual(await listsOf(store), expected);
    }
    const first = await begin();
    await check(first);
    await end(first);
    const inode = await inodeOf();

    const former = openDatabase(views);
    former.exec("UPDATE state SET form = 'of a former version'; DROP TABLE evidence_lists; CREATE TABLE other (a)");
    former.close();
    const next = await begin();
    await check(next);
    // A file that one of them removed would leave the others with one of their own.
    assert.equal(await inodeOf(), inode);
    await end(next);
  });

  test('have nothing of a tenant whose test data was deleted, and what came after', async (t) => {
    const file = await folderOf(t);
    const store = await serve(file);
    for (const tenantId of TENANTS) await store.write(tenantId, () => append(tenantId, 40));
    await quiet(store);
    // The newest rows are of this tenant, so that the next ones take their places.
    await store.write('u', () => clearTestData('u', 1));
    assert.deepEqual(await listsOf(store), await plainLists(file));
    await store.write('u', () => append('u', 10));
    assert.deepEqual(await listsOf(store), await plainLists(file));
    await quiet(store);
    await store.write('t', () => append('t', 10));
    assert.deepEqual(await listsOf(store), await plainLists(file));
    await store.close();
  });

  test('are made anew where a page of theirs is rotten, and the ledger is not called damaged', async (t) => {
    const file = await folderOf(t);
    const views = join(dirname(file), 'views.db');
    let store = await serve(file);
    await store.write('t', () => append('t', 3000));
    await quiet(store);
    await store.close();
    const { size } = await stat(views);
    const rotten = await open(views, 'r+');
    // All but the first page, which says where tables begin.
    await rotten.write(Buffer.alloc(size - 8192, 0xff), 0, size - 8192, 8192);
    await rotten.close();
    const found: string[] = [];
    store = await openStore({ file, clock: Date.now, views: true, onDamage: (finding) => found.push(finding) });
    assert.deepEqual(await listsOf(store), await plainLists(file));
    await store.readApart(() => listEvidence('t', { actorDid: ACTORS[1] }, undefined, 40));
    await until('views are whole again', async () => {
      const { views: state } = store.stats();
      return state?.behindMs === 0 && state.failure === undefined;
    });
    assert.deepEqual(await listsOf(store), await plainLists(file));
    assert.deepEqual(found, []);
    await store.close();
  });

  test('heal by themselves where they could not be made', async (t) => {
    const file = await folderOf(t);
    const views = join(dirname(file), 'views.db');
    await (await openStore({ file, clock: Date.now })).close();
    await mkdir(join(views, 'in the way'), { recursive: true });
    const store = await serve(file);
    await store.write('t', () => append('t', 20));
    assert.deepEqual(await listsOf(store), await plainLists(file));
    assert.match(store.stats().views?.failure ?? '', /\w/);
    await rename(views, `${views}.aside`);
    await quiet(store);
    assert.deepEqual(await listsOf(store), await plainLists(file));
    await store.close();
  });

  test('stop no purchase where their disk is full, and go on when it has room', { skip: missingMount() }, async (t) => {
    const file = await folderOf(t);
    const views = join(dirname(file), 'views.db');
    let store = await serve(file);
    await store.write('t', () => append('t', 20));
    await quiet(store);
    await store.close();
    const disk = mountSmallDisk(4 * 1024 * 1024);
    after(() => disk.remove());
    await copyFile(views, join(disk.folder, 'views.db'));
    await rm(views);
    await symlink(join(disk.folder, 'views.db'), views);
    store = await serve(file);
    await quiet(store);
    disk.fill();
    for (let round = 0; round < 20; round++) await store.write('t', () => append('t', 200));
    await until('the failure is told', async () => store.stats().views?.failure !== undefined);
    assert.deepEqual(await listsOf(store), await plainLists(file));
    disk.empty();
    await quiet(store);
    assert.deepEqual(await listsOf(store), await plainLists(file));
    await store.close();
  });

  test('are what the ledger has after a kill -9 at any moment', async (t) => {
    const file = await folderOf(t);
    const program = fileURLToPath(new URL('./appendEvents.ts', import.meta.url));
    for (const commits of [3, 40, 11, 1, 2, 5, 8, 13, 21, 34, 55, 89].slice(0, rounds(12, 3))) {
      const child = spawn(process.execPath, ['--import', 'tsx', program, file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let seen = 0;
      for await (const piece of child.stdout) {
        seen += String(piece).length / 2;
        if (seen >= commits) child.kill('SIGKILL');
      }
      const store = await serve(file);
      assert.deepEqual(await listsOf(store), await plainLists(file), `after ${commits} commits`);
      await quiet(store);
      assert.deepEqual(await listsOf(store), await plainLists(file), `after ${commits} commits, quiet`);
      await store.close();
    }
  });

  test('hold up no commit while they are written', async (t) => {
    const file = await folderOf(t);
    const store = await serve(file);
    await store.write('t', () => append('t', 10));
    await quiet(store);
    // Another connection holds the views' lock, as their writer does during a batch.
    const writer = openDatabase(join(dirname(file), 'views.db'));
    writer.exec('BEGIN IMMEDIATE');
    const began = performance.now();
    await store.write('t', () => append('t', 1));
    await store.write('t', function* () {
      yield* run("UPDATE evidence SET data = '{}' WHERE FALSE");
      return yield* all('SELECT seq FROM evidence_lists WHERE tenant_id = ?', 't');
    });
    assert.ok(performance.now() - began < 2000);
    writer.exec('ROLLBACK');
    writer.close();
    await store.close();
  });
});
