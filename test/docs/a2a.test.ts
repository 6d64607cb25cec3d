/** The recipe of docs/a2a.md, played as it stands with the official SDK. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { blocksOf, runTypeScript } from '../support/snippets.ts';
import { ADMIN_KEY, everyEngine, makeWorld, type World } from '../support/world.ts';

describe('docs/a2a.md', () => {
  let world: World;
  let folder: string;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    folder = await mkdtemp(join(tmpdir(), 'countersign-a2a-'));
    await mkdir(join(folder, 'node_modules', '@a2a-js'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    for (const name of ['@a2a-js/sdk', '@types', 'undici-types']) {
      await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
    }
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('its purchase prints what the page says', async () => {
    const page = await readFile('docs/a2a.md', 'utf8');
    const env = { PATH: process.env['PATH'] ?? '', URL: world.node.baseUrl, KEY: ADMIN_KEY, AGENT: world.agent.did };
    const printed = await runTypeScript(blocksOf(page, 'ts'), folder, env);
    const promised = /prints `(TASK_STATE_COMPLETED [^`]*)`/.exec(page)?.[1];
    assert.deepEqual(
      printed.map((text) => text.trim()),
      [promised],
    );
  });
});
