/** What every store engine promises, as one suite that runs on each of them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { all, get, type Script, type Store } from '../../src/store/store.ts';
import type { Engine, TestDatabase } from '../support/engines.ts';
import { addNote, CONTRACT_SCHEMA, countOf, NOTES_OF, setCounter } from './notes.ts';
import { rowCacheContract } from './rowCache.contract.ts';
import { stepsContract } from './steps.contract.ts';
import { readingContract, writingContract } from './transactions.contract.ts';
import { valuesContract } from './values.contract.ts';

/** Declares the tests, in the suite of the engine. */
export function storeContract(engine: Engine): void {
  let database: TestDatabase;
  let store: Store;
  before(async () => {
    database = await engine.open({ schemaFolder: CONTRACT_SCHEMA });
    store = database.store;
  });
  after(() => database?.drop());

  valuesContract(() => store);
  writingContract(() => store);
  readingContract(() => store);
  stepsContract(() => store);
  rowCacheContract(engine, () => store);
  nodesContract(engine);
}

/** Tests that open stores of their own. */
function nodesContract(engine: Engine): void {
  test('500 increments over two stores add up to 500', async () => {
    const database = await engine.open({ schemaFolder: CONTRACT_SCHEMA });
    const both = [database.store, await database.reopen()] as const;
    await both[0].write('c', () => setCounter('hits', 0));
    const hit = function* (): Script<number> {
      const row = yield* get<{ value: number }>('SELECT value FROM counters WHERE name = ?', 'hits');
      yield* setCounter('hits', (row?.value ?? 0) + 1);
      return (row?.value ?? 0) + 1;
    };
    const seen = await Promise.all(
      Array.from({ length: 500 }, (_, index) => both[index % 2 === 0 ? 0 : 1].write('c', hit)),
    );
    assert.equal(new Set(seen).size, 500);
    assert.equal(Math.max(...seen), 500);
    await database.drop();
  });

  test('close() finishes what is queued, refuses what comes after and may be called twice', async () => {
    const database = await engine.open({ schemaFolder: CONTRACT_SCHEMA });
    const { store } = database;
    const queued = Array.from({ length: 150 }, (_, seq) => store.write('t', () => addNote('t', seq, String(seq))));
    const reading = Array.from({ length: 30 }, () => store.read(() => all(NOTES_OF, 't')));
    const closing = store.close();
    await assert.rejects(
      store.write('t', () => addNote('t', 1000, null)),
      { code: 'UNAVAILABLE' },
    );
    await assert.rejects(
      store.read(() => all(NOTES_OF, 't')),
      { code: 'UNAVAILABLE' },
    );
    await Promise.all([closing, ...queued, ...reading]);
    await store.close();
    assert.equal(await countOf(await database.reopen(), 't'), 150);
    await database.drop();
  });
}
