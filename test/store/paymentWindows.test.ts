/** Windows of payments: the sums that are kept agree with a plain sum, and neither reads a whole table. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PaymentStatus } from '../../protocol/payment.ts';
import { insertPayment, type PaymentRow, updatePayment } from '../../src/store/statements/purchases/payments.ts';
import { advancePaid, countPaid, recountPaid } from '../../src/store/statements/purchases/paymentWindows.ts';
import { POLICY_SCOPE } from '../../src/store/statements/purchases/spendingSums.ts';
import { all, run } from '../../src/store/store.ts';
import { dice } from '../support/dice.ts';
import { engines } from '../support/engines.ts';

const TENANT = 'tnt_1';
const AGENTS = ['did:key:one', 'did:key:two'] as const;
const HOUR = 3_600_000;
const WINDOWS = [1000, 5000, 90_000, 3 * 24 * HOUR] as const;

function paymentOf(number: number, now: number, agentDid: string, currency: string): PaymentRow {
  return {
    tenant_id: TENANT,
    mandate_id: `pm_${number}`,
    transaction_id: `txn_${number}`,
    context_id: null,
    intent_id: `intent_${number}`,
    agent_did: agentDid,
    principal_did: agentDid,
    status: 'PENDING',
    amount_minor: number + 1,
    captured_minor: 0,
    refunded_minor: 0,
    currency,
    merchant: 'shop.example',
    rail: 'CARD_RAIL',
    rail_id: null,
    credential: '{}',
    error_code: null,
    error_message: null,
    created_at: now,
    authorized_at: now,
    cart_hash: `sha256:${number}`,
    hold_until: null,
    dispute_id: null,
    dispute_outcome: null,
    attention: null,
    attention_at: null,
    refund_failed_at: null,
  };
}

function plainly(payments: readonly PaymentRow[], scope: string, windowMs: number, now: number) {
  const counted = payments.filter(
    ({ agent_did: did, status, authorized_at: at }) =>
      (scope === POLICY_SCOPE || did === scope) && status !== 'FAILED' && status !== 'CANCELED' && at > now - windowMs,
  );
  const amounts: Record<string, number> = {};
  for (const { currency, amount_minor: amount } of counted) amounts[currency] = (amounts[currency] ?? 0) + amount;
  return { transactions: counted.length, amounts };
}

for (const engine of engines()) {
  describe(`windows of payments on ${engine.name}`, () => {
    test('hold what a plain sum gives, whatever became of the payments and when', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const { store } = database;
      const { below } = dice('payments in windows');
      const roll = () => below(1000) / 1000;
      const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(roll() * items.length)] as Item;
      const payments: PaymentRow[] = [];
      let now = 1_800_000_000_000;
      for (let step = 0; step < 300; step += 1) {
        now += Math.floor(roll() * pick([400, 400, 400, 40_000, 5 * HOUR]));
        await store.write(TENANT, function* () {
          if (roll() < 0.5 || payments.length === 0) {
            const payment = paymentOf(payments.length, now, pick(AGENTS), pick(['USD', 'EUR']));
            yield* insertPayment(payment);
            yield* countPaid(payment);
            payments.push(payment);
          } else {
            const index = Math.floor(roll() * payments.length);
            const before = payments[index] as PaymentRow;
            const after = { ...before, ...nextOf(before, now, roll()) };
            yield* updatePayment(after);
            yield* recountPaid(before, after);
            payments[index] = after;
          }
          if (roll() < 0.5) return;
          const scope = pick([...AGENTS, POLICY_SCOPE]);
          const windowMs = pick(WINDOWS);
          const kept = yield* advancePaid(TENANT, scope, windowMs, now);
          const expected = plainly(payments, scope, windowMs, now);
          assert.equal(kept.transactions, expected.transactions, `step ${step}`);
          for (const currency of ['USD', 'EUR']) {
            assert.equal(kept.amounts[currency] ?? 0, expected.amounts[currency] ?? 0, `step ${step}`);
          }
        });
      }
    });

    test('are counted by an index over time, and a cart is found by one', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const { store } = database;
      const explained = async (sql: string): Promise<string> => {
        const prefix = engine.name === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
        const rows = await store.write(TENANT, function* () {
          if (engine.name === 'postgres') yield* run('SET LOCAL enable_seqscan = off');
          return yield* all<Record<string, unknown>>(`${prefix} ${sql}`);
        });
        return rows.map((row) => Object.values(row).join(' ')).join('\n');
      };
      const since = 'SELECT COUNT(*) FROM payments WHERE tenant_id = $ AND';
      // PostgreSQL takes any index that begins with the tenant, on an empty table.
      const byIndex = (name: RegExp) => (engine.name === 'sqlite' ? name : /Index/);
      for (const [condition, index] of [
        ["authorized_at >= 5 AND authorized_at < 9 AND listed_as <> ''", byIndex(/payments_by_time/)],
        ["authorized_at >= 5 AND authorized_at < 9 AND listed_as = ''", byIndex(/payments_unlisted_by_time/)],
        [
          "agent_did = 'a' AND authorized_at >= 5 AND authorized_at < 9 AND listed_as <> ''",
          byIndex(/payments_by_agent_time/),
        ],
        ["cart_hash = 'c'", byIndex(/payments_by_cart/)],
      ] as const) {
        const plan = await explained(`${since.replace('$', "'t'")} ${condition} AND status <> 'FAILED'`);
        assert.match(plan, index);
        assert.ok(!/SCAN payments\b|Seq Scan/.test(plan), plan);
      }
    });
  });
}

function nextOf(payment: PaymentRow, now: number, chance: number): Partial<PaymentRow> {
  const authorized = { status: 'AUTHORIZED' as PaymentStatus, authorized_at: Math.max(now, payment.authorized_at) };
  if (payment.status === 'PENDING')
    return chance < 0.3 ? { status: 'FAILED' } : chance < 0.5 ? { status: 'UNKNOWN' } : authorized;
  if (payment.status === 'UNKNOWN') return chance < 0.3 ? { status: 'FAILED' } : authorized;
  if (payment.status === 'AUTHORIZED') return { status: chance < 0.5 ? 'CANCELED' : 'CAPTURED' };
  return payment.status === 'CAPTURED' ? { status: 'REFUNDED' } : {};
}
