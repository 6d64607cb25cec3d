/** The page at /docs: everything it needs comes from the node, under a policy that allows nothing else. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makeWorld, type World } from '../support/world.ts';

describe('the page of the documents', () => {
  let world: World;
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  });
  after(() => world.close());
  const get = (path: string, headers = {}) => world.rest('GET', path, undefined, headers);

  test('it names no outside address, and every file that it names is there', async () => {
    const page = await get('/docs/api');
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    // Relative, since the node may be below a path.
    const named = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string);
    for (const path of named) assert.doesNotMatch(path, /^\/|:/, path);
    const left = named.map((path) => new URL(path, 'http://node.example/docs/api').pathname);
    const seen = new Set<string>();
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      assert.match(path, /^\/[^/]/, path);
      if (seen.has(path)) continue;
      seen.add(path);
      const file = await get(path);
      assert.equal(file.status, 200, path);
      if (!path.startsWith('/docs/')) continue;
      // A page of docs/ may lead elsewhere, and loads nothing from there.
      const isPage = /^text\/html/.test(file.headers.get('content-type') ?? '');
      assert.doesNotMatch(file.text, isPage ? /(?:src|<link[^>]* href)="https?:/ : /https?:\/\//, path);
      left.push(...[...file.text.matchAll(/from '\.\/([\w.]+)'/g)].map(([, name]) => `/docs/${name}`));
    }
    assert.ok(seen.size >= 6, [...seen].join());
    assert.doesNotMatch(page.text, /<script(?![^>]* src=)|<style| style=| on\w+=/, 'nothing inline');
  });

  test('its policy lets it load from the node alone, and no site frame it', async () => {
    const policy = (await get('/docs/api')).headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*|http/);
  });

  test('documents and files are not sent again to who has them', async () => {
    for (const path of [
      '/docs',
      '/docs/api',
      '/docs/limits.md',
      '/docs/search.json',
      '/docs/page.js',
      '/openapi.json',
      '/openrpc.json',
    ]) {
      const tag = (await get(path)).headers.get('etag') ?? '';
      const again = await get(path, { 'If-None-Match': tag });
      assert.deepEqual([again.status, again.text], [304, ''], path);
    }
    assert.equal((await get('/docs/..%2fapp.ts')).status, 404);
    assert.equal((await get('/docs/index.html')).status, 404);
  });
});
