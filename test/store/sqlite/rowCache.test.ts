/** The row cache: what is answered from memory, and what ends that. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedTable, rowCache } from '../../../src/store/sqlite/rowCache.ts';

const SQL = 'WHERE a = ? AND b = ?';
const ask = (...args: string[]) => ({ sql: `SELECT * FROM t ${SQL}`, args, cached: { tables: ['t'] } });
const askBoth = (...args: string[]) => ({
  sql: `SELECT * FROM t JOIN u ${SQL}`,
  args,
  cached: { tables: ['t', 'u'], empty: true },
});

const answer = (rows: readonly unknown[]) => ({ rows, commit: 7 });

test('a statement is answered from memory for the same arguments only, and only if it may be', () => {
  const cache = rowCache();
  cache.add(ask('a', 'b'), answer([1]));
  assert.deepEqual(cache.find(ask('a', 'b'))?.rows, [1]);
  assert.equal(cache.find(ask('a', 'b'))?.commit, 7);
  assert.equal(cache.find(ask('ab', '')), undefined);
  assert.equal(cache.find(ask('a', 'c')), undefined);
  assert.equal(cache.find(askBoth('a', 'b')), undefined);
  const { sql, args } = ask('a', 'b');
  assert.equal(cache.find({ sql, args }), undefined);
  cache.add({ sql: 'SELECT 1', args: [] }, answer([1]));
  assert.equal(cache.find({ sql: 'SELECT 1', args: [], cached: { tables: ['t'] } }), undefined);
});

test('a change of one table leaves the rows of others, and one of an unknown table none', () => {
  const cache = rowCache();
  const fill = () => {
    cache.add(ask('a', 'b'), answer([1]));
    cache.add(askBoth('a', 'b'), answer([2]));
  };
  fill();
  cache.drop('u');
  assert.deepEqual(cache.find(ask('a', 'b'))?.rows, [1]);
  assert.equal(cache.find(askBoth('a', 'b')), undefined);
  for (const changed of ['t', undefined]) {
    fill();
    cache.drop(changed);
    assert.equal(cache.find(ask('a', 'b')), undefined);
    assert.equal(cache.find(askBoth('a', 'b')), undefined);
  }
  fill();
  cache.drop('v');
  assert.deepEqual(cache.find(ask('a', 'b'))?.rows, [1]);
  assert.deepEqual(cache.find(askBoth('a', 'b'))?.rows, [2]);
});

test('a change of one row that says its key leaves what is found by other keys, and nothing that is found otherwise', () => {
  const cache = rowCache();
  const byKey = (...args: string[]) => {
    const cached = { tables: ['t'], empty: true, byKey: true };
    return { sql: 'SELECT * FROM t WHERE key = ?', args, cached };
  };
  const fill = () => {
    cache.add(byKey('a', 'b'), answer([]));
    cache.add(byKey('a', 'c'), answer([1]));
    cache.add(ask('a', 'b'), answer([2]));
  };
  fill();
  cache.drop('t', ['a', 'b']);
  assert.equal(cache.find(byKey('a', 'b')), undefined);
  assert.deepEqual(cache.find(byKey('a', 'c'))?.rows, [1]);
  assert.equal(cache.find(ask('a', 'b')), undefined);
  for (const changed of ['t', undefined]) {
    fill();
    cache.drop(changed);
    assert.equal(cache.find(byKey('a', 'c')), undefined);
  }
});

test('an answer without rows is kept only where the statement says so, and never more than fits', () => {
  const cache = rowCache(3);
  cache.add(ask('none', ''), answer([]));
  assert.equal(cache.find(ask('none', '')), undefined);
  const names = ['1', '2', '3', '4', '5'];
  for (const name of names) cache.add(ask(name, ''), answer([name]));
  assert.ok(names.filter((name) => cache.find(ask(name, '')) !== undefined).length <= 3);
  assert.deepEqual(cache.find(ask('5', ''))?.rows, ['5']);
  for (const name of names) cache.add(askBoth(name, ''), answer([]));
  assert.ok(names.filter((name) => cache.find(askBoth(name, '')) !== undefined).length <= 3);
  assert.deepEqual(cache.find(askBoth('5', ''))?.rows, []);
});

test('the table a statement changes is read from its text', () => {
  assert.equal(changedTable('INSERT INTO agents (did) VALUES (?) ON CONFLICT (did) DO NOTHING'), 'agents');
  assert.equal(changedTable('\n  UPDATE api_keys SET revoked_at = ?'), 'api_keys');
  assert.equal(changedTable('DELETE FROM policies WHERE tenant_id = ?'), 'policies');
  assert.equal(changedTable('insert into agents select * from other'), 'agents');
  assert.equal(changedTable('WITH x AS (SELECT 1) DELETE FROM agents'), undefined);
  assert.equal(changedTable('ALTER TABLE agents ADD COLUMN x TEXT'), undefined);
});
