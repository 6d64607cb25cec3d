/** How the console is served: to browsers alone, under a strict policy, kept by its hashes, and within its budget. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { readConsoleFiles } from '../../src/assets/consoleFiles.ts';
import { readConfig } from '../../src/node/config/config.ts';
import { type Node, startNode } from '../../src/node/startNode.ts';
import type { Loose } from '../support/world.ts';

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const FIRST_SCREEN_BYTES = 55_000;
const ALL_BYTES = 270_000;

describe('the console', () => {
  let node: Node;
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'countersign-test-'));
    const settings = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', BASE_URL: 'https://pay.example/a"b/node' };
    node = await startNode(readConfig(settings));
  });
  after(async () => {
    await node.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(node.address + path, { headers, redirect: 'manual' });
  const shell = async () => (await ask('/console/', HTML)).text();
  const loaded = async () =>
    [...(await shell()).matchAll(/(?:href|src)="([^"/]+-[0-9A-Z]{8}\.\w+)"/g)].map(([, name]) => name as string);

  test('a browser that asks for the node’s address is sent there; a program is told what the node is and where things are', async () => {
    for (const path of ['/', '/console']) {
      const page = await ask(path, HTML);
      assert.deepEqual([page.status, page.headers.get('location')], [302, 'console/'], path);
    }
    const documents = await ask('/docs/', HTML);
    assert.deepEqual([documents.status, documents.headers.get('location')], [302, '../docs']);
    for (const headers of [{}, { Accept: 'application/json' }, { Accept: '*/*' }]) {
      const home = (await (await ask('/', headers as Record<string, string>)).json()) as Loose;
      assert.equal(home.name, 'Countersign');
      assert.match(home.version, /^\d+\.\d+\.\d+/);
      for (const what of ['openapi', 'agentCard', 'docs', 'health']) {
        const { pathname } = new URL(home.links[what]);
        assert.equal((await ask(pathname.replace('/a%22b/node', ''))).status, 200, what);
      }
      assert.equal((await ask('/console', headers as Record<string, string>)).status, 404);
    }
    const icon = await ask('/favicon.ico');
    assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8']);
  });

  test('the page runs nothing but its own files, says where it is at home, and is kept until it changes', async () => {
    const page = await ask('/console/', HTML);
    assert.equal(page.status, 200);
    const policy = page.headers.get('content-security-policy') ?? '';
    for (const part of ["default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'"]) {
      assert.ok(policy.split('; ').includes(part), part);
    }
    assert.ok(!/unsafe|\*|data:|blob:/.test(policy), policy);
    const html = await page.text();
    assert.match(html, /data-home="https:\/\/pay\.example\/a(%22|&#34;)b\/node"/);
    assert.ok(!html.includes('{{'), 'nothing is left open');
    assert.ok(!/<script(?![^>]* src=)|<style|\son\w+=/i.test(html), 'nothing is inline');
    const again = await ask('/console/', { ...HTML, 'If-None-Match': page.headers.get('etag') ?? '' });
    assert.deepEqual([again.status, await again.text()], [304, '']);
  });

  test('files are named for what is in them, kept for ever, and compressed for a browser that takes that', async () => {
    for (const name of await loaded()) {
      const plain = await ask(`/console/${name}`, { 'Accept-Encoding': 'identity' });
      const packed = await ask(`/console/${name}`, { 'Accept-Encoding': 'gzip' });
      const smallest = await ask(`/console/${name}`, { 'Accept-Encoding': 'gzip, deflate, br, zstd' });
      assert.equal(plain.headers.get('content-encoding'), null);
      assert.equal(packed.headers.get('content-encoding'), 'gzip');
      assert.equal(smallest.headers.get('content-encoding'), 'br');
      const text = await plain.text();
      assert.deepEqual([await packed.text(), await smallest.text()], [text, text], name);
      for (const { headers } of [plain, packed, smallest]) {
        assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
        assert.match(headers.get('vary') ?? '', /Accept-Encoding/);
      }
    }
    const manifest = await ask('/console/manifest.webmanifest');
    assert.equal(manifest.headers.get('content-type'), 'application/manifest+json; charset=utf-8');
    assert.equal(manifest.headers.get('cache-control'), 'no-cache');
    for (const name of ['index.html', 'nothing.js', 'constructor', '..%2f..%2fpackage.json']) {
      assert.equal((await ask(`/console/${name}`)).status, 404, name);
    }
  });

  test('every icon that the manifest and the page name is a PNG of the size that they say', async () => {
    const { icons } = (await (await ask('/console/manifest.webmanifest')).json()) as Loose;
    const pngs = icons.filter(({ type }: Loose) => type === 'image/png');
    assert.deepEqual(pngs.map(({ purpose, sizes }: Loose) => `${purpose} ${sizes}`).sort(), [
      'any 192x192',
      'any 512x512',
      'maskable 512x512',
    ]);
    assert.match(await shell(), /<link rel="apple-touch-icon" href="apple-touch-icon.png">/);
    for (const { src, sizes } of [...pngs, { src: 'apple-touch-icon.png', sizes: '180x180' }]) {
      const answer = await ask(`/console/${src}`);
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'], src);
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.equal(bytes.subarray(1, 4).toString('latin1'), 'PNG', src);
      assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src);
    }
  });

  test('the first screen takes at most 55 kB compressed as a browser takes it, and all of it at most 270 kB', async () => {
    const { texts, images } = readConsoleFiles() ?? { texts: new Map<string, string>(), images: new Map() };
    const sizeOf = (name: string) => images.get(name)?.length ?? brotliCompressSync(texts.get(name) ?? '').length;
    const names = await loaded();
    assert.ok(names.length >= 3, 'a style, an entry, and the first screen');
    const first = ['index.html', ...names].reduce((sum, name) => sum + sizeOf(name), 0);
    const all = [...texts.keys(), ...images.keys()].reduce((sum, name) => sum + sizeOf(name), 0);
    assert.ok(first <= FIRST_SCREEN_BYTES && all <= ALL_BYTES, `${first} and ${all} bytes`);
  });
});
