/** Writes versions of policies, and records them. */

import { hashOf } from '../../../protocol/credential/canonical.ts';
import { compareRules, isLooser } from '../../../protocol/policy/compareRules.ts';
import { warningsOf } from '../../../protocol/policy/contradictions.ts';
import type { WrittenPolicy } from '../../../protocol/policy/record.ts';
import type { Rules } from '../../../protocol/policy/rules.ts';
import { type Caller, requireTouch } from '../../access/caller.ts';
import {
  deactivatePolicies,
  findCurrentPolicy,
  insertPolicy,
  type PolicyRow,
} from '../../store/statements/registry/policies.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { recordAdminEvent } from '../evidence/recordEvent.ts';
import { nameNarrowings } from './nameNarrowings.ts';
import { showPolicy } from './showPolicy.ts';

/** Writes the first version of a policy. */
export function* addPolicy(
  deps: EventDeps & Pick<Deps, 'policies'>,
  caller: Caller,
  policy: { readonly name: string; readonly rules: Rules; readonly activate: boolean },
  now: number,
): Script<WrittenPolicy> {
  const row = rowOf(deps, caller.tenantId, { id: deps.newId('pol_'), version: 1, ...policy }, now);
  yield* writeVersion(deps, caller, row, 'POLICY_CREATED', now);
  return written(deps, row);
}

export function written(deps: Pick<Deps, 'policies'>, row: PolicyRow): WrittenPolicy {
  return { ...showPolicy(row), warnings: warningsOf(deps.policies.compiled(row).rules) };
}

export function rowOf(
  deps: Pick<Deps, 'newId' | 'suite'>,
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

export function* writeVersion(
  deps: EventDeps & Pick<Deps, 'policies'>,
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
    yield* nameNarrowings(row.tenant_id, next.risk?.limits ?? [], now);
    yield* deactivatePolicies(row.tenant_id);
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
