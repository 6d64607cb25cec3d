/** Lists of intents and payments show the rows that fit, in their order, by an index or by walking. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { IntentStatus } from '../../protocol/intent.ts';
import type { PaymentStatus } from '../../protocol/payment.ts';
import { firstIdAt } from '../../protocol/wire/id.ts';
import { intents, listIntents } from '../../src/store/statements/purchases/intents.ts';
import { listPaidAmounts, listPayments, payments } from '../../src/store/statements/purchases/payments.ts';
import type { WalkResult } from '../../src/store/statements/walk.ts';
import { run, type Script } from '../../src/store/store.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { addRows } from '../support/oldRows.ts';
import { rounds } from '../support/rounds.ts';

const AGENTS = ['did:key:a', 'did:key:b'];
const MERCHANTS = ['one.example', 'two.example'];
const STATUSES = ['ACTIVE', 'USED', 'EXPIRED'] as const;
const PAID = ['AUTHORIZED', 'CAPTURED', 'FAILED'] as const;
const NOW = 100;

interface Row {
  readonly agent: string;
  readonly merchant: string;
  status: number;
  readonly expiresAt: number;
}

const aRow = fc.record({
  agent: fc.constantFrom(...AGENTS),
  merchant: fc.constantFrom(...MERCHANTS),
  status: fc.nat(2),
  expiresAt: fc.constantFrom(NOW - 1, NOW + 1),
});
const aStep = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), rows: fc.array(aRow, { minLength: 1, maxLength: 6 }) }),
  fc.record({ kind: fc.constant('change' as const), row: fc.nat(20), status: fc.nat(2) }),
);

for (const engine of engines()) {
  describe(`lists of mandates on ${engine.name}`, () => {
    let database: TestDatabase;
    let tenants = 0;
    before(async () => {
      database = await engine.open();
    });
    after(() => database.drop());

    /** The ids of all pages. */
    async function idsOf(page: (before: string | undefined) => Script<WalkResult<{ readonly mandate_id: string }>>) {
      const ids: string[] = [];
      for (;;) {
        const { rows: found } = await database.store.read(() => page(ids.at(-1)));
        ids.push(...found.map((row) => row.mandate_id));
        if (found.length < 3) return ids;
      }
    }

    async function insertRows(tenantId: string, rows: readonly Row[], from: number): Promise<void> {
      const cellsOf = (prefix: string, status: (row: Row) => string) => (index: number) => {
        const row = rows[index] as Row;
        const cells = { mandate_id: firstIdAt(prefix, from + index), agent_did: row.agent, status: status(row) };
        return { ...cells, transaction_id: `t${tenantId}${from + index}`, currency: 'USD', amount_minor: from + index };
      };
      const intent = cellsOf('intent_', (row) => STATUSES[row.status] as string);
      const payment = cellsOf('pm_', (row) => PAID[row.status] as string);
      const intentCells = (index: number) => {
        const { amount_minor: _, ...cells } = intent(index);
        return { ...cells, expires_at: (rows[index] as Row).expiresAt };
      };
      const paymentCells = (index: number) => ({
        ...payment(index),
        merchant: (rows[index] as Row).merchant,
        intent_id: `i${tenantId}${from + index}`,
      });
      await addRows(database.store, intents, { tenantId, time: 1, count: rows.length, cells: intentCells });
      await addRows(database.store, payments, { tenantId, time: 1, count: rows.length, cells: paymentCells });
    }

    async function compare(tenantId: string, rows: readonly Row[]): Promise<void> {
      const ids = (prefix: string, fits: (row: Row) => boolean) =>
        rows.flatMap((row, index) => (fits(row) ? [firstIdAt(prefix, index)] : [])).reverse();
      const isOver = (row: Row) => STATUSES[row.status] === 'ACTIVE' && row.expiresAt <= NOW;
      const statusAt = (row: Row) => (isOver(row) ? 'EXPIRED' : STATUSES[row.status]);
      for (const agentDid of [undefined, ...AGENTS]) {
        const ofAgent = (row: Row) => agentDid === undefined || row.agent === agentDid;
        for (const status of [undefined, ...STATUSES] as (IntentStatus | undefined)[]) {
          const filter = { agentDid, status };
          const found = await idsOf((before) => listIntents(tenantId, filter, before, 3, NOW));
          const fits = (row: Row) => ofAgent(row) && (status === undefined || statusAt(row) === status);
          assert.deepEqual(found, ids('intent_', fits), JSON.stringify(filter));
        }
        for (const status of [undefined, ...PAID] as (PaymentStatus | undefined)[]) {
          for (const merchant of [undefined, ...MERCHANTS]) {
            const filter = { agentDid, status, merchant };
            const found = await idsOf((before) => listPayments(tenantId, filter, before, 3));
            const fits = (row: Row) =>
              ofAgent(row) &&
              (status === undefined || PAID[row.status] === status) &&
              (merchant === undefined || row.merchant === merchant);
            assert.deepEqual(found, ids('pm_', fits), JSON.stringify(filter));
          }
        }
      }
      const agent = AGENTS[0] as string;
      const paid = rows
        .map((row, amount) => ({ ...row, amount }))
        .filter((row) => row.agent === agent && row.status < 2);
      const { store } = database;
      const amounts = await store.read(() => listPaidAmounts(tenantId, agent, 'USD', 4));
      assert.deepEqual(
        amounts,
        paid
          .map((row) => row.amount)
          .reverse()
          .slice(0, 4),
      );
    }

    test('show every row once, in its order, under the status it has now', async () => {
      const { store } = database;
      const property = fc.asyncProperty(fc.array(aStep, { minLength: 1, maxLength: 8 }), async (steps) => {
        tenants += 1;
        const tenantId = `tnt_${tenants}`;
        await store.write(tenantId, () =>
          run('INSERT INTO tenants (id, name, created_at) VALUES (?, ?, ?)', tenantId, 'x', 1),
        );
        const rows: Row[] = [];
        for (const step of steps) {
          if (step.kind === 'add') {
            await insertRows(tenantId, step.rows, rows.length);
            rows.push(...step.rows.map((row) => ({ ...row })));
          } else {
            const number = step.row % Math.max(1, rows.length);
            const row = rows[number];
            if (row === undefined) continue;
            row.status = step.status;
            const update = (table: string, status: string | undefined, id: string) =>
              run(
                `UPDATE ${table} SET status = ? WHERE tenant_id = ? AND mandate_id = ?`,
                String(status),
                tenantId,
                id,
              );
            await store.write(tenantId, function* () {
              yield* update('intents', STATUSES[step.status], firstIdAt('intent_', number));
              yield* update('payments', PAID[step.status], firstIdAt('pm_', number));
            });
          }
        }
        await compare(tenantId, rows);
      });
      await fc.assert(property, { numRuns: rounds(150, 15) });
    });
  });
}
