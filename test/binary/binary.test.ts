/** The single binary, built here and copied alone into an empty folder: it does there what it does from its sources. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startOptions } from '../../scripts/startOptions.mjs';
import { freePort } from '../support/child.ts';
import { startReceiver } from '../support/receiver.ts';
import { ADMIN_KEY, type Loose } from '../support/world.ts';

interface Done {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('the single binary', { skip: missingTool() }, () => {
  let built: string;
  let folder: string;
  let report: string;

  before(async () => {
    built = await mkdtemp(join(tmpdir(), 'countersign-built-'));
    const done = await promisify(execFile)(process.execPath, ['scripts/binary/build.mjs', '--out', built]);
    report = done.stdout;
    folder = await mkdtemp(join(tmpdir(), 'countersign-alone-'));
    await copyFile(join(built, 'countersign'), join(folder, 'countersign'));
  });
  after(async () => {
    for (const each of [built, folder]) await rm(each, { recursive: true, force: true });
  });

  /** An environment in which no program can be found. */
  const bare = (env: Record<string, string> = {}) => ({ PATH: '', TMPDIR: folder, ...env });
  const run = (args: string[], env: Record<string, string> = {}): Promise<Done> =>
    promisify(execFile)(join(folder, 'countersign'), args, { cwd: folder, env: bare(env) }).then(
      (done) => ({ code: 0, ...done }),
      (error: Done) => error,
    );

  async function serve(env: Record<string, string>): Promise<{ address: string; child: ChildProcess }> {
    const port = String(await freePort());
    const child = spawn(join(folder, 'countersign'), ['serve'], {
      cwd: folder,
      env: bare({ PORT: port, LOG_LEVEL: 'error', BOOTSTRAP_API_KEY: ADMIN_KEY, ...env }),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const address = `http://127.0.0.1:${port}`;
    for (let waited = 0; waited < 30_000 && child.exitCode === null; waited += 25) {
      const answer = await fetch(`${address}/readyz`).catch(() => undefined);
      if (answer?.status === 200) return { address, child };
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    child.kill('SIGKILL');
    throw new Error('the binary was not ready within 30 s');
  }

  async function stop(child: ChildProcess): Promise<number | null> {
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    return exited;
  }

  test('is built with its hash and a bill of materials that names what is in it', async () => {
    const bytes = await readFile(join(built, 'countersign'));
    const hash = createHash('sha256').update(bytes).digest('hex');
    assert.equal(await readFile(join(built, 'countersign.sha256'), 'utf8'), `${hash}  countersign\n`);
    assert.match(report, new RegExp(`sha256 ${hash}`));
    assert.match(report, /\d+\.\d MiB/);
    const bill = JSON.parse(await readFile(join(built, 'countersign.cdx.json'), 'utf8'));
    assert.equal(bill.bomFormat, 'CycloneDX');
    assert.equal(bill.metadata.component.hashes[0].content, hash);
    const names = new Set(bill.components.map((component: Loose) => component.name));
    for (const name of ['koa', 'better-sqlite3', 'sodium-native', 'node', '@noble/ed25519']) assert.ok(names.has(name));
    for (const name of ['typescript', 'tsx', 'esbuild', 'prebuild-install']) assert.ok(!names.has(name), name);
    for (const { name, licenses } of bill.components) assert.ok(licenses.length > 0, name);
    const refs = new Set(bill.components.map((component: Loose) => component['bom-ref']));
    assert.equal(refs.size, bill.components.length);
    refs.add(bill.metadata.component['bom-ref']);
    for (const { ref, dependsOn } of bill.dependencies)
      for (const each of [ref, ...dependsOn]) assert.ok(refs.has(each));
  });

  test('plays the demo', async () => {
    const done = await run(['demo']);
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /Evidence: \d+ chained events, valid\./);
  });

  test('sends traces and metrics to a collector', async () => {
    const collector = await startReceiver();
    const { child } = await serve({ DATA_DIR: 'traced', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    assert.equal(await stop(child), 0);
    await collector.wait(1, ({ path }) => path === '/v1/metrics');
    await collector.close();
  });

  test('serves pages, documents and purchases, and verifies a bundle of one without network and database', async () => {
    const { address, child } = await serve({ DATA_DIR: 'node' });
    try {
      const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };
      const ask = async (path: string, init: RequestInit = {}): Promise<string> => {
        const response = await fetch(address + path, { headers, ...init });
        assert.ok(response.ok, `${path}: ${await response.clone().text()}`);
        return response.text();
      };
      for (const path of ['/docs', '/docs/page.js', '/pages/page.css', '/console/', '/openapi.json', '/metrics'])
        await ask(path);
      const agent = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp';
      await ask('/ap2/agents', {
        method: 'POST',
        body: JSON.stringify({ name: 'Buyer', publicKey: agent.slice('did:key:'.length) }),
      });
      const purchase = {
        agentDid: agent,
        principalDid: agent,
        amount: 12.5,
        currency: 'USD',
        merchantDomain: 'shop.example',
      };
      const paid = JSON.parse(await ask('/ap2/demo/payment', { method: 'POST', body: JSON.stringify(purchase) }));
      assert.equal(JSON.parse(await ask('/ap2/evidence/verify')).valid, true, 'read beside the writer');
      const bundle = await ask(`/ap2/evidence/bundle/${paid.transactionId}?format=portable`);
      const card = JSON.parse(await ask('/.well-known/agent-card.json'));
      await writeFile(join(folder, 'bundle.json'), bundle);
      const verified = await run(['evidence', 'verify', 'bundle.json', '--issuer', card.did, '--json']);
      assert.equal(verified.code, 0, verified.stdout + verified.stderr);
      await writeFile(join(folder, 'bundle.json'), bundle.replace('shop.example', 'shop.examplf'));
      assert.equal((await run(['evidence', 'verify', 'bundle.json', '--issuer', card.did])).code, 1);
    } finally {
      assert.equal(await stop(child), 0);
    }
    assert.equal((await run(['doctor'], { DATA_DIR: 'node' })).code, 0);
  });

  test('gives new objects the room that npm start gives them', async () => {
    const [option = ''] = startOptions('.');
    assert.match(option, /^--max-semi-space-size=\d+$/);
    const text = await readFile(join(built, 'countersign'), 'latin1');
    // Not in package.json, which is in it as well: there a space is around it.
    assert.match(text, new RegExp(`[^ ]${option}[^ ]`));
  });

  test('keeps in memory little of what it carries', async () => {
    const { child } = await serve({ DATA_DIR: 'lean' });
    const carried = await residentKib(child.pid as number, await segmentOfAssets(join(folder, 'countersign')));
    assert.equal(await stop(child), 0);
    // Of 13 MiB, of which 8 are its code. What it asks for at a start lies on less than 2.
    assert.ok(carried > 0 && carried < 3 * 1024, `${carried} KiB`);
  });

  test('refuses NODE_OPTIONS, which would change how it runs', async () => {
    const done = await run(['demo'], { NODE_OPTIONS: '--no-warnings' });
    assert.equal(done.code, 2);
    assert.match(done.stderr, /NODE_OPTIONS="--no-warnings" would change how this program runs; start it without/);
  });

  test('tells of a crash by the names of its functions, in lines that can be read', async () => {
    await mkdir(join(folder, 'broken'), { mode: 0o700 });
    await writeFile(join(folder, 'broken', 'countersign.db'), 'this is no database, whatever its name says');
    const done = await run(['serve'], { DATA_DIR: 'broken', LOG_LEVEL: 'debug' });
    assert.equal(done.code, 1);
    assert.match(done.stderr, /SqliteError: file is not a database\n/);
    assert.match(done.stderr, /at new SqliteConnection \(.*\n\s+at new SqliteStore \(.*\n\s+at openSqlite \(/);
    assert.ok(done.stderr.split('\n').every((line) => line.length < 300));
  });

  test('trusts no folder that another user laid out for it', async () => {
    const parent = join(folder, 'shared');
    await mkdir(join(parent, 'elsewhere'), { recursive: true });
    const own = join(parent, `countersign-${process.getuid?.() ?? 0}`);
    await symlink(join(parent, 'elsewhere'), own);
    const config = () => run(['key', 'list'], { TMPDIR: parent, DATA_DIR: 'node', LOG_LEVEL: 'silent' });
    assert.equal((await config()).code, 0);
    assert.deepEqual(await readdir(join(parent, 'elsewhere')), [], 'nothing goes through the link');
    await rm(own);
    await mkdir(own);
    await chmod(own, 0o777);
    const [name] = (await readdir(join(folder, `countersign-${process.getuid?.() ?? 0}`))).filter((file) =>
      file.endsWith('better_sqlite3.node'),
    );
    await writeFile(join(own, name ?? ''), 'not what it is named for');
    assert.equal((await config()).code, 0, 'a file that is not what its name says is laid anew');
    assert.ok((await readFile(join(own, name ?? ''))).length > 100_000);
  });

  test('goes to the next folder where one is mounted so that nothing may run from it', async () => {
    const done = await run(['key', 'list'], { TMPDIR: '/proc', XDG_CACHE_HOME: folder, DATA_DIR: 'node' });
    assert.equal(done.code, 0, done.stderr);
  });
});

/** Where the segment with the assets begins in the file: it is the last one that is mapped (man 5 elf). */
async function segmentOfAssets(binary: string): Promise<number> {
  const bytes = await readFile(binary);
  const headers = Number(bytes.readBigUInt64LE(32));
  const starts = Array.from({ length: bytes.readUInt16LE(56) }, (_, index) => headers + index * bytes.readUInt16LE(54))
    .filter((at) => bytes.readUInt32LE(at) === 1)
    .map((at) => Number(bytes.readBigUInt64LE(at + 8)));
  return Math.max(...starts);
}

/** How much of the mapping of a process's own file from there on is resident. */
async function residentKib(pid: number, offset: number): Promise<number> {
  const mappings = (await readFile(`/proc/${pid}/smaps`, 'utf8')).split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const at = offset.toString(16).padStart(8, '0');
  const mapping = mappings.find((each) => each.split(' ')[2] === at && each.split('\n')[0]?.endsWith('/countersign'));
  return Number(/^Rss: +(\d+) kB$/m.exec(mapping ?? '')?.[1]);
}

/** A machine may lack what a build takes; the one that checks every change does not. */
function missingTool(): string | false {
  if (process.env['CI'] !== undefined || process.platform !== 'linux') return false;
  if (spawnSync('strip', ['--version']).error !== undefined) return 'strip (binutils) is missing';
  const prepare = `import('./scripts/binary/runtime.mjs').then((it) => it.prepareRuntime(process.cwd(), process.arch))`;
  return spawnSync(process.execPath, ['-e', prepare]).status !== 0 && 'Node 24 or a compiler for its addon is missing';
}
