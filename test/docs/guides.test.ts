/** Every page of docs/ is served by the node, rendered, with links that lead somewhere. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';

import { everyEngine } from '../support/engines.ts';
import { makeWorld, type World } from '../support/world.ts';

describe('the pages of docs/', () => {
  let world: World;
  /** The file of each page, by the name that it has in its address. */
  const files = new Map<string, string>();
  before(async () => {
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
    for (const file of await readdir('docs', { recursive: true })) {
      if (!file.endsWith('.md') || file === 'README.md') continue;
      const name = file.replace(/^(tutorials|guides|reference|explanation)\/|(\/README)?\.md$/g, '');
      assert.ok(!files.has(name), `two pages are called ${name}`);
      files.set(name, `docs/${file}`);
    }
  });
  after(() => world.close());

  const page = async (path: string) => {
    const served = await world.rest('GET', path, undefined, {});
    assert.equal(served.status, 200, path);
    return served;
  };

  test('are all served as text that needs no script, as Markdown too, and say in the sandbox that it is one', async () => {
    assert.ok(files.size > 20);
    for (const [name, file] of files) {
      const { text, headers } = await page(`/docs/${name}`);
      const title = /^# (.+)$/m.exec(await readFile(file, 'utf8'))?.[1] ?? '';
      assert.match(headers.get('content-type') ?? '', /^text\/html/);
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.match(text, /SANDBOX/);
      assert.ok(text.includes(`>${title.replaceAll('&', '&amp;')}</h1>`), name);
      assert.doesNotMatch(text, /<script(?![^>]* src=)|<!--|&lt;img/);
    }
    assert.match((await page('/docs')).text, /SANDBOX/);
  });

  test('lead to one another and to their pictures, each link to a heading that is there', async () => {
    const html = new Map<string, string>();
    const read = async (path: string) => {
      if (!html.has(path)) html.set(path, (await page(path)).text);
      return html.get(path) ?? '';
    };
    for (const name of files.keys()) {
      for (const [, target = ''] of (await read(`/docs/${name}`)).matchAll(/(?:href|src)="([^"]+)"/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const { pathname, hash } = new URL(target, `http://node.example/docs/${name}`);
        const text = await read(pathname);
        if (hash !== '') assert.ok(text.includes(` id="${decodeURIComponent(hash.slice(1))}"`), `${name}: ${target}`);
      }
    }
  });

  test('are listed beside each page, and records of decisions on the page of these', async () => {
    const { text } = await page('/docs');
    const decisions = (await page('/docs/adr')).text;
    for (const name of files.keys()) {
      const record = /^adr\/(.+)$/.exec(name)?.[1];
      if (record === undefined && !/^extensions\//.test(name)) assert.ok(text.includes(`href="docs/${name}"`), name);
      else if (record === undefined) assert.ok(text.includes(`docs/${name}`), name);
      else assert.ok(decisions.includes(`href="../docs/adr/${record}"`), name);
    }
  });
});
