/** Sums of what counts in limits agree with a plain sum of intents and payments, and no window reads more than a few rows. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { firstIdAt, idMaker, timeOfId } from '../../protocol/wire/id.ts';
import { splitStatements } from '../../src/store/sqlText.ts';
import { type IntentRow, insertIntent, settleIntent } from '../../src/store/statements/purchases/intents.ts';
import { insertPayment, type PaymentRow, updatePayment } from '../../src/store/statements/purchases/payments.ts';
import {
  changeReserved,
  countIntent,
  countPayment,
  deleteSumsBefore,
  POLICY_SCOPE,
  recountPayment,
  useByIntents,
  useByPayments,
} from '../../src/store/statements/purchases/spending.ts';
import { all, count, run, type Script, type Store } from '../../src/store/store.ts';
import { dice } from '../support/dice.ts';
import { engines } from '../support/engines.ts';
import { paymentRow } from '../support/paymentRow.ts';

const TENANT = 'tnt_1';
const AGENTS = ['did:key:one', 'did:key:two'] as const;
const SCOPES = [...AGENTS, POLICY_SCOPE];
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const WINDOWS = [SECOND, 300 * SECOND, HOUR, 7 * HOUR, DAY, 31 * DAY, 366 * DAY];
/** As much as one amount can be. */
const MOST = 10 ** 15 - 1;

/** A tenant whose agents buy, at times that go forth and back, and the plain rows of what they bought. */
class Ledger {
  readonly intents: IntentRow[] = [];
  readonly payments: PaymentRow[] = [];
  now = Date.UTC(2026, 5, 1);
  readonly #newId = idMaker(
    () => this.now,
    (size) => new Uint8Array(size),
  );

  *issue(agentDid: string, currency: string, reserved: number): Script<void> {
    const intent: IntentRow = {
      tenant_id: TENANT,
      mandate_id: this.#newId('intent_'),
      transaction_id: `txn_${this.intents.length}`,
      context_id: null,
      agent_did: agentDid,
      principal_did: agentDid,
      status: 'ACTIVE',
      max_minor: reserved,
      reserved_minor: reserved,
      currency,
      merchant_domain: null,
      mcc: null,
      country: null,
      policy_id: 'pol_1',
      policy_version: 1,
      policy_hash: '',
      credential: '{}',
      created_at: this.now,
      expires_at: this.now,
      shopping: null,
    };
    yield* insertIntent(intent);
    yield* countIntent(intent, reserved);
    this.intents.push(intent);
  }

  *reserve(index: number, reserved: number): Script<void> {
    const before = this.intents[index] as IntentRow;
    yield* settleIntent(TENANT, before.mandate_id, 'USED', reserved);
    yield* changeReserved(before, reserved - before.reserved_minor);
    this.intents[index] = { ...before, reserved_minor: reserved };
  }

  *pay(agentDid: string, currency: string, amount: number): Script<void> {
    const number = this.payments.length;
    const payment = paymentRow(number, {
      tenant_id: TENANT,
      mandate_id: `pm_${number}`,
      agent_did: agentDid,
      amount_minor: amount,
      currency,
      merchant: 'shop.example',
      created_at: this.now,
    });
    yield* insertPayment(payment);
    // Without an intent in this history, one of another history has reserved what is paid.
    const index = this.intents.findLastIndex((one) => one.agent_did === agentDid && one.currency === currency);
    const intent = this.intents[index];
    if (intent === undefined) {
      yield* countPayment(payment, { ...payment, mandate_id: firstIdAt('intent_', this.now) }, amount);
    } else {
      yield* settleIntent(TENANT, intent.mandate_id, 'USED', amount);
      yield* countPayment(payment, intent, intent.reserved_minor);
      this.intents[index] = { ...intent, reserved_minor: amount };
    }
    this.payments.push(payment);
  }

  *become(index: number, change: Partial<PaymentRow>): Script<void> {
    const before = this.payments[index] as PaymentRow;
    const after = { ...before, ...change };
    yield* updatePayment(after);
    yield* recountPayment(before, after);
    this.payments[index] = after;
  }

  *check(scope: string, windowMs: number, what: string): Script<void> {
    const from = this.now - windowMs + 1;
    const isOf = ({ agent_did: did }: { readonly agent_did: string }) => scope === POLICY_SCOPE || did === scope;
    const issued = this.intents
      .filter((intent) => isOf(intent) && timeOfId(intent.mandate_id) >= from)
      .map(({ currency, reserved_minor: minor }) => ({ currency, minor }));
    const paid = this.payments
      .filter((one) => isOf(one) && one.authorized_at >= from && one.status !== 'FAILED' && one.status !== 'CANCELED')
      .map(({ currency, amount_minor: minor }) => ({ currency, minor }));
    const window = { tenantId: TENANT, scope, from };
    for (const [rows, use] of [
      [issued, yield* useByIntents(window)],
      [paid, yield* useByPayments(window)],
    ] as const) {
      assert.equal(use.transactions, rows.length, what);
      for (const currency of ['USD', 'JPY']) {
        const sum = rows.reduce((total, row) => (row.currency === currency ? total + BigInt(row.minor) : total), 0n);
        const most = BigInt(Number.MAX_SAFE_INTEGER);
        assert.equal(use.amounts[currency] ?? 0, Number(sum > most ? most : sum), what);
      }
    }
  }
}

/** Plays a random history. @param each runs every step of it, one after the other */
async function play(name: string, ledger: Ledger, each: (step: Script<void>) => Promise<void>): Promise<void> {
  const { below } = dice(name);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  for (let step = 0; step < 300; step += 1) {
    const wait = below(pick([50, 5 * SECOND, 400 * SECOND, 3 * HOUR, 20 * DAY]));
    ledger.now += below(12) === 0 ? -below(3 * HOUR) : wait;
    const [chance, amount] = [below(100), below(40) === 0 ? MOST : below(100_000) + 1];
    const lately = (length: number) => length - 1 - below(Math.min(length, 20));
    if (chance < 35) await each(ledger.issue(pick(AGENTS), pick(['USD', 'USD', 'JPY']), amount));
    else if (chance < 50 && ledger.intents.length > 0)
      await each(ledger.reserve(lately(ledger.intents.length), below(3) === 0 ? 0 : amount));
    else if (chance < 75) await each(ledger.pay(pick(AGENTS), pick(['USD', 'JPY']), amount));
    else if (ledger.payments.length > 0) {
      const status = pick(['FAILED', 'CANCELED', 'AUTHORIZED', 'UNKNOWN', 'CAPTURED'] as const);
      await each(ledger.become(lately(ledger.payments.length), { status, authorized_at: ledger.now }));
    }
    await each(ledger.check(pick(SCOPES), pick(WINDOWS), `step ${step}`));
  }
}

for (const engine of engines()) {
  describe(`sums of what counts in limits on ${engine.name}`, () => {
    test('are what a plain sum gives, in any window, also by a clock that is set back', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      await play(`spending on ${engine.name}`, new Ledger(), (step) => database.store.write(TENANT, () => step));
    });

    test('make a window of a year a hundred rows at most, and read no row but those at its edge', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const { store } = database;
      const ledger = new Ledger();
      const started = ledger.now;
      await store.write(TENANT, function* () {
        // On four moments of each day, as a year of purchases is spread.
        for (let number = 0; number < 4 * 366; number++) {
          ledger.now = started + number * 6 * HOUR + 1;
          yield* ledger.issue(AGENTS[number % 2] as string, 'USD', 100);
        }
      });
      for (const scope of [AGENTS[0], POLICY_SCOPE]) {
        const from = started + 2;
        const expected = await store.read(() => useByIntents({ tenantId: TENANT, scope, from }));
        assert.equal(expected.transactions, (scope === POLICY_SCOPE ? 4 : 2) * 366 - 1);
        assert.ok((await stretchesRead(store, scope, from)) <= 100);
        // What is not read is not missed.
        const later = started + 20 * 60 * SECOND;
        const without = await store.write(TENANT, function* () {
          const bound = idMaker(
            () => later,
            (size) => new Uint8Array(size),
          )('intent_');
          yield* run('UPDATE intents SET reserved_minor = 0 WHERE mandate_id >= ?', bound);
          return yield* useByIntents({ tenantId: TENANT, scope, from });
        });
        assert.deepEqual(without, expected);
      }
    });

    test('are left alone by an authorization that was counted in the same quarter of an hour', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const ledger = new Ledger();
      await database.store.write(TENANT, () => ledger.pay(AGENTS[0], 'USD', 100));
      const [asked] = ledger.payments as [PaymentRow];
      const authorized = { ...asked, status: 'AUTHORIZED' as const, authorized_at: asked.authorized_at + 5 };
      assert.equal(recountPayment(asked, authorized).next().done, true);
    });

    test('are found by their keys, and rows at the edge by an index over time', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const prefix = engine.name === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
      for (const useOf of [useByIntents, useByPayments]) {
        for (const scope of [AGENTS[0], POLICY_SCOPE]) {
          const step = useOf({ tenantId: TENANT, scope, from: Date.UTC(2026, 5, 1) + 123 }).next().value;
          assert.ok(step !== undefined && 'sql' in step);
          const rows = await database.store.write(TENANT, function* () {
            if (engine.name === 'postgres') yield* run('SET LOCAL enable_seqscan = off');
            return yield* all<Record<string, unknown>>(`${prefix} ${step.sql}`, ...step.args);
          });
          const plan = rows.map((row) => Object.values(row).join(' ')).join('\n');
          assert.ok(!/SCAN (payments|intents|spending_sums)\b|Seq Scan/.test(plan), plan);
          // PostgreSQL takes any index that begins with the tenant, on an empty table.
          if (engine.name !== 'sqlite') continue;
          assert.match(
            plan,
            /spending_sums USING PRIMARY KEY \(tenant_id=\? AND scope=\? AND quarters=\? AND stretch>/,
          );
          if (useOf === useByPayments) assert.match(plan, /payments_by_time \(tenant_id=\? AND authorized_at>/);
          else assert.match(plan, /intents\w* \(tenant_id=\?( AND agent_did=\?)? AND mandate_id>|intents_by_agent/);
        }
      }
    });

    test('go once no window reaches back to them, however many there are', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const { store } = database;
      const ledger = new Ledger();
      for (const days of [0, 1, 40, 400]) {
        ledger.now = Date.UTC(2026, 5, 1) + days * DAY;
        await store.write(TENANT, () => ledger.issue(AGENTS[0], 'USD', 100));
      }
      const rows = () => store.read(() => count('SELECT COUNT(*) AS count FROM spending_sums'));
      const before = await rows();
      assert.equal(await store.write(TENANT, () => deleteSumsBefore(3, ledger.now - 366 * DAY)), 3);
      await store.write(TENANT, () => deleteSumsBefore(1000, ledger.now - 366 * DAY));
      assert.ok((await rows()) < before - 3);
      await store.write(TENANT, () => ledger.check(AGENTS[0], 366 * DAY, 'what is left'));
    });

    test('are made of the intents and payments of a database that had none', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const { store } = database;
      const ledger = new Ledger();
      await play(`an older database on ${engine.name}`, ledger, (step) => store.write(TENANT, () => step));
      const fills = splitStatements(readFileSync('data/schema/003_spending.sql', 'utf8')).filter((statement) =>
        /id_digits|spending_counted/.test(statement),
      );
      assert.equal(fills.length, 8);
      await store.write(TENANT, function* () {
        yield* run('DELETE FROM spending_sums');
        for (const fill of fills) yield* run(fill);
      });
      for (const scope of SCOPES) {
        for (const windowMs of WINDOWS) await store.read(() => ledger.check(scope, windowMs, `${scope} ${windowMs}`));
      }
    });
  });
}

/** How many stretches a window is summed from. */
async function stretchesRead(store: Store, scope: string, from: number): Promise<number> {
  const script = useByIntents({ tenantId: TENANT, scope, from });
  const step = script.next().value;
  assert.ok(step !== undefined && 'sql' in step);
  const inner = /FROM \(([\s\S]*)\) AS spending/.exec(step.sql)?.[1] as string;
  const rows = await store.read(() => all(`SELECT COUNT(*) AS count FROM (${inner}) AS spending`, ...step.args));
  return Number((rows[0] as { count: number }).count);
}
