/** docs/security.md: every attack that is a test is listed there, and nothing else is. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('docs/security.md lists the attacks that are tests', () => {
  const page = readFileSync('docs/security.md', 'utf8');
  const listed = [...page.matchAll(/^\| `(\w+\.test\.ts)` \|/gm)].map((match) => match[1]);
  const files = readdirSync('test/attacks').filter((file) => file.endsWith('.test.ts'));
  assert.deepEqual(listed.sort(), files.sort());
});
