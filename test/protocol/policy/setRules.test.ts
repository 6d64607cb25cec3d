/** A compiled policy runs only the rules that it sets, and decides as if all were run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { allRules, compilePolicy } from '../../../protocol/policy/compile.ts';
import { CHECKS, checkInput, evaluate, PRESENCE_RULES, traceOf } from '../../../protocol/policy/evaluate.ts';
import { ruleTable } from '../../../protocol/policy/ruleTable.ts';
import { anyPolicy, purchases, situationOf } from './anyPolicy.ts';
import { NOON, rulesOf } from './judge.ts';

const names = [...CHECKS.map(({ code }) => code), ...PRESENCE_RULES.map(({ cause }) => cause)];

test('every decision is that of all rules, and explanations list those that are not set as passed', () => {
  const spoken = new Set<string>();
  const silent = new Set<string>();
  const approval = fc.constantFrom(undefined, undefined, [{ people: 2 }], [{ above: 2, people: 2 }]);
  fc.assert(
    fc.property(anyPolicy, approval, fc.array(purchases, { minLength: 4, maxLength: 4 }), (rules, steps, bought) => {
      const policy = compilePolicy({ ...rules, context: { ...rules.context, approval: steps } } as typeof rules);
      const plain = { ...policy, ...allRules(policy.rules) };
      for (const purchase of bought) {
        const { request, facts, now } = situationOf(policy, purchase);
        const decided = evaluate(policy, request, facts, now);
        assert.deepEqual(decided, evaluate(plain, request, facts, now));
        const trace = traceOf(decided);
        assert.deepEqual(
          trace.map(({ rule }) => rule),
          names,
        );
        const table = ruleTable(checkInput(policy, request, facts, now), decided);
        assert.deepEqual(
          table.map(({ rule }) => rule),
          names,
        );
        const run = new Set<string>([
          ...policy.checks.map(({ code }) => code),
          ...policy.presenceRules.map(({ cause }) => cause),
        ]);
        for (const { rule, outcome } of trace) {
          if (outcome !== 'passed') spoken.add(rule);
          if (!run.has(rule)) silent.add(rule);
          assert.ok(run.has(rule) || outcome === 'passed', rule);
        }
      }
    }),
    { numRuns: 1500 },
  );
  assert.deepEqual(
    names.filter((name) => !spoken.has(name)),
    [],
    'every rule said something of some purchase',
  );
  const maySpeak = [...CHECKS, ...PRESENCE_RULES].filter(({ isSet }) => isSet !== undefined).length;
  assert.equal([...silent].length >= maySpeak, true, 'each that can be left out was left out of some policy');
});

test('a policy that sets a cap alone runs what may always speak, and the cap', () => {
  const { checks, presenceRules } = compilePolicy(rulesOf({ spend: { amount_cap: 5 } }));
  const run = [...checks.map(({ code }) => code as string), ...presenceRules.map(({ cause }) => cause)];
  assert.deepEqual(run, ['AMOUNT_OVER_CAP', 'VELOCITY_EXCEEDED', 'SPENDING_LIMIT_EXCEEDED', 'threshold', 'limit']);
});

test('an agent’s own limit refuses under a policy without any', () => {
  const policy = compilePolicy(rulesOf({}));
  const { velocity } = compilePolicy(rulesOf({ risk: { velocity_limit: { max_transactions: 0, time_window: '1h' } } }));
  assert.ok(velocity);
  const facts = { limits: [{ limit: velocity, count: 0, amountMinor: 0 }], newMerchant: false, paidAmountsMinor: [] };
  const { details } = evaluate(policy, { amountMinor: 100, currency: 'USD' }, facts, NOON);
  assert.deepEqual(Object.keys(details), ['VELOCITY_EXCEEDED']);
});
