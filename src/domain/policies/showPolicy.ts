/** A policy as callers see it. */
import type { Policy } from '../../../protocol/policy/record.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { PolicyRow } from '../../store/statements/registry/policies.ts';

export function showPolicy(policy: PolicyRow): Policy {
  return {
    id: policy.id,
    version: policy.version,
    name: policy.name,
    rules: JSON.parse(policy.rules),
    hash: policy.hash,
    isActive: policy.is_active === 1,
    createdAt: isoTime(policy.created_at),
  };
}
