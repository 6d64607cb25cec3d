/** What people call the rules by the codes and causes that decisions have for them, and where a policy has each. */
import type { RuleCheck, RuleMember, RulePresence } from './rule.ts';
import { RULES } from './ruleList.ts';

interface RuleName {
  readonly name: string;
  /** In the policy, such as `spend.amount_cap`. */
  readonly path: string;
}

/** @returns by reason code, and by cause to ask for a person */
export function ruleNames(): Readonly<Record<string, RuleName>> {
  const names = RULES.flatMap((rule) => {
    const [[path, { label }]] = Object.entries(rule.members) as [[string, RuleMember]];
    const checks: readonly RuleCheck[] = rule.checks ?? [];
    const presence: readonly RulePresence[] = rule.presence === undefined ? [] : [rule.presence];
    return [
      ...checks.map(({ code, name = label }) => [code, { name, path }] as const),
      ...presence.map(({ cause, name = label }) => [cause, { name, path }] as const),
    ];
  });
  return Object.fromEntries(names);
}
