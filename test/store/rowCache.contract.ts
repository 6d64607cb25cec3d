/** Cached rows: after every kind of change by any node the next read sees the change. On every engine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { all, allCached, putCached, run, type Script, type Store, sendAll } from '../../src/store/store.ts';
import type { Engine } from '../support/engines.ts';
import { addNote, CONTRACT_SCHEMA, setCounter } from './notes.ts';

const COUNTER = 'SELECT value FROM counters WHERE name = ?';

function* counterOf(name: string): Script<number | undefined> {
  return (yield* allCached<{ value: number }>({ tables: ['counters'] }, COUNTER, name))[0]?.value;
}

const read = (store: Store, name: string) => store.read(() => counterOf(name));

/** A counter with what is noted under its name, from two tables; that there is no counter is cached as well. */
const NOTED = `SELECT value, (SELECT COUNT(*) FROM notes WHERE tenant_id = counters.name) AS notes
  FROM counters WHERE name = ?`;

interface Noted {
  readonly value: number;
  readonly notes: number;
}

function* notedOf(name: string): Script<Noted | undefined> {
  const row = (yield* allCached<Noted>({ tables: ['counters', 'notes'], empty: true }, NOTED, name))[0];
  return row && { ...row };
}

/** A counter, also that there is none, by its key: statements say which counter they change. */
function* keyedOf(name: string): Script<number | undefined> {
  const cached = { tables: ['counters'], empty: true, byKey: true };
  const sql = 'SELECT value FROM counters WHERE name = ? LIMIT 1';
  return (yield* allCached<{ value: number }>(cached, sql, name))[0]?.value;
}

function* sendCounter(name: string, value: number): Script<void> {
  const sql =
    'INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
  yield* sendAll(sql, [name, value], [name]);
}

export function rowCacheContract(engine: Engine, given: () => Store): void {
  test('a cached row is read anew after it was inserted, updated or deleted', async () => {
    const store = given();
    assert.equal(await read(store, 'cached'), undefined);
    await store.write('k', () => setCounter('cached', 1));
    assert.equal(await read(store, 'cached'), 1);
    await store.write('k', () => run('UPDATE counters SET value = 2 WHERE name = ?', 'cached'));
    assert.equal(await read(store, 'cached'), 2);
    await store.write('k', () => all('update counters set value = 3 where name = ? RETURNING value', 'cached'));
    assert.equal(await read(store, 'cached'), 3);
    await store.write('k', () => run('DELETE FROM counters WHERE name = ?', 'cached'));
    assert.equal(await read(store, 'cached'), undefined);
  });

  test('a script sees its own change of a cached row, and no script sees it once that script has failed', async () => {
    const store = given();
    await store.write('k', () => setCounter('undone', 1));
    const seen: unknown[] = [];
    const outcomes = await Promise.allSettled([
      store.write('k', function* () {
        yield* setCounter('other', 1);
        seen.push(yield* counterOf('undone'));
      }),
      store.write('k', function* () {
        yield* setCounter('undone', 2);
        seen.push(yield* counterOf('undone'));
        throw new Error('no');
      }),
      store.write('k', () => counterOf('undone')),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(outcomes[2], { status: 'fulfilled', value: 1 });
    assert.deepEqual(new Set(seen), new Set([1, 2]));
    assert.equal(await read(store, 'undone'), 1);
  });

  test('what a script says of a row is forgotten when it fails, even if it wrote nothing', async () => {
    const store = given();
    await store.write('k', () => setCounter('said', 1));
    const outcomes = await Promise.allSettled([
      store.write('k', () => setCounter('other', 1)),
      store.write('k', function* () {
        yield* putCached({ tables: ['counters'] }, [{ value: 9 }], COUNTER, 'said');
        throw new Error('no');
      }),
      store.write('k', () => counterOf('said')),
    ]);
    assert.equal(outcomes[1]?.status, 'rejected');
    assert.deepEqual(outcomes[2], { status: 'fulfilled', value: 1 });
    assert.equal(await read(store, 'said'), 1);
  });

  test('a cached row of two tables is read anew after either changed, and so is that there is none', async () => {
    const store = given();
    const noted = () => store.read(() => notedOf('noted'));
    const steps: [Script<unknown>, Noted | undefined][] = [
      [addNote('other', 1, 'noted elsewhere'), undefined],
      [addNote('noted', 1, 'a'), undefined],
      [setCounter('noted', 1), { value: 1, notes: 1 }],
      [addNote('noted', 2, 'b'), { value: 1, notes: 2 }],
      [run('DELETE FROM notes WHERE tenant_id = ?', 'noted'), { value: 1, notes: 0 }],
      [run('UPDATE counters SET value = 2 WHERE name = ?', 'noted'), { value: 2, notes: 0 }],
      [run('DELETE FROM counters WHERE name = ?', 'noted'), undefined],
    ];
    assert.equal(await noted(), undefined);
    for (const [change, expected] of steps) {
      await store.write('k', () => change);
      assert.deepEqual(await noted(), expected);
      assert.deepEqual(await noted(), expected);
    }
  });

  test('that there is no row is forgotten with a script that failed, and when another node adds one', async () => {
    const database = await engine.open({ schemaFolder: CONTRACT_SCHEMA });
    const other = await database.reopen();
    const noted = (store: Store) => store.write('k', () => notedOf('late'));
    assert.equal(await noted(database.store), undefined);
    const failing = database.store.write('k', function* () {
      yield* setCounter('late', 1);
      assert.deepEqual(yield* notedOf('late'), { value: 1, notes: 0 });
      yield* run('DELETE FROM counters WHERE name = ?', 'late');
      assert.equal(yield* notedOf('late'), undefined);
      throw new Error('taken back');
    });
    await assert.rejects(failing, /taken back/);
    assert.equal(await noted(database.store), undefined);
    await other.write('k', () => setCounter('late', 2));
    assert.deepEqual(await noted(database.store), { value: 2, notes: 0 });
    assert.deepEqual(await database.store.read(() => notedOf('late')), { value: 2, notes: 0 });
    await database.drop();
  });

  test('a cached row that another node changes is read anew, alone and in a transaction', async () => {
    const database = await engine.open({ schemaFolder: CONTRACT_SCHEMA });
    const both = [database.store, await database.reopen()] as const;
    for (let value = 0; value < 20; value++) {
      const writer = both[value % 2 === 0 ? 0 : 1];
      await writer.write('k', () => setCounter('shared', value));
      for (const store of both) {
        assert.equal(await read(store, 'shared'), value);
        assert.equal(await store.write('k', () => counterOf('shared')), value);
      }
    }
    await database.drop();
  });

  test('a cached read and a plain one give the same after all that two nodes do', async () => {
    const database = await engine.open({ schemaFolder: CONTRACT_SCHEMA });
    const both = [database.store, await database.reopen()] as const;
    const names = fc.constantFrom('a', 'b');
    const step = fc.record({
      node: fc.constantFrom(0, 1),
      name: names,
      change: fc.constantFrom('none', 'set', 'send', 'increment', 'delete', 'fail'),
      value: fc.nat(9),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const { node, name, change, value } of steps) {
          if (change !== 'none') await both[node as 0 | 1].write('k', () => alter(name, change, value)).catch(ignored);
          for (const store of both) {
            const plain = await store.read(() => all<{ value: number }>(COUNTER, name));
            assert.equal(await read(store, name), plain[0]?.value);
            assert.equal(await store.write('k', () => counterOf(name)), plain[0]?.value);
            assert.equal((await store.read(() => notedOf(name)))?.value, plain[0]?.value);
            assert.equal(await store.read(() => keyedOf(name)), plain[0]?.value);
            assert.equal(await store.write('k', () => keyedOf(name)), plain[0]?.value);
          }
        }
      }),
      { numRuns: 25 },
    );
    await database.drop();
  });
}

type Change = 'set' | 'send' | 'increment' | 'delete' | 'fail';

function* alter(name: string, change: Change, value: number): Script<void> {
  if (change === 'send') yield* sendCounter(name, value);
  else if (change === 'delete') yield* run('DELETE FROM counters WHERE name = ?', name);
  else if (change === 'increment') yield* run('UPDATE counters SET value = value + 1 WHERE name = ?', name);
  else yield* setCounter(name, value);
  if (change === 'fail') throw new Error('taken back');
}

function ignored(): void {}
