/** The package countersign-client, as npm installs it in an empty folder: typed, readable, and the same wherever fetch is. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { agentOf, signCart } from '../../client/index.ts';
import packages from '../../scripts/packages.json' with { type: 'json' };
import { CHROMIUM, openChromium } from '../support/chromium.ts';
import { packInto } from '../support/packInto.ts';
import { blocksOf } from '../support/snippets.ts';

const run = promisify(execFile);
const DENO = process.env['DENO_PATH'] ?? 'deno';
const hasDeno = spawnSync(DENO, ['--version']).status === 0;

/** A program that signs a cart: with one key, id and time there is one signature (RFC 8032). */
const SIGN = `
  const merchant = client.agentOf(new Uint8Array(32).fill(7));
  const offer = { domain: 'shop.example', currency: 'USD', items: [{ name: 'Tea', price: 12.5, quantity: 2 }] };
  const cart = client.signCart(merchant, offer, { id: 'urn:uuid:00000000-0000-4000-8000-000000000001', now: new Date(0) });`;

function signedHere(): string {
  const offer = { domain: 'shop.example', currency: 'USD', items: [{ name: 'Tea', price: 12.5, quantity: 2 }] };
  const options = { id: 'urn:uuid:00000000-0000-4000-8000-000000000001', now: new Date(0) };
  return JSON.stringify(signCart(agentOf(new Uint8Array(32).fill(7)), offer, options));
}

describe(`the package ${packages.client}`, () => {
  let folder: string;
  let dist: string;
  /** Serves an empty page and the package's files. */
  let server: Server;
  let address: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-client-package-'));
    await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}');
    const tarball = await packInto(folder, 'packages/client');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball], { cwd: folder });
    dist = join(folder, 'node_modules', packages.client, 'dist');
    server = createServer(({ url }, response) => {
      const isModule = url === '/index.js' || url === '/worker.js';
      response.setHeader('Content-Type', isModule ? 'text/javascript' : 'text/html');
      if (url === '/index.js') response.end(readFileSync(join(dist, 'index.js')));
      else if (url === '/worker.js') {
        response.end(`import * as client from '/index.js'; ${SIGN} postMessage(JSON.stringify(cart));`);
      } else response.end('<!doctype html><title>A page</title>');
    }).listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('is one module that imports nothing, and its source map has the sources', async () => {
    assert.deepEqual(readdirSync(join(folder, 'node_modules')), ['.package-lock.json', packages.client.split('/')[0]]);
    assert.deepEqual(readdirSync(dist).sort(), ['index.js', 'index.js.map', 'types']);
    const code = readFileSync(join(dist, 'index.js'), 'utf8');
    const { metafile } = await build({
      entryPoints: [join(dist, 'index.js')],
      bundle: true,
      external: ['*'],
      format: 'esm',
      write: false,
      metafile: true,
    });
    assert.deepEqual(Object.values(metafile.outputs)[0]?.imports, []);
    assert.doesNotMatch(code, /['"]node:/);
    assert.match(code, /^async function |^function signCart\(/m, 'names and lines are those of the sources');
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(dist, 'index.js.map'), 'utf8'));
    const own = sources.findIndex((source: string) => source.endsWith('client/selling.ts'));
    assert.match(sourcesContent[own], /export function signCart\(/);
  });

  for (const [place, options] of [
    ['a program in Node', { types: ['node'], typeRoots: [resolve('node_modules/@types')], lib: ['ES2023'] }],
    ['a page', { types: [], lib: ['ES2023', 'DOM'] }],
  ] as const) {
    test(`its types are whole in ${place}, and a wrong use does not compile`, async () => {
      const program = `
        import { CountersignError, countersign, makeAgent, type Operations, type PaymentSubject } from '${packages.client}';
        const node = countersign({ baseUrl: 'http://localhost:8402', credential: { agent: makeAgent() } });
        const input: Operations['registerAgent']['input'] = { name: 'typed', publicKey: makeAgent().publicKey };
        export const status: Promise<'ACTIVE' | 'SUSPENDED' | 'REVOKED'> = node.registerAgent(input).then((agent) => agent.status);
        export const amount = (paid: PaymentSubject): number => paid.amount;
        export const code = (error: unknown) => error instanceof CountersignError && error.code.toUpperCase();
        // @ts-expect-error An agent has a key.
        node.registerAgent({ name: 'typed' });
        // @ts-expect-error There is no such operation.
        node.registerAgents;`;
      await writeFile(join(folder, 'typed.ts'), program);
      const [shown] = blocksOf(readFileSync('packages/client/README.md', 'utf8'), 'ts');
      await writeFile(join(folder, 'readme.ts'), `declare const apiKey: string;\n${shown}`);
      // With the libraries' own declarations checked: nothing is missing in the package's.
      const compilerOptions = { module: 'NodeNext', target: 'ES2022', strict: true, noEmit: true, ...options };
      await writeFile(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, files: ['typed.ts', 'readme.ts'] }),
      );
      await run(resolve('node_modules/.bin/tsc'), ['--project', folder]).catch((error) => assert.fail(error.stdout));
    });
  }

  test('signs in a worker thread as it does here', async () => {
    const program = `
      const { parentPort } = require('node:worker_threads');
      import(${JSON.stringify(pathToFileURL(join(dist, 'index.js')).href)}).then((client) => {
        ${SIGN} parentPort.postMessage(JSON.stringify(cart)); });`;
    const worker = new Worker(program, { eval: true });
    try {
      const signed = await new Promise((told, failed) => worker.once('message', told).once('error', failed));
      assert.equal(signed, signedHere());
    } finally {
      await worker.terminate();
    }
  });

  test('signs in a page and in a web worker', {
    skip: CHROMIUM === undefined && 'there is no Chromium here',
  }, async () => {
    const browser = await openChromium();
    try {
      const page = await browser.newPage();
      await page.goto(address);
      const inPage = await page.evaluate(
        `import('/index.js').then((client) => { ${SIGN} return JSON.stringify(cart); })`,
      );
      assert.equal(inPage, signedHere());
      const inWorker = await page.evaluate(`new Promise((told, failed) => {
        const worker = new Worker('/worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => told(data);
        worker.onerror = ({ message }) => failed(new Error(message)); })`);
      assert.equal(inWorker, signedHere());
    } finally {
      await browser.close();
    }
  });

  test('signs in Deno', { skip: !hasDeno && 'there is no Deno here (DENO_PATH)' }, async () => {
    const program = join(folder, 'deno.mjs');
    await writeFile(
      program,
      `import * as client from '${packages.client}'; ${SIGN} console.log(JSON.stringify(cart));`,
    );
    const { stdout } = await run(DENO, ['run', '--no-remote', '--node-modules-dir=manual', program], { cwd: folder });
    assert.equal(stdout.trim(), signedHere());
  });
});
