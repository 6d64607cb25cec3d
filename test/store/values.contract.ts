/** What goes into a store and what comes out of it, on every engine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { all, get, run, type Store, type Value } from '../../src/store/store.ts';
import { addNote, noteOf, setCounter } from './notes.ts';

/** @param given the store, once it is open */
export function valuesContract(given: () => Store): void {
  test('a value comes back as it was written', async () => {
    const texts = ['', 'Grüße, 世界 🚀', "it's ? and $1; --", '\u0001\ud7ff\uffff', 'x'.repeat(200_000)];
    const numbers = [0, -1, 2 ** 31 - 1, 2 ** 31, 1_700_000_000_000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    for (const [index, value] of numbers.entries()) {
      await given().write('values', () => addNote('values', index + 100, null));
      await given().write('values', () => setCounter(`n${index}`, value));
      const row = await given().read(() => get('SELECT value FROM counters WHERE name = ?', `n${index}`));
      assert.deepEqual({ ...(row as object) }, { value });
    }
    for (const [index, body] of [...texts, null].entries()) {
      await given().write('values', () => addNote('values', index, body));
      assert.equal(await noteOf(given(), 'values', index), body);
    }
  });

  test('any text and any safe integer survive a round trip', async () => {
    const text = fc.string({ unit: 'binary' }).filter((candidate) => !candidate.includes('\0'));
    await fc.assert(
      fc.asyncProperty(text, fc.maxSafeInteger(), async (body, value) => {
        const found = await given().write('any', function* () {
          yield* run('DELETE FROM notes WHERE tenant_id = ?', 'any');
          yield* addNote('any', value, body);
          return yield* all<{ seq: number; body: string }>('SELECT seq, body FROM notes WHERE tenant_id = ?', 'any');
        });
        assert.deepEqual(
          found.map((row) => ({ ...row })),
          [{ seq: value, body }],
        );
      }),
      { numRuns: 50 },
    );
  });

  test('computed columns are whole numbers, truth is 1 or 0', async () => {
    const row = await given().write('computed', function* () {
      for (const seq of [1, 2, 3]) yield* addNote('computed', seq, String(seq));
      return yield* get<Record<string, number>>(
        `SELECT COUNT(*) AS counted, SUM(seq) AS summed, MAX(seq) AS most, SUM(seq) > 5 AS truth, MAX(seq) / 2 AS halved
         FROM notes WHERE tenant_id = ?`,
        'computed',
      );
    });
    assert.deepEqual({ ...row }, { counted: 3, summed: 6, most: 3, truth: 1, halved: 1 });
  });

  test('an integer beyond 2^53 - 1 is refused rather than rounded', async () => {
    await given().write('sum', function* () {
      yield* addNote('sum', Number.MAX_SAFE_INTEGER, 'a');
      yield* addNote('sum', 2, 'b');
    });
    const sum = () => get('SELECT SUM(seq) AS total FROM notes WHERE tenant_id = ?', 'sum');
    await assert.rejects(given().read(sum), RangeError);
  });

  test('an argument that is no text, safe integer or null is refused by a TypeError that names the SQL', async () => {
    for (const wrong of [undefined, true, 1.5, Number.NaN, 2 ** 53, {}, new Date(0), 1n]) {
      const sql = 'SELECT value FROM counters WHERE name = ?';
      const refused = (error: unknown) => error instanceof TypeError && error.message.includes(sql);
      await assert.rejects(
        given().write('t', () => get(sql, wrong as unknown as Value)),
        refused,
      );
      await assert.rejects(
        given().read(() => get(sql, wrong as unknown as Value)),
        refused,
      );
    }
  });

  test('text with the character U+0000, which one engine cannot hold, is the fault of the caller', async () => {
    await assert.rejects(
      given().write('nul', () => addNote('nul', 1, 'a\0b')),
      { code: 'BAD_REQUEST' },
    );
  });

  test('a statement tells the rows it gave and how many it changed', async () => {
    const results = await given().write('changes', function* () {
      const inserted = yield statement('INSERT INTO notes (tenant_id, seq, body) VALUES (?, ?, ?)', 'changes', 1, 'a');
      const ignored = yield statement(
        'INSERT INTO notes (tenant_id, seq, body) VALUES (?, ?, ?) ON CONFLICT (tenant_id, seq) DO NOTHING',
        ...['changes', 1, 'b'],
      );
      const returning = yield statement(
        'UPDATE notes SET body = ? WHERE tenant_id = ? RETURNING seq, body',
        ...['c', 'changes'],
      );
      const selected = yield statement('SELECT seq FROM notes WHERE tenant_id = ?', 'changes');
      return [inserted, ignored, returning, selected].map(({ rows, changes }) => ({
        rows: rows.map((row) => ({ ...(row as object) })),
        changes,
      }));
    });
    assert.deepEqual(results, [
      { rows: [], changes: 1 },
      { rows: [], changes: 0 },
      { rows: [{ seq: 1, body: 'c' }], changes: 1 },
      { rows: [{ seq: 1 }], changes: 0 },
    ]);
  });

  test('text is ordered by its bytes, in every locale of the database', async () => {
    const names = ['a', 'B', '_', 'ä', 'Z', '1', 'z', 'é', '￿', '🚀'];
    const rows = await given().write('order', function* () {
      for (const [seq, name] of names.entries()) yield* addNote('order', seq, name);
      return yield* all<{ body: string }>('SELECT body FROM notes WHERE tenant_id = ? ORDER BY body', 'order');
    });
    const byBytes = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(
      rows.map((row) => row.body),
      byBytes,
    );
  });

  test('a question mark in quoted text or a comment is no placeholder', async () => {
    const row = await given().read(() =>
      get<Record<string, unknown>>(
        `SELECT '?''?' AS "a?", /* ? */ seq -- ?
         FROM notes WHERE tenant_id = ? AND seq = ?`,
        ...['order', 3],
      ),
    );
    assert.deepEqual({ ...row }, { 'a?': "?'?", seq: 3 });
  });
}

function statement(sql: string, ...args: Value[]): { sql: string; args: Value[] } {
  return { sql, args };
}
