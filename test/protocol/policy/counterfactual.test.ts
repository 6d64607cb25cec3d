/** What would have passed: it passes, and the next smaller change does not; over random policies and requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toMinor } from '../../../protocol/money.ts';
import type { PolicyRequest } from '../../../protocol/policy/check.ts';
import { compilePolicy } from '../../../protocol/policy/compile.ts';
import { type Counterfactual, counterfactualOf, type DeniedRequest } from '../../../protocol/policy/counterfactual.ts';
import { evaluate } from '../../../protocol/policy/evaluate.ts';
import { type HeldWindow, laterUse } from '../../../protocol/policy/laterUse.ts';
import { NOON, type RulesInput, rulesOf } from './judge.ts';

const HOUR = 3_600_000;

interface Asked extends Partial<PolicyRequest> {
  readonly person?: DeniedRequest['person'];
  readonly newMerchant?: boolean;
  readonly paid?: readonly number[];
  /** Purchases within the policy's window: how long ago, and how much. */
  readonly bought?: readonly { readonly ago: number; readonly amountMinor: number }[];
  readonly more?: Partial<DeniedRequest>;
}

function refusedBy(rules: RulesInput, asked: Asked = {}): DeniedRequest {
  const { person = 'later', newMerchant = false, paid = [], bought = [], more = {}, ...given } = asked;
  const policy = compilePolicy(rulesOf(rules));
  const request = { amountMinor: 1000, currency: 'USD', ...given };
  const windows: HeldWindow[] = [policy.velocity ?? [], policy.limits].flat().map((limit) => {
    const held = bought
      .filter(({ ago }) => NOON - ago >= limit.window.beginsAt(NOON))
      .sort((one, other) => other.ago - one.ago);
    const amounts = { USD: held.reduce((sum, { amountMinor }) => sum + amountMinor, 0) };
    const leaving = held.map(({ ago, amountMinor }) => ({ at: NOON - ago, count: 1, currency: 'USD', amountMinor }));
    return { limit, count: held.length, amounts, leaving };
  });
  const later = laterUse(request.currency, windows);
  const facts = { limits: later.at(NOON), newMerchant, paidAmountsMinor: paid };
  return { policy, request, facts, now: NOON, person, later, ...more };
}

const whatPasses = (rules: RulesInput, asked: Asked = {}): Counterfactual | undefined =>
  counterfactualOf(refusedBy(rules, asked));
const kindsOf = (changes: Counterfactual['alone']) => changes.map(({ change }) => change);

test('over the cap, the cap passes', () => {
  const { alone, sentence } = whatPasses({ spend: { amount_cap: 5 } }) as Counterfactual;
  assert.deepEqual(alone, [{ change: 'amount', amount: 5, currency: 'USD', how: 'with at most 5.00 USD' }]);
  assert.equal(sentence, 'It would pass with at most 5.00 USD.');
});

test('what is allowed has nothing that would have passed', () => {
  assert.equal(whatPasses({ spend: { amount_cap: 10 } }), undefined);
  assert.equal(whatPasses({ spend: { amount_cap: 5, presence_cap: 10 } }), undefined, 'a person can be asked later');
});

test('a cart without a person passes with the person, or with what the agent may spend alone', () => {
  const rules = { spend: { amount_cap: 5, presence_cap: 20 } };
  const absent = whatPasses(rules, { person: 'absent' });
  assert.deepEqual(kindsOf(absent?.alone ?? []), ['amount', 'presence']);
  assert.equal(absent?.alone[0]?.amount, 5);
  const over = whatPasses(rules, { person: 'absent', amountMinor: 2500 });
  assert.deepEqual(
    [kindsOf(over?.alone ?? []), over?.alone[0]?.amount],
    [['amount'], 5],
    'above the cap a person does not help',
  );
});

test('a window that is full has room when its oldest purchase leaves it, and not a millisecond before', () => {
  const rules: RulesInput = { risk: { velocity_limit: { max_transactions: 2, time_window: '1h' } } };
  const bought = [600, 1200].map((seconds) => ({ ago: seconds * 1000, amountMinor: 1 }));
  const found = whatPasses(rules, { bought });
  assert.deepEqual(
    found?.alone.map(({ change, from }) => [change, from]),
    [['time', new Date(NOON - 1_200_000 + HOUR).toISOString()]],
  );
});

test('outside its times a purchase passes at the next opening, by the clock of the zone', () => {
  const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;
  const open = (from: string, timezone: string) =>
    whatPasses({ context: { time_windows: [{ days: [...weekdays], from, to: '20:00', timezone }] } })?.alone[0]?.from;
  // Noon of a Wednesday.
  assert.equal(open('13:30', 'UTC'), '2025-01-15T13:30:00.000Z');
  assert.equal(open('09:00', 'America/New_York'), '2025-01-15T14:00:00.000Z');
  assert.equal(open('21:00', 'Asia/Tokyo'), undefined, 'it is nine there: the window is open until eight the next day');
});

test('a list that the merchant is not on names who is, where nothing else refuses those', () => {
  const merchant = { allow_list: ['good.example', '*.shops.example', 'bad.example'], deny_list: ['bad.example'] };
  const found = whatPasses({ merchant }, { merchantDomain: 'other.example' });
  assert.deepEqual(found?.alone, [
    {
      change: 'merchant',
      names: ['good.example'],
      how: 'at a merchant that the policy names: good.example',
    },
  ]);
  const denied = whatPasses({ merchant: { deny_list: ['bad.example'] } }, { merchantDomain: 'bad.example' });
  assert.deepEqual([denied?.alone, denied?.together], [[], []]);
  assert.match(denied?.sentence ?? '', /^No smaller amount.* bad\.example is on the policy's deny list\.$/);
});

test('categories and countries are named too', () => {
  const rules: RulesInput = {
    spend: { categories: ['groceries'] },
    context: { geo: { allow: ['DE', 'FR'], deny: ['FR'] } },
  };
  const both = whatPasses(rules, { mcc: '7995', country: 'US' });
  assert.deepEqual([both?.alone, both?.together.map(({ names }) => names)], [[], [['groceries'], ['DE']]]);
  assert.equal(kindsOf(whatPasses(rules, { mcc: '5411', country: 'US' })?.alone ?? []).join(), 'country');
});

test('where no change alone is enough, it says which are together', () => {
  const rules: RulesInput = {
    spend: { amount_cap: 5 },
    context: { time_windows: [{ from: '15:00', to: '16:00', timezone: 'UTC' }] },
  };
  const found = whatPasses(rules);
  assert.deepEqual([found?.alone, kindsOf(found?.together ?? [])], [[], ['amount', 'time']]);
  assert.match(found?.sentence ?? '', /^It would pass with at most 5\.00 USD, and from 2025-01-15T15:00:00\.000Z on/);
});

test('what no change of the request takes away is told, and nothing is offered', () => {
  const fixed = { AGENT_SUSPENDED: { message: 'The agent is suspended.' } };
  const found = whatPasses({ spend: { amount_cap: 5 } }, { more: { fixed } });
  assert.deepEqual([found?.alone, found?.together], [[], []]);
  assert.match(found?.sentence ?? '', /The agent is suspended\.$/);
});

test('a later time is not offered once the request itself has ended', () => {
  const rules: RulesInput = { context: { time_windows: [{ from: '15:00', to: '16:00', timezone: 'UTC' }] } };
  assert.equal(whatPasses(rules, { more: { until: NOON + 3 * HOUR + 1 } })?.alone.length, 1);
  assert.equal(whatPasses(rules, { more: { until: NOON + 3 * HOUR } })?.alone.length, 0);
});

/** Mostly not, so that few rules speak at once. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const units = fc.integer({ min: 1, max: 40 });
const domains = fc.constantFrom('a.example', 'b.example', 'c.a.example', '*.a.example');
const list = <T>(item: fc.Arbitrary<T>) => maybe(fc.array(item, { maxLength: 3 }));
const windows = fc.array(
  fc.record({
    days: maybe(fc.uniqueArray(fc.constantFrom('mon', 'wed', 'sun'), { minLength: 1 })),
    from: fc.constantFrom('00:00', '02:30', '09:00', '23:15'),
    to: fc.constantFrom('03:00', '17:45', '24:00'),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'),
  }),
  { maxLength: 2 },
);
const policies = fc
  .record({
    cap: maybe(units),
    extra: maybe(units),
    currency: fc.constantFrom('USD', 'USD', undefined, 'EUR'),
    categories: list(fc.constantFrom('groceries', 'travel')),
    strict: maybe(fc.boolean()),
    allow: list(domains),
    deny: list(domains),
    mccAllow: list(fc.constantFrom('5411', '7995', '9999')),
    mccDeny: list(fc.constantFrom('5411', '7995')),
    presence: maybe(fc.constantFrom('optional', 'required', 'never')),
    threshold: maybe(units),
    asNew: maybe(fc.boolean()),
    windows: maybe(windows),
    geo: maybe(fc.record({ allow: list(fc.constantFrom('DE', 'FR')), deny: list(fc.constantFrom('DE', 'US')) })),
    limit: maybe(
      fc.record({
        max_transactions: fc.integer({ min: 0, max: 3 }),
        max_amount: maybe(units),
        time_window: fc.constantFrom('1h', '90m', '3d'),
      }),
    ),
    anomaly: maybe(fc.record({ action: fc.constantFrom('deny', 'presence'), max_deviation: fc.constantFrom(0, 1.5) })),
  })
  .map(
    (given) =>
      JSON.parse(
        JSON.stringify({
          spend: {
            amount_cap: given.cap,
            presence_cap: given.cap !== undefined && given.extra !== undefined ? given.cap + given.extra : undefined,
            currency: given.currency,
            categories: given.categories,
            categories_strict: given.strict,
          },
          merchant: {
            allow_list: given.allow,
            deny_list: given.deny,
            mcc_allow: given.mccAllow,
            mcc_deny: given.mccDeny,
          },
          context: {
            presence: given.presence,
            presence_threshold: given.threshold,
            presence_new_merchant: given.asNew,
            time_windows: given.windows,
            geo: given.geo,
          },
          risk: {
            velocity_limit: given.limit,
            anomaly: given.anomaly && { min_history: 2, ...given.anomaly },
          },
        }),
      ) as RulesInput,
  );
const requests = fc.record({
  amountMinor: fc.integer({ min: 1, max: 6000 }),
  merchantDomain: maybe(fc.constantFrom('a.example', 'b.example', 'c.a.example', 'z.example')),
  mcc: maybe(fc.constantFrom('5411', '7995', '0001')),
  country: maybe(fc.constantFrom('DE', 'US')),
  person: fc.constantFrom('later', 'absent', 'invalid', 'present'),
  newMerchant: fc.boolean(),
  paid: fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 4 }),
  bought: fc.array(
    fc.record({ ago: fc.integer({ min: 0, max: 4 * 24 * HOUR }), amountMinor: fc.integer({ min: 0, max: 2000 }) }),
    { maxLength: 5 },
  ),
});

/** What is allowed, said by nothing but the evaluator. */
function isAllowed(
  refused: DeniedRequest,
  changes: Counterfactual['alone'],
  name: string | undefined,
  less: Less = {},
): boolean {
  const amount = changes.find(({ change }) => change === 'amount')?.amount;
  const from = changes.find(({ change }) => change === 'time')?.from;
  const merchant = changes.find(({ change }) => change === 'merchant')?.names;
  const country = changes.find(({ change }) => change === 'country')?.names;
  const category = changes.find(({ change }) => change === 'category')?.names;
  const codes: Readonly<Record<string, string>> = { groceries: '5411', travel: '4722' };
  const mcc = category?.[0] === undefined ? refused.request.mcc : (codes[category[0]] ?? category[0]);
  const request = {
    ...refused.request,
    amountMinor: (amount === undefined ? refused.request.amountMinor : toMinor(amount, 'USD')) + (less.moreMinor ?? 0),
    merchantDomain: merchant === undefined ? refused.request.merchantDomain : (name ?? merchant[0]),
    country: country?.[0] ?? refused.request.country,
    mcc,
  };
  const at = (from === undefined ? NOON : Date.parse(from)) - (less.earlierMs ?? 0);
  const limits = refused.later?.at(at) ?? [];
  const newMerchant = merchant === undefined ? refused.facts.newMerchant : true;
  const { details, hpRequired } = evaluate(refused.policy, request, { ...refused.facts, limits, newMerchant }, at);
  const isPresent = refused.person === 'present' || changes.some(({ change }) => change === 'presence');
  const isAsked = refused.person === 'absent' ? hpRequired : refused.person === 'invalid';
  return Object.keys(details).length === 0 && (isPresent || refused.person === 'later' || !isAsked);
}

interface Less {
  readonly moreMinor?: number;
  readonly earlierMs?: number;
}

test('what would pass does pass; a minor unit more or a millisecond earlier does not', () => {
  let alone = 0;
  let together = 0;
  fc.assert(
    fc.property(policies, requests, (rules, asked) => {
      const refused = refusedBy(rules, asked as Asked);
      const found = counterfactualOf(refused);
      assert.equal(found === undefined, isAllowed(refused, [], undefined));
      if (found === undefined) return;
      alone += found.alone.length;
      together += found.together.length;
      for (const changes of [...found.alone.map((each) => [each]), found.together]) {
        if (changes.length === 0) continue;
        const names = changes.find(({ change }) => change === 'merchant')?.names ?? [undefined];
        for (const name of names) assert.ok(isAllowed(refused, changes, name), found.sentence);
        const kinds = kindsOf(changes);
        if (kinds.includes('amount')) assert.ok(!isAllowed(refused, changes, undefined, { moreMinor: 1 }), 'one more');
        if (kinds.includes('time')) assert.ok(!isAllowed(refused, changes, undefined, { earlierMs: 1 }), 'one earlier');
      }
      const least = { change: 'amount', amount: 0.01, how: '' } as const;
      if (!kindsOf(found.alone).includes('amount'))
        assert.ok(!isAllowed(refused, [least], undefined), 'an amount helps');
      if (asked.person === 'absent' && !kindsOf(found.alone).includes('presence')) {
        assert.ok(!isAllowed(refused, [{ change: 'presence', how: '' }], undefined), 'a person helps');
      }
    }),
    { numRuns: 3000 },
  );
  assert.ok(alone > 300 && together > 300, `the series has both kinds: ${alone}, ${together}`);
});

test('it ends soon with the longest lists, the most windows and the largest amount', () => {
  const many = <T>(make: (index: number) => T) => Array.from({ length: 1000 }, (_, index) => make(index));
  const rules: RulesInput = {
    spend: { amount_cap: 1, currency: 'USD', categories_strict: true },
    merchant: { allow_list: many((at) => `shop${at}.example`), mcc_allow: many((at) => String(at).padStart(4, '0')) },
    context: {
      geo: { allow: ['DE'] },
      time_windows: many((at) => ({
        from: `01:${String(at % 60).padStart(2, '0')}`,
        to: '02:00',
        timezone: at % 2 === 0 ? 'UTC' : 'Europe/Berlin',
      })),
    },
    risk: { velocity_limit: { max_transactions: 1, time_window: '31d' } },
  };
  const bought = many((at) => ({ ago: at * 1000, amountMinor: 1 }));
  const refused = refusedBy(rules, {
    bought,
    amountMinor: 1e14,
    merchantDomain: 'z.example',
    mcc: '9999',
    country: 'US',
  });
  const started = process.cpuUsage();
  const found = counterfactualOf(refused);
  const { user } = process.cpuUsage(started);
  assert.equal(found?.together.length, 5);
  assert.ok(user < 2_000_000, `${user} microseconds`);
});
