/** Checks whether anything can be bought at all: a policy that allows nothing is in force until its owner writes another. */
import { allowsNothing } from '../../../protocol/policy/rules/amountCap.ts';
import { type Rules, StoredRules } from '../../../protocol/policy/rules.ts';
import { listTenants } from '../../store/statements/node/tenants.ts';
import { findCurrentPolicy } from '../../store/statements/registry/policies.ts';
import type { Reader, Script, Store } from '../../store/store.ts';
import { type Finding, ok, warning } from '../../usecase/finding.ts';

const CHECK = 'policy';

/** @param policies in force, one for each tenant */
export function judgePolicies(policies: readonly { readonly name: string; readonly rules: Rules }[]): Finding {
  const empty = policies.find(({ rules }) => allowsNothing(rules));
  if (empty === undefined) return ok(CHECK, 'It allows purchases.');
  const remedy = 'write one (/docs/policies of the node says how), then: countersign policy apply FILE';
  return warning(CHECK, `The policy "${empty.name}" allows nothing, so every purchase is refused.`, remedy);
}

export async function checkPolicy(store: Reader, tenantId: string): Promise<Finding> {
  const row = await store.read(() => findCurrentPolicy(tenantId));
  return judgePolicies(row === undefined ? [] : [{ name: row.name, rules: StoredRules.parse(JSON.parse(row.rules)) }]);
}

export async function checkPolicies(store: Store): Promise<Finding> {
  const rows = await store.read(function* (): Script<{ name: string; rules: string }[]> {
    const found = [];
    for (const { id } of yield* listTenants()) {
      const row = yield* findCurrentPolicy(id);
      if (row !== undefined) found.push({ name: row.name, rules: row.rules });
    }
    return found;
  });
  return judgePolicies(rows.map(({ name, rules }) => ({ name, rules: StoredRules.parse(JSON.parse(rules)) })));
}
