/** What an agent card says in other characters is said in ASCII, so that one signature holds in every language's library. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asciiText, asciiTexts } from '../../../protocol/a2a/asciiText.ts';
import { standardCard } from '../../../protocol/a2a/cards.ts';
import { readJsonAsset } from '../../../src/assets/assets.ts';

test('marks and accents have their plain form, and any other character its number', () => {
  for (const [text, plain] of [
    ['plain {"a": 1}\n~', 'plain {"a": 1}\n~'],
    ['wait…', 'wait...'],
    ['“Müller’s” — Café', '"Muller\'s" - Cafe'],
    ['Cafe\u0301', 'Cafe'],
    ['5 € × 2', '5 EUR x 2'],
    ['a\u00a0b', 'a b'],
    ['株', 'U+682A'],
    ['🙂', 'U+1F642'],
    ['\u007f', 'U+007F'],
    ['\ud800', 'U+D800'],
  ] as const) {
    assert.equal(asciiText(text), plain);
  }
  assert.deepEqual(asciiTexts({ é: ['…', { n: null }] }), { e: ['...', { n: null }] });
});

test('a card whose template has other names and descriptions is ASCII all the same', () => {
  const template = readJsonAsset('agent-card.json') as { readonly skills: readonly object[] };
  const skills = template.skills.map((skill) => ({ ...skill, name: 'Größe …', examples: ['株式会社'] }));
  const changed = { ...template, name: 'Prüfer', provider: { name: 'Œuvre™' }, skills };
  const card = standardCard(changed, { baseUrl: 'https://a.example', did: 'did:key:z6Mk', version: '1.0.0' });
  assert.doesNotMatch(JSON.stringify(card), /[^\0-~]/);
  assert.equal(card.name, 'Prufer');
});
