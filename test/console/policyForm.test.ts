/** The form of a policy: made from the schema, with words for each rule; and what is written in it is the same policy. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ruleNames } from '../../client/operations.ts';
import { durationText } from '../../console/parts/limits/limitStates.ts';
import { FIELDS, readRules, runCases, warningsIn } from '../../console/proofs/draftRules.ts';
import { type FormField, fieldsOf, type Single } from '../../console/proofs/formFields.ts';
import { sentencesFor } from '../../console/proofs/ruleSentences.ts';
import { memberAt, textIn, valueIn, withMember } from '../../console/screens/policy/draft/form/fieldText.ts';
import { findRules, rulesOf } from '../../console/screens/policy/draft/form/findRules.ts';
import { PRESETS } from '../../console/screens/policy/draft/form/presets.ts';
import { CHECKS, PRESENCE_RULES } from '../../protocol/policy/evaluate.ts';
import { GROUPS } from '../../protocol/policy/rule.ts';
import { MEMBERS, WORDED } from '../../protocol/policy/ruleMembers.ts';
import { Rules } from '../../protocol/policy/rules.ts';
import { CATEGORY_NAMES } from '../../protocol/policy/values/category.ts';
import { Duration } from '../../protocol/policy/values/duration.ts';

type Step = string | number;

const allOf = (fields: readonly FormField[]): FormField[] =>
  fields.flatMap((field) => ('fields' in field ? [field, ...allOf(field.fields)] : [field]));

/** What a person does who writes another policy down, field by field. */
function typedAgain(fields: readonly FormField[], from: unknown, to: unknown, at: readonly Step[] = []): unknown {
  let typed = to;
  for (const field of fields) {
    const steps = [...at, field.path.split('.').at(-1) as string];
    if (field.kind === 'group') {
      typed = typedAgain(field.fields, from, typed, steps);
    } else if (field.kind === 'entries') {
      const entries = memberAt(from, steps);
      for (const index of Array.isArray(entries) ? entries.keys() : []) {
        typed = typedAgain(field.fields, from, withMember(typed, [...steps, index], {}), [...steps, index]);
      }
    } else {
      const text = textIn(field, memberAt(from, steps));
      assert.ok(text !== undefined, field.path);
      typed = withMember(typed, steps, valueIn(field, text));
    }
  }
  return typed;
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const some = (...items: readonly string[]) => maybe(fc.subarray([...items], { minLength: 1 }));
const amount = fc.integer({ min: 1, max: 1_000_000 }).map((minor) => minor / 100);
const time = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const policies = fc
  .record({
    spend: maybe(
      fc.record({
        amount_cap: maybe(fc.oneof(amount, fc.constant(0))),
        currency: maybe(fc.constantFrom('USD', 'EUR')),
        categories: some(...CATEGORY_NAMES),
        categories_strict: maybe(fc.boolean()),
      }),
    ),
    merchant: maybe(
      fc.record({
        allow_list: some('a.example', '*.a.example', 'xn--caf-dma.example'),
        deny_list: some('b.example', 'c.example'),
        mcc_allow: some('5411', '0001'),
        mcc_deny: some('4722', '5812'),
      }),
    ),
    context: maybe(
      fc.record({
        presence: maybe(fc.constantFrom('optional', 'required', 'never')),
        presence_threshold: maybe(fc.oneof(amount, fc.constant(0))),
        presence_new_merchant: maybe(fc.boolean()),
        presence_binding: maybe(fc.constantFrom('cart', 'any', 'agent')),
        deny_by_link: maybe(fc.boolean()),
        approval: maybe(
          fc.uniqueArray(
            fc.record({
              people: fc.integer({ min: 1, max: 5 }),
              above: maybe(fc.oneof(amount, fc.constant(0))),
              roles: some('OWNER', 'ADMIN', 'MEMBER'),
              not_owner_of_agent: maybe(fc.boolean()),
            }),
            { minLength: 1, maxLength: 3, selector: ({ above = 0 }) => above },
          ),
        ),
        approval_ttl: maybe(fc.constantFrom('1m', '2h', '7d')),
        time_windows: maybe(
          fc.array(
            fc.record({
              days: some('mon', 'wed', 'sun'),
              from: time,
              to: fc.constant('24:00'),
              timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
            }),
            { minLength: 1, maxLength: 3 },
          ),
        ),
        geo: maybe(fc.record({ allow: some('DE', 'AT'), deny: some('US', 'CH') })),
      }),
    ),
    risk: maybe(
      fc.record({
        velocity_limit: maybe(
          fc.record({
            max_transactions: fc.nat(100),
            max_amount: maybe(amount),
            time_window: fc.constantFrom('30m', '24h', '7d'),
            scope: maybe(fc.constantFrom('agent', 'policy')),
          }),
        ),
        limits: maybe(
          fc.uniqueArray(
            fc.record({
              name: fc.constantFrom('groceries', 'trips', 'Ämter: 1'),
              max_transactions: fc.nat(100),
              max_amount: maybe(amount),
              currency: maybe(fc.constantFrom('USD', 'EUR')),
              window: fc.constantFrom('day', 'month', 'quarter'),
              timezone: maybe(fc.constantFrom('UTC', 'Asia/Tokyo')),
              scope: maybe(fc.constantFrom('agent', 'principal', 'policy')),
              merchant: maybe(fc.constantFrom('a.example', '*.a.example')),
              category: maybe(fc.constantFrom(...CATEGORY_NAMES)),
              action: maybe(fc.constantFrom('deny', 'presence')),
            }),
            { minLength: 1, maxLength: 3, selector: ({ name }) => name },
          ),
        ),
        anomaly: maybe(
          fc.record({
            min_history: fc.integer({ min: 1, max: 50 }),
            max_deviation: fc.constantFrom(0, 1.5, 3),
            action: fc.constantFrom('deny', 'presence'),
          }),
        ),
        duplicate: maybe(
          fc.record({
            window: fc.constantFrom('30m', '24h', '7d'),
            action: fc.constantFrom('deny', 'presence'),
            above: maybe(amount),
            max: maybe(fc.integer({ min: 1, max: 100 })),
          }),
        ),
      }),
    ),
    rails: maybe(fc.record({ allow: some('sandbox', 'stripe'), priorities: some('stripe', 'sandbox') })),
  })
  .map((rules) => JSON.parse(JSON.stringify({ version: '2.0', ...rules })) as Rules);

/** Without the objects that have no members, which say nothing. */
function pruned(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([name, each]) => [name, pruned(each)] as const);
  const kept = members.filter(([, each]) => JSON.stringify(each) !== '{}');
  return Object.fromEntries(kept);
}

test('a policy that is typed into the form, field by field, is the same policy', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(policies, (rules) => {
      assert.ok(Rules.safeParse(rules).success, JSON.stringify(rules));
      const typed = typedAgain(FIELDS, rules, { version: '2.0' });
      assert.deepEqual(typed, pruned(rules));
      for (const { path } of sentencesFor(rules)) seen.add(path);
    }),
    { numRuns: 300 },
  );
  assert.ok(seen.size >= 18, 'most rules were in some policy');
});

test('each rule of the schema has its words in the form, and no words are left over', () => {
  assert.deepEqual(
    [...Object.keys(GROUPS), ...WORDED.map(({ path }) => path)].toSorted(),
    allOf(FIELDS)
      .map(({ path }) => path)
      .toSorted(),
  );
  for (const { kind, path, about } of allOf(FIELDS)) {
    assert.ok(kind === 'group' || about !== undefined, `${path} has no sentence`);
  }
});

test('each rule that a policy has is said in a sentence', () => {
  for (const { path, docs } of MEMBERS) {
    const said = sentencesFor({ version: '2.0', ...docs.example }).map((each) => each.path);
    const own = WORDED.filter((each) => each.whole?.path === path && each.sentence !== undefined);
    for (const each of own.length > 0 ? own.map((part) => part.path) : [path]) {
      assert.ok(said.includes(each), `${each} is not said`);
    }
  }
  assert.deepEqual(
    sentencesFor({ version: '2.0', spend: { amount_cap: 100, currency: 'USD' } }).map(({ sentence }) => sentence),
    ['One purchase may cost 100.00 USD at most.', 'Only USD may be spent.'],
  );
});

test('each code that a decision has for a rule leads to a rule of the form', () => {
  const paths = allOf(FIELDS).map(({ path }) => path);
  for (const code of [...CHECKS.map((each) => each.code), ...PRESENCE_RULES.map(({ cause }) => cause)]) {
    assert.ok(paths.includes(String(ruleNames[code]?.path)), code);
  }
});

test('a typed text that is no number stays there, and what is wrong is said at its place', () => {
  const typed = withMember({ version: '2.0' }, ['spend', 'amount_cap'], valueIn({ kind: 'number' }, '1OO'));
  assert.equal(textIn({ kind: 'number' }, memberAt(typed, ['spend', 'amount_cap'])), '1OO');
  assert.deepEqual(readRules(typed), {
    ok: false,
    problems: [{ path: 'spend.amount_cap', message: 'must be a number' }],
  });
  assert.deepEqual(readRules({ version: '2.0', spend: { cap: 1 } }), {
    ok: false,
    problems: [
      {
        path: 'spend.cap',
        message: `is not a known member; there are ${Object.keys(Rules.shape.spend.unwrap().shape).join(', ')}`,
      },
    ],
  });
  assert.deepEqual(withMember(typed, ['spend', 'amount_cap'], undefined), { version: '2.0' });
});

test('a part of a schema that the form has no field for is not left out in silence', () => {
  assert.throws(
    () => fieldsOf({ shape: { when: { def: { type: 'date' } } } } as never, (label) => ({ label })),
    /when: a form has no field/,
  );
});

test('cases are judged by the draft, and what is wrong with one is said', () => {
  const expect = { allowed: true };
  const request = { amount: 150, currency: 'USD' };
  const rules: Rules = { version: '2.0', spend: { amount_cap: 100, currency: 'USD' } };
  const judged = runCases(rules, JSON.stringify([{ name: 'over', request, expect }]), 0);
  assert.ok(judged.ok);
  assert.deepEqual(
    judged.value.map(({ passed, actual }) => [passed, actual.reasonCodes]),
    [[false, ['AMOUNT_OVER_CAP']]],
  );
  for (const [text, path] of [
    ['[', ''],
    ['[{"name":"x","request":{"amout":1},"expect":{"allowed":true}}]', '0.request.amount'],
    ['[{"name":"x","request":{"amount":0.001,"currency":"USD"},"expect":{"allowed":true}}]', '0.request.amount'],
  ] as const) {
    const wrong = runCases(rules, text, 0);
    assert.ok(!wrong.ok && wrong.problems.some((problem) => problem.path === path), text);
  }
});

test('one step of approval without a list is shown as the first of a list, and written as a list once it changes', () => {
  const rules = { context: { approval: { people: 2, above: 50 } } };
  const steps = ['context', 'approval', 0, 'people'] as const;
  assert.equal(memberAt(rules, steps), 2);
  assert.equal(memberAt(rules, ['context', 'approval', 1, 'people']), undefined);
  assert.deepEqual(withMember(rules, steps, 3), { context: { approval: [{ people: 3, above: 50 }] } });
});

test('each example is a policy without a contradiction, which says something of itself', () => {
  for (const { name, rules } of PRESETS) {
    const read = readRules(rules);
    assert.ok(read.ok, `${name}: ${JSON.stringify(read)}`);
    assert.deepEqual(warningsIn(read.value), [], name);
    assert.ok(sentencesFor(read.value).length > 0, name);
  }
});

test('a rule is found by its name, its group, what it is for, and its parts; each word has to be in it', () => {
  const rules = rulesOf(FIELDS);
  const found = (text: string) => findRules(rules, text).map(({ field }) => field.path);
  assert.deepEqual(
    found(''),
    rules.map(({ field }) => field.path),
  );
  assert.ok(found('GROCERIES').includes('spend.categories'), 'by an option');
  assert.ok(found('where').includes('merchant.deny_list'), 'by its group');
  assert.deepEqual(found('countries denied'), ['context.geo']);
  assert.deepEqual(found('no such words'), []);
});

test('a window is chosen in words, and one that is not offered stays', () => {
  const durations = allOf(FIELDS).filter(({ isDuration }) => isDuration);
  assert.deepEqual(
    durations.map(({ kind, path }) => [kind, path]),
    [
      ['choice', 'risk.velocity_limit.time_window'],
      ['choice', 'risk.duplicate.window'],
    ],
  );
  for (const { options } of durations as readonly Single[]) {
    assert.equal(durationText(options[5] ?? ''), '1 day');
    for (const option of options) assert.ok(Duration.safeParse(option).success, option);
  }
  assert.equal(durationText('soon'), 'soon');
});
