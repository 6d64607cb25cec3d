/** Compiled policies by version: a policy's rules are parsed and compiled once, not at each request. */
import { type CompiledPolicy, compilePolicy } from '../../../protocol/policy/compile.ts';
import { Rules } from '../../../protocol/policy/rules.ts';
import type { PolicyRow } from '../../store/statements/registry/policies.ts';

export interface PolicyCache {
  compiled(row: PolicyRow): CompiledPolicy;
}

const CAPACITY = 1000;

export function policyCache(): PolicyCache {
  const byVersion = new Map<string, CompiledPolicy>();
  return {
    compiled(row) {
      const key = `${row.tenant_id} ${row.id} ${row.version} ${row.hash}`;
      let policy = byVersion.get(key);
      if (policy === undefined) {
        policy = compilePolicy(Rules.parse(JSON.parse(row.rules)));
        if (byVersion.size >= CAPACITY) byVersion.clear();
        byVersion.set(key, policy);
      }
      return policy;
    },
  };
}
