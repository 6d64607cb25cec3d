/** What is missing is installed, with a word on what goes on; what is there is left alone, and so is what belongs to others. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

const LOCK = {
  packages: { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0', optional: true } },
};
const FOUND = { packages: { 'node_modules/a': { version: '1.0.0' } } };

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'countersign-install-'));
  await cp('scripts/install.mjs', join(root, 'scripts', 'install.mjs'));
  await cp('scripts/addon', join(root, 'scripts', 'addon'), { recursive: true });
  await writeFile(join(root, 'package-lock.json'), JSON.stringify(LOCK));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Runs it with a program in the place of npm. */
async function install(npm: string): Promise<{ readonly code: number; readonly stderr: string }> {
  await mkdir(join(root, 'bin'), { recursive: true });
  await writeFile(join(root, 'bin', 'npm'), `#!/bin/sh\ntouch npm-was-run\n${npm}\n`);
  await chmod(join(root, 'bin', 'npm'), 0o755);
  const env = { SQLITE: 'node_modules/better-sqlite3/build', PATH: `${join(root, 'bin')}:${process.env['PATH']}` };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'scripts', 'install.mjs')], { env }, (error, _stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stderr }),
    );
  });
}

async function installed(found: object, older: boolean): Promise<void> {
  await mkdir(join(root, 'node_modules'), { recursive: true });
  const mark = join(root, 'node_modules', '.package-lock.json');
  await writeFile(mark, JSON.stringify(found));
  if (older) await utimes(mark, new Date(0), new Date(0));
}

const wasRun = async () => (await readdir(root)).includes('npm-was-run');

test('says while it runs what it is at, and for how long it took', async () => {
  // Each step lasts until the one before was told, as far as one second tells.
  const { code, stderr } = await install(
    'sleep 2; mkdir -p $SQLITE; touch $SQLITE/Makefile; sleep 2; echo {} > node_modules/.package-lock.json',
  );
  assert.equal(code, 0, stderr);
  const lines = stderr.replaceAll(/\d+ s/g, 'N s').trim().split('\n');
  assert.deepEqual(lines, [
    'Installing dependencies, once. Where better-sqlite3 has no prebuilt file for this Node, it is compiled, which takes one to three minutes.',
    '  fetching packages … N s',
    '  compiling better-sqlite3 … N s',
    `Installed in N s; better-sqlite3 was compiled for Node ${process.versions.node}.`,
  ]);
});

test('says that a prebuilt file was there, which npm is let look for', async () => {
  const fetched =
    'mkdir -p $SQLITE/Release; touch $SQLITE/Release/better_sqlite3.node; echo {} > node_modules/.package-lock.json';
  const { stderr } = await install(`[ -z "$npm_config_build_from_source" ] || exit 1\n${fetched}`);
  assert.match(stderr, /Installed in \d+ s; better-sqlite3 is the prebuilt file for Node [\d.]+\.\n$/);
});

test('says that npm failed, with what it needs', async () => {
  const { code, stderr } = await install('echo "no compiler" >&2; exit 7');
  assert.equal(code, 7);
  assert.match(stderr, /no compiler\n(.*\n)*npm ci failed; see above.*README\.md/);
});

test('leaves alone what is as the lock file says, though a checkout has written that anew', async () => {
  await installed(FOUND, true);
  assert.equal((await install('exit 1')).code, 0);
  assert.equal(await wasRun(), false);
  await installed({ packages: { 'node_modules/a': { version: '0.9.0' } } }, true);
  assert.equal((await install('exit 0')).code, 0);
  assert.equal(await wasRun(), true);
});

test('empties no folder of others that node_modules is a link to', async () => {
  const shared = join(root, 'shared');
  await mkdir(shared);
  await writeFile(join(shared, 'kept'), 'here');
  await symlink(shared, join(root, 'node_modules'));
  const { code, stderr } = await install('rm -rf node_modules/*');
  assert.equal(code, 1);
  assert.match(stderr, /is a link to .*shared, which does not have what package-lock\.json says\. Run "npm ci" there/);
  assert.equal(await readFile(join(shared, 'kept'), 'utf8'), 'here');
});
