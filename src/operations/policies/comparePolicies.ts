/** What a draft changes of the current policy, or of another draft, whether that loosens it, and who is over its limits already. */

import { z } from 'zod';
import { compareRules, isLooser, RuleChange } from '../../../protocol/policy/compareRules.ts';
import { compilePolicy } from '../../../protocol/policy/compile.ts';
import { warningsOf } from '../../../protocol/policy/contradictions.ts';
import { CountedMaximum } from '../../../protocol/policy/countedMaximum.ts';
import { Warnings } from '../../../protocol/policy/record.ts';
import { Rules } from '../../../protocol/policy/rules.ts';
import { draftUse } from '../../domain/policies/draftUse.ts';
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
  limits: z.array(CountedMaximum).describe('Each maximum of each limit of `next`, with what it would count now.'),
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
    now,
  ) {
    const policy = former === undefined ? (yield* loadPolicy(deps, tenantId)).compiled : compilePolicy(former);
    const changes = compareRules(policy.rules, next);
    const limits = yield* draftUse(tenantId, policy, compilePolicy(next), now);
    return { looser: isLooser(changes), changes, warnings: warningsOf(next), limits };
  }, 'readApart'),
});
