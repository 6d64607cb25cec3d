/** The first admin key: whom it is shown to, and that it counts as shown only then. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { firstLines } from '../../../src/cli/server/firstKey.ts';
import { readConfig } from '../../../src/node/config/config.ts';
import { startNode } from '../../../src/node/startNode.ts';
import { startChild } from '../../support/child.ts';
import { runHere } from '../runHere.ts';

const KEY = /ak_(test|live)_[0-9A-Za-z]{32}/;

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-first-key-'));
  // It runs before the node of the test is ended, which may still be writing.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}

async function mayRead(address: string, key: string): Promise<boolean> {
  return (await fetch(`${address}/ap2/agents`, { headers: { Authorization: `Bearer ${key}` } })).ok;
}

test('in production without a terminal it lies in a file for its owner, and only the path is printed', async (t) => {
  const dataDir = await newFolder(t);
  const node = await startChild({ AP2_ENV: 'production', DATA_DIR: dataDir });
  t.after(() => node.kill());
  const file = join(dataDir, 'first-admin-key');
  assert.doesNotMatch(node.output(), KEY);
  assert.ok(node.output().includes(file), node.output());
  assert.doesNotMatch(node.output(), /welcome\/[\w-]{20}/, 'nor is the link by which one becomes OWNER');
  assert.match(await readFile(join(dataDir, 'first-welcome-link'), 'utf8'), /\/console\/#\/welcome\/[\w-]{43}/);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.ok(await mayRead(node.address, (await readFile(file, 'utf8')).trim()));
});

test('in production on a terminal, and always in the sandbox, it is printed', async (t) => {
  const dataDir = await newFolder(t);
  for (const [env, isTerminal] of [['production', true] as const, ['sandbox', false] as const]) {
    const first = { key: 'the-key', link: 'the-link' };
    const lines = firstLines(first, readConfig({ AP2_ENV: env, DATA_DIR: dataDir }), isTerminal).join('\n');
    assert.match(lines, /the-link.*the-key/s);
  }
  await assert.rejects(stat(join(dataDir, 'first-admin-key')), /ENOENT/);
});

test('it is shown once; a start that died before it was shown leaves it to the next', async (t) => {
  const dataDir = await newFolder(t);
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' });
  const dying = await startNode(config);
  assert.match(String(dying.newKey), KEY);
  await dying.stop();
  const first = await startChild({ DATA_DIR: dataDir });
  const [shown] = KEY.exec(first.output()) ?? [];
  assert.ok(shown);
  assert.ok(await mayRead(first.address, shown));
  await first.stop();
  const second = await startChild({ DATA_DIR: dataDir });
  t.after(() => second.kill());
  assert.doesNotMatch(second.output(), KEY);
  assert.ok(await mayRead(second.address, shown));
});

test('where the first key is given, the link by which one becomes OWNER is shown once all the same', async (t) => {
  const given = { BOOTSTRAP_API_KEY: `ak_test_${'g'.repeat(32)}` };
  const dataDir = await newFolder(t);
  const first = await startChild({ DATA_DIR: dataDir, ...given });
  assert.match(first.output(), /become its OWNER: .*\/console\/#\/welcome\/[\w-]{43}/);
  assert.doesNotMatch(first.output(), KEY);
  await first.stop();
  const second = await startChild({ DATA_DIR: dataDir, ...given });
  t.after(() => second.kill());
  assert.doesNotMatch(second.output(), /welcome\//);

  const folder = await newFolder(t);
  const live = { BOOTSTRAP_API_KEY: `ak_live_${'g'.repeat(32)}` };
  const production = await startChild({ AP2_ENV: 'production', DATA_DIR: folder, ...live });
  t.after(() => production.kill());
  assert.match(await readFile(join(folder, 'first-welcome-link'), 'utf8'), /\/console\/#\/welcome\/[\w-]{43}/);
  await assert.rejects(stat(join(folder, 'first-admin-key')), /ENOENT/);
});

test('who has lost it makes another one by the command that was printed with it', async (t) => {
  const dataDir = await newFolder(t);
  const node = await startChild({ DATA_DIR: dataDir });
  t.after(() => node.kill());
  const words = /Another one, on this machine: countersign (key .*)$/m.exec(node.output())?.[1]?.split(' ') ?? [];
  // Beside the running node.
  const { code, stdout, stderr } = await runHere(words, { DATA_DIR: dataDir });
  assert.equal(code, 0, stderr);
  const [another] = KEY.exec(stdout) ?? [];
  assert.ok(await mayRead(node.address, String(another)));
  const headers = { Authorization: `Bearer ${another}` };
  assert.equal((await fetch(`${node.address}/ap2/admin/api-keys`, { headers })).status, 200);
});
