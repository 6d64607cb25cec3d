/** The budgets of a draft: where they stand in it, a new one, and what they lack yet. */
import { budgetText, type WrittenBudget } from '../../../../parts/limits/budgetText.ts';
import { missingIn } from '../../../../parts/limits/writtenBudget.ts';
import type { DraftProblem } from '../../../../proofs/draftRules.ts';
import { memberAt } from './fieldText.ts';

export const LIMITS = 'risk.limits';

/** An empty text is a choice that is not made yet, which the schema refuses as well: what is left out would be everything, for each agent. */
export const NEW_BUDGET: WrittenBudget = { name: 'Budget', window: 'month', category: '', scope: '' };

/** @param problems of the draft, as the schema finds them @returns the same; what a budget lacks is said in words */
export function withMissing(json: unknown, problems: readonly DraftProblem[]): readonly DraftProblem[] {
  const limits = memberAt(json, LIMITS.split('.'));
  if (!Array.isArray(limits)) return problems;
  return limits.reduce<readonly DraftProblem[]>((found, limit: WrittenBudget, index) => {
    if (typeof limit !== 'object' || limit === null) return found;
    const at = `${LIMITS}.${index}`;
    const own = missingIn(limit).map(({ member, message }) => ({ path: `${at}.${member}`, message }));
    if (own.length === 0) return found;
    return [...found.filter(({ path }) => path !== at && !own.some((each) => each.path === path)), ...own];
  }, problems);
}

/** @returns the budget that a problem is about as its sentence; undefined for a problem of another rule */
export function budgetAt(json: unknown, path: string): string | undefined {
  const [, index] = /^risk\.limits\.(\d+)/.exec(path) ?? [];
  if (index === undefined) return undefined;
  const limit = memberAt(json, ['risk', 'limits', Number(index)]);
  const currency = memberAt(json, ['spend', 'currency']);
  return budgetText((limit ?? {}) as WrittenBudget, typeof currency === 'string' ? currency : undefined);
}
