/** Every page of docs/ can be found, and leads only to what is there. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

test('every page is reached from the README, and every link between pages leads to one', async () => {
  const pages = (await readdir('docs', { recursive: true }))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  const linked = new Set<string>();
  for (const page of ['README.md', ...pages]) {
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
