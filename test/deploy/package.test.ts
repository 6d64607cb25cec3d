/** The npm package, packed and unpacked: it runs built, and nothing that only compiles its sources is needed. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A text without what another run calls otherwise: ids, and the port. */
const withoutNames = (text: string) => text.trim().replace(/\b(pi_|apr_|localhost:)\w+/g, '$1');

describe('the npm package', () => {
  let project: string;
  let program: string;
  before(async () => {
    project = await mkdtemp(join(tmpdir(), 'countersign-package-'));
    const modules = join(project, 'node_modules');
    const packed = await run('npm', ['pack', '--silent', '--pack-destination', project]);
    const file = packed.stdout.trim().split('\n').at(-1) ?? '';
    await run('tar', ['-xzf', file], { cwd: project });
    const installed = join(modules, 'countersign');
    await mkdir(modules);
    await rename(join(project, 'package'), installed);
    // What npm installs beside it.
    for (const name of Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).dependencies)) {
      const place = join(modules, name);
      await mkdir(dirname(place), { recursive: true });
      await symlink(resolve('node_modules', name), place);
    }
    program = join(installed, 'bin', 'countersign.js');
  });
  after(() => rm(project, { recursive: true, force: true }));

  const countersign = (args: string[], env: Record<string, string> = {}) =>
    run(process.execPath, [program, ...args], { cwd: project, env: { PATH: process.env['PATH'] ?? '', ...env } });

  test('runs without tsx and esbuild, and plays the demo that README.md shows', async () => {
    for (const name of ['tsx', 'esbuild']) assert.ok(!existsSync(join(project, 'node_modules', name)), name);
    const { stdout } = await countersign(['demo']);
    const [shown] = /^An agent goes shopping\.\n[^`]*/m.exec(readFileSync('README.md', 'utf8')) ?? [];
    assert.equal(withoutNames(stdout), withoutNames(String(shown)));
  });

  test('tells of a crash by the lines of its sources', async () => {
    const dataDir = join(project, 'broken');
    await mkdir(dataDir, { mode: 0o700 });
    await writeFile(join(dataDir, 'countersign.db'), 'this is no database, whatever its name says');
    const { stderr } = await countersign(['serve'], { DATA_DIR: dataDir, LOG_LEVEL: 'debug' }).then(
      () => assert.fail('it started'),
      (error: { stderr: string }) => error,
    );
    assert.match(stderr, /SqliteError: file is not a database\n/);
    assert.match(stderr, /at [\w .]+ \(.*\/src\/store\/sqlite\/\w+\.ts:\d+:\d+\)/);
  });
});
