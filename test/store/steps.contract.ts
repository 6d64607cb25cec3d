/** Steps that save waiting: statements whose result is not read, and reads that go together. On every engine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../protocol/wire/fault.ts';
import { isUniqueViolation } from '../../src/store/failure.ts';
import { all, allCached, get, putCached, run, type Script, type Store, send, together } from '../../src/store/store.ts';
import { addNote, countOf, NOTES_OF, noteOf, setCounter } from './notes.ts';

const CACHED = { tables: ['counters'] };
const COUNTER = 'SELECT value FROM counters WHERE name = ?';

function sendNote(tenantId: string, seq: number, body: string | null): Script<void> {
  return send('INSERT INTO notes (tenant_id, seq, body) VALUES (?, ?, ?)', tenantId, seq, body);
}

function* counterOf(name: string): Script<number | undefined> {
  return (yield* get<{ value: number }>(COUNTER, name))?.value;
}

function* cachedCounterOf(name: string): Script<number | undefined> {
  return (yield* allCached<{ value: number }>(CACHED, COUNTER, name))[0]?.value;
}

/** @param given the store, once it is open */
export function stepsContract(given: () => Store): void {
  unreadContract(given);
  togetherContract(given);

  test('what a script puts into the row cache is given to it, and to no other once the script has failed', async () => {
    const store = given();
    await store.write('put', () => setCounter('put', 1));
    const putting = (fails: boolean) =>
      store.write('put', function* () {
        yield* run('UPDATE counters SET value = 2 WHERE name = ?', 'put');
        yield* putCached(CACHED, [{ value: 2 }], COUNTER, 'put');
        const seen = yield* cachedCounterOf('put');
        if (fails) throw new Error(`taken back after ${seen}`);
        yield* run('UPDATE counters SET value = 3 WHERE name = ?', 'put');
        return [seen, yield* cachedCounterOf('put')];
      });
    const outcomes = await Promise.allSettled([
      store.write('put', () => cachedCounterOf('put')),
      putting(true),
      store.write('put', () => cachedCounterOf('put')),
      putting(false),
      store.write('put', () => cachedCounterOf('put')),
    ]);
    const values = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message));
    assert.deepEqual(values, [1, 'taken back after 2', 1, [2, 3], 3]);
    assert.equal(await store.read(() => cachedCounterOf('put')), 3);
  });

  test('a script that loads rows still sees what the scripts before it wrote', async () => {
    const store = given();
    await store.write('load', () => setCounter('load', 0));
    const increment = () =>
      store.write(
        'load',
        function* () {
          const value = ((yield* counterOf('load')) ?? 0) + 1;
          yield* send('UPDATE counters SET value = ? WHERE name = ?', value, 'load');
          return [value, yield* counterOf('load')];
        },
        () => [counterOf('load'), counterOf('none')],
      );
    const seen = await Promise.all(Array.from({ length: 20 }, increment));
    assert.deepEqual(
      seen,
      Array.from({ length: 20 }, (_, index) => [index + 1, index + 1]),
    );
  });

  test('a script decides by what those before it in its commit changed, and not by the rows that were loaded', async () => {
    const store = given();
    const names = ['before a', 'before b', 'before c'];
    for (const name of names) await store.write('before', () => setCounter(name, 0));
    const changeAll = (name: string, least: number) =>
      store.write(
        'before',
        function* () {
          const value = (yield* counterOf(name)) ?? 0;
          if (value < least) throw new Fault('CONFLICT', `${value}`);
          // The text says nothing of whose rows it changes.
          yield* send("UPDATE counters SET value = value + 1 WHERE name LIKE 'before%'");
          return value;
        },
        () => [counterOf(name)],
      );
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        changeAll(String(names[index % 3]), index === 10 ? 11 : index === 11 ? 10 : 0),
      ),
    );
    const values = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message));
    assert.deepEqual(values, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, '10', 10, 11, 12, 13, 14, 15, 16, 17, 18]);
    assert.deepEqual(await store.read(() => together(...names.map(counterOf))), [19, 19, 19]);
  });

  test('what a script has loaded is read anew after it has changed one of the tables', async () => {
    await given().write('midway', () => setCounter('midway', 1));
    const both = () =>
      all(
        'SELECT notes.body, counters.value FROM counters LEFT JOIN notes ON notes.tenant_id = counters.name WHERE name = ?',
        'midway',
      );
    const script = function* (): Script<unknown[]> {
      const seen: unknown[] = [yield* counterOf('midway'), yield* both()];
      yield* sendNote('midway', 1, 'a');
      seen.push(yield* both(), yield* all(NOTES_OF, 'midway'));
      yield* send('UPDATE counters SET value = 2 WHERE name = ?', 'midway');
      seen.push(yield* both(), yield* counterOf('midway'));
      return seen;
    };
    const load = () => [counterOf('midway'), both(), all(NOTES_OF, 'midway')];
    assert.deepEqual(await given().write('midway', script, load), [
      1,
      [{ body: null, value: 1 }],
      [{ body: 'a', value: 1 }],
      [{ seq: 1 }],
      [{ body: 'a', value: 2 }],
      2,
    ]);
  });

  test('what cannot be loaded fails the script that asks for it, and no other', async () => {
    const wrong = () => all('SELECT nothing FROM nowhere');
    const outcomes = await Promise.allSettled([
      given().write(
        'wrong',
        () => addNote('wrong', 1, 'a'),
        () => [wrong()],
      ),
      given().write('wrong', wrong, () => [wrong()]),
      given().write('wrong', () => addNote('wrong', 2, 'b')),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal(await countOf(given(), 'wrong'), 2);
  });
}

function unreadContract(given: () => Store): void {
  test('an unread statement is seen by what comes after it, and is there once the script has resolved', async () => {
    const seen = await given().write('unread', function* () {
      yield* sendNote('unread', 1, 'a');
      yield* sendNote('unread', 2, 'b');
      const between = yield* all(NOTES_OF, 'unread');
      yield* sendNote('unread', 3, 'c');
      return between.length;
    });
    assert.equal(seen, 2);
    assert.equal(await countOf(given(), 'unread'), 3);
  });

  for (const last of [true, false]) {
    test(`an unread statement that fails ${last ? 'as the last' : 'before others'} fails its own script alone`, async () => {
      const tenant = `unread fails ${last}`;
      const outcomes = await Promise.allSettled(
        Array.from({ length: 12 }, (_, seq) =>
          given().write(tenant, function* () {
            yield* sendNote(tenant, seq, `note ${seq}`);
            if (seq % 3 === 1) yield* sendNote(tenant, 0, 'taken');
            if (seq % 3 === 2) throw new Fault('CONFLICT', 'No.');
            if (!last) yield* all(NOTES_OF, tenant);
            return seq;
          }),
        ),
      );
      for (const [seq, outcome] of outcomes.entries()) {
        if (seq % 3 === 0) assert.deepEqual(outcome, { status: 'fulfilled', value: seq });
        else if (outcome.status === 'fulfilled') assert.fail(`${seq} was fulfilled`);
        else if (seq % 3 === 1) assert.ok(isUniqueViolation(outcome.reason), String(outcome.reason));
        else assert.equal(outcome.reason.code, 'CONFLICT');
      }
      assert.deepEqual(
        (await given().read(() => all<{ seq: number }>(NOTES_OF, tenant))).map(({ seq }) => seq),
        [0, 3, 6, 9],
      );
    });
  }

  test('a script alone gets the error of its unread statement, and may translate it', async () => {
    await given().write('unread alone', () => addNote('unread alone', 1, 'a'));
    const translating = given().write('unread alone', function* () {
      try {
        yield* sendNote('unread alone', 1, 'b');
      } catch (error) {
        throw isUniqueViolation(error) ? new Fault('CONFLICT', 'Taken.') : error;
      }
    });
    await assert.rejects(translating, { code: 'CONFLICT', message: 'Taken.' });
    const failing = given().write('unread alone', function* () {
      yield* sendNote('unread alone', 1, 'c');
      throw new Error('its own');
    });
    await assert.rejects(failing, (error) => isUniqueViolation(error));
    assert.equal(await noteOf(given(), 'unread alone', 1), 'a');
  });

  test('a reading script that sends a write is refused', async () => {
    await assert.rejects(given().read(() => sendNote('unread reading', 1, 'a')));
    await assert.rejects(given().readApart(() => sendNote('unread reading', 1, 'a')));
    assert.equal(await countOf(given(), 'unread reading'), 0);
  });

  test('the store goes on after an unread statement has failed', async () => {
    for (let round = 0; round < 3; round++) {
      const [first, second] = await Promise.allSettled([
        given().write('unread on', () => sendNote('unread on', round, String(round))),
        given().write('unread on', () => sendNote('unread on', round, 'again')),
      ]);
      assert.deepEqual([first.status, second.status], ['fulfilled', 'rejected']);
    }
    assert.equal(await countOf(given(), 'unread on'), 3);
  });
}

function togetherContract(given: () => Store): void {
  test('scripts that run together give what they give alone, however many statements each has', async () => {
    const store = given();
    for (const [index, name] of ['together a', 'together b', 'together c'].entries()) {
      await store.write('together', () => setCounter(name, index));
    }
    const sum = function* (...names: string[]): Script<number> {
      let total = 0;
      for (const name of names) total += (yield* counterOf(name)) ?? 0;
      return total;
    };
    const nothing = function* (): Script<string> {
      return 'nothing';
    };
    const script = () =>
      together(
        sum('together b'),
        nothing(),
        together(sum('together c', 'together b'), cachedCounterOf('together c')),
        sum('together a', 'together b', 'together c'),
        cachedCounterOf('together b'),
        all(NOTES_OF, 'together'),
      );
    const expected = [1, 'nothing', [3, 2], 3, 1, []];
    assert.deepEqual(await store.read(script), expected);
    assert.deepEqual(await store.readApart(script), expected);
    assert.deepEqual(await store.write('together', script), expected);
    assert.deepEqual(await store.onSnapshot((snapshot) => snapshot.read(script)), expected);
    assert.deepEqual(await store.write('together', () => together()), []);
  });

  test('what one of the scripts throws, or one of their statements, fails the script that runs them together', async () => {
    const refuse = function* (): Script<void> {
      yield* all(NOTES_OF, 'together');
      throw new Fault('NOT_FOUND', 'Nothing there.');
    };
    for (const run of [given().read.bind(given()), given().write.bind(given(), 'together')]) {
      await assert.rejects(
        run(() => together(counterOf('a'), refuse())),
        { code: 'NOT_FOUND' },
      );
      await assert.rejects(run(() => together(counterOf('a'), all('SELECT nothing FROM nowhere'), counterOf('b'))));
    }
  });
}
