/** The sections of docs/ that are made of the code say what the code says now. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { withSections } from '../../scripts/client/pageSections.ts';

test('the sections on rules, reason codes and events say what the code says', () => {
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  for (const path of pages) {
    const page = readFileSync(`docs/${path}`, 'utf8');
    assert.ok(withSections(`docs/${path}`, page) === page, `docs/${path} is behind: run \`node scripts/client.mjs\`.`);
  }
});
