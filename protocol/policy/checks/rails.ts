/** Which payment rails a purchase may take, best first. */
import type { CompiledPolicy } from '../compile.ts';

/**
 * @param configured the rails this node has, in its own order
 * @returns the configured rails that the policy allows: first those with priority, then the others
 */
export function candidateRails(policy: CompiledPolicy, configured: readonly string[]): string[] {
  const { allow = [], priorities = [] } = policy.rules.rails ?? {};
  const usable = allow.length === 0 ? configured : configured.filter((rail) => allow.includes(rail));
  return [...new Set([...priorities.filter((rail) => usable.includes(rail)), ...usable])];
}
