/** The readable difference of two policies, and what it promises: without a looser change nothing passes that did not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareRules, isLooser } from '../../../protocol/policy/compareRules.ts';
import { type CompiledPolicy, compilePolicy } from '../../../protocol/policy/compile.ts';
import { evaluate } from '../../../protocol/policy/evaluate.ts';
import { MEMBERS } from '../../../protocol/policy/ruleMembers.ts';
import type { Rules } from '../../../protocol/policy/rules.ts';
import { anyPolicy, type Purchase, purchases, situationOf } from './anyPolicy.ts';
import { type RulesInput, rulesOf } from './judge.ts';

const told = (former: RulesInput, next: RulesInput) =>
  compareRules(rulesOf(former), rulesOf(next)).map(({ path, direction, sentence }) => [path, direction, sentence]);

test('a cap that is raised is looser, in words with its currency', () => {
  const changed = told(
    { spend: { amount_cap: 100, currency: 'USD' } },
    { spend: { amount_cap: 150, currency: 'USD' } },
  );
  assert.deepEqual(changed, [['spend.amount_cap', 'looser', 'cap 100 → 150 USD']]);
});

test('each kind of rule is told, and its direction is the safe one', () => {
  const office = { days: ['mon', 'tue'], from: '09:00', to: '17:00', timezone: 'UTC' } as const;
  const window = (more: object) => ({ context: { time_windows: [{ ...office, days: [...office.days], ...more }] } });
  const limited = (limit: object): RulesInput => ({
    risk: { velocity_limit: { max_transactions: 5, time_window: '1h', ...limit } },
  });
  const same = (rule: object): RulesInput => ({ risk: { duplicate: { window: '10m', action: 'presence', ...rule } } });
  const budget = (scope: string): RulesInput => ({
    risk: { limits: [{ name: 'b', max_amount: 5, window: 'day', scope }] } as never,
  });
  const cases: [RulesInput, RulesInput, string[]][] = [
    [budget('agent'), budget('principal'), ['tighter']],
    [budget('agent'), budget('policy'), ['tighter']],
    [budget('principal'), budget('policy'), ['tighter']],
    [budget('policy'), budget('agent'), ['looser']],
    [budget('principal'), budget('agent'), ['looser']],
    [budget('policy'), budget('policy'), []],
    [{}, same({}), ['tighter']],
    [same({}), {}, ['looser']],
    [same({}), same({ action: 'deny' }), ['tighter']],
    [same({}), same({ window: '9m' }), ['looser']],
    [same({}), same({ window: '600s', above: 0, max: 1 }), []],
    [same({}), same({ above: 5 }), ['looser']],
    [same({ above: 5, max: 2 }), same({}), ['tighter']],
    [{}, { spend: { amount_cap: 1 } }, ['tighter']],
    [{ spend: { amount_cap: 1 } }, {}, ['looser']],
    [{ spend: { amount_cap: 1, presence_cap: 5 } }, { spend: { amount_cap: 1 } }, ['tighter']],
    [{ spend: { amount_cap: 1 } }, { spend: { amount_cap: 1, presence_cap: 5 } }, ['looser']],
    [{ spend: { presence_cap: 5 } }, {}, ['looser']],
    [{}, { spend: { currency: 'USD' } }, ['looser']],
    [{}, { merchant: { allow_list: ['a.example'] } }, ['tighter']],
    [{ merchant: { allow_list: ['a.example'] } }, { merchant: { allow_list: [] } }, ['looser']],
    [{ merchant: { allow_list: ['a.example'] } }, { merchant: { allow_list: ['a.example', 'b.example'] } }, ['looser']],
    [{ merchant: { allow_list: ['*.a.example'] } }, { merchant: { allow_list: ['x.a.example'] } }, ['tighter']],
    [{ merchant: { allow_list: ['*.a.example'] } }, { merchant: { allow_list: ['a.example'] } }, ['looser']],
    [{ merchant: { deny_list: ['a.example'] } }, { merchant: { deny_list: ['x.a.example'] } }, ['looser']],
    [{ merchant: { deny_list: ['x.a.example'] } }, { merchant: { deny_list: ['a.example'] } }, ['tighter']],
    [{ merchant: { deny_list: ['a.example'] } }, {}, ['looser']],
    [{}, { context: { presence: 'required' } }, ['tighter']],
    [{}, { context: { presence: 'never' } }, ['tighter']],
    [
      { context: { presence_new_merchant: true } },
      { context: { presence: 'never', presence_new_merchant: true } },
      ['looser'],
    ],
    [{ context: { presence: 'never' } }, {}, ['looser']],
    [{ context: { presence_binding: 'cart' } }, {}, ['looser']],
    [{ context: { presence_binding: 'any' } }, { context: { presence_binding: 'agent' } }, []],
    [{ context: { deny_by_link: true } }, {}, ['other']],
    [window({}), window({ from: '10:00' }), ['tighter']],
    [window({}), window({ to: '18:00' }), ['looser']],
    [window({}), window({ timezone: 'Europe/Berlin' }), ['looser']],
    [window({}), window({ from: '17:00', to: '09:00' }), ['looser']],
    [window({}), {}, ['looser']],
    [{}, limited({}), ['tighter']],
    [limited({}), limited({ max_transactions: 4 }), ['tighter']],
    [limited({}), limited({ time_window: '60m' }), []],
    [limited({}), limited({ time_window: '30m' }), ['looser']],
    [limited({}), limited({ scope: 'policy', max_amount: 5 }), ['tighter']],
    [limited({}), limited({ max_transactions: 50, time_window: '24h' }), ['looser']],
    [limited({}), limited({ max_transactions: 1, time_window: '30m' }), ['looser']],
    [limited({}), {}, ['looser']],
    [{ rails: { allow: ['A', 'B'] } }, { rails: { allow: ['B'] } }, ['tighter']],
    [{ rails: { priorities: ['A', 'B'] } }, { rails: { priorities: ['B', 'A'] } }, ['other']],
  ];
  for (const [former, next, directions] of cases) {
    const changes = told(former, next);
    const shown = changes.map(([, direction]) => direction);
    assert.deepEqual(shown, directions, `${JSON.stringify(former)} → ${JSON.stringify(next)}`);
  }
  const none = told(
    { spend: { amount_cap: 5, currency: 'USD' }, ...window({}) },
    { spend: { currency: 'USD' }, ...limited({}) },
  );
  assert.deepEqual(
    none.map(([, , sentence]) => sentence),
    [
      'cap 5 USD → none',
      'time windows: only mon tue 09:00–17:00 UTC → any time',
      'limit over time none → max_transactions 5, time_window 1h',
    ],
  );
  const lists = told(
    { merchant: { deny_list: ['a.example', 'b.example'] } },
    { merchant: { deny_list: ['c.example'] } },
  );
  assert.equal(lists[0]?.[2], 'deny list: + c.example, − a.example, − b.example');
  const emptied = told({ merchant: { allow_list: ['shop.example'] } }, { merchant: { allow_list: [] } });
  assert.deepEqual(emptied[0]?.slice(1), ['looser', 'allow list: only shop.example → any merchant']);
  const begun = told({}, { merchant: { allow_list: ['shop.example'] } });
  assert.deepEqual(begun[0]?.slice(1), ['tighter', 'allow list: any merchant → only shop.example']);
});

test('a limit of which several members change is one change, judged as a whole', () => {
  const limited = (limit: object): RulesInput => ({
    spend: { currency: 'USD' },
    risk: { velocity_limit: { time_window: '1h', ...limit } },
  });
  const [hourly, daily] = [limited({ max_transactions: 10 }), limited({ max_transactions: 50, time_window: '24h' })];
  assert.deepEqual(compareRules(rulesOf(hourly), rulesOf(daily)), [
    {
      path: 'risk.velocity_limit',
      former: { max_transactions: 10, time_window: '1h' },
      next: { max_transactions: 50, time_window: '24h' },
      direction: 'looser',
      sentence: 'limit over time: purchases 10 → 50, window 1h → 24h',
    },
  ]);
  assert.deepEqual(told(hourly, limited({ max_amount: 5 })), [
    ['risk.velocity_limit', 'looser', 'limit over time: purchases 10 → none, spending none → 5 USD'],
  ]);
});

test('no rule can be changed without being told', () => {
  for (const { path, docs } of MEMBERS) {
    const [group, name] = path.split('.') as [string, string];
    const rules = rulesOf(docs.example);
    const without = structuredClone(rules) as unknown as Record<string, Record<string, unknown>>;
    delete without[group]?.[name];
    const paths = compareRules(without as unknown as Rules, rules).map((change) => change.path);
    assert.ok(
      paths.some((each) => each.startsWith(path)),
      `${path}: ${paths.join()}`,
    );
  }
});

/** A policy and one that differs from it in one to three of its rules, so that some changes are tighter alone. */
const pairs = fc
  .tuple(anyPolicy, anyPolicy, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }))
  .map(([former, other, picks]): [Rules, Rules] => {
    const next = structuredClone(former) as unknown as Record<string, Record<string, unknown>>;
    const from = other as unknown as Record<string, Record<string, unknown>>;
    const places = ['spend', 'merchant', 'context', 'risk'].flatMap((part) =>
      [...new Set([...Object.keys(next[part] ?? {}), ...Object.keys(from[part] ?? {})])].map(
        (name) => [part, name] as const,
      ),
    );
    for (const pick of picks) {
      const [part, name] = places[pick % places.length] ?? ['spend', 'amount_cap'];
      const value = from[part]?.[name];
      if (value === undefined) delete next[part]?.[name];
      else Object.assign(next[part] ?? {}, { [name]: value });
    }
    const { amount_cap, presence_cap } = (next['spend'] ?? {}) as { amount_cap?: number; presence_cap?: number };
    if (amount_cap !== undefined && presence_cap !== undefined && presence_cap < amount_cap)
      delete next['spend']?.['presence_cap'];
    return [former, rulesOf(next as unknown as RulesInput)];
  });

/** 0: refused, 1: with a person, 2: alone. */
function freedom(policy: CompiledPolicy, purchase: Purchase): number {
  const { request, facts, now } = situationOf(policy, purchase);
  const { details, hpRequired } = evaluate(policy, request, facts, now);
  if (Object.keys(details).length > 0) return 0;
  return hpRequired ? 1 : 2;
}

test('without a looser change no request fares better than before', () => {
  let compared = 0;
  fc.assert(
    fc.property(pairs, fc.array(purchases, { minLength: 5, maxLength: 5 }), ([former, next], requests) => {
      const changes = compareRules(former, next);
      if (isLooser(changes)) return;
      compared += changes.length;
      const [before, after] = [compilePolicy(former), compilePolicy(next)];
      for (const purchase of requests) {
        assert.ok(freedom(after, purchase) <= freedom(before, purchase), JSON.stringify(changes));
      }
    }),
    { numRuns: 4000 },
  );
  assert.ok(compared > 500, `${compared} changes were tighter`);
});

test('a policy compared with itself, in whatever order its lists are, has no changes', () => {
  fc.assert(
    fc.property(anyPolicy, (rules) => {
      const turned = structuredClone(rules);
      for (const part of [turned.spend, turned.merchant, turned.context?.geo, { limits: turned.risk?.limits }]) {
        for (const value of Object.values(part ?? {})) if (Array.isArray(value)) value.reverse();
      }
      assert.deepEqual(compareRules(rules, turned), []);
    }),
  );
});
