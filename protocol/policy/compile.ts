/** Compiles a policy's rules to sets and clocks, once for each version, so that an evaluation takes microseconds. */
import { RULES } from './ruleList.ts';
import type { Rules } from './rules.ts';

/** What each rule adds, in one. */
type Compiled = Merged<ReturnType<NonNullable<(typeof RULES)[number]['compile']>>>;
type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

export type CompiledPolicy = { readonly rules: Rules } & Compiled;

/** @param rules as Rules has accepted them */
export function compilePolicy(rules: Rules): CompiledPolicy {
  const parts = RULES.map((rule) => rule.compile?.(rules));
  return Object.assign({ rules }, ...parts);
}
