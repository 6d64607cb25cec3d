/** Compiled policies by version: a policy's rules are parsed and compiled once, not at each request. */
import { type CompiledPolicy, compilePolicy } from '../../../protocol/policy/compile.ts';
import { StoredRules } from '../../../protocol/policy/rules.ts';
import type { PolicyCache } from '../../usecase/services.ts';

/** Of the rules' texts, all together: what is made of them takes some 8 bytes for each. Beyond it all of them are dropped. */
const MOST_CHARACTERS = 1024 ** 2;

/** @param mostCharacters of all rules that are kept */
export function policyCache(mostCharacters: number = MOST_CHARACTERS): PolicyCache {
  const byVersion = new Map<string, CompiledPolicy>();
  let characters = 0;
  return {
    compiled(row) {
      const key = `${row.tenant_id} ${row.id} ${row.version} ${row.hash}`;
      let policy = byVersion.get(key);
      if (policy === undefined) {
        policy = compilePolicy(StoredRules.parse(JSON.parse(row.rules)));
        if (characters + row.rules.length > mostCharacters) {
          byVersion.clear();
          characters = 0;
        }
        characters += row.rules.length;
        byVersion.set(key, policy);
      }
      return policy;
    },
  };
}
