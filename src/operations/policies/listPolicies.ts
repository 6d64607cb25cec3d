/** Shows policies: the current one, or every version. */
import { z } from 'zod';
import { Policy } from '../../../protocol/policy/record.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { showPolicy } from '../../domain/policies/showPolicy.ts';
import {
  findCurrentPolicy,
  type PolicyRow,
  listPolicies as selectPolicies,
} from '../../store/statements/registry/policies.ts';
import { listing } from '../../usecase/list/listing.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

const CurrentPolicy = z.object({});

export const currentPolicy = useCase({
  summary: 'Shows the policy that purchases are judged by now.',
  input: CurrentPolicy,
  output: Policy,
  permission: 'read',
  showsOwn: true,
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof CurrentPolicy>, Policy>(function* (_deps, caller) {
    const policy = yield* findCurrentPolicy(caller.tenantId);
    if (policy === undefined) throw new Fault('NOT_FOUND', 'No policy is current.');
    return showPolicy(policy);
  }),
});

export const listPolicies = listing({
  summary: 'Lists every version of every policy, newest first.',
  input: PageRequest,
  item: Policy,
  permission: 'read',
  order: {
    position: z.object({ place: z.string(), created_at: z.int(), id: z.string(), version: z.int() }),
    of: ({ place, created_at, id, version }: PolicyRow) => ({ place, created_at, id, version }),
  },
  select: ({ tenantId }, _input, before, limit) => selectPolicies(tenantId, before, limit),
  show: showPolicy,
});
