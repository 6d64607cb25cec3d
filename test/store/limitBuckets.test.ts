/** Sums of what counts in limits agree with a plain sum of intents and payments, and no window reads more than a few rows. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Narrowing } from '../../protocol/policy/values/spendingLimit.ts';
import { idMaker, timeOfId } from '../../protocol/wire/id.ts';
import { splitStatements } from '../../src/store/sqlText.ts';
import { countHistory } from '../../src/store/statements/limits/countHistory.ts';
import {
  countIntent,
  countPayment,
  moveHold,
  recountPayment,
  releaseIntent,
} from '../../src/store/statements/limits/limitBuckets.ts';
import { insertNarrowing } from '../../src/store/statements/limits/limitNarrowings.ts';
import { deleteBucketsBefore, rollUp } from '../../src/store/statements/limits/rollUp.ts';
import {
  useByHolds,
  useByIntents,
  useByPayments,
  type WindowUse,
} from '../../src/store/statements/limits/windowUse.ts';
import {
  type IntentRow,
  insertIntent,
  settleIntent,
  updateHold,
} from '../../src/store/statements/purchases/intents.ts';
import { insertPayment, type PaymentRow, updatePayment } from '../../src/store/statements/purchases/payments.ts';
import { all, count, run, type Script, type Store } from '../../src/store/store.ts';
import { dice } from '../support/dice.ts';
import { engines } from '../support/engines.ts';
import { paymentRow } from '../support/paymentRow.ts';

const TENANT = 'tnt_1';
const AGENTS = ['did:key:one', 'did:key:two'] as const;
const [FIRST] = AGENTS;
/** The first is governed; the second is a mere name, for which the agent stands. */
const PRINCIPALS = ['did:key:governed', undefined] as const;
const MERCHANTS = ['shop.example', 'www.shop.example', 'other.example', null] as const;
/** Groceries, restaurants, and a code that is in no category. */
const MCCS = ['5411', '5812', '0001', null] as const;
const NARROWINGS: readonly Narrowing[] = [
  { merchant: 'shop.example' },
  { merchant: '*.shop.example' },
  { category: 'groceries' },
  { merchant: 'shop.example', category: 'groceries' },
];
type Scope = Pick<Parameters<typeof useByHolds>[0], 'scope' | 'agentDid' | 'governedDid'>;
const SCOPES: readonly Scope[] = [
  ...AGENTS.map((agentDid) => ({ scope: 'agent', agentDid, governedDid: null }) as const),
  { scope: 'principal', agentDid: FIRST, governedDid: PRINCIPALS[0] },
  { scope: 'principal', agentDid: FIRST, governedDid: null },
  { scope: 'policy', agentDid: FIRST, governedDid: null },
];
const POLICY = SCOPES[4] as Scope;
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const WINDOWS = [SECOND, 300 * SECOND, HOUR, 7 * HOUR, DAY, 31 * DAY, 366 * DAY];
/** As much as one amount can be. */
const MOST = 10 ** 15 - 1;

interface Rows {
  readonly agent_did: string;
  readonly governed_did: string | null;
}

/** Whether a row is of the scope, said plainly. */
function isOf({ scope, agentDid, governedDid }: Scope, row: Rows): boolean {
  if (scope === 'policy') return true;
  if (scope === 'agent' || governedDid === null) {
    // What a principal that is governed has spent is not the agent's share of a mere name.
    return row.agent_did === agentDid;
  }
  return row.governed_did === governedDid;
}

function isIn(narrowing: Narrowing | undefined, merchant: string | null, mcc: string | null): boolean {
  const { merchant: domain, category } = narrowing ?? {};
  const isThere =
    domain === undefined || (domain === '*.shop.example' ? merchant === 'www.shop.example' : merchant === domain);
  return isThere && (category === undefined || (category === 'groceries' && mcc === '5411'));
}

/** A tenant whose agents buy, at times that go forth and back, and the plain rows of what they bought. */
class Ledger {
  readonly intents: IntentRow[] = [];
  readonly payments: PaymentRow[] = [];
  now = Date.UTC(2026, 5, 1);
  readonly #newId = idMaker(
    () => this.now,
    (size) => new Uint8Array(size),
  );

  /** Those that limits have named. */
  readonly narrowings: Narrowing[] = [];

  *issue(agentDid: string, currency: string, reserved: number, more: Partial<IntentRow> = {}): Script<void> {
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
      delegation_id: null,
      mcc: null,
      country: null,
      policy_id: 'pol_1',
      policy_version: 1,
      policy_hash: '',
      credential: '{}',
      created_at: this.now,
      expires_at: this.now,
      shopping: null,
      governed_did: null,
      held_minor: reserved,
      held_merchant: null,
      held_mcc: null,
      held_until: null,
      over_limits: null,
      by_mandate: null,
      ...more,
    };
    yield* insertIntent(intent);
    yield* countIntent(intent);
    this.intents.push(intent);
  }

  *end(index: number): Script<void> {
    const before = this.intents[index] as IntentRow;
    yield* settleIntent(TENANT, before.mandate_id, 'EXPIRED', 0);
    yield* releaseIntent(before);
    this.intents[index] = { ...before, status: 'EXPIRED', reserved_minor: 0, held_minor: 0 };
  }

  /** As for an approved cart, and once its approval has ended. */
  *hold(index: number, held: Pick<IntentRow, 'held_minor' | 'held_merchant' | 'held_mcc'>): Script<void> {
    const before = this.intents[index] as IntentRow;
    if (before.held_minor === 0) return;
    const after = { ...before, ...held };
    yield* updateHold(after);
    yield* moveHold(before, after);
    this.intents[index] = after;
  }

  /** @param index of the intent that is paid; of one that is not active any more nothing is */
  *pay(index: number, amount: number, more: Partial<PaymentRow> = {}): Script<void> {
    const intent = this.intents[index] as IntentRow;
    if (intent.status !== 'ACTIVE') return;
    const number = this.payments.length;
    const payment: PaymentRow = {
      ...paymentRow(number, {
        tenant_id: TENANT,
        mandate_id: `pm_${number}`,
        agent_did: intent.agent_did,
        amount_minor: amount,
        currency: intent.currency,
        merchant: 'shop.example',
        created_at: this.now,
      }),
      governed_did: intent.governed_did,
      ...more,
    };
    yield* insertPayment(payment);
    yield* settleIntent(TENANT, intent.mandate_id, 'USED', amount);
    yield* countPayment(payment, intent);
    this.intents[index] = { ...intent, status: 'USED', reserved_minor: amount, held_minor: 0 };
    this.payments.push(payment);
  }

  /** A limit names a merchant or a category for the first time. */
  *name(narrowing: Narrowing): Script<void> {
    assert.equal(yield* insertNarrowing(TENANT, narrowing), true);
    yield* countHistory(TENANT, [narrowing], this.now - 500 * DAY, this.now);
    this.narrowings.push(narrowing);
  }

  *become(index: number, change: Partial<PaymentRow>): Script<void> {
    const before = this.payments[index] as PaymentRow;
    const after = { ...before, ...change };
    yield* updatePayment(after);
    yield* recountPayment(before, after);
    this.payments[index] = after;
  }

  *check(scope: Scope, windowMs: number, what: string): Script<void> {
    const from = this.now - windowMs + 1;
    const window = { tenantId: TENANT, ...scope, from };
    const [issued, paid] = [this.#issued(scope, from), this.#paid(scope, from, undefined)];
    // The velocity limit knows no principal.
    if (scope.scope !== 'principal') {
      isSum(
        yield* useByIntents(window),
        issued.map(({ currency, reserved_minor: minor }) => ({ currency, minor })),
        what,
      );
      isSum(
        yield* useByPayments(window),
        paid.map(({ currency, amount_minor: minor }) => ({ currency, minor })),
        what,
      );
    }
    for (const narrowing of [undefined, ...this.narrowings]) {
      const { held, spent } = yield* useByHolds({ ...window, narrowing });
      const where = `${what}, ${JSON.stringify(narrowing)}`;
      const holds = issued.filter(
        ({ held_minor: minor, held_merchant: merchant, held_mcc: mcc }) => minor > 0 && isIn(narrowing, merchant, mcc),
      );
      isSum(
        held,
        holds.map(({ currency, held_minor: minor }) => ({ currency, minor })),
        where,
      );
      const isCaptured = ({ status }: PaymentRow) => !['PENDING', 'UNKNOWN', 'AUTHORIZED'].includes(status);
      isSum(
        spent,
        this.#paid(scope, from, narrowing).map((payment) => ({
          currency: payment.currency,
          minor: isCaptured(payment) ? payment.captured_minor : payment.amount_minor,
        })),
        where,
      );
    }
  }

  #issued(scope: Scope, from: number): IntentRow[] {
    return this.intents.filter((intent) => isOf(scope, intent) && timeOfId(intent.mandate_id) >= from);
  }

  #paid(scope: Scope, from: number, narrowing: Narrowing | undefined): PaymentRow[] {
    return this.payments.filter(
      (one) =>
        isOf(scope, one) &&
        one.authorized_at >= from &&
        one.status !== 'FAILED' &&
        one.status !== 'CANCELED' &&
        isIn(narrowing, one.merchant, one.mcc),
    );
  }
}

function isSum(
  use: WindowUse,
  rows: readonly { readonly currency: string; readonly minor: number }[],
  what: string,
): void {
  assert.equal(use.transactions, rows.length, what);
  for (const currency of ['USD', 'JPY']) {
    const own = rows.filter((row) => row.currency === currency);
    const sum = own.reduce((total, row) => total + BigInt(row.minor), 0n);
    const most = BigInt(Number.MAX_SAFE_INTEGER);
    assert.equal(use.counts[currency] ?? 0, own.length, what);
    assert.equal(use.amounts[currency] ?? 0, Number(sum > most ? most : sum), what);
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
    const where = () => ({ merchant: pick(MERCHANTS), mcc: pick(MCCS) });
    const governed_did = pick(PRINCIPALS) ?? null;
    // By any node's clock.
    if (below(6) === 0) await each(moveSome(ledger.now + pick([0, 0, -3 * HOUR, 3 * HOUR]), pick([1, 5, 1000])));
    if (step % 70 === 69) await each(ledger.name(NARROWINGS[ledger.narrowings.length] as Narrowing));
    else if (chance < 35) {
      const { merchant, mcc } = where();
      const held = { governed_did, held_merchant: merchant, held_mcc: mcc };
      await each(ledger.issue(pick(AGENTS), pick(['USD', 'USD', 'JPY']), amount, held));
    } else if (ledger.intents.length === 0) continue;
    else if (chance < 45) await each(ledger.end(lately(ledger.intents.length)));
    else if (chance < 55) {
      const { merchant, mcc } = where();
      const held = { held_minor: amount, held_merchant: merchant, held_mcc: mcc };
      await each(ledger.hold(lately(ledger.intents.length), held));
    } else if (chance < 80) {
      const { merchant, mcc } = where();
      await each(ledger.pay(lately(ledger.intents.length), amount, { merchant: merchant ?? 'other.example', mcc }));
    } else if (ledger.payments.length > 0) {
      const status = pick(['FAILED', 'CANCELED', 'AUTHORIZED', 'UNKNOWN', 'CAPTURED', 'REFUNDED'] as const);
      const change = { status, authorized_at: ledger.now, captured_minor: below(50) + 1 };
      await each(ledger.become(lately(ledger.payments.length), change));
    }
    await each(ledger.check(pick(SCOPES), pick(WINDOWS), `step ${step}`));
  }
}

function* moveSome(now: number, limit: number): Script<void> {
  yield* rollUp(TENANT, now, limit);
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
      // On four moments of each day, as a year of purchases is spread; a day at a time, as a transaction may not be idle for long.
      for (let day = 0; day < 366; day++) {
        await store.write(TENANT, function* () {
          for (let number = 4 * day; number < 4 * day + 4; number++) {
            ledger.now = started + number * 6 * HOUR + 1;
            yield* ledger.issue(AGENTS[number % 2] as string, 'USD', 100);
          }
        });
      }
      await store.write(TENANT, () => moveSome(ledger.now, 10_000));
      for (const scope of [SCOPES[0] as Scope, POLICY]) {
        const from = started + 2;
        const expected = await store.read(() => useByIntents({ tenantId: TENANT, ...scope, from }));
        assert.equal(expected.transactions, (scope === POLICY ? 4 : 2) * 366 - 1);
        assert.ok((await bucketsRead(store, scope, from)) <= 100);
        // What is not read is not missed.
        const later = started + 20 * 60 * SECOND;
        const without = await store.write(TENANT, function* () {
          const bound = idMaker(
            () => later,
            (size) => new Uint8Array(size),
          )('intent_');
          yield* run('UPDATE intents SET reserved_minor = 0 WHERE mandate_id >= ?', bound);
          return yield* useByIntents({ tenantId: TENANT, ...scope, from });
        });
        assert.deepEqual(without, expected);
      }
    });

    test('are left alone by an authorization that was counted in the same quarter of an hour', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const ledger = new Ledger();
      await database.store.write(TENANT, function* () {
        yield* ledger.issue(FIRST, 'USD', 100);
        yield* ledger.pay(0, 100);
      });
      const [asked] = ledger.payments as [PaymentRow];
      const authorized = { ...asked, status: 'AUTHORIZED' as const, authorized_at: asked.authorized_at + 5 };
      assert.equal(recountPayment(asked, authorized).next().done, true);
    });

    test('are found by their keys, and rows at the edge by an index over time', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const prefix = engine.name === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
      for (const useOf of [useByIntents, useByPayments, useByHolds]) {
        for (const scope of [SCOPES[0] as Scope, POLICY]) {
          const step = useOf({ tenantId: TENANT, ...scope, from: Date.UTC(2026, 5, 1) + 123 }).next().value;
          assert.ok(step !== undefined && 'sql' in step);
          const rows = await database.store.write(TENANT, function* () {
            if (engine.name === 'postgres') yield* run('SET LOCAL enable_seqscan = off');
            return yield* all<Record<string, unknown>>(`${prefix} ${step.sql}`, ...step.args);
          });
          const plan = rows.map((row) => Object.values(row).join(' ')).join('\n');
          assert.ok(!/SCAN (payments|intents|limit_buckets|limit_tails)\b|Seq Scan/.test(plan), plan);
          // PostgreSQL takes any index that begins with the tenant, on an empty table.
          if (engine.name !== 'sqlite') continue;
          assert.match(
            plan,
            /limit_buckets USING PRIMARY KEY \(tenant_id=\? AND scope=\? AND bucket_quarters=\? AND bucket>/,
          );
          assert.match(plan, /limit_tails USING INDEX \w+limit_tails_1 \(tenant_id=\? AND scope=\? AND bucket>/);
          if (useOf !== useByIntents) assert.match(plan, /payments_by_time \(tenant_id=\? AND authorized_at>/);
          if (useOf !== useByPayments)
            assert.match(plan, /intents\w* \(tenant_id=\?( AND agent_did=\?)? AND mandate_id>|intents_by_agent/);
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
        await store.write(TENANT, () => ledger.issue(FIRST, 'USD', 100));
      }
      await store.write(TENANT, () => moveSome(ledger.now + DAY, 1000));
      const rows = () => store.read(() => count('SELECT COUNT(*) AS count FROM limit_buckets'));
      const before = await rows();
      const bound = ledger.now - 366 * DAY;
      const walked: (string | undefined)[] = [''];
      while (walked.at(-1) !== undefined) {
        const after = walked.at(-1) as string;
        walked.push(await store.write(TENANT, () => deleteBucketsBefore(TENANT, bound, after, 1)));
      }
      assert.deepEqual(walked, ['', FIRST, 'policy', undefined]);
      // Of both scopes the two days' rows of each shorter length, and the long bucket that both are in.
      assert.equal(await rows(), before - 10);
      await store.write(TENANT, () => ledger.check(SCOPES[0] as Scope, 366 * DAY, 'what is left'));
    });

    test('are made of the intents and payments of a database that had none', async (t) => {
      const database = await engine.open();
      t.after(() => database.drop());
      const { store } = database;
      const ledger = new Ledger();
      await play(`an older database on ${engine.name}`, ledger, (step) => store.write(TENANT, () => step));
      const fillsOf = (file: string) =>
        splitStatements(readFileSync(`data/schema/${file}.sql`, 'utf8')).filter((statement) =>
          /id_digits|spending_counted/.test(statement),
        );
      for (const name of ['limit_buckets', 'limit_tails']) await store.write(TENANT, () => run(`DELETE FROM ${name}`));
      for (const file of ['003_spending', '006_limits']) {
        const fills = fillsOf(file);
        assert.equal(fills.length, 8);
        await store.write(TENANT, function* () {
          for (const fill of fills)
            yield* run(asNow(file === '003_spending' ? fill.replace(INTO_SUMS, INTO_FORMER) : fill));
        });
      }
      // Limits name merchants and categories in the newer database alone.
      ledger.narrowings.length = 0;
      for (const scope of SCOPES) {
        for (const windowMs of WINDOWS)
          await store.read(() => ledger.check(scope, windowMs, `${scope.scope} ${windowMs}`));
      }
    });
  });
}

const INTO_SUMS = 'INSERT INTO spending_sums';
/** Names that have changed since. */
function asNow(sql: string): string {
  return sql
    .replaceAll('spending_sums', 'limit_buckets')
    .replaceAll(/\bquarters, stretch\b/g, 'bucket_quarters, bucket');
}

/** The columns that there were. */
const INTO_FORMER = `${INTO_SUMS} (tenant_id, scope, quarters, stretch, currency, issued, issued_high, issued_low, paid, paid_high, paid_low)`;

/** How many buckets a window is summed from. */
async function bucketsRead(store: Store, scope: Scope, from: number): Promise<number> {
  const script = useByIntents({ tenantId: TENANT, ...scope, from });
  const step = script.next().value;
  assert.ok(step !== undefined && 'sql' in step);
  const inner = /FROM \(([\s\S]*)\) AS spending/.exec(step.sql)?.[1] as string;
  const rows = await store.read(() => all(`SELECT COUNT(*) AS count FROM (${inner}) AS spending`, ...step.args));
  return Number((rows[0] as { count: number }).count);
}
