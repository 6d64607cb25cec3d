/** All or nothing, in order, on one snapshot: what scripts may rely on, on every engine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../protocol/wire/fault.ts';
import { isUniqueViolation } from '../../src/store/failure.ts';
import { all, get, run, type Script, type Store } from '../../src/store/store.ts';
import { addNote, countOf, NOTES_OF, setCounter } from './notes.ts';

/** @param given the store, once it is open */
export function writingContract(given: () => Store): void {
  test('work of many scripts reads one snapshot, without what is written meanwhile', async () => {
    const store = given();
    await store.write('snapshot', () => addNote('snapshot', 1, 'before'));
    const seen = await store.onSnapshot(async (snapshot) => {
      const read = async () => (await snapshot.read(() => all(NOTES_OF, 'snapshot'))).length;
      const first = await read();
      await store.write('snapshot', () => addNote('snapshot', 2, 'meanwhile'));
      const second = await read();
      await assert.rejects(snapshot.read(() => addNote('snapshot', 3, 'never')));
      return [first, second];
    });
    assert.deepEqual(seen, [1, 1]);
    assert.equal(await countOf(store, 'snapshot'), 2);
    await assert.rejects(
      store.onSnapshot(async () => {
        throw new Error('the work fails');
      }),
      /the work fails/,
    );
  });

  test('a script that throws leaves nothing behind', async () => {
    const failed = given().write('atomic', function* () {
      yield* addNote('atomic', 1, 'gone');
      throw new Fault('CONFLICT', 'No.');
    });
    await assert.rejects(failed, { code: 'CONFLICT' });
    assert.equal(await countOf(given(), 'atomic'), 0);
  });

  test('a script that throws in a group takes back its own statements only', async () => {
    const before = given().stats();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, seq) =>
        given().write('group', function* () {
          yield* addNote('group', seq, `note ${seq}`);
          if (seq % 3 === 1) throw new Error(`refused ${seq}`);
          // A failed statement is worse than a thrown error: PostgreSQL takes no other in that transaction.
          if (seq % 3 === 2) yield* addNote('group', 0, 'taken');
          return seq;
        }),
      ),
    );
    for (const [seq, outcome] of outcomes.entries()) {
      if (seq % 3 === 0) assert.deepEqual(outcome, { status: 'fulfilled', value: seq });
      else assert.equal(outcome.status, 'rejected');
      if (outcome.status !== 'rejected') continue;
      if (seq % 3 === 1) assert.equal(outcome.reason.message, `refused ${seq}`);
      else assert.ok(isUniqueViolation(outcome.reason));
    }
    const rows = await given().read(() => all<{ seq: number }>(NOTES_OF, 'group'));
    assert.deepEqual(
      rows.map((row) => row.seq),
      [0, 3, 6, 9, 12, 15, 18, 21, 24, 27],
    );
    const { commits, scripts } = given().stats();
    assert.equal(scripts - before.scripts, 10);
    assert.ok(commits - before.commits < 10, 'the scripts shared commits');
  });

  test('a broken unique index is told from other errors', async () => {
    const errorOf = (script: () => Script<unknown>) =>
      given()
        .write('unique', script)
        .catch((error: unknown) => error);
    await given().write('unique', () => addNote('unique', 1, 'a'));
    assert.ok(isUniqueViolation(await errorOf(() => addNote('unique', 1, 'b'))), 'primary key');
    assert.ok(isUniqueViolation(await errorOf(() => addNote('unique', 2, 'a'))), 'unique index');
    assert.ok(!isUniqueViolation(await errorOf(() => setCounter(null as unknown as string, 1))), 'not null');
    assert.ok(!isUniqueViolation(await errorOf(() => run('SELECT nothing FROM nowhere'))), 'wrong SQL');
    assert.ok(!isUniqueViolation(new Error('unique')));
  });

  test('a script may translate the error of a statement but not go on after it', async () => {
    await given().write('caught', () => addNote('caught', 1, 'a'));
    const translating = given().write('caught', function* () {
      try {
        yield* addNote('caught', 1, 'b');
      } catch (error) {
        throw isUniqueViolation(error) ? new Fault('CONFLICT', 'Taken.') : error;
      }
    });
    await assert.rejects(translating, { code: 'CONFLICT', message: 'Taken.' });
    const goingOn = given().write('caught', function* () {
      try {
        yield* addNote('caught', 1, 'b');
      } catch {}
      return 'went on';
    });
    await assert.rejects(goingOn, (error) => isUniqueViolation(error));
    assert.equal(await countOf(given(), 'caught'), 1);
  });

  test('the scripts of a tenant run in the order in which they were given', async () => {
    const order: number[] = [];
    const ends = Array.from({ length: 200 }, (_, index) =>
      given().write('ordered', function* () {
        const row = yield* get<{ last: number | null }>(
          'SELECT MAX(seq) AS last FROM notes WHERE tenant_id = ?',
          'ordered',
        );
        yield* addNote('ordered', (row?.last ?? 0) + 1, String(index));
        order.push(index);
        return (row?.last ?? 0) + 1;
      }),
    );
    assert.deepEqual(
      await Promise.all(ends),
      order.map((index) => index + 1),
    );
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    );
  });

  test('a script without statements, and one that only reads, give their results', async () => {
    assert.equal(
      await given().write('empty', function* () {
        return 'done';
      }),
      'done',
    );
    assert.equal(
      await given().read(function* () {
        return 'done';
      }),
      'done',
    );
    const found = await given().write('empty', () => all(NOTES_OF, 'empty'));
    assert.deepEqual(found, []);
  });

  test('more scripts than fit one group are all run', async () => {
    const ends = Array.from({ length: 300 }, (_, seq) =>
      given().write('many', () => addNote('many', seq, String(seq))),
    );
    await Promise.all(ends);
    assert.equal(await countOf(given(), 'many'), 300);
  });
}

/** @param given the store, once it is open */
export function readingContract(given: () => Store): void {
  test('a reading script that writes is refused and changes nothing', async () => {
    await assert.rejects(given().read(() => addNote('reading', 1, 'a')));
    await assert.rejects(
      given().read(() => get('INSERT INTO notes (tenant_id, seq) VALUES (?, ?) RETURNING seq', 'reading', 2)),
    );
    assert.equal(await countOf(given(), 'reading'), 0);
    await given().write('reading', () => addNote('reading', 1, 'a'));
    assert.equal(await countOf(given(), 'reading'), 1);
  });

  test('a reading script that throws rejects with its own error', async () => {
    await assert.rejects(
      given().read(function* () {
        yield* all(NOTES_OF, 'reading');
        throw new Fault('NOT_FOUND', 'Nothing there.');
      }),
      { code: 'NOT_FOUND' },
    );
  });

  test('a reading script sees one snapshot while others write', async () => {
    await given().write('snapshot', () => setCounter('left', 500));
    await given().write('snapshot', () => setCounter('right', 500));
    let stop = false;
    const move = (by: number) =>
      given().write('snapshot', function* () {
        yield* run('UPDATE counters SET value = value - ? WHERE name = ?', by, 'left');
        yield* run('UPDATE counters SET value = value + ? WHERE name = ?', by, 'right');
      });
    const mover = (async () => {
      for (let by = 1; !stop; by += 1) await move(by % 7);
    })();
    for (let round = 0; round < 100; round += 1) {
      const total = await given().read(function* () {
        const left = yield* get<{ value: number }>('SELECT value FROM counters WHERE name = ?', 'left');
        const right = yield* get<{ value: number }>('SELECT value FROM counters WHERE name = ?', 'right');
        return (left?.value ?? 0) + (right?.value ?? 0);
      });
      assert.equal(total, 1000);
      if (round % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    stop = true;
    await mover;
  });

  test('a read after a write that resolved sees it', async () => {
    for (let seq = 0; seq < 20; seq += 1) {
      await given().write('own', () => addNote('own', seq, String(seq)));
      assert.equal(await countOf(given(), 'own'), seq + 1);
    }
  });

  test('a read apart sees what was written before, on one snapshot, and writes nothing', async () => {
    for (let seq = 0; seq < 5; seq += 1) {
      await given().write('apart', () => addNote('apart', seq, String(seq)));
      assert.equal((await given().readApart(() => all(NOTES_OF, 'apart'))).length, seq + 1);
    }
    await assert.rejects(given().readApart(() => addNote('apart', 9, 'a')));
    assert.equal(await countOf(given(), 'apart'), 5);
    const many = await Promise.all(Array.from({ length: 20 }, () => given().readApart(() => all(NOTES_OF, 'apart'))));
    assert.deepEqual(new Set(many.map((rows) => rows.length)), new Set([5]));
  });
}
