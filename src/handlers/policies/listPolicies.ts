/** Shows policies: the current one, or every version. */
import { z } from 'zod';
import { Policy } from '../../../protocol/policy/record.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { type Page, PageRequest, pageOf } from '../../../protocol/wire/page.ts';
import {
  findCurrentPolicy,
  type PolicyRow,
  listPolicies as selectPolicies,
} from '../../store/statements/registry/policies.ts';
import { positionOf, toPage } from '../core/paging.ts';
import { inOneRead, useCase } from '../core/useCase.ts';

export function showPolicy(policy: PolicyRow): Policy {
  return {
    id: policy.id,
    version: policy.version,
    name: policy.name,
    rules: JSON.parse(policy.rules),
    hash: policy.hash,
    isActive: policy.is_active === 1,
    createdAt: new Date(policy.created_at).toISOString(),
  };
}

const CurrentPolicy = z.object({});

export const currentPolicy = useCase({
  summary: 'Shows the policy that purchases are judged by now.',
  input: CurrentPolicy,
  output: Policy,
  permission: 'read',
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof CurrentPolicy>, Policy>(function* (_deps, caller) {
    const policy = yield* findCurrentPolicy(caller.tenantId);
    if (policy === undefined) throw new Fault('NOT_FOUND', 'No policy is current.');
    return showPolicy(policy);
  }),
});

const Position = z.object({ id: z.string(), version: z.int() });

export const listPolicies = useCase({
  summary: 'Lists every version of every policy, newest first.',
  input: PageRequest,
  output: pageOf(Policy),
  permission: 'read',
  run: inOneRead<PageRequest, Page<Policy>>(function* (_deps, caller, input) {
    const before = positionOf(Position, input.cursor);
    const rows = yield* selectPolicies(caller.tenantId, before, input.limit + 1);
    return toPage(rows, input.limit, showPolicy, (row) => ({ id: row.id, version: row.version }));
  }),
});
