/** What a stranger wrote, as the person sees it who decides on it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { revealedText } from '../../../protocol/guard/revealedText.ts';

test('a character that hides, reorders or is drawn by no font is named by its number', () => {
  for (const [text, shown] of [
    ['Pays.\nFor prints – “now”.', 'Pays.\nFor prints – “now”.'],
    ['a\u202eb', 'a\\u{202e}b'],
    ['a\u200bb\u2028', 'a\\u{200b}b\\u{2028}'],
    ['Pays.\u{e0049}\u{e0067}', 'Pays.\\u{e0049}\\u{e0067}'],
    ['a\ufe01\u{e0101}', 'a\\u{fe01}\\u{e0101}'],
    ['a\rb\u0007', 'a\\u{d}b\\u{7}'],
  ] as const) {
    assert.equal(revealedText(text), shown);
  }
});
