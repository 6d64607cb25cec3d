/**
 * Every block of every page, as a new user plays it: one page after another, each in its order, in an empty folder, against a
 * node of its own. A block that is not played is listed here with the reason.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { logIn } from '../support/browser.ts';
import { freePort } from '../support/child.ts';
import { blocksOfPage, playPage, RUNNABLE } from '../support/docsPage.ts';
import { type Engine, engines } from '../support/engines.ts';
import { startIdentityProvider } from '../support/identityProvider.ts';
import { approveAll, fetchWheels } from '../support/pageReaders.ts';
import { installClient, installCommand } from '../support/snippets.ts';
import { ADMIN_KEY, makeWorld } from '../support/world.ts';
import { NOT_PLAYED, OWN_NODE, PYTHON_PACKAGES, SHOWN, TOLD, WITH_PERSON } from './playedPages.ts';

const [sqlite, postgres] = engines() as [Engine, Engine];
const PAGES = ['README.md'];
for (const name of (await readdir('docs', { recursive: true })).sort()) {
  if (name.endsWith('.md')) PAGES.push(`docs/${name}`);
}

/** Pages whose commands run where the node's settings are. */
const FOR_OPERATORS = ['backup', 'deploy', 'monitoring'].map((name) => `docs/guides/${name}.md`);

const notPlayed = (of: string, text: string) =>
  NOT_PLAYED.find(({ page, begins }) => page === of && text.startsWith(begins));

describe('the blocks of the pages', () => {
  /** What `npm install` puts into the reader's folder. */
  let modules: string;
  before(async () => {
    modules = await mkdtemp(join(tmpdir(), 'countersign-modules-'));
    await installClient(modules);
    await mkdir(join(modules, 'node_modules', '@a2a-js'));
    await mkdir(join(modules, 'node_modules', '.bin'));
    await symlink(resolve('node_modules/@a2a-js/sdk'), join(modules, 'node_modules/@a2a-js/sdk'));
    await symlink(resolve('node_modules/@modelcontextprotocol'), join(modules, 'node_modules/@modelcontextprotocol'));
    await symlink(resolve('node_modules/@digitalbazaar'), join(modules, 'node_modules/@digitalbazaar'));
    for (const name of ['jose', 'canonicalize', 'mppx']) {
      await symlink(resolve('node_modules', name), join(modules, 'node_modules', name));
    }
    await symlink(resolve('node_modules/tsx/dist/cli.mjs'), join(modules, 'node_modules/.bin/tsx'));
  });
  after(() => rm(modules, { recursive: true, force: true }));

  test('are each played, shown as data, or listed with the reason why not', async () => {
    const listed = new Set(NOT_PLAYED);
    for (const page of PAGES) {
      const blocks = await blocksOfPage(page);
      for (const { language, text, line, file } of blocks) {
        const entry = notPlayed(page, text);
        const isListed = entry !== undefined && listed.delete(entry);
        const isPlayed = RUNNABLE.includes(language) && !isListed;
        const isKnown = isPlayed || isListed || SHOWN.includes(language);
        assert.ok(isKnown, `${page}:${line} (${language || 'no language'}) is neither played nor listed`);
        if (!isPlayed) continue;
        assert.ok(TOLD[page], `${page} has blocks that are played, so what they print is to be told`);
        const later = blocks.filter((other) => other.language === 'sh' && other.line > line);
        const isRun = file === undefined || later.some((other) => other.text.includes(file));
        assert.ok(isRun, `${page}:${line} is saved as ${file}, which no later command of the page runs`);
      }
    }
    assert.deepEqual([...listed], [], 'listed, but on no page');
  });

  test('in TypeScript compile strictly against the packages', async () => {
    for (const page of PAGES) {
      for (const { language, text, line } of await blocksOfPage(page)) {
        if (language === 'ts') await writeFile(join(modules, `${page.replaceAll(/\W/g, '-')}-${line}.mts`), text);
      }
    }
    const strict = { module: 'NodeNext', target: 'ES2023', strict: true, skipLibCheck: true, noEmit: true };
    const compilerOptions = { ...strict, types: ['node'], noUncheckedIndexedAccess: true };
    await writeFile(join(modules, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }));
    const compiled = promisify(execFile)(resolve('node_modules/.bin/tsc'), ['--project', modules]);
    await compiled.catch((error) => assert.fail(error.stdout));
  });

  for (const [page, told] of Object.entries(TOLD)) {
    test(`of ${page} do what the page says`, async (t) => {
      const port = String(await freePort());
      const folder = await mkdtemp(join(tmpdir(), 'countersign-page-'));
      t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
      const wheels = join(folder, 'wheels');
      const needed = PYTHON_PACKAGES[page];
      const lacking = needed === undefined ? undefined : await fetchWheels(needed, wheels);
      if (lacking !== undefined) return t.skip(lacking);
      const provider = await startIdentityProvider(`http://localhost:${port}/ap2/auth/callback`);
      t.after(() => provider.stop());
      provider.person = 'alice';
      const machine = { DATA_DIR: join(folder, 'node'), PORT: port, LOG_LEVEL: 'silent' };
      const world = await makeWorld(sqlite, {
        ...provider.env,
        ...machine,
      });
      // Hooks run in the order in which they are registered: the person leaves before the node stops.
      const endPerson = WITH_PERSON.includes(page) ? approveAll(world) : undefined;
      t.after(() => endPerson?.());
      t.after(() => world.close());
      // A new user's shop is the sandbox's own.
      for (const { id } of (await world.client.listMerchants()).data) await world.client.removeMerchant({ id });
      const database = page === 'docs/guides/backup.md' ? await postgres.open() : undefined;
      t.after(() => database?.drop());
      await installCommand(folder);
      await symlink(join(modules, 'node_modules'), join(folder, 'node_modules'));
      const own = OWN_NODE.includes(page) ? { PORT: String(await freePort()), LOG_LEVEL: 'silent' } : undefined;
      const blocks = (await blocksOfPage(page)).filter(({ text }) => notPlayed(page, text) === undefined);
      const printed = await playPage(page, blocks, {
        folder,
        address: own === undefined ? world.node.address : `http://localhost:${own.PORT}`,
        env: {
          PATH: `${folder}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
          HOME: folder,
          npm_config_offline: 'true',
          ...(needed === undefined ? {} : { PIP_NO_INDEX: '1', PIP_FIND_LINKS: wheels }),
          ...own,
          ...(FOR_OPERATORS.includes(page) ? machine : {}),
        },
        fillIns: {
          URL: world.node.baseUrl,
          KEY: ADMIN_KEY,
          COUNTERSIGN_URL: world.node.baseUrl,
          COUNTERSIGN_API_KEY: ADMIN_KEY,
          CHECKOUT: resolve('.'),
          AGENT: world.agent.did,
          TOKEN: (await logIn(world)).accessToken,
          NODE_URL: world.node.baseUrl,
          NODE_KEY: ADMIN_KEY,
          NEW_DATABASE_URL: database?.url ?? '',
        },
      });
      for (const expected of told) assert.match(printed, expected);
      assert.doesNotMatch(printed, /"error":|NOT_FOUND: |undefined/);
    });
  }
});
