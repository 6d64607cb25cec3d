/** The sections of docs/ that are made of the rules say what the rules say now. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { withSections } from '../../scripts/client/ruleSections.ts';

test('the sections on rules and reason codes are as the rules have them', () => {
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  for (const path of pages) {
    const page = readFileSync(`docs/${path}`, 'utf8');
    assert.ok(withSections(`docs/${path}`, page) === page, `docs/${path} is behind: run \`node scripts/client.mjs\`.`);
  }
});
