/** What an agent paid before is found by the status of its payments: those that failed are not read, however many there are. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { firstIdAt } from '../../protocol/wire/id.ts';
import { listPaidAmounts, payments } from '../../src/store/statements/purchases/payments.ts';
import { all, run, type Statement } from '../../src/store/store.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { addRows } from '../support/oldRows.ts';
import { watched } from '../support/watched.ts';

const WHOSE = { agent_did: 'did:key:a', merchant: 'shop.example', currency: 'USD' };
const FAILED = 4000;
/** The only one that was authorized. */
const PAID = 3990;

for (const engine of engines()) {
  describe(`payments before on ${engine.name}`, () => {
    let database: TestDatabase;
    before(async () => {
      database = await engine.open();
      const { store } = database;
      await store.write('t', () => run("INSERT INTO tenants (id, name, created_at) VALUES ('t', 't', 1)"));
      const cells = (number: number) => {
        const status = number === PAID ? 'CAPTURED' : 'FAILED';
        const ids = { mandate_id: firstIdAt('pm_', number), intent_id: `i${number}`, amount_minor: number };
        return { ...WHOSE, ...ids, status };
      };
      await addRows(store, payments, { tenantId: 't', time: 1, count: FAILED, cells });
      // Without a name SQLite looks at the views beside as well, which their own thread writes meanwhile.
      await store.write('t', () => run(engine.name === 'sqlite' ? 'ANALYZE main' : 'ANALYZE'));
    });
    after(() => database.drop());

    /** Each place where the plan of a statement reads payments, as the engine tells it. */
    async function placesOf({ sql, args }: Statement): Promise<string[]> {
      if (engine.name === 'sqlite') {
        const steps = await database.store.read(() => all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...args));
        return steps.map(({ detail }) => detail).filter((detail) => / payments\b/.test(detail));
      }
      const rows = await database.store.read(() => all<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, ...args));
      const lines = rows.map((row) => row['QUERY PLAN']);
      return lines.flatMap((line, at) => {
        if (!/ on payments\b/.test(line) && !/ on payments_/.test(line)) return [];
        const condition = lines.slice(at + 1).find((next) => /Index Cond|Filter/.test(next)) ?? '';
        return line.includes('Bitmap Heap') ? [] : [line + condition];
      });
    }

    test('are found, and none of those that failed is read', async () => {
      const statements: Statement[] = [];
      const store = watched(database.store, statements);
      assert.deepEqual(await store.read(() => listPaidAmounts('t', WHOSE.agent_did, 'USD', 50)), [PAID]);
      const places = (await Promise.all(statements.map(placesOf))).flat();
      assert.ok(places.length >= 1, places.join('\n'));
      for (const place of places) assert.match(place, /payments_once_in_currency/);
    });
  });
}
