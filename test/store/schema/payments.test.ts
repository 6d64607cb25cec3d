/** The upgrade of a database that has payments: each knows its cart, and counts from the time at which it was made. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openStore } from '../../../src/store/openStore.ts';
import { findPayment, isCartPaid } from '../../../src/store/statements/purchases/payments.ts';
import { advancePaid } from '../../../src/store/statements/purchases/paymentWindows.ts';
import { exists, run } from '../../../src/store/store.ts';
import { engines } from '../../support/engines.ts';
import { schemaOf } from '../../support/formerSchema.ts';

/** The last one before payments knew their carts. */
const FORMER = 8;
const MADE = 1_800_000_000_000;

for (const engine of engines()) {
  describe(`payments of an older database on ${engine.name}`, () => {
    test('are found by their cart, and count in windows', async (t) => {
      const schemaFolder = await schemaOf(t, FORMER);
      const database = await engine.open({ schemaFolder });
      t.after(() => database.drop());
      await database.store.write('t', function* () {
        yield* run(
          `INSERT INTO payments (tenant_id, mandate_id, transaction_id, intent_id, agent_did, principal_did, status,
             amount_minor, captured_minor, refunded_minor, currency, merchant, rail, credential, created_at, dispute_id,
             dispute_outcome)
           VALUES ('t', 'pm_won', 'txn', 'i', 'other', 'other', 'DISPUTED', 5, 5, 0, 'USD', 's', 'CARD_RAIL', '{}', 0, 'dp',
             'won')`,
        );
        for (const number of [1, 2]) {
          yield* run(
            `INSERT INTO payments (tenant_id, mandate_id, transaction_id, intent_id, agent_did, principal_did, status,
               amount_minor, captured_minor, refunded_minor, currency, merchant, rail, credential, created_at)
             VALUES ('t', ?, 'txn', ?, 'agent', 'agent', 'CAPTURED', 500, 500, 0, 'USD', 'shop.example', 'CARD_RAIL', '{}', ?)`,
            `pm_${number}`,
            `intent_${number}`,
            MADE + number,
          );
          for (const status of ['VOID', 'USED']) {
            yield* run(
              `INSERT INTO approvals (token_hash, tenant_id, intent_id, agent_did, status, cart_hash, cart, amount_minor,
                 currency, merchant, rail, created_at, expires_at)
               VALUES (?, 't', ?, 'agent', ?, ?, '{}', 500, 'USD', 'shop.example', 'CARD_RAIL', 0, 0)`,
              `${status}_${number}`,
              `intent_${number}`,
              status,
              `sha256:${status}${number}`,
            );
          }
        }
      });
      const store = await openStore({ databaseUrl: database.url, file: database.file ?? '', clock: () => MADE });
      t.after(() => store.close());
      const paid = (cart: string) => store.read(() => exists(`SELECT 1 WHERE ${isCartPaid('?', '?')}`, 't', cart));
      assert.deepEqual(
        [await paid('sha256:USED1'), await paid('sha256:USED2'), await paid('sha256:VOID1')],
        [true, true, false],
      );
      const won = await store.read(() => findPayment('t', 'pm_won'));
      assert.equal(won?.status, 'CAPTURED', 'a dispute that was won takes no money');
      const window = { tenant_id: 't', scope: 'agent', window_ms: 1000 };
      const use = await store.read(() => advancePaid(new Map(), window, MADE + 1001));
      assert.deepEqual(use, { transactions: 1, amounts: { USD: 500 } });
    });
  });
}
