/** Policies and purchases of every kind, small enough that rules meet. */
import fc from 'fast-check';
import type { PolicyFacts, PolicyRequest } from '../../../protocol/policy/check.ts';
import type { CompiledPolicy } from '../../../protocol/policy/compile.ts';
import type { Rules } from '../../../protocol/policy/rules.ts';
import { amountOf, isWithin, limitsFor, type VelocityLimit } from '../../../protocol/policy/values/spendingLimit.ts';
import { NOON } from './judge.ts';

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const some = <T>(...items: T[]) => maybe(fc.subarray(items));
const units = fc.integer({ min: 1, max: 6 });
export const anyPolicy = fc
  .record({
    spend: fc.record({
      amount_cap: maybe(units),
      extra: maybe(units),
      currency: fc.constantFrom('USD', 'USD', undefined),
      categories: some('groceries', 'travel'),
      categories_strict: maybe(fc.boolean()),
    }),
    merchant: fc.record({
      allow_list: some('a.example', '*.a.example', 'x.a.example', '*.x.a.example'),
      deny_list: some('a.example', '*.a.example', 'x.a.example'),
      mcc_allow: some('5411', '4722'),
      mcc_deny: some('5411', '0001'),
    }),
    context: fc.record({
      presence: maybe(fc.constantFrom('optional', 'required', 'never')),
      presence_threshold: maybe(units),
      presence_new_merchant: maybe(fc.boolean()),
      presence_binding: maybe(fc.constantFrom('cart', 'any', 'agent')),
      time_windows: maybe(
        fc.array(
          fc.record({
            days: maybe(fc.subarray(['wed', 'thu'], { minLength: 1 })),
            from: fc.constantFrom('09:00', '11:00', '23:00'),
            to: fc.constantFrom('13:00', '17:00', '24:00'),
            timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
          }),
          { maxLength: 2 },
        ),
      ),
      geo: maybe(fc.record({ allow: some('DE', 'FR'), deny: some('DE', 'US') })),
    }),
    risk: fc.record({
      velocity_limit: maybe(
        fc.record({
          max_transactions: fc.integer({ min: 0, max: 3 }),
          max_amount: maybe(units),
          time_window: fc.constantFrom('1h', '2h', '60m'),
          scope: maybe(fc.constantFrom('agent', 'policy')),
        }),
      ),
      limits: maybe(
        fc.uniqueArray(
          fc.record({
            name: fc.constantFrom('one', 'two', 'three'),
            max_transactions: fc.integer({ min: 0, max: 3 }),
            max_amount: maybe(units),
            currency: maybe(fc.constantFrom('USD', 'EUR')),
            window: fc.constantFrom('day', 'week', '2h', '120m'),
            scope: maybe(fc.constantFrom('agent', 'principal', 'policy')),
            merchant: maybe(fc.constantFrom('a.example', '*.a.example')),
            category: maybe(fc.constant('groceries')),
            action: maybe(fc.constantFrom('deny', 'presence')),
          }),
          { maxLength: 2, selector: ({ name }) => name },
        ),
      ),
      anomaly: maybe(
        fc.record({
          min_history: fc.integer({ min: 1, max: 3 }),
          max_deviation: fc.constantFrom(0, 1),
          action: fc.constantFrom('deny', 'presence'),
        }),
      ),
      duplicate: maybe(
        fc.record({
          window: fc.constantFrom('1h', '2h', '60m'),
          action: fc.constantFrom('deny', 'presence'),
          above: maybe(units),
          max: maybe(fc.integer({ min: 1, max: 2 })),
        }),
      ),
    }),
  })
  .map(({ spend: { extra, ...spend }, ...rules }) => {
    const { amount_cap = 0 } = spend;
    const presence_cap = extra === undefined ? undefined : amount_cap + extra;
    return JSON.parse(JSON.stringify({ version: '2.0', spend: { ...spend, presence_cap }, ...rules })) as Rules;
  });

export const purchases = fc.record({
  amountMinor: fc.integer({ min: 1, max: 900 }),
  currency: fc.constantFrom('USD', 'USD', 'EUR'),
  merchantDomain: maybe(fc.constantFrom('a.example', 'x.a.example', 'y.x.a.example', 'z.example')),
  mcc: maybe(fc.constantFrom('5411', '4722', '0001')),
  country: maybe(fc.constantFrom('DE', 'US')),
  newMerchant: fc.boolean(),
  paid: fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 4 }),
  now: fc.integer({ min: 0, max: 48 }).map((halves) => NOON + halves * 1_800_000),
  /** By this agent or another one, so many minutes ago. */
  bought: fc.array(
    fc.record({
      own: fc.boolean(),
      ago: fc.integer({ max: 130, min: 0 }),
      minor: units,
      euro: fc.boolean(),
      merchant: fc.constantFrom('a.example', 'x.a.example', 'z.example'),
      mcc: fc.constantFrom('5411', '4722'),
    }),
    {
      maxLength: 4,
    },
  ),
  /** The same, the latest so many minutes ago. */
  same: fc.record({ count: fc.integer({ min: 0, max: 3 }), ago: fc.integer({ max: 130, min: 0 }) }),
  velocity: maybe(fc.record({ maxTransactions: fc.integer({ min: 0, max: 3 }), timeWindow: fc.constant('1h') })),
});
export type Purchase = typeof purchases extends fc.Arbitrary<infer P> ? P : never;

/** What a purchase asks, and what counts beside it. */
export function situationOf(
  policy: CompiledPolicy,
  purchase: Purchase,
): { readonly request: PolicyRequest; readonly facts: PolicyFacts; readonly now: number } {
  const { newMerchant, paid, now, bought, same, velocity, ...request } = purchase;
  const facts: PolicyFacts = {
    newMerchant,
    paidAmountsMinor: paid,
    sameBefore: { count: same.count, latestAt: now - same.ago * 60_000, status: 'CAPTURED' },
    limits: limitsFor(policy, velocity as VelocityLimit | undefined).map((limit) => {
      const within = bought.filter(
        ({ own, ago, euro, ...where }) =>
          (own || limit.scope === 'policy') &&
          now - ago * 60_000 >= limit.window.beginsAt(now) &&
          (limit.currency === undefined || limit.currency === (euro ? 'EUR' : 'USD')) &&
          (limit.narrowing === undefined || isWithin(limit.narrowing, where)),
      );
      const amounts = { USD: 0, EUR: 0 };
      for (const { minor, euro } of within) amounts[euro ? 'EUR' : 'USD'] += minor * 100;
      return { limit, count: within.length, amountMinor: amountOf(amounts, request.currency) };
    }),
  };
  return { request, facts, now };
}
