/** The node's npm package, as npm installs it where there is Node and nothing else: no compiler, and nothing that compiles its sources. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { packInto } from '../support/packInto.ts';

const run = promisify(execFile);

/** A text without what another run calls otherwise: ids, and the port. */
const withoutNames = (text: string) => text.trim().replace(/\b(pi_|apr_|localhost:)\w+/g, '$1');

/** Files of better-sqlite3 as its releases hold them: the addon that is installed here, for this Node and machine. */
async function servePrebuilt(): Promise<{ readonly address: string; readonly asked: string[]; close(): void }> {
  const addon = await run('tar', ['-czf', '-', 'build/Release/better_sqlite3.node'], {
    cwd: resolve('node_modules/better-sqlite3'),
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  });
  const name = `-node-v${process.versions.modules}-${process.platform}-${process.arch}.tar.gz`;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(String(request.url));
    response.statusCode = request.url?.endsWith(name) === true ? 200 : 404;
    response.end(response.statusCode === 200 ? addon.stdout : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, asked, close: () => server.close() };
}

describe('the npm package', () => {
  let project: string;
  /** Another project's folder, with the client alone. */
  let shopper: string;
  let program: string;
  /** A folder with Node, npm and the shell that npm runs scripts with. */
  let path: string;
  before(async () => {
    project = await mkdtemp(join(tmpdir(), 'countersign-package-'));
    path = join(project, 'path');
    await mkdir(path);
    await symlink(process.execPath, join(path, 'node'));
    await symlink('/bin/sh', join(path, 'sh'));
    const { stdout: npm } = await run('sh', ['-c', 'readlink -f "$(command -v npm)"']);
    await symlink(npm.trim(), join(path, 'npm'));
    shopper = join(project, 'shopper');
    await mkdir(shopper);
    const file = await packInto(project, '.');
    const client = await packInto(project, 'packages/client');
    const prebuilt = await servePrebuilt();
    try {
      await writeFile(join(project, 'package.json'), '{"private":true}');
      const env = {
        PATH: path,
        HOME: process.env['HOME'] ?? project,
        npm_config_better_sqlite3_binary_host_mirror: prebuilt.address,
      };
      const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
      await run(join(path, 'npm'), ['install', ...options, file], { cwd: project, env });
      await writeFile(join(shopper, 'package.json'), '{"private":true}');
      await run(join(path, 'npm'), ['install', ...options, client], { cwd: shopper, env });
      assert.equal(prebuilt.asked.length, 1, 'the prebuilt file is asked for once');
    } finally {
      prebuilt.close();
    }
    program = join(project, 'node_modules', '.bin', 'countersign');
  });
  after(() => rm(project, { recursive: true, force: true }));

  const countersign = (args: string[], env: Record<string, string> = {}) =>
    run(program, args, { cwd: project, env: { PATH: path, ...env } });

  test('has taken the prebuilt addon, and compiled nothing', () => {
    const built = join(project, 'node_modules', 'better-sqlite3', 'build');
    assert.deepEqual(readdirSync(built), ['Release']);
  });

  test('sets a node up, serves it, and a purchase goes through by the package of the client', async () => {
    await countersign(['init']);
    const env = { PATH: path, PORT: '0', LOG_LEVEL: 'error' };
    const node = spawn(program, ['serve'], { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const said = await textUntil(node.stdout, /Admin API key, shown this once: (\S+)/);
      const [, address = ''] = /REST +(http:\S+)\/ap2/.exec(said) ?? [];
      const [, apiKey = ''] = /Admin API key, shown this once: (\S+)/.exec(said) ?? [];
      assert.ok(existsSync(join(project, 'data', 'node', 'countersign.db')), 'its data is where the settings say');
      const buy = `
        import { countersign, makeAgent } from 'countersign-client';
        const node = countersign({ baseUrl: '${address}', credential: { apiKey: '${apiKey}' } });
        const { did: agentDid, publicKey } = makeAgent();
        await node.registerAgent({ name: 'packed', publicKey });
        const { intentVc } = await node.issueIntent({
          agentDid, principalDid: agentDid, request: { maxAmount: 20, currency: 'USD', vendorHints: { domain: 'shop.example' } },
        });
        const intentId = intentVc.credentialSubject.mandateId;
        const { cartMandate } = await node.demoAp2Cart({ domain: 'shop.example', amount: 12.5, currency: 'USD' });
        const { approvalToken } = await node.validateAp2Cart({ intentId, cartMandate });
        const paid = await node.mandatePayment({ approvalToken });
        console.log(JSON.stringify({ rail: paid.railResponse.status, payments: (await node.listPayments({})).data.length }));`;
      await writeFile(join(shopper, 'buy.mjs'), buy);
      const { stdout } = await run(join(path, 'node'), ['buy.mjs'], { cwd: shopper, env });
      assert.deepEqual(JSON.parse(stdout), { rail: 'requires_capture', payments: 1 });
    } finally {
      node.kill('SIGTERM');
      if (node.exitCode === null) await once(node, 'exit');
    }
  });

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

/** What a program prints, up to a text. @throws where it ends before */
async function textUntil(stream: Readable, pattern: RegExp): Promise<string> {
  let text = '';
  for await (const piece of stream) {
    text += String(piece);
    if (pattern.test(text)) return text;
  }
  return assert.fail(`it ended, and had said: ${text}`);
}
