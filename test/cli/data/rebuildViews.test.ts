/** `countersign data rebuild-views`: removes what lists are read from, of a node that does not run, and nothing else. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../../src/store/openStore.ts';
import { runHere } from '../runHere.ts';

test('data rebuild-views removes the views of a node that does not run, and nothing of one that does', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-rebuild-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [file, views] = [join(folder, 'countersign.db'), join(folder, 'views.db')];
  const rebuild = () => runHere(['data', 'rebuild-views', '--data-dir', folder], {});
  assert.match((await rebuild()).stderr, /There is no database at/);
  const store = await openStore({ file, clock: Date.now, views: true });
  const running = await rebuild();
  assert.notEqual(running.code, 0);
  assert.match(running.stderr, /A node runs on .*: stop it first\./);
  assert.ok(existsSync(views));
  await store.close();
  const { code, stdout, stderr } = await rebuild();
  assert.equal(code, 0, stderr);
  assert.match(stdout, /The views are removed\. Nothing else has changed\./);
  assert.equal(existsSync(views), false);
  assert.ok(existsSync(file));
  assert.match((await rebuild()).stdout, /There were no views\./);
});
