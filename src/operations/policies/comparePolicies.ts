/** What a draft changes of the current policy, or of another draft, rule by rule, and whether it lets anything more through. */

import { z } from 'zod';
import { compareRules, isLooser, RuleChange } from '../../../protocol/policy/compareRules.ts';
import { warningsOf } from '../../../protocol/policy/contradictions.ts';
import { Warnings } from '../../../protocol/policy/record.ts';
import { Rules } from '../../../protocol/policy/rules.ts';
import { loadPolicy } from '../../domain/policies/loadFacts.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

const ComparePolicies = z.object({
  former: Rules.optional().describe('The current policy’s rules when absent.'),
  next: Rules,
});
type ComparePolicies = z.output<typeof ComparePolicies>;

const PolicyDifference = z.object({
  looser: z
    .boolean()
    .describe('Whether something may pass that did not: the person who publishes it is asked for their passkey.'),
  changes: z.array(RuleChange).describe('One entry for each rule that changes; none where both allow the same.'),
  warnings: Warnings,
});
type PolicyDifference = z.infer<typeof PolicyDifference>;

export const comparePolicies = useCase({
  summary: 'Compares a draft with the current policy, or with another draft, and tells what becomes looser.',
  input: ComparePolicies,
  output: PolicyDifference,
  permission: 'read',
  faults: ['CONFLICT'],
  run: inOneRead<ComparePolicies, PolicyDifference>(function* (
    deps: Pick<Deps, 'policies'>,
    { tenantId },
    { former, next },
  ) {
    const changes = compareRules(former ?? (yield* loadPolicy(deps, tenantId)).compiled.rules, next);
    return { looser: isLooser(changes), changes, warnings: warningsOf(next) };
  }),
});
