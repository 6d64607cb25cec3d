/** Creates and updates policies. Versions are never changed once written. */
import { hashOf } from '../../../protocol/credential/canonical.ts';
import { compareRules, isLooser } from '../../../protocol/policy/compareRules.ts';
import { warningsOf } from '../../../protocol/policy/contradictions.ts';
import { CreatePolicy, type IfCurrent, UpdatePolicy, WrittenPolicy } from '../../../protocol/policy/record.ts';
import { type Rules, StoredRules } from '../../../protocol/policy/rules.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { type Caller, requireTouch } from '../../access/caller.ts';
import { deleteWindows, sameWindow } from '../../store/statements/purchases/velocityWindows.ts';
import {
  deactivatePolicies,
  findCurrentPolicy,
  findLatestPolicy,
  insertPolicy,
  type PolicyRow,
} from '../../store/statements/registry/policies.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../core/deps.ts';
import { inOneCommit, useCase } from '../core/useCase.ts';
import { recordAdminEvent } from '../evidence/recordEvent.ts';
import { showPolicy } from './listPolicies.ts';

export const createPolicy = useCase({
  summary: 'Creates a policy; it becomes the current one unless "activate" is false.',
  input: CreatePolicy,
  output: WrittenPolicy,
  permission: 'admin',
  faults: ['CONFLICT'],
  idempotent: true,
  run: inOneCommit<CreatePolicy, WrittenPolicy>(function* (deps, caller, input, { now }) {
    yield* requireCurrent(caller, input.ifCurrent);
    return yield* addPolicy(deps, caller, input, now);
  }),
});

/** Writes the first version of a policy. */
export function* addPolicy(
  deps: Deps,
  caller: Caller,
  policy: { readonly name: string; readonly rules: Rules; readonly activate: boolean },
  now: number,
): Script<WrittenPolicy> {
  const row = rowOf(deps, caller.tenantId, { id: deps.newId('pol_'), version: 1, ...policy }, now);
  yield* writeVersion(deps, caller, row, 'POLICY_CREATED', now);
  return written(deps, row);
}

export const updatePolicy = useCase({
  summary: 'Writes the next version of a policy; it is current if the version before was.',
  input: UpdatePolicy,
  output: WrittenPolicy,
  permission: 'admin',
  faults: ['NOT_FOUND', 'CONFLICT'],
  idempotent: true,
  run: inOneCommit<UpdatePolicy, WrittenPolicy>(function* (deps, caller, input, { now }) {
    const latest = yield* findLatestPolicy(caller.tenantId, input.id);
    if (latest === undefined) throw new Fault('NOT_FOUND', `There is no policy ${input.id}.`);
    yield* requireCurrent(caller, input.ifCurrent);
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

function written(deps: Deps, row: PolicyRow): WrittenPolicy {
  return { ...showPolicy(row), warnings: warningsOf(deps.policies.compiled(row).rules) };
}

/** @throws Fault CONFLICT where another version is current than the caller has seen */
function* requireCurrent({ tenantId }: Caller, seen: IfCurrent): Script<void> {
  if (seen === undefined) return;
  const current = yield* findCurrentPolicy(tenantId);
  if (current?.id === seen?.id && current?.version === seen?.version) return;
  const now = current === undefined ? 'No policy is' : `Version ${current.version} of ${current.id} is`;
  throw new Fault('CONFLICT', `${now} current by now. Look at what it says before you write over it.`);
}

function rowOf(
  deps: Deps,
  tenantId: string,
  policy: {
    readonly id: string;
    readonly version: number;
    readonly name: string;
    readonly rules: Rules;
    readonly activate: boolean;
  },
  now: number,
): PolicyRow {
  return {
    tenant_id: tenantId,
    id: policy.id,
    version: policy.version,
    name: policy.name,
    rules: JSON.stringify(policy.rules),
    hash: hashOf(deps.suite, policy.rules),
    is_active: policy.activate ? 1 : 0,
    created_at: now,
    place: deps.newId('plv_'),
  };
}

function* writeVersion(
  deps: Deps,
  caller: Caller,
  row: PolicyRow,
  eventType: 'POLICY_CREATED' | 'POLICY_UPDATED',
  now: number,
): Script<void> {
  if (row.is_active === 1) {
    const former = yield* findCurrentPolicy(row.tenant_id);
    const next = deps.policies.compiled(row).rules;
    // Without a current policy nothing may be bought, so that any is looser.
    if (former === undefined || isLooser(compareRules(deps.policies.compiled(former).rules, next))) {
      requireTouch(caller, now);
    }
    yield* deactivatePolicies(row.tenant_id);
    const before = former === undefined ? undefined : deps.policies.compiled(former).limit;
    const after = deps.policies.compiled(row).limit;
    if (before !== undefined && !sameWindow(before, after)) yield* deleteWindows(row.tenant_id, before);
  }
  yield* insertPolicy(row);
  const data = {
    policyId: row.id,
    policyVersion: row.version,
    policyHash: row.hash,
    name: row.name,
    isActive: row.is_active === 1,
  };
  yield* recordAdminEvent(deps, caller, eventType, data, now);
}
