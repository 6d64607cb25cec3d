/** A checkout runs what its sources say now: built once for each state of them, or compiled on the way without a compiler. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';

const PARTS = [
  'bin',
  'src',
  'protocol',
  'client',
  'console',
  'data/schema',
  'scripts',
  'package.json',
  'package-lock.json',
];

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('a checkout', () => {
  let checkout: string;
  before(async () => {
    checkout = await mkdtemp(join(tmpdir(), 'countersign-checkout-'));
    for (const part of PARTS) await cp(part, join(checkout, part), { recursive: true });
    for (const name of await readdir('data')) {
      if (name.endsWith('.json')) await cp(join('data', name), join(checkout, 'data', name));
    }
    await mkdir(join(checkout, 'node_modules'));
    const { dependencies, devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      const place = join(checkout, 'node_modules', name);
      await mkdir(dirname(place), { recursive: true });
      await symlink(resolve('node_modules', name), place);
    }
  });
  after(() => rm(checkout, { recursive: true, force: true }));

  const help = (): Promise<Ended> =>
    new Promise((resolve) => {
      const args = [join(checkout, 'bin', 'countersign.js'), '--help'];
      execFile(process.execPath, args, { env: { PATH: process.env['PATH'] } }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  const builds = async () => (await readdir(join(checkout, 'dist'))).filter((name) => /^(program|draft)-/.test(name));
  const main = () => join(checkout, 'src', 'main.ts');

  test('is built once, also by two that start at once, and anew when a source changes', async () => {
    for (const { stdout, stderr } of await Promise.all([help(), help()])) assert.match(stdout, /^Usage:/, stderr);
    const [first, ...others] = await builds();
    assert.deepEqual(others, []);
    await help();
    assert.deepEqual(await builds(), [first]);

    const text = await readFile(main(), 'utf8');
    await writeFile(main(), `console.log('changed');\n${text}`);
    assert.match((await help()).stdout, /^changed\nUsage:/);
    assert.equal((await builds()).length, 2);
  });

  test('says what is wrong with its sources', async () => {
    const text = await readFile(main(), 'utf8');
    await writeFile(main(), 'const = 1;');
    const { code, stderr } = await help();
    await writeFile(main(), text);
    assert.equal(code, 1);
    assert.match(stderr, /src\/main\.ts:1:6/);
  });

  test('runs its sources where the bundler is not installed', async () => {
    await rm(join(checkout, 'dist'), { recursive: true, force: true });
    await unlink(join(checkout, 'node_modules', 'esbuild'));
    const { stdout, stderr } = await help();
    assert.match(stdout, /Usage:/, stderr);
    assert.deepEqual(await builds(), []);
  });
});
