/** The page on compatibility: each row has a command, what it runs is there, and a version that is installed is the one it names. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const page = readFileSync('docs/reference/compatibility.md', 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Library|Reader|What) \|/.test(line));

test('each row of the page on compatibility names what runs it again', () => {
  assert.ok(rows.length > 15);
  for (const row of rows) {
    const files = row.match(/(?:test\/[\w/.-]+\.test\.ts|scripts\/compatibility\/run|findings\/[\w-]+\.sh)/g) ?? [];
    assert.ok(files.length > 0, row);
    for (const file of files) assert.ok(existsSync(file), `${file} in ${row}`);
  }
});

test('each version on the page is the one that is installed', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const installed: Record<string, string> = { ...dependencies, ...devDependencies };
  const named = [...page.matchAll(/^\| (@?[\w/-]+) (\d+\.\d+\.\d+)/gm)].filter(([, name]) => name && installed[name]);
  assert.ok(named.length > 10);
  for (const [, name, version] of named) assert.equal(version, installed[String(name)], name);
});
