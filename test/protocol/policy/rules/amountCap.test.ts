/** The caps of one purchase, with and without a person, and the currency they are in. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { codesOf, judge, type RulesInput } from '../judge.ts';

const capped: RulesInput = { spend: { amount_cap: 100, currency: 'USD' } };
const withPresence: RulesInput = { spend: { amount_cap: 100, presence_cap: 200, currency: 'USD' } };
const never: RulesInput = { ...withPresence, context: { presence: 'never', presence_threshold: 150 } };

describe('a purchase', () => {
  // rules, amount, refused, person needed
  const cases: [string, RulesInput, number, boolean, boolean][] = [
    ['without any rule is allowed', {}, 9_007_199_254_740_991, false, false],
    ['at the cap is allowed', capped, 10_000, false, false],
    ['one cent over the cap is refused', capped, 10_001, true, true],
    ['at the cap needs no person', withPresence, 10_000, false, false],
    ['one cent over the cap needs a person where there is a cap for that', withPresence, 10_001, false, true],
    ['at the cap with a person is allowed', withPresence, 20_000, false, true],
    ['one cent over the cap with a person is refused', withPresence, 20_001, true, true],
    ['at the threshold needs no person', { context: { presence_threshold: 50 } }, 5_000, false, false],
    ['one cent over the threshold needs a person', { context: { presence_threshold: 50 } }, 5_001, false, true],
    ['over a threshold of 0 needs a person', { context: { presence_threshold: 0 } }, 1, false, true],
    [
      'over a threshold below the cap needs a person',
      { ...capped, context: { presence_threshold: 50 } },
      5_001,
      false,
      true,
    ],
    [
      'over the cap needs a person below a higher threshold',
      { ...withPresence, context: { presence_threshold: 150 } },
      10_001,
      false,
      true,
    ],
    ['at the smaller limit is allowed where no person can be asked', never, 10_000, false, false],
    ['over the cap is refused where no person can be asked', never, 10_001, true, false],
    [
      'over the threshold is refused where no person can be asked',
      { context: { presence: 'never', presence_threshold: 50 } },
      5_001,
      true,
      false,
    ],
    [
      'over the cap with a person is refused where no person can be asked',
      { spend: { presence_cap: 200 }, context: { presence: 'never' } },
      20_001,
      true,
      false,
    ],
    [
      'below a cap finer than the currency is measured by whole cents',
      { spend: { amount_cap: 1.009 } },
      100,
      false,
      false,
    ],
    ['the smallest amount is over a cap of nothing', { spend: { amount_cap: 0 } }, 1, true, true],
    ['above a cap finer than the currency is refused', { spend: { amount_cap: 1.009 } }, 101, true, true],
  ];
  for (const [name, rules, amountMinor, refused, hpRequired] of cases) {
    test(name, () => {
      const evaluation = judge(rules, { amountMinor });
      assert.deepEqual(Object.keys(evaluation.details), refused ? ['AMOUNT_OVER_CAP'] : []);
      assert.equal(evaluation.hpRequired, hpRequired);
    });
  }
});

test('a refusal says by how much, in major units and in a sentence', () => {
  assert.deepEqual(judge(capped, { amountMinor: 15_000 }).details.AMOUNT_OVER_CAP, {
    requested: 150,
    limit: 100,
    currency: 'USD',
    message: '150.00 USD is 50.00 over the cap of 100.00.',
  });
});

test('the limit told is the one that a person could not lift', () => {
  assert.equal(judge(withPresence, { amountMinor: 50_000 }).details.AMOUNT_OVER_CAP?.limit, 200);
  assert.equal(judge(never, { amountMinor: 50_000 }).details.AMOUNT_OVER_CAP?.limit, 100);
  const low: RulesInput = { ...capped, context: { presence: 'never', presence_threshold: 50 } };
  assert.equal(judge(low, { amountMinor: 50_000 }).details.AMOUNT_OVER_CAP?.limit, 50);
});

test('a cap without a currency holds in the units of each request', () => {
  const rules = { spend: { amount_cap: 100 } };
  assert.deepEqual(codesOf(rules, { amountMinor: 100, currency: 'JPY' }), []);
  assert.deepEqual(codesOf(rules, { amountMinor: 101, currency: 'JPY' }), ['AMOUNT_OVER_CAP']);
  assert.deepEqual(codesOf(rules, { amountMinor: 100_000, currency: 'BHD' }), []);
});

test('another currency is refused, and what cannot be compared is not', () => {
  const rules: RulesInput = {
    ...capped,
    context: { presence_threshold: 1 },
    risk: {
      velocity_limit: { max_amount: 1, time_window: '1h' },
      anomaly: { min_history: 1, max_deviation: 0, action: 'deny' },
    },
  };
  const evaluation = judge(rules, { amountMinor: 99_999, currency: 'EUR', paid: [1] });
  assert.deepEqual(evaluation.details, { CURRENCY_NOT_ALLOWED: { message: 'The policy allows USD, not EUR.' } });
  assert.equal(evaluation.hpRequired, false);
});
