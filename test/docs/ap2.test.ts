/** The worked example of docs/ap2.md, run as it stands. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { blocksOf, runShell } from '../support/snippets.ts';
import { ADMIN_KEY, everyEngine, makeWorld } from '../support/world.ts';

test('the worked example of docs/ap2.md buys', async (t) => {
  const world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  const folder = await mkdtemp(join(tmpdir(), 'countersign-docs-'));
  t.after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });
  const blocks = blocksOf(await readFile('docs/ap2.md', 'utf8'), 'sh');
  const environment = {
    PATH: process.env['PATH'] ?? '',
    URL: world.node.baseUrl,
    KEY: ADMIN_KEY,
    AGENT: world.agent.did,
  };
  const stdout = await runShell(blocks, folder, environment);
  assert.match(stdout, /"allowed":true/, stdout);
  assert.match(stdout, /"amount":42.5,.*"status":"requires_capture"/);
});
