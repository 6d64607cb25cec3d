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

test('a statement is answered from memory for the same arguments only, and only if it may be', () => {
  const cache = rowCache();
  cache.add(ask('a', 'b'), [1]);
  assert.deepEqual(cache.find(ask('a', 'b'))?.rows, [1]);
  assert.equal(cache.find(ask('ab', '')), undefined);
  assert.equal(cache.find(ask('a', 'c')), undefined);
  assert.equal(cache.find(askBoth('a', 'b')), undefined);
  const { sql, args } = ask('a', 'b');
  assert.equal(cache.find({ sql, args }), undefined);
  cache.add({ sql: 'SELECT 1', args: [] }, [1]);
  assert.equal(cache.find({ sql: 'SELECT 1', args: [], cached: { tables: ['t'] } }), undefined);
});

test('a change of one table leaves the rows of others, and one of an unknown table none', () => {
  const cache = rowCache();
  const fill = () => {
    cache.add(ask('a', 'b'), [1]);
    cache.add(askBoth('a', 'b'), [2]);
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
    cache.add(byKey('a', 'b'), []);
    cache.add(byKey('a', 'c'), [1]);
    cache.add(ask('a', 'b'), [2]);
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

test('an answer without rows is kept only where the statement says so', () => {
  const cache = rowCache();
  cache.add(ask('none', ''), []);
  assert.equal(cache.find(ask('none', '')), undefined);
  cache.add(askBoth('none', ''), []);
  assert.deepEqual(cache.find(askBoth('none', ''))?.rows, []);
});

test('never more is kept than fits, and a flood of one statement costs the others nothing', () => {
  const cache = rowCache(20_000);
  const agent = { did: 'd'.repeat(500), status: 'ACTIVE' };
  cache.add(ask('known', ''), [agent]);
  for (let guess = 0; guess < 1000; guess++) cache.add(askBoth(String(guess), ''), []);
  assert.deepEqual(cache.find(ask('known', ''))?.rows, [agent]);
  assert.deepEqual(cache.find(askBoth('999', ''))?.rows, []);
  const kept = Array.from({ length: 1000 }, (_, guess) => cache.find(askBoth(String(guess), ''))).filter(Boolean);
  assert.ok(kept.length > 10 && kept.length < 100, `${kept.length} are kept`);
});

test('an answer that takes the place of another counts once', () => {
  const cache = rowCache(5000);
  cache.add(ask('other', ''), [{ text: 'x'.repeat(1000) }]);
  for (let commit = 0; commit < 100; commit++) cache.add(ask('head', ''), [{ seq: commit, hash: 'h'.repeat(71) }]);
  assert.equal(cache.find(ask('other', ''))?.rows.length, 1);
  cache.add(ask('large', ''), [{ text: 'x'.repeat(6000) }]);
  assert.equal(cache.find(ask('large', '')), undefined);
});

test('the table a statement changes is read from its text', () => {
  assert.equal(changedTable('INSERT INTO agents (did) VALUES (?) ON CONFLICT (did) DO NOTHING'), 'agents');
  assert.equal(changedTable('\n  UPDATE api_keys SET revoked_at = ?'), 'api_keys');
  assert.equal(changedTable('DELETE FROM policies WHERE tenant_id = ?'), 'policies');
  assert.equal(changedTable('insert into agents select * from other'), 'agents');
  assert.equal(changedTable('WITH x AS (SELECT 1) DELETE FROM agents'), undefined);
  assert.equal(changedTable('ALTER TABLE agents ADD COLUMN x TEXT'), undefined);
});
