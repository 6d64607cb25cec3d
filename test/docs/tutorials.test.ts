/** The tutorials, and that every page of docs/ can be found and leads only to what is there. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { blocksOf, installClient, installCommand, runShell, runTypeScript } from '../support/snippets.ts';
import { ADMIN_KEY, everyEngine, makeWorld, type World } from '../support/world.ts';

describe('the tutorials', () => {
  let world: World;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-tutorial-'));
    const [engine] = everyEngine();
    assert.ok(engine);
    // The sandbox's shop is another one than the world's.
    world = await makeWorld(engine, { DATA_DIR: join(folder, 'node') });
    for (const { id } of (await world.client.listMerchants()).data) await world.client.removeMerchant({ id });
    await installCommand(folder);
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const environment = () => ({
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    URL: world.node.address,
    KEY: ADMIN_KEY,
    COUNTERSIGN_URL: world.node.address,
    COUNTERSIGN_API_KEY: ADMIN_KEY,
    DATA_DIR: join(folder, 'node'),
    LOG_LEVEL: 'silent',
  });

  test('the one for an agent’s developer buys, in TypeScript and with curl', async () => {
    const page = await readFile('docs/tutorial-agent.md', 'utf8');
    const [beforehand, withCurl] = page.split('## 5.') as [string, string];
    const first = await runShell(blocksOf(beforehand, 'sh'), folder, environment());
    assert.match(first, /did:key:z6Mk\w+ is registered\.\n$/);
    await installClient(folder);
    const local = blocksOf(page, 'ts').map((text) => text.replaceAll('http://localhost:8402', world.node.address));
    const [bought, present, refused] = await runTypeScript(local, folder, environment());
    assert.equal(bought, 'paid: requires_capture\n');
    assert.match(present ?? '', /^HP_REQUIRED 150\.00 USD is 50\.00 over .*\napproved with the person: true\n$/);
    assert.match(
      refused ?? '',
      /^AMOUNT_OVER_CAP .*\nMERCHANT_DENIED .*\n404 NOT_FOUND http.*\/docs\/errors#NOT_FOUND\n$/,
    );
    const paid = await runShell(blocksOf(withCurl, 'sh'), folder, environment());
    assert.match(paid, /^requires_capture (pm_\w+)\nrequires_capture \1\n$/);
  });

  test('the one for an owner does what it says', async () => {
    await rm(join(folder, 'agent.seed'), { force: true });
    const page = await readFile('docs/tutorial-owner.md', 'utf8');
    const output = await runShell(blocksOf(page, 'sh'), folder, environment());
    assert.match(output, /Own limit +5 purchases and an amount of 300 in 24h/);
    assert.match(output, /3 of 3 cases came out as expected\./);
    assert.match(output, /Version +2, current/);
    assert.match(output, /Works once, until/);
    assert.match(output, /AGENT_CREATED +Shopping agent/);
    assert.match(output, /Status +SUSPENDED[\s\S]+Status +ACTIVE[\s\S]+Status +REVOKED/);
    assert.match(output, /✓ The chain of \d+ events holds\.\n$/);
  });
});

test('every page is reached from the README, and every link between pages leads to one', async () => {
  const pages = (await readdir('docs', { recursive: true }))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  const linked = new Set<string>();
  for (const page of ['README.md', ...pages]) {
    const text = await readFile(page, 'utf8');
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
      const path = join(dirname(page), target ?? '');
      assert.ok(existsSync(path), `${page} leads to ${path}`);
      linked.add(path);
    }
  }
  assert.deepEqual(
    pages.filter((page) => !linked.has(page)),
    [],
  );
});
