/** Rails: which may be used, and which comes first. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compilePolicy } from '../../../../protocol/policy/compile.ts';
import { candidateRails } from '../../../../protocol/policy/rules/rails.ts';
import { type RulesInput, rulesOf } from '../judge.ts';

describe('the rails of a purchase', () => {
  const configured = ['A', 'B', 'C'];
  const cases: [string, RulesInput['rails'], string[]][] = [
    ['are all that are configured without a rule', undefined, ['A', 'B', 'C']],
    ['are all that are configured when the list is empty', { allow: [] }, ['A', 'B', 'C']],
    ['are those allowed, in the order configured', { allow: ['C', 'A'] }, ['A', 'C']],
    ['begin with those of priority', { priorities: ['C', 'B'] }, ['C', 'B', 'A']],
    ['are not widened by priority', { allow: ['A', 'B'], priorities: ['C', 'B'] }, ['B', 'A']],
    ['are only those configured', { allow: ['X', 'B'], priorities: ['X'] }, ['B']],
    ['are none where none of those allowed is configured', { allow: ['X'] }, []],
    ['come once each', { priorities: ['B', 'B'] }, ['B', 'A', 'C']],
  ];
  for (const [name, rails, expected] of cases) {
    test(name, () => {
      const policy = compilePolicy(rulesOf(rails === undefined ? {} : { rails }));
      assert.deepEqual(candidateRails(policy, configured), expected);
    });
  }
});
