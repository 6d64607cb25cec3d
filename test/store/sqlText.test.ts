/** The one SQL text, made ready for an engine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberPlaceholders, splitStatements } from '../../src/store/sqlText.ts';

test('placeholders are numbered in code and left alone in quotes and comments', () => {
  assert.equal(numberPlaceholders('a = ? AND b IN (?, ?)'), 'a = $1 AND b IN ($2, $3)');
  assert.equal(numberPlaceholders(`'?''?' "?" -- ?\n ? /* ?\n? */ ?`), `'?''?' "?" -- ?\n $1 /* ?\n? */ $2`);
  assert.equal(numberPlaceholders('SELECT 1'), 'SELECT 1');
});

test('a text is split at the semicolons of its code, and what is only a comment is no statement', () => {
  const text = `-- one; not two\nCREATE TABLE a (b TEXT DEFAULT ';');\n/* ; */ SELECT "x;y";\n\n;-- end;\n`;
  assert.deepEqual(splitStatements(text), [
    `-- one; not two\nCREATE TABLE a (b TEXT DEFAULT ';')`,
    '/* ; */ SELECT "x;y"',
  ]);
  assert.deepEqual(splitStatements('SELECT 1; SELECT 2'), ['SELECT 1', 'SELECT 2']);
  assert.deepEqual(splitStatements(''), []);
});
