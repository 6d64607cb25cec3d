/** The Python package as its users get it: built, installed from the wheel alone, and tried against a node. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
// @ts-expect-error: a script of a page has no types.
import { LANGUAGES } from '../../src/documents/page/request.js';
import { everyEngine } from '../support/engines.ts';
import { approveAll } from '../support/pageReaders.ts';
import { installLangchain, makeVenv, pipInstall } from '../support/python.ts';
import { checkTold, playRestarts } from '../support/restartedTask.ts';
import { ADMIN_KEY, type Loose, makeWorld } from '../support/world.ts';

const run = promisify(execFile);
const PACKAGE = 'packages/python';
const [sqlite] = everyEngine();

describe('the Python package', () => {
  let folder: string;
  let python: string;
  /** Why pip does not find what it takes. */
  let lacking: string | undefined;
  /** A copy without the sources, so that only what is installed can be imported. */
  let tests: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-python-'));
    python = await makeVenv(join(folder, 'venv'));
    lacking =
      (await pipInstall(python, ['hatchling', 'pytest', 'mypy', 'httpx', 'cryptography', 'pydantic'])) ??
      (await installLangchain(python));
    if (lacking !== undefined) return;
    await cp(PACKAGE, join(folder, 'source'), { recursive: true });
    await run(python, ['-m', 'hatchling', 'build', '--directory', join(folder, 'built')], {
      cwd: join(folder, 'source'),
    });
    tests = join(folder, 'tried');
    for (const name of ['tests', 'pyproject.toml'])
      await cp(join(PACKAGE, name), join(tests, name), { recursive: true });
  });
  const check = (cwd: string, ...args: string[]) =>
    run(python, ['-m', 'mypy', ...args], { cwd }).catch((error) => assert.fail(error.stdout));
  after(() => rm(folder, { recursive: true, force: true }));

  test('has the version of the npm package', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    const project = await readFile(join(PACKAGE, 'pyproject.toml'), 'utf8');
    assert.match(
      project,
      new RegExp(`^name = "countersign-client"\\nversion = "${version.replaceAll('.', '\\.')}"$`, 'm'),
    );
  });

  test('is Python in each file, also where pip finds nothing', async () => {
    const env = { ...process.env, PYTHONPYCACHEPREFIX: join(folder, 'compiled') };
    await run('python3', ['-m', 'compileall', '-q', join(PACKAGE, 'src')], { env }).catch((error) =>
      assert.fail(error.stdout),
    );
  });

  test('is built as a wheel and as source, installed from the wheel, and passes its tests against a node', async (t) => {
    if (lacking !== undefined) return t.skip(lacking);
    const built = await readdir(join(folder, 'built'));
    const wheel = built.find((name) => name.endsWith('-py3-none-any.whl'));
    assert.ok(wheel !== undefined && built.some((name) => name.endsWith('.tar.gz')), built.join());
    assert.equal(await pipInstall(python, [join(folder, 'built', wheel)]), undefined);
    const world = await makeWorld(sqlite as NonNullable<typeof sqlite>);
    const endPerson = approveAll(world);
    try {
      const env = {
        ...process.env,
        COUNTERSIGN_URL: world.node.address,
        COUNTERSIGN_API_KEY: ADMIN_KEY,
        COUNTERSIGN_VECTORS: resolve('test/vectors'),
      };
      const pytest = run(python, ['-m', 'pytest'], { cwd: tests, env, timeout: 120_000 });
      const { stdout } = await pytest.catch((error) => assert.fail(`${error.stdout}\n${error.stderr}`));
      assert.match(stdout, /^\d+ passed in /m);
    } finally {
      await endPerson();
      await world.close();
    }
  });

  for (const client of ['Client', 'AsyncClient']) {
    test(`follows a task over a stop and a crash of its node to its end, by ${client}`, async (t) => {
      if (lacking !== undefined) return t.skip(lacking);
      const complaints: string[] = [];
      const told = await playRestarts(sqlite as NonNullable<typeof sqlite>, async function* (address, id) {
        const env = { ...process.env, PYTHONPATH: resolve(PACKAGE, 'src') };
        const script = ['test/python/follow_task.py', client, address, ADMIN_KEY, id];
        const running = spawn(python, script, { env, stdio: ['ignore', 'pipe', 'pipe'] });
        running.stderr.on('data', (text) => complaints.push(String(text)));
        try {
          for await (const line of createInterface(running.stdout)) yield JSON.parse(line);
        } finally {
          running.kill();
        }
      });
      checkTold(told);
      assert.equal(complaints.join(''), '');
    });
  }

  test('takes each request that the API page shows in Python', async (t) => {
    if (lacking !== undefined) return t.skip(lacking);
    const world = await makeWorld(sqlite as NonNullable<typeof sqlite>);
    const shown = join(folder, 'shown');
    await mkdir(shown);
    try {
      const { paths } = (await world.rest('GET', '/openapi.json', undefined, {})).body as Loose;
      let count = 0;
      for (const [path, methods] of Object.entries<Loose>(paths)) {
        for (const [method, operation] of Object.entries<Loose>(methods)) {
          const text = LANGUAGES.Python(
            { path, method, operation: { parameters: [], ...operation } },
            world.node.baseUrl,
          );
          if (!text.includes('from countersign')) continue;
          await writeFile(join(shown, `${operation.operationId}.py`), text);
          count += 1;
        }
      }
      assert.ok(count > 100, String(count));
      await check(shown, '--strict', '.');
    } finally {
      await world.close();
    }
  });

  test('is typed strictly, for those who install it too', async (t) => {
    if (lacking !== undefined) return t.skip(lacking);
    await Promise.all([check(tests, 'tests'), check(join(folder, 'source'))]);
  });
});
