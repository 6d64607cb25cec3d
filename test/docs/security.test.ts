/** docs/explanation/security.md: every attack that is a test is listed there, and nothing else is. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('docs/explanation/security.md lists the attacks that are tests', () => {
  const page = readFileSync('docs/explanation/security.md', 'utf8');
  const listed = [...page.matchAll(/^\| `(\w+\.test\.ts)` \|/gm)].map((match) => match[1]);
  const files = readdirSync('test/attacks').filter((file) => file.endsWith('.test.ts'));
  assert.deepEqual(listed.sort(), files.sort());
});

test('docs/explanation/security.md names a test for each of its claims', () => {
  const page = readFileSync('docs/explanation/security.md', 'utf8');
  const rows = (page.split('\n## Threats\n')[1] ?? '').split('\n## ')[0]?.match(/^\| (?!Threat).*$/gm) ?? [];
  assert.ok(rows.length > 25, `${rows.length} rows`);
  for (const row of rows) {
    const tests = [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map((match) => String(match[1]));
    assert.ok(tests.length > 0, row);
    for (const test of tests) assert.ok(existsSync(test.endsWith('/') ? `test/${test}` : `test/${test}.test.ts`), test);
  }
});
