/** Every page of docs/ is served by the node, rendered, with links that lead somewhere. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';

import { everyEngine, makeWorld, type World } from '../support/world.ts';

describe('the pages of docs/', () => {
  let world: World;
  let names: string[];
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    const files = await readdir('docs', { recursive: true });
    names = files.filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -'.md'.length));
  });
  after(() => world.close());

  const page = async (path: string) => {
    const served = await world.rest('GET', path, undefined, {});
    assert.equal(served.status, 200, path);
    return served;
  };

  test('are all served as text that needs no script, and say in the sandbox that it is one', async () => {
    assert.ok(names.length > 20);
    for (const name of names) {
      const { text, headers } = await page(`/docs/${name}`);
      const title = /^# (.+)$/m.exec(await readFile(`docs/${name}.md`, 'utf8'))?.[1] ?? '';
      assert.match(headers.get('content-type') ?? '', /^text\/html/);
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.match(text, /SANDBOX/);
      assert.ok(text.includes(`>${title.replaceAll('&', '&amp;')}</h1>`), name);
      assert.doesNotMatch(text, /<script|<!--|&lt;img/);
    }
    assert.match((await page('/docs')).text, /SANDBOX/);
  });

  test('lead to one another and to their pictures, each link to a heading that is there', async () => {
    const html = new Map<string, string>();
    const read = async (path: string) => {
      if (!html.has(path)) html.set(path, (await page(path)).text);
      return html.get(path) ?? '';
    };
    for (const name of names) {
      for (const [, target = ''] of (await read(`/docs/${name}`)).matchAll(/(?:href|src)="([^"]+)"/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const { pathname, hash } = new URL(target, `http://node.example/docs/${name}`);
        const text = await read(pathname);
        if (hash !== '') assert.ok(text.includes(` id="${decodeURIComponent(hash.slice(1))}"`), `${name}: ${target}`);
      }
    }
  });

  test('are listed on the page of the API, by their titles', async () => {
    const { text } = await page('/docs');
    for (const name of names) assert.ok(text.includes(`href="docs/${name}"`), name);
  });
});
