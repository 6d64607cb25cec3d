/** How many people must approve, by the amount; who they may be; and what a change of that means. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareRules } from '../../../../protocol/policy/compareRules.ts';
import { compilePolicy } from '../../../../protocol/policy/compile.ts';
import { warningsOf } from '../../../../protocol/policy/contradictions.ts';
import { Rules } from '../../../../protocol/policy/rules.ts';
import { detailsOf } from '../../../../protocol/wire/issue.ts';
import { causesOf, codesOf, judge, type RulesInput, rulesOf } from '../judge.ts';

const USD = { spend: { currency: 'USD' } } as const;
const steps = (approval: NonNullable<RulesInput['context']>['approval']): RulesInput => ({
  ...USD,
  context: { approval },
});
const faultsOf = (context: object) =>
  detailsOf(Rules.safeParse({ version: '2.0', ...USD, context }).error ?? { issues: [] }, { context });

describe('the people that a purchase takes', () => {
  const list = steps([
    { people: 3, above: 1000, roles: ['OWNER'], not_owner_of_agent: true },
    { people: 1, above: 10 },
  ]);
  const cases: [string, RulesInput, number, number | undefined][] = [
    ['are none up to the amount', list, 1000, undefined],
    ['are those of the step above it', list, 1001, 1],
    ['are those of the lower step up to the next amount', list, 100_000, 1],
    ['are those of the highest step that it lies above, in any order of writing', list, 100_001, 3],
    ['are asked at every purchase where no amount is named', steps({ people: 2 }), 1, 2],
    ['are asked above 0 alike', steps({ people: 2, above: 0 }), 1, 2],
    ['are not asked for without a rule', USD, 100_001, undefined],
  ];
  for (const [name, rules, amountMinor, people] of cases) {
    test(name, () => {
      const quorum = compilePolicy(rulesOf(rules)).quorumFor(amountMinor, 'USD');
      assert.equal(quorum?.people, people);
      assert.deepEqual(causesOf(rules, { amountMinor }), people === undefined ? [] : ['approval']);
    });
  }

  test('have the roles OWNER and ADMIN where none is named, and otherwise those alone', () => {
    const quorumOf = (rules: RulesInput) => compilePolicy(rulesOf(rules)).quorumFor(100_001, 'USD');
    assert.deepEqual(quorumOf(steps({ people: 1 }))?.roles, ['OWNER', 'ADMIN']);
    assert.deepEqual(quorumOf(list), {
      people: 3,
      above: 1000,
      roles: ['OWNER'],
      usersAlone: true,
      notOwnerOfAgent: true,
    });
  });

  test('are asked in no other currency than the policy’s, whose amounts are not comparable', () => {
    assert.equal(compilePolicy(rulesOf(list)).quorumFor(100_001, 'EUR'), undefined);
    assert.deepEqual(causesOf(list, { amountMinor: 100_001, currency: 'EUR' }), []);
  });

  test('are told in the cause and in the policy’s own sentence', () => {
    assert.equal(
      judge(list, { amountMinor: 100_001 }).presenceCauses[0]?.message,
      '1,000.01 USD, more than 1000, takes the approval of 3 people with the role OWNER, not the agent’s owner.',
    );
  });

  test('cannot be asked where no person is, so that the purchase is over the cap', () => {
    const never: RulesInput = { ...USD, context: { presence: 'never', approval: { people: 2, above: 10 } } };
    assert.deepEqual(codesOf(never, { amountMinor: 1000 }), []);
    assert.deepEqual(codesOf(never, { amountMinor: 1001 }), ['AMOUNT_OVER_CAP']);
  });
});

describe('a wrong rule', () => {
  const cases: [string, object, string, RegExp][] = [
    [
      'VIEWER in the roles',
      { approval: { people: 2, roles: ['VIEWER'] } },
      'context.approval.roles.0',
      /VIEWER decides on/,
    ],
    ['no person', { approval: { people: 0 } }, 'context.approval.people', /1/],
    ['six people', { approval: [{ people: 6 }] }, 'context.approval.0.people', /5/],
    ['half a person', { approval: { people: 1.5 } }, 'context.approval.people', /int|whole/],
    ['no role at all', { approval: { people: 1, roles: [] } }, 'context.approval.roles', /1/],
    ['an unknown member', { approval: { people: 1, over: 3 } }, 'context.approval.over', /not a known member/],
    ['no step in the list', { approval: [] }, 'context.approval', /1/],
    ['a negative amount', { approval: { people: 1, above: -1 } }, 'context.approval.above', /0/],
    [
      'an amount that the currency cannot have',
      { approval: [{ people: 1, above: 0.001 }] },
      'context.approval.0.above',
      /./,
    ],
    [
      'two steps above one amount',
      { approval: [{ people: 1 }, { people: 2, above: 0 }] },
      'context.approval',
      /one step/,
    ],
    ['less than a minute', { approval_ttl: '59s' }, 'context.approval_ttl', /from 1m to 7d/],
    ['more than a week', { approval_ttl: '8d' }, 'context.approval_ttl', /from 1m to 7d/],
    ['no duration', { approval_ttl: 'soon' }, 'context.approval_ttl', /such as 24h/],
  ];
  for (const [name, context, path, message] of cases) {
    test(`${name} is refused, at its place`, () => {
      const faults = faultsOf(context);
      assert.ok(
        faults.some((fault) => fault.path === path && message.test(fault.message)),
        JSON.stringify(faults),
      );
    });
  }

  test('the shortest and the longest time are taken', () => {
    for (const [text, ms] of [
      ['1m', 60_000],
      ['60s', 60_000],
      ['7d', 604_800_000],
    ] as const) {
      assert.equal(compilePolicy(rulesOf({ context: { approval_ttl: text } })).approvalMs, ms);
    }
    assert.equal(compilePolicy(rulesOf({})).approvalMs, 900_000);
  });
});

describe('a change', () => {
  const two = steps({ people: 2, above: 100 });
  const directions = (former: RulesInput, next: RulesInput) =>
    compareRules(rulesOf(former), rulesOf(next)).map(({ direction }) => direction);
  const cases: [string, RulesInput, RulesInput, string[]][] = [
    ['that asks several people is tighter', USD, two, ['tighter']],
    ['that asks them no more is looser', two, USD, ['looser']],
    ['to more people is tighter', two, steps({ people: 3, above: 100 }), ['tighter']],
    ['to fewer people is looser', two, steps({ people: 1, above: 100 }), ['looser']],
    ['to a lower amount is tighter', two, steps({ people: 2, above: 99 }), ['tighter']],
    ['to a higher amount is looser', two, steps({ people: 2, above: 101 }), ['looser']],
    ['to more roles is looser', two, steps({ people: 2, above: 100, roles: ['OWNER', 'ADMIN', 'MEMBER'] }), ['looser']],
    ['to fewer roles is tighter', two, steps({ people: 2, above: 100, roles: ['OWNER'] }), ['tighter']],
    [
      'without the agent’s owner is tighter',
      two,
      steps({ people: 2, above: 100, not_owner_of_agent: true }),
      ['tighter'],
    ],
    ['to more people of more roles is looser', two, steps({ people: 5, above: 100, roles: ['MEMBER'] }), ['looser']],
    ['of the way it is written is none', two, steps([{ people: 2, above: 100, roles: ['ADMIN', 'OWNER'] }]), []],
    [
      'with a higher step that asks fewer is looser',
      two,
      steps([
        { people: 2, above: 100 },
        { people: 1, above: 1000 },
      ]),
      ['looser'],
    ],
    ['to a longer time is looser', {}, { context: { approval_ttl: '16m' } }, ['looser']],
    ['to a shorter time is tighter', {}, { context: { approval_ttl: '14m' } }, ['tighter']],
    ['to the time that holds without it is none', {}, { context: { approval_ttl: '15m' } }, []],
  ];
  for (const [name, former, next, expected] of cases) {
    test(name, () => assert.deepEqual(directions(former, next), expected));
  }
});

test('steps that never apply, and those that ask fewer people for more money, are told to the owner', () => {
  const told = (rules: RulesInput) => warningsOf(rulesOf(rules)).map(({ path, message }) => [path, message]);
  assert.deepEqual(
    told({ spend: { amount_cap: 100, currency: 'USD' }, context: { approval: { people: 2, above: 100 } } }),
    [['context.approval', 'The step above 100 never applies: no purchase above 100 passes.']],
  );
  assert.deepEqual(told({ context: { approval: [{ people: 2 }, { people: 1, above: 50 }] } }), [
    ['context.approval', 'The step above 50 takes fewer people than the one before it.'],
  ]);
  assert.deepEqual(
    told({ context: { presence: 'never', approval: { people: 2, above: 10 }, approval_ttl: '2h' } }).map(
      ([path]) => path,
    ),
    ['context.approval', 'context.approval_ttl'],
  );
  assert.deepEqual(
    told({
      context: {
        approval: [
          { people: 1, above: 10 },
          { people: 2, above: 50 },
        ],
      },
    }),
    [],
  );
});
