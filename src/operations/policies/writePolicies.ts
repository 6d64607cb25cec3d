/** Creates and updates policies. Versions are never changed once written. */

import { CreatePolicy, UpdatePolicy, WrittenPolicy } from '../../../protocol/policy/record.ts';
import { StoredRules } from '../../../protocol/policy/rules.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { addPolicy, rowOf, writeVersion, written } from '../../domain/policies/addPolicy.ts';
import { showPolicy } from '../../domain/policies/showPolicy.ts';
import { findCurrentPolicy, findLatestPolicy } from '../../store/statements/registry/policies.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { requireMatch } from '../../usecase/entityTag.ts';
import { inOneCommit, useCase } from '../../usecase/useCase.ts';

export const createPolicy = useCase({
  summary: 'Creates a policy; it becomes the current one unless "activate" is false.',
  input: CreatePolicy,
  output: WrittenPolicy,
  permission: 'admin',
  faults: ['CONFLICT', 'PRECONDITION_FAILED'],
  idempotent: true,
  run: inOneCommit<CreatePolicy, WrittenPolicy>(function* (
    deps: EventDeps & Pick<Deps, 'policies'>,
    caller,
    input,
    { now },
  ) {
    yield* requireCurrent(caller, input);
    return yield* addPolicy(deps, caller, input, now);
  }),
});

export const updatePolicy = useCase({
  summary: 'Writes the next version of a policy; it is current if the version before was.',
  input: UpdatePolicy,
  output: WrittenPolicy,
  permission: 'admin',
  faults: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  idempotent: true,
  run: inOneCommit<UpdatePolicy, WrittenPolicy>(function* (
    deps: EventDeps & Pick<Deps, 'policies'>,
    caller,
    input,
    { now },
  ) {
    const latest = yield* findLatestPolicy(caller.tenantId, input.id);
    if (latest === undefined) throw new Fault('NOT_FOUND', `There is no policy ${input.id}.`);
    yield* requireCurrent(caller, input);
    const row = rowOf(
      deps,
      caller.tenantId,
      {
        id: latest.id,
        version: latest.version + 1,
        name: input.name ?? latest.name,
        rules: input.rules ?? StoredRules.parse(JSON.parse(latest.rules)),
        activate: latest.is_active === 1,
      },
      now,
    );
    yield* writeVersion(deps, caller, row, 'POLICY_UPDATED', now);
    return written(deps, row);
  }),
});

/** @throws Fault CONFLICT, PRECONDITION_FAILED where another version is current than the caller has seen */
function* requireCurrent(
  { tenantId }: Caller,
  { ifCurrent: seen, ifMatch }: CreatePolicy | UpdatePolicy,
): Script<void> {
  if (seen === undefined && ifMatch === undefined) return;
  const current = yield* findCurrentPolicy(tenantId);
  requireMatch(current && showPolicy(current), ifMatch);
  if (seen === undefined || (current?.id === seen?.id && current?.version === seen?.version)) return;
  const now = current === undefined ? 'No policy is' : `Version ${current.version} of ${current.id} is`;
  throw new Fault('CONFLICT', `${now} current by now. Look at what it says before you write over it.`);
}
