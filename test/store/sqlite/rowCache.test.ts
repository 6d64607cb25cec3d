/** Kept rows: what is answered from memory, and what ends it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedTable, keptRows } from '../../../src/store/sqlite/rowCache.ts';

const ask = (...args: string[]) => ({ sql: 'SELECT * FROM t WHERE a = ? AND b = ?', args });

test('a statement is answered from memory for the same arguments only', () => {
  const kept = keptRows();
  kept.keep('t', ask('a', 'b'), [1]);
  assert.deepEqual(kept.recall('t', ask('a', 'b')), [1]);
  assert.equal(kept.recall('t', ask('ab', '')), undefined);
  assert.equal(kept.recall('t', ask('a', 'c')), undefined);
  assert.equal(kept.recall('u', ask('a', 'b')), undefined);
});

test('a change of one table leaves the rows of others, and one of an unknown table none', () => {
  const kept = keptRows();
  kept.keep('t', ask('a', 'b'), [1]);
  kept.keep('u', ask('a', 'b'), [2]);
  kept.forget('t');
  assert.equal(kept.recall('t', ask('a', 'b')), undefined);
  assert.deepEqual(kept.recall('u', ask('a', 'b')), [2]);
  kept.forget(undefined);
  assert.equal(kept.recall('u', ask('a', 'b')), undefined);
});

test('nothing is kept of an answer without rows, and never more than fits', () => {
  const kept = keptRows(3);
  kept.keep('t', ask('none', ''), []);
  assert.equal(kept.recall('t', ask('none', '')), undefined);
  const names = ['1', '2', '3', '4', '5'];
  for (const name of names) kept.keep('t', ask(name, ''), [name]);
  assert.ok(names.filter((name) => kept.recall('t', ask(name, '')) !== undefined).length <= 3);
  assert.deepEqual(kept.recall('t', ask('5', '')), ['5']);
});

test('the table a statement changes is read from its text', () => {
  assert.equal(changedTable('INSERT INTO agents (did) VALUES (?) ON CONFLICT (did) DO NOTHING'), 'agents');
  assert.equal(changedTable('\n  UPDATE api_keys SET revoked_at = ?'), 'api_keys');
  assert.equal(changedTable('DELETE FROM policies WHERE tenant_id = ?'), 'policies');
  assert.equal(changedTable('insert into agents select * from other'), 'agents');
  assert.equal(changedTable('WITH x AS (SELECT 1) DELETE FROM agents'), undefined);
  assert.equal(changedTable('ALTER TABLE agents ADD COLUMN x TEXT'), undefined);
});
