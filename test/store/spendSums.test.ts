/** What was spent: the sums agree with a plain sum of the payments after every course of them, and are found without reading these. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { PAYMENT_STATES, type PaymentStatus } from '../../protocol/payment.ts';
import { firstIdAt } from '../../protocol/wire/id.ts';
import { splitStatements } from '../../src/store/sqlText.ts';
import { insertPayment, type PaymentRow } from '../../src/store/statements/purchases/payments.ts';
import { addNewSpend, changePayment, sumSpend } from '../../src/store/statements/purchases/spendSums.ts';
import { clearTestData } from '../../src/store/statements/reset.ts';
import { all, run, type Script } from '../../src/store/store.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { paymentRow } from '../support/paymentRow.ts';
import { rounds } from '../support/rounds.ts';

/** What upgrades do to the sums: of all agents, and of what is disputed. */
const UPGRADE = splitStatements(readFileSync('data/schema/008_spend_quarters.sql', 'utf8')).filter((statement) =>
  /^(DELETE|INSERT)/.test(statement),
);
const DISPUTED = splitStatements(readFileSync('data/schema/017_disputes.sql', 'utf8')).filter((statement) =>
  /(UPDATE|INSERT INTO) spend_sums/.test(statement),
);

const DAY_MS = 24 * 3600 * 1000;
const QUARTER_MS = DAY_MS / 96;
const START = 20_000;
const AGENTS = ['did:key:a', 'did:key:b', 'did:key:c'];
const MERCHANTS = ['one.example', 'two.example'];
const CURRENCIES = ['USD', 'EUR'];
/** As much as a payment can be: a thousand of them are more than an integer of either engine. */
const MOST = Number.MAX_SAFE_INTEGER;
const AMOUNTS = ['held', 'paid', 'refunded', 'disputed'] as const;

const aPayment = fc.record({
  agent: fc.constantFrom(...AGENTS),
  merchant: fc.constantFrom(...MERCHANTS),
  currency: fc.constantFrom(...CURRENCIES),
  amount: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.constant(MOST)),
  day: fc.integer({ min: START, max: START + 100 }),
  quarter: fc.integer({ min: 0, max: 95 }),
});
const aChange = fc.record({
  row: fc.nat(60),
  status: fc.constantFrom(...PAYMENT_STATES),
  captured: fc.integer({ min: 0, max: 1000 }),
  refunded: fc.integer({ min: 0, max: 1000 }),
  disputed: fc.integer({ min: 0, max: 1000 }),
});
const aStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      payments: fc.array(aPayment, { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('change' as const), change: aChange, isUndone: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const) }) },
);
type Step = typeof aStep extends fc.Arbitrary<infer T> ? T : never;

const aDay = fc.option(fc.integer({ min: START - 40, max: START + 140 }), { nil: undefined });
const aFilter = fc.record({
  by: fc.constantFrom('agent' as const, 'merchant' as const, 'day' as const, undefined),
  first: aDay,
  last: aDay,
  currency: fc.constantFrom('USD', undefined),
  principalDid: fc.constantFrom(undefined, undefined, AGENTS[0]),
  timezone: fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati', 'Europe/Berlin'),
});
type Filter = typeof aFilter extends fc.Arbitrary<infer T> ? T : never;

class Undone extends Error {}

for (const engine of engines()) {
  describe(`sums of spending on ${engine.name}`, () => {
    let database: TestDatabase;
    let tenants = 0;
    let made = 0;
    before(async () => {
      database = await engine.open();
    });
    after(() => database.drop());
    const newTenant = () => {
      tenants += 1;
      return `t${tenants}`;
    };

    async function take(tenantId: string, rows: PaymentRow[], step: Step): Promise<void> {
      const { store } = database;
      const write = (script: () => Script<unknown>) => store.write(tenantId, script);
      if (step.kind === 'pay') {
        const payments = step.payments.map((each, index) => paymentOf(tenantId, made + index, each));
        made += payments.length;
        for (const payment of payments) {
          await write(function* () {
            yield* insertPayment(payment);
            yield* addNewSpend(payment);
          });
        }
        rows.push(...payments);
      } else if (step.kind === 'change') {
        const at = rows.length === 0 ? -1 : step.change.row % rows.length;
        const row = rows[at];
        if (row === undefined) return;
        const { status, captured, refunded, disputed } = step.change;
        const refundedMinor = Math.min(captured, refunded);
        const amounts = { captured_minor: captured, refunded_minor: refundedMinor, disputed_minor: disputed };
        const changed = { ...row, status, ...amounts };
        const change = write(function* () {
          yield* changePayment(row, changed);
          if (step.isUndone) throw new Undone();
        });
        if (step.isUndone) await assert.rejects(change, Undone);
        else {
          await change;
          rows[at] = changed;
        }
      } else {
        await write(() => clearTestData(tenantId, 0));
        rows.length = 0;
      }
    }

    test('are what a plain sum gives, after every course of the payments', async () => {
      const course = fc.array(aStep, { minLength: 1, maxLength: 25 });
      const property = fc.asyncProperty(
        course,
        fc.array(aFilter, { minLength: 4, maxLength: 8 }),
        async (steps, filters) => {
          const tenantId = newTenant();
          const rows: PaymentRow[] = [];
          for (const step of steps) {
            await take(tenantId, rows, step);
            for (const filter of filters) {
              const found = await database.store.read(() => sumSpend(tenantId, filter, 1000));
              assert.deepEqual(asText(found), asText(plainly(rows, filter)), JSON.stringify(filter));
            }
          }
        },
      );
      await fc.assert(property, { numRuns: rounds(200, 15) });
    });

    test('are made by an upgrade as they were kept', async () => {
      const course = fc.array(aStep, { minLength: 5, maxLength: 25 });
      const property = fc.asyncProperty(course, async (steps) => {
        const tenantId = newTenant();
        const rows: PaymentRow[] = [];
        for (const step of steps) await take(tenantId, rows, step);
        const kept = () =>
          all<object>(
            `SELECT * FROM spend_sums WHERE tenant_id = ? AND payments <> 0
             ORDER BY scope, quarters, stretch, name, currency`,
            tenantId,
          );
        const [before, after] = await database.store.write(tenantId, function* () {
          const found = yield* kept();
          for (const statement of [...UPGRADE, ...DISPUTED]) yield* run(statement);
          return [found, yield* kept()];
        });
        assert.deepEqual(after, before);
      });
      await fc.assert(property, { numRuns: rounds(50, 5) });
    });

    test('are exact where no number is', async () => {
      const tenantId = newTenant();
      const rows: PaymentRow[] = [];
      const payments = Array.from({ length: 1100 }, () => ({
        agent: AGENTS[0] as string,
        merchant: MERCHANTS[0] as string,
        currency: 'USD',
        amount: MOST,
        day: START,
        quarter: 0,
      }));
      await take(tenantId, rows, { kind: 'pay', payments });
      const whole = { by: undefined, first: undefined, last: undefined, currency: undefined };
      const [sum] = await database.store.read(() => sumSpend(tenantId, whole, 1));
      assert.equal(sum?.held, 1100n * BigInt(MOST));
    });

    test('give the largest first for each currency, and the latest days, so many at most', async () => {
      const tenantId = newTenant();
      const rows: PaymentRow[] = [];
      const payments = [1, 2, 3, 4].flatMap((number) =>
        CURRENCIES.map((currency) => ({
          agent: `did:key:${number}`,
          merchant: 'one.example',
          currency,
          amount: number,
          day: START + number,
          quarter: 0,
        })),
      );
      await take(tenantId, rows, { kind: 'pay', payments });
      const whole = { first: undefined, last: undefined, currency: undefined };
      const agents = await database.store.read(() => sumSpend(tenantId, { ...whole, by: 'agent' }, 2));
      assert.deepEqual(
        agents.map(({ name, currency }) => `${name} ${currency}`),
        ['did:key:4 EUR', 'did:key:3 EUR', 'did:key:4 USD', 'did:key:3 USD'],
      );
      const days = await database.store.read(() => sumSpend(tenantId, { ...whole, by: 'day' }, 3));
      assert.deepEqual(
        days.filter(({ currency }) => currency === 'USD').map(({ day }) => day - START),
        [4, 3, 2],
      );
    });
  });
}

function paymentOf(
  tenantId: string,
  number: number,
  given: typeof aPayment extends fc.Arbitrary<infer T> ? T : never,
): PaymentRow {
  const created = given.day * DAY_MS + given.quarter * QUARTER_MS + (number % QUARTER_MS);
  return paymentRow(number, {
    tenant_id: tenantId,
    // Ids that do not follow the order in which the payments are made, as after a clock was set back.
    mandate_id: `${firstIdAt('pm_', created)}${number}`,
    agent_did: given.agent,
    amount_minor: given.amount,
    currency: given.currency,
    merchant: given.merchant,
    created_at: created,
  });
}

const NEITHER: readonly PaymentStatus[] = ['FAILED', 'CANCELED'];
const HELD: readonly PaymentStatus[] = ['PENDING', 'UNKNOWN', 'AUTHORIZED'];

/** Which day it is on a calendar. @returns its number from 1970 on */
function dayOn(timezone: string, time: number): number {
  return Date.parse(new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(time)) / DAY_MS;
}

function plainly(rows: readonly PaymentRow[], filter: Filter) {
  const { by, first = 0, last = Infinity, currency, principalDid, timezone } = filter;
  const sums = new Map<string, Record<string, string | number | bigint>>();
  for (const row of rows) {
    const day = dayOn(timezone, row.created_at);
    if (NEITHER.includes(row.status) || day < first || day > last) continue;
    if (currency !== undefined && row.currency !== currency) continue;
    if (principalDid !== undefined && row.principal_did !== principalDid) continue;
    const name = by === 'agent' ? row.agent_did : by === 'merchant' ? row.merchant : '';
    const key = { day: by === 'day' ? day : 0, name, currency: row.currency };
    const isHeld = HELD.includes(row.status);
    const adds = {
      held: isHeld ? row.amount_minor : 0,
      paid: isHeld ? 0 : row.captured_minor,
      refunded: isHeld ? 0 : row.refunded_minor,
      disputed: isHeld ? 0 : row.disputed_minor,
    };
    const text = JSON.stringify(key);
    const sum = sums.get(text) ?? { ...key, payments: 0, held: 0n, paid: 0n, refunded: 0n, disputed: 0n };
    sum.payments = Number(sum.payments) + 1;
    for (const amount of AMOUNTS) sum[amount] = (sum[amount] as bigint) + BigInt(adds[amount]);
    sums.set(text, sum);
  }
  return [...sums.values()];
}

function asText(sums: readonly object[]): string[] {
  return sums
    .map((sum) =>
      JSON.stringify(Object.entries(sum).sort(), (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    )
    .sort();
}
