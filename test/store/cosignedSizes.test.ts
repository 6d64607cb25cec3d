/** The search for checkpoints that enough witnesses have cosigned: what it finds, and that it walks the index of the key and no further than it is told. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { listCosignedSizes, putCosignature } from '../../src/store/statements/evidence/cosignatures.ts';
import { all, run, type Statement } from '../../src/store/store.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { watched } from '../support/watched.ts';

const TENANT = 'tnt_1';
const EVERY = { witnesses: ['a', 'b', 'c'], quorum: 2, fromSize: 1, toSize: 1_000_000, mostRows: 1000 };

for (const engine of engines()) {
  describe(`cosigned checkpoints on ${engine.name}`, () => {
    let database: TestDatabase;
    before(async () => {
      database = await engine.open();
      const cosigned = { 10: 'abc', 20: 'ab', 30: 'a', 40: 'bc', 50: 'cxyz', 60: 'xyz' };
      await database.store.write(TENANT, function* () {
        for (const [size, witnesses] of Object.entries(cosigned)) {
          for (const witness of witnesses) {
            yield* putCosignature(TENANT, { size: Number(size), witness, line: '—', created_at: 1 });
          }
        }
        yield* putCosignature('tnt_2', { size: 70, witness: 'a', line: '—', created_at: 1 });
        yield* putCosignature('tnt_2', { size: 70, witness: 'b', line: '—', created_at: 1 });
      });
    });
    after(() => database.drop());

    const find = (more: Partial<typeof EVERY> = {}, limit = 20) =>
      database.store.read(() => listCosignedSizes(TENANT, { ...EVERY, ...more }, limit));

    test('the newest come first, where enough of the named witnesses have cosigned, with or without others', async () => {
      assert.deepEqual(await find(), [40, 20, 10]);
      assert.deepEqual(await find({}, 1), [40]);
      assert.deepEqual(await find({ quorum: 3 }), [10]);
      assert.deepEqual(await find({ quorum: 1 }), [50, 40, 30, 20, 10]);
      assert.deepEqual(await find({ witnesses: ['a', 'b'] }), [20, 10]);
      assert.deepEqual(await find({ fromSize: 11, toSize: 39 }), [20]);
      assert.deepEqual(await find({ fromSize: 41 }), []);
    });

    test('no more rows are looked through than it is told', async () => {
      assert.deepEqual(await find({ mostRows: 8 }), []);
      assert.deepEqual(await find({ mostRows: 9 }), [40]);
    });

    test('the rows are found in their order in the index of the key, by size as well', async () => {
      const series =
        engine.name === 'sqlite'
          ? 'WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n FROM s'
          : 'SELECT n FROM generate_series(1, 20000) AS s(n)';
      await database.store.write('tnt_3', function* () {
        yield* run(`INSERT INTO cosignatures SELECT 'tnt_3', n, 'a', 'a line', 1 FROM (${series}) AS numbers`);
        if (engine.name === 'postgres') yield* run('ANALYZE cosignatures');
      });
      const statements: Statement[] = [];
      await watched(database.store, statements).read(() => listCosignedSizes('tnt_3', EVERY, 20));
      const { sql, args } = statements[0] ?? assert.fail();
      const explain = engine.name === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
      const plan = JSON.stringify(await database.store.read(() => all(`${explain} ${sql}`, ...args)));
      if (engine.name === 'sqlite') {
        assert.match(plan, /SEARCH cosignatures USING COVERING INDEX \w+ \(tenant_id=\? AND size>\? AND size<\?\)/);
      } else {
        assert.match(plan, /Index (Only )?Scan Backward using cosignatures_pkey/);
        assert.match(plan, /Index Cond: [^"]*tenant_id = [^"]*size >= [^"]*size <= /);
      }
      assert.doesNotMatch(plan, /TEMP B-TREE|Sort/, 'nothing is sorted');
    });
  });
}
