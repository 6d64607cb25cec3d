/** Compiles a policy's rules to sets and clocks, once for each version, so that an evaluation takes microseconds. */
import { CHECKS, PRESENCE_RULES } from './evaluate.ts';
import { RULES } from './ruleList.ts';
import type { Rules } from './rules.ts';

/** What each rule adds, in one. */
type RuleForms = UnionMembers<ReturnType<NonNullable<(typeof RULES)[number]['compile']>>>;
type UnionMembers<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** What of the rules is run for a purchase: what the policy sets, in the order in which it is reported. */
interface SetRules {
  readonly checks: typeof CHECKS;
  /** None under `presence: never`. */
  readonly presenceRules: typeof PRESENCE_RULES;
}

export type CompiledPolicy = { readonly rules: Rules } & RuleForms & SetRules;

/** @param rules as Rules has accepted them */
export function compilePolicy(rules: Rules): CompiledPolicy {
  const parts = RULES.map((rule) => rule.compile?.(rules));
  const policy: CompiledPolicy = Object.assign({ rules, ...allRules(rules) }, ...parts);
  return Object.assign(policy, {
    checks: policy.checks.filter(({ isSet }) => isSet?.(policy) !== false),
    presenceRules: policy.presenceRules.filter(({ isSet }) => isSet?.(policy) !== false),
  });
}

/** Every rule, set or not: the plain version of what a compiled policy runs. */
export function allRules({ context }: Rules): SetRules {
  return { checks: CHECKS, presenceRules: context?.presence === 'never' ? [] : PRESENCE_RULES };
}
