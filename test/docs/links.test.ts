/** Every page of docs/ can be found, and leads only to what is there. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const AT_THE_ROOT = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

test('every page is reached by a link, and every link between pages leads to one', async () => {
  const pages = (await readdir('docs', { recursive: true }))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  const linked = new Set<string>();
  for (const page of [...AT_THE_ROOT, ...pages]) {
    const text = await readFile(page, 'utf8');
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
      const path = join(dirname(page), target ?? '');
      assert.ok(existsSync(path), `${page} leads to ${path}`);
      linked.add(path);
    }
  }
  assert.deepEqual(
    pages.filter((page) => !linked.has(page)),
    [],
  );
});

test('the first page of the documents, which the node serves at /docs, leads to each page', async () => {
  const index = await readFile('docs/README.md', 'utf8');
  const pages = (await readdir('docs', { recursive: true })).filter((name) => /^(?!adr\/|README).+\.md$/.test(name));
  assert.ok(pages.length > 30);
  assert.deepEqual(
    pages.filter((page) => !index.includes(`(${page}`)),
    [],
  );
});
