/** A line of an account's statement is compared by an index with what was reserved, however many reservations there are. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { firstIdAt } from '../../protocol/wire/id.ts';
import {
  externalPayments,
  listComparedByAmount,
  listComparedByName,
} from '../../src/store/statements/purchases/externalPayments.ts';
import { payments } from '../../src/store/statements/purchases/payments.ts';
import { all, run, type Statement } from '../../src/store/store.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { addRows } from '../support/oldRows.ts';
import { watched } from '../support/watched.ts';

const COUNT = 4000;
const SPAN = { from: 0, to: 10 };

for (const engine of engines()) {
  describe(`lines of statements on ${engine.name}`, () => {
    let database: TestDatabase;
    before(async () => {
      database = await engine.open();
      const { store } = database;
      await store.write('t', () => run("INSERT INTO tenants (id, name, created_at) VALUES ('t', 't', 1)"));
      const idOf = (number: number) => ({ mandate_id: firstIdAt('pm_', number), currency: 'USD', created_at: 1 });
      const paid = (number: number) => ({ ...idOf(number), intent_id: `i${number}`, status: 'AUTHORIZED' });
      const reserved = (number: number) => {
        const names = { order_reference: `order-${number}`, reference: number % 2 === 0 ? `receipt-${number}` : null };
        return { ...idOf(number), ...names, amount_minor: number, merchant: 'tea.example', evidence_hash: null };
      };
      await addRows(store, payments, { tenantId: 't', time: 1, count: COUNT, cells: paid });
      await addRows(store, externalPayments, { tenantId: 't', time: 1, count: COUNT, cells: reserved });
      // Without a name SQLite looks at the views beside as well, which their own thread writes meanwhile.
      await store.write('t', () => run(engine.name === 'sqlite' ? 'ANALYZE main' : 'ANALYZE'));
    });
    after(() => database.drop());

    const planOf = async ({ sql, args }: Statement): Promise<string> => {
      const explain = engine.name === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
      const rows = await database.store.read(() => all<Record<string, string>>(`${explain} ${sql}`, ...args));
      return rows.map((row) => row['detail'] ?? row['QUERY PLAN']).join('\n');
    };

    test('are met by what the merchant calls a payment, and by its amount', async () => {
      const statements: Statement[] = [];
      const store = watched(database.store, statements);
      const named = await store.read(() => listComparedByName('t', 'USD', 'receipt-100', SPAN));
      const ordered = await store.read(() => listComparedByName('t', 'USD', 'order-101', SPAN));
      const equal = await store.read(() => listComparedByAmount('t', 'USD', 102, SPAN));
      const idsOf = (found: readonly { readonly mandate_id: string }[]) => found.map(({ mandate_id: id }) => id);
      assert.deepEqual([named, ordered, equal].map(idsOf), [
        [firstIdAt('pm_', 100)],
        [firstIdAt('pm_', 101)],
        [firstIdAt('pm_', 102)],
      ]);
      const [byName = '', , byAmount = ''] = await Promise.all(statements.map(planOf));
      assert.match(byName, /external_payments_by_reference/);
      assert.match(byName, /external_payments_by_order/);
      assert.match(byAmount, /external_payments_by_amount/);
      for (const plan of [byName, byAmount]) assert.doesNotMatch(plan, /SCAN e\b|Seq Scan on external_payments/, plan);
    });
  });
}
