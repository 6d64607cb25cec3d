/** What a newcomer searches for in the pages of a node: each is found among the first, and the index is small enough to be loaded. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import MiniSearch from 'minisearch';
import { searchIndex } from '../../src/documents/site/searchIndex.ts';

/** As src/documents/page/site.js searches. */
const OPTIONS = {
  boost: { title: 4, heading: 3 },
  prefix: (term: string) => term.length > 2,
  fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
};
const COMMON = new Set(/'([a-z ]+)'\.split/.exec(readFileSync('src/documents/page/site.js', 'utf8'))?.[1]?.split(' '));
const processTerm = (term: string) => {
  const word = term.toLowerCase();
  return word.length < 2 || word.length > 40 || /^\d+$/.test(word) || COMMON.has(word) ? null : word;
};

let json: string;
let index: MiniSearch;
before(async () => {
  json = await searchIndex();
  const stored = { fields: ['title', 'heading', 'text'], storeFields: ['title', 'heading', 'at'], processTerm };
  index = MiniSearch.loadJSON(json, stored);
});

function search(words: string): string[] {
  const all = index.search(words, { ...OPTIONS, combineWith: 'AND' });
  return (all.length > 0 ? all : index.search(words, { ...OPTIONS, combineWith: 'OR' })).map(({ at }) => String(at));
}

const WANTED: readonly (readonly [string, RegExp])[] = [
  ['monthly budget', /^limits|^policies#risklimits/],
  ['groceries', /^limits#groceries/],
  ['SPENDING_LIMIT_EXCEEDED', /^errors#SPENDING_LIMIT_EXCEEDED/],
  ['webhook signature', /^webhooks/],
  ['docker', /^deploy/],
  ['restore backup', /^backup/],
  ['passkey lost', /^presence|^console|^authentication|^keys/],
  ['claude desktop', /^mcp/],
  ['idempotency key', /^errors|^authentication|^tutorial|^purchase|^concepts|^reliability/],
  ['policy test cases', /^policies|^limits/],
  ['prometheus metrics', /^monitoring/],
  ['two people aproval', /^presence|^limits|^policies/],
];

test('what a newcomer searches for is among the first five that are found, mistyped too', () => {
  for (const [words, wanted] of WANTED) {
    const found = search(words).slice(0, 5);
    assert.ok(
      found.some((at) => wanted.test(at)),
      `${words}: ${found.join(', ')}`,
    );
  }
});

test('the index is at most 350 kB, and leaves out what says nothing', () => {
  assert.ok(json.length <= 350_000, `${json.length} bytes`);
  assert.deepEqual(search('the of'), []);
  assert.ok(COMMON.size > 10);
});
