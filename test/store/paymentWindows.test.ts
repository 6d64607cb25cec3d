/** Windows of payments: the sums that are kept agree with a plain sum, and neither reads a whole table. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PaymentStatus } from '../../protocol/payment.ts';
import { insertPayment, type PaymentRow, updatePayment } from '../../src/store/statements/purchases/payments.ts';
import {
  advancePaid,
  countPaid,
  keepPaid,
  loadPaidWindows,
  nextBound,
  recountPaid,
} from '../../src/store/statements/purchases/paymentWindows.ts';
import { POLICY_SCOPE } from '../../src/store/statements/purchases/spendingSums.ts';
import { all, run, type Script } from '../../src/store/store.ts';
import { dice } from '../support/dice.ts';
import { engines } from '../support/engines.ts';

const TENANT = 'tnt_1';
const AGENTS = ['did:key:one', 'did:key:two'] as const;
const HOUR = 3_600_000;
/** As much as a payment can be. */
const MOST = 10 ** 15 - 1;
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
    print: null,
    hold_until: null,
    dispute_id: null,
    dispute_outcome: null,
    attention: null,
    attention_at: null,
    refund_failed_at: null,
    task_id: null,
  };
}

function windowOf(scope: string, windowMs: number, tenant = TENANT) {
  return { tenant_id: tenant, scope, window_ms: windowMs };
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
    test('hold what a plain sum gives, after every course of the payments', async (t) => {
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
            // As a payment is judged: by limits whose windows were moved, and saved only with the payment.
            const windows = yield* loadPaidWindows(TENANT, payment.agent_did);
            for (let limits = Math.floor(roll() * 3); limits > 0; limits -= 1) {
              const judged = windowOf(pick([payment.agent_did, POLICY_SCOPE]), pick(WINDOWS));
              yield* advancePaid(windows, judged, now);
            }
            yield* insertPayment(payment);
            yield* countPaid(payment, windows);
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
          const windows = yield* loadPaidWindows(TENANT, scope === POLICY_SCOPE ? AGENTS[0] : scope);
          const kept = yield* advancePaid(windows, windowOf(scope, windowMs), now);
          if (roll() < 0.5) yield* keepPaid(windows);
          const expected = plainly(payments, scope, windowMs, now);
          assert.equal(kept.transactions, expected.transactions, `step ${step}`);
          for (const currency of ['USD', 'EUR']) {
            assert.equal(kept.amounts[currency] ?? 0, expected.amounts[currency] ?? 0, `step ${step}`);
          }
        });
      }
    });

    test('hold the same whether or not the oldest in them is known, also by a clock that is set back', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const { store } = database;
      const { below } = dice(`the oldest payments in windows on ${engine.name}`);
      const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
      const tenants = ['tnt_known', 'tnt_unknown'] as const;
      const inBoth = <Result>(script: (tenant: string) => Script<Result>): Promise<Result[]> =>
        store.write(TENANT, function* () {
          const results = [yield* script(tenants[0]), yield* script(tenants[1])];
          yield* run('UPDATE payment_windows SET oldest = NULL WHERE tenant_id = ?', tenants[1]);
          return results;
        });
      const payments: PaymentRow[] = [];
      let now = 1_800_000_000_000;
      for (let step = 0; step < 250; step += 1) {
        now += below(10) === 0 ? -below(pick([500, 20_000, 100_000])) : below(pick([400, 40_000, 40_000]));
        const [chance, agent, index] = [below(100), pick(AGENTS), below(payments.length + 1)];
        // By another node, whose clock is behind.
        const at = below(4) === 0 ? now - below(900) : now;
        const changed = payments[index];
        const windowMs = pick(WINDOWS);
        if (chance < 50 || changed === undefined) {
          const payment = { ...paymentOf(payments.length, at, agent, 'USD'), amount_minor: below(40) === 0 ? MOST : 5 };
          payments.push(payment);
          await inBoth(function* (tenant) {
            const windows = yield* loadPaidWindows(tenant, agent);
            yield* advancePaid(windows, windowOf(chance % 2 === 0 ? agent : POLICY_SCOPE, windowMs, tenant), at);
            yield* insertPayment({ ...payment, tenant_id: tenant });
            yield* countPaid({ ...payment, tenant_id: tenant }, windows);
          });
        } else if (chance < 80) {
          const after = { ...changed, ...nextOf(changed, at, chance / 100) };
          payments[index] = after;
          await inBoth(function* (tenant) {
            yield* updatePayment({ ...after, tenant_id: tenant });
            yield* recountPaid({ ...changed, tenant_id: tenant }, { ...after, tenant_id: tenant });
          });
        } else if (chance < 84) {
          await inBoth((tenant) => run('DELETE FROM payment_windows WHERE tenant_id = ?', tenant));
        }
        const isKept = below(2) === 0;
        const [known, unknown] = await inBoth(function* (tenant) {
          const uses: unknown[] = [];
          for (const scope of [...AGENTS, POLICY_SCOPE]) {
            const windows = yield* loadPaidWindows(tenant, scope === POLICY_SCOPE ? AGENTS[0] : scope);
            uses.push(yield* advancePaid(windows, windowOf(scope, windowMs, tenant), now));
            if (isKept) yield* keepPaid(windows);
          }
          return uses;
        });
        assert.deepEqual(known, unknown, `step ${step}`);
      }
    });

    test('are asked for what has left only once something has', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const { store } = database;
      const start = 1_800_000_000_000;
      const windowMs = 100_000;
      let number = 0;
      /** How many the window holds, and by how many statements that was found. */
      const use = (now: number) =>
        store.read(function* () {
          let statements = 0;
          const script = usedBy(now);
          let step = script.next();
          for (; !step.done; statements++) step = script.next(yield step.value);
          return { transactions: step.value, statements };
        });
      function* usedBy(now: number): Script<number> {
        const windows = yield* loadPaidWindows(TENANT, AGENTS[0]);
        return (yield* advancePaid(windows, windowOf(AGENTS[0], windowMs), now)).transactions;
      }
      const pay = (now: number) =>
        store.write(TENANT, function* () {
          const windows = yield* loadPaidWindows(TENANT, AGENTS[0]);
          yield* advancePaid(windows, windowOf(AGENTS[0], windowMs), now);
          const payment = paymentOf(number++, now, AGENTS[0], 'USD');
          yield* insertPayment(payment);
          yield* countPaid(payment, windows);
        });
      for (let seconds = 0; seconds < 100; seconds += 10) await pay(start + seconds * 1000);
      assert.deepEqual(await use(start + windowMs - 1), { transactions: 10, statements: 1 });
      assert.deepEqual(await use(start + windowMs), { transactions: 9, statements: 2 });
      await pay(start + windowMs);
      assert.deepEqual(await use(start + windowMs), { transactions: 10, statements: 1 });
      await store.write(TENANT, () => run('UPDATE payment_windows SET oldest = NULL'));
      assert.deepEqual(await use(start + windowMs), { transactions: 10, statements: 1 });
      assert.deepEqual(await use(start + windowMs + 1), { transactions: 10, statements: 2 });
      await pay(start + windowMs + 1);
      assert.deepEqual(await use(start + windowMs + 2), { transactions: 11, statements: 1 });
    });

    test('are left alone by an authorization that was counted already', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const { store } = database;
      const asked = paymentOf(1, 1_800_000_000_000, AGENTS[0], 'USD');
      await store.write(TENANT, function* () {
        const windows = yield* loadPaidWindows(TENANT, AGENTS[0]);
        yield* advancePaid(windows, windowOf(AGENTS[0], 60_000), asked.authorized_at);
        yield* insertPayment(asked);
        yield* countPaid(asked, windows);
      });
      const authorized = { ...asked, status: 'AUTHORIZED' as const, authorized_at: asked.authorized_at + 5 };
      assert.equal(recountPaid(asked, authorized, false).next().done, true);
      const boundAfter = async (time: number) => {
        const sql = `SELECT ${nextBound('?', '?', '?')} AS bound`;
        const [row] = await store.read(() => all<{ bound: number | null }>(sql, TENANT, AGENTS[0], time));
        return row?.bound;
      };
      const bound = asked.authorized_at - 60_000 + 1;
      assert.equal(await boundAfter(asked.authorized_at), null);
      assert.equal(await boundAfter(bound - 1), bound);
      assert.equal(await boundAfter(bound), null);
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
        ['authorized_at >= 5 AND authorized_at < 9', byIndex(/payments_by_time/)],
        ["agent_did = 'a' AND authorized_at >= 5 AND authorized_at < 9", byIndex(/payments_by_agent_time/)],
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
