/** An upgrade of a database whose payments kept one dispute each: those that were overwritten come back from the evidence. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../../src/store/openStore.ts';
import { all, run, type Script } from '../../../src/store/store.ts';
import { engines } from '../../support/engines.ts';

const DAY_MS = 24 * 3600 * 1000;

for (const engine of engines()) {
  test(`disputes of an earlier version are all there after the upgrade, on ${engine.name}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-schema-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    for (const name of (await readdir('data/schema')).filter((file) => file < '017')) {
      await cp(join('data/schema', name), join(folder, name));
    }
    const database = await engine.open({ schemaFolder: folder });
    t.after(() => database.drop());
    await database.store.write('t', fill);
    const store = await openStore({ databaseUrl: database.url, file: database.file ?? '', clock: () => 0 });
    t.after(() => store.close());
    const text = async (sql: string) =>
      (await store.read(() => all<object>(sql))).map((row) => Object.values(row).join(' '));
    assert.deepEqual(
      await text(`SELECT mandate_id, rail_dispute_id, amount_minor, status, reason, opened_at, closed_at FROM disputes
         ORDER BY mandate_id, opened_at`),
      [
        'pm_1 dp_a 16800 needs_response fraudulent 11 ',
        'pm_1 dp_b 16800 won duplicate 12 13',
        'pm_2 dp_c 70 lost fraudulent 14 15',
        'pm_3 dp_d 0 needs_response  1 ',
      ],
    );
    assert.deepEqual(
      await text(
        'SELECT mandate_id, status, dispute_count, standing_disputes, disputed_minor FROM payments ORDER BY mandate_id',
      ),
      ['pm_1 DISPUTED 2 1 16800', 'pm_2 DISPUTED 1 1 70', 'pm_3 REFUNDED 1 1 0', 'pm_4 CAPTURED 0 0 0'],
    );
    assert.deepEqual(
      await text(`SELECT scope, quarters, payments, paid_low, disputed_low FROM spend_sums
         WHERE disputed_low > 0 ORDER BY scope, quarters`),
      [
        'agent 96 4 17030 16870',
        'agent 3072 4 17030 16870',
        'all 1 4 17030 16870',
        'merchant 96 4 17030 16870',
        'merchant 3072 4 17030 16870',
      ],
    );
  });
}

/** One whose open dispute was overwritten by one that was won, one that lost, one without evidence, one without a dispute. */
function* fill(): Script<void> {
  yield* run("INSERT INTO tenants (id, name, created_at) VALUES ('t', 't', 1)");
  yield* payment('pm_1', 'CAPTURED', [16800, 0], ['dp_b', 'won']);
  yield* payment('pm_2', 'DISPUTED', [100, 30], ['dp_c', 'lost']);
  yield* payment('pm_3', 'REFUNDED', [30, 30], ['dp_d', null]);
  yield* payment('pm_4', 'CAPTURED', [100, 0], [null, null]);
  yield* event(11, 'pm_1', 'PAYMENT_DISPUTED', { disputeId: 'dp_a', reason: 'fraudulent' });
  yield* event(12, 'pm_1', 'PAYMENT_DISPUTED', { disputeId: 'dp_b', reason: 'duplicate' });
  yield* event(13, 'pm_1', 'PAYMENT_DISPUTE_CLOSED', { disputeId: 'dp_b', outcome: 'won' });
  yield* event(14, 'pm_2', 'PAYMENT_DISPUTED', { disputeId: 'dp_c', reason: 'fraudulent' });
  yield* event(15, 'pm_2', 'PAYMENT_DISPUTE_CLOSED', { disputeId: 'dp_c', outcome: 'lost' });
  // A damaged text stops no upgrade.
  yield* event(16, 'pm_4', 'PAYMENT_DISPUTED', undefined);
  for (const [scope, quarters, name] of [
    ['all', 1, ''],
    ...[96, 3072].flatMap((each) => [['agent', each, 'a'] as const, ['merchant', each, 'shop.example'] as const]),
  ] as const) {
    yield* run(
      `INSERT INTO spend_sums (tenant_id, scope, quarters, stretch, name, currency, payments, held_high, held_low, paid_high, paid_low,
         refunded_high, refunded_low, disputed_high, disputed_low)
       VALUES ('t', ?, ?, ?, ?, 'USD', 4, 0, 0, 0, 17030, 0, 60, 0, 70)`,
      ...[scope, quarters, Math.floor((20_000 * DAY_MS) / (quarters * 900_000)), name],
    );
  }
}

function payment(
  id: string,
  status: string,
  [captured, refunded]: number[],
  dispute: (string | null)[],
): Script<unknown> {
  return run(
    `INSERT INTO payments (tenant_id, mandate_id, transaction_id, intent_id, agent_did, principal_did, status, amount_minor,
       captured_minor, refunded_minor, currency, merchant, rail, credential, created_at, authorized_at, dispute_id, dispute_outcome)
     VALUES ('t', ?, ?, ?, 'a', 'a', ?, 16800, ?, ?, 'USD', 'shop.example', 'CARD_RAIL', '{}', ?, 1, ?, ?)`,
    ...[id, `txn_${id}`, `intent_${id}`, status, captured ?? 0, refunded ?? 0],
    ...[id === 'pm_3' ? 1 : 20_000 * DAY_MS, dispute[0] ?? null, dispute[1] ?? null],
  );
}

function event(at: number, paymentId: string, type: string, data: object | undefined): Script<unknown> {
  const text = data === undefined ? '{"disputeI' : JSON.stringify({ mandateId: paymentId, ...data });
  return run(
    `INSERT INTO evidence (tenant_id, seq, id, event_type, actor_did, data, hash_prev, hash_curr, created_at, transaction_id)
     VALUES ('t', ?, ?, ?, 'n', ?, 'x', 'y', ?, ?)`,
    ...[at, `evt_${at}`, type, text, at, `txn_${paymentId}`],
  );
}
