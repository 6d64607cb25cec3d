/** Whether an agent has paid a merchant before: what is noted agrees with a plain scan of the payments, also after an upgrade. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { canBecome, PAYMENT_STATES } from '../../protocol/payment.ts';
import { firstIdAt } from '../../protocol/wire/id.ts';
import { splitStatements } from '../../src/store/sqlText.ts';
import { type agentMerchants, hasPaidMerchant } from '../../src/store/statements/purchases/agentMerchants.ts';
import { insertPayment, type PaymentRow, wasAuthorized } from '../../src/store/statements/purchases/payments.ts';
import { addNewSpend, changePayment } from '../../src/store/statements/purchases/spendSums.ts';
import type { RowOf } from '../../src/store/statements/tableDefinition.ts';
import { all, run } from '../../src/store/store.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { paymentRow } from '../support/paymentRow.ts';
import { rounds } from '../support/rounds.ts';

const UPGRADE = splitStatements(readFileSync('data/schema/021_fewer_pages.sql', 'utf8')).filter((statement) =>
  /INSERT INTO agent_merchants/.test(statement),
);
const AGENTS = ['did:key:a', 'did:key:b'];
const MERCHANTS = ['one.example', 'two.example', 'three.example'];

const aStep = fc.oneof(
  fc.record({ agent: fc.constantFrom(...AGENTS), merchant: fc.constantFrom(...MERCHANTS) }),
  fc.record({ row: fc.nat(20), status: fc.constantFrom(...PAYMENT_STATES) }),
);
type Noted = RowOf<typeof agentMerchants>;

for (const engine of engines()) {
  describe(`merchants of agents on ${engine.name}`, () => {
    let database: TestDatabase;
    let tenants = 0;
    before(async () => {
      database = await engine.open();
    });
    after(() => database.drop());

    function* notedIn(tenantId: string) {
      const order = 'ORDER BY agent_did, merchant';
      return yield* all<Noted>(`SELECT * FROM agent_merchants WHERE tenant_id = ? ${order}`, tenantId);
    }

    test('are those that a scan finds, after any outcomes of the payments in any order', async () => {
      const { store } = database;
      const property = fc.asyncProperty(fc.array(aStep, { minLength: 1, maxLength: 25 }), async (steps) => {
        const tenantId = `tnt_${++tenants}`;
        await store.write(tenantId, () =>
          run('INSERT INTO tenants (id, name, created_at) VALUES (?, ?, ?)', tenantId, 'x', 1),
        );
        const rows: PaymentRow[] = [];
        for (const step of steps) {
          if ('agent' in step) {
            const made = { agent_did: step.agent, merchant: step.merchant, created_at: rows.length };
            const amount = { amount_minor: 1, currency: 'USD' };
            const ids = { tenant_id: tenantId, mandate_id: firstIdAt('pm_', rows.length) };
            const payment = paymentRow(rows.length, { ...ids, ...made, ...amount });
            await store.write(tenantId, function* () {
              yield* insertPayment(payment);
              yield* addNewSpend(payment);
            });
            rows.push(payment);
          } else if (rows.length > 0) {
            const at = step.row % rows.length;
            const former = rows[at] as PaymentRow;
            if (!canBecome(former.status, step.status)) continue;
            const changed = { ...former, status: step.status };
            await store.write(tenantId, () => changePayment(former, changed));
            rows[at] = changed;
          }
        }

        for (const agent of AGENTS) {
          for (const merchant of MERCHANTS) {
            const paid = rows.filter(
              (row) => row.agent_did === agent && row.merchant === merchant && wasAuthorized(row),
            );
            assert.equal(await store.read(() => hasPaidMerchant(tenantId, agent, merchant)), paid.length > 0);
            for (const { mandate_id: earlier } of rows) {
              const found = await store.read(() => hasPaidMerchant(tenantId, agent, merchant, earlier));
              assert.equal(
                found,
                paid.some(({ mandate_id: id }) => id < earlier),
              );
            }
          }
        }
        const noted = await store.read(() => notedIn(tenantId));
        await store.write(tenantId, () => run('DELETE FROM agent_merchants'));
        for (const statement of UPGRADE) await store.write(tenantId, () => run(statement));
        assert.deepEqual(await store.read(() => notedIn(tenantId)), noted);
        await store.write(tenantId, () => run('DELETE FROM payments WHERE tenant_id = ?', tenantId));
      });
      await fc.assert(property, { numRuns: rounds(200, 15) });
    });
  });
}
