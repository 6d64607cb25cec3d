/** The row cache: what is answered from memory, and what ends that. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedTable, rowCache } from '../../../src/store/sqlite/rowCache.ts';

const ask = (...args: string[]) => ({ sql: 'SELECT * FROM t WHERE a = ? AND b = ?', args });

test('a statement is answered from memory for the same arguments only', () => {
  const cache = rowCache();
  cache.add('t', ask('a', 'b'), [1]);
  assert.deepEqual(cache.find('t', ask('a', 'b')), [1]);
  assert.equal(cache.find('t', ask('ab', '')), undefined);
  assert.equal(cache.find('t', ask('a', 'c')), undefined);
  assert.equal(cache.find('u', ask('a', 'b')), undefined);
});

test('a change of one table leaves the rows of others, and one of an unknown table none', () => {
  const cache = rowCache();
  cache.add('t', ask('a', 'b'), [1]);
  cache.add('u', ask('a', 'b'), [2]);
  cache.drop('t');
  assert.equal(cache.find('t', ask('a', 'b')), undefined);
  assert.deepEqual(cache.find('u', ask('a', 'b')), [2]);
  cache.drop(undefined);
  assert.equal(cache.find('u', ask('a', 'b')), undefined);
});

test('nothing is cached of an answer without rows, and never more than fits', () => {
  const cache = rowCache(3);
  cache.add('t', ask('none', ''), []);
  assert.equal(cache.find('t', ask('none', '')), undefined);
  const names = ['1', '2', '3', '4', '5'];
  for (const name of names) cache.add('t', ask(name, ''), [name]);
  assert.ok(names.filter((name) => cache.find('t', ask(name, '')) !== undefined).length <= 3);
  assert.deepEqual(cache.find('t', ask('5', '')), ['5']);
});

test('the table a statement changes is read from its text', () => {
  assert.equal(changedTable('INSERT INTO agents (did) VALUES (?) ON CONFLICT (did) DO NOTHING'), 'agents');
  assert.equal(changedTable('\n  UPDATE api_keys SET revoked_at = ?'), 'api_keys');
  assert.equal(changedTable('DELETE FROM policies WHERE tenant_id = ?'), 'policies');
  assert.equal(changedTable('insert into agents select * from other'), 'agents');
  assert.equal(changedTable('WITH x AS (SELECT 1) DELETE FROM agents'), undefined);
  assert.equal(changedTable('ALTER TABLE agents ADD COLUMN x TEXT'), undefined);
});
