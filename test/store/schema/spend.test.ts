/** The upgrade of a database that has payments: what was spent before it is known at once, and summed while the node runs. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openStore } from '../../../src/store/openStore.ts';
import { fillSpend, isSpendUnfilled, sumSpend } from '../../../src/store/statements/purchases/spendSums.ts';
import { run } from '../../../src/store/store.ts';
import { engines } from '../../support/engines.ts';
import { schemaOf } from '../../support/formerSchema.ts';

/** The last one before there were sums. */
const FORMER = 27;
const DAY_MS = 24 * 3600 * 1000;
const PAYMENTS = 7;

for (const engine of engines()) {
  describe(`spending of an older database on ${engine.name}`, () => {
    test('is the same before, while and after it is summed', async (t) => {
      const database = await engine.open({ schemaFolder: await schemaOf(t, FORMER) });
      t.after(() => database.drop());
      await database.store.write('t', function* () {
        for (let number = 0; number < PAYMENTS; number += 1) {
          yield* run(
            `INSERT INTO payments (tenant_id, mandate_id, transaction_id, intent_id, agent_did, principal_did, status,
               amount_minor, captured_minor, refunded_minor, currency, merchant, rail, credential, created_at, authorized_at)
             VALUES ('t', ?, ?, ?, 'agent', 'agent', 'CAPTURED', 500, 500, 0, 'USD', 'shop.example', 'CARD_RAIL', '{}', ?, 0)`,
            ...[`pm_${number}`, `txn_${number}`, `intent_${number}`, number * DAY_MS],
          );
        }
        // Most of them are in lists.
        if (engine.name === 'sqlite') yield* run("UPDATE payments SET listed_as = status WHERE mandate_id <> 'pm_3'");
      });
      const store = await openStore({ databaseUrl: database.url, file: database.file ?? '', clock: () => 1 });
      t.after(() => store.close());
      const spent = async (last: number) => {
        const filter = { by: 'agent', first: 1, last, currency: undefined } as const;
        return (await store.read(() => sumSpend('t', filter, 9))).map(({ payments, paid }) => [payments, paid]);
      };
      for (let batches = 0; await store.read(() => isSpendUnfilled('t')); batches += 1) {
        assert.ok(batches < PAYMENTS);
        assert.deepEqual([await spent(4), await spent(90)], [[[4, 2000n]], [[6, 3000n]]]);
        await store.write('t', () => fillSpend('t', 2));
      }
      assert.deepEqual([await spent(4), await spent(90)], [[[4, 2000n]], [[6, 3000n]]]);
    });
  });
}
