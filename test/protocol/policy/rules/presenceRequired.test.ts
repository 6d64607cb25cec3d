/** When a person must be present, and why. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { causesOf, codesOf, judge, type RulesInput, type Situation } from '../judge.ts';

const newMerchants: RulesInput = { context: { presence_new_merchant: true } };
const first: Situation = { newMerchant: true, merchantDomain: 'shop.example' };

describe('a person', () => {
  const cases: [string, RulesInput, Situation, string[]][] = [
    ['is not asked for without a rule', {}, first, []],
    [
      'is asked for above the threshold',
      { context: { presence: 'optional', presence_threshold: 9.99 } },
      {},
      ['threshold'],
    ],
    [
      'is asked for once when cap and threshold are both exceeded',
      { spend: { amount_cap: 5, presence_cap: 20 }, context: { presence_threshold: 3 } },
      {},
      ['threshold'],
    ],
    ['is asked for at a new merchant', newMerchants, first, ['new_merchant']],
    ['is not asked for at a known merchant', newMerchants, { ...first, newMerchant: false }, []],
    ['is not asked for before the merchant is known', newMerchants, { newMerchant: true }, []],
    [
      'is not asked for at a new merchant where that does not matter',
      { context: { presence_new_merchant: false } },
      first,
      [],
    ],
    ['is always asked for where required', { context: { presence: 'required' } }, { amountMinor: 1 }, ['manual']],
    [
      'is asked for in another currency too',
      { spend: { currency: 'EUR' }, context: { presence: 'required', presence_new_merchant: true } },
      first,
      ['new_merchant', 'manual'],
    ],
    [
      'is never asked for where no person can be asked',
      { context: { presence: 'never', presence_new_merchant: true, presence_threshold: 50 } },
      first,
      [],
    ],
  ];
  for (const [name, rules, situation, causes] of cases) {
    test(name, () => {
      assert.deepEqual(causesOf(rules, situation), causes);
      assert.equal(judge(rules, situation).hpRequired, causes.length > 0);
    });
  }

  test('is told every cause, in order', () => {
    const rules: RulesInput = {
      context: { presence: 'required', presence_new_merchant: true, presence_threshold: 5 },
      risk: { anomaly: { min_history: 1, max_deviation: 1, action: 'presence' } },
    };
    assert.deepEqual(judge(rules, { ...first, paid: [800] }).presenceCauses, [
      { cause: 'threshold', message: '10.00 USD is 5.00 over what the agent may spend alone, which is 5.00.' },
      { cause: 'new_merchant', message: 'The agent never paid shop.example before.' },
      {
        cause: 'anomaly',
        message: "10.00 USD is 2.00 over what is usual, at most 8.00. The agent's last payments average 8.00 USD.",
      },
      { cause: 'manual', message: 'The policy asks for a person at every purchase.' },
    ]);
  });
});

test('a new merchant passes where no person can be asked', () => {
  assert.deepEqual(codesOf({ context: { presence: 'never', presence_new_merchant: true } }, first), []);
});
