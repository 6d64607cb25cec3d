/** A budget while it is written: what was chosen, what is missing yet, and the name that follows what it says. */
import { budgetName, budgetText, type WrittenBudget } from '../../../../parts/limits/budgetText.ts';
import type { DraftProblem } from '../../../../proofs/draftRules.ts';
import { memberAt } from './fieldText.ts';

export const LIMITS = 'risk.limits';

/** An empty text is a choice that is not made yet, which the schema refuses as well: what is left out would be everything, for each agent. */
export const NEW_BUDGET: WrittenBudget = { name: 'Budget', window: 'month', category: '', scope: '' };

/** What a budget counts, besides the name of a category. */
export const EVERYTHING = '*';
export const MERCHANT = '@';

export function countedBy({ category, merchant }: WrittenBudget): string {
  if (category !== undefined) return `${category}`;
  return merchant === undefined ? EVERYTHING : MERCHANT;
}

/** @param chosen EVERYTHING, MERCHANT, or the name of a category; a merchant beside a category stays with the next one */
export function countingOf({ category, merchant }: WrittenBudget, chosen: string): WrittenBudget {
  if (chosen === EVERYTHING) return { category: undefined, merchant: undefined };
  if (chosen === MERCHANT) return { category: undefined, merchant: '' };
  return { category: chosen, merchant: category ? merchant : undefined };
}

/** One domain, or several that count together, separated by commas or spaces. */
export function merchantsIn(text: string): string | readonly string[] {
  const [first = '', ...more] = text.split(/[\s,]+/).filter(Boolean);
  return more.length === 0 ? first : [first, ...more];
}

/** @param taken names of the other budgets @returns the same with other members; a name that was made follows */
export function withChange(budget: WrittenBudget, change: WrittenBudget, taken: readonly unknown[]): WrittenBudget {
  const next = Object.fromEntries(Object.entries({ ...budget, ...change }).filter(([, value]) => value !== undefined));
  const isMade = ['', 'Budget', undefined, budgetName(budget, taken)].includes(budget['name'] as string | undefined);
  const isNamed = Object.hasOwn(change, 'name') && next['name'] !== undefined;
  return isNamed || (!isMade && next['name'] !== undefined) ? next : { ...next, name: budgetName(next, taken) };
}

const MISSING: Readonly<Record<string, string>> = {
  max_amount: 'Say how much money, or under More how many purchases.',
  window: 'Choose a period.',
  category: 'Choose what counts: everything, a category or a merchant.',
  merchant: 'Name the merchant, such as shop.example.',
  scope: 'Choose whose purchases count.',
};

/** @param problems of the draft, as the schema finds them @returns the same; what a budget lacks is said in words */
export function withMissing(json: unknown, problems: readonly DraftProblem[]): readonly DraftProblem[] {
  const limits = memberAt(json, LIMITS.split('.'));
  if (!Array.isArray(limits)) return problems;
  return limits.reduce<readonly DraftProblem[]>((found, limit: WrittenBudget, index) => {
    if (typeof limit !== 'object' || limit === null) return found;
    const at = `${LIMITS}.${index}`;
    const missing = Object.keys(MISSING).filter((member) => isMissing(limit, member));
    if (missing.length === 0) return found;
    const own = missing.map((member) => ({ path: `${at}.${member}`, message: MISSING[member] ?? '' }));
    return [...found.filter(({ path }) => path !== at && !own.some((each) => each.path === path)), ...own];
  }, problems);
}

function isMissing(limit: WrittenBudget, member: string): boolean {
  if (member === 'max_amount') return limit['max_amount'] === undefined && limit['max_transactions'] === undefined;
  return limit[member] === '' || (member === 'window' && limit['window'] === undefined);
}

/** @returns the budget that a problem is about as its sentence; undefined for a problem of another rule */
export function budgetAt(json: unknown, path: string): string | undefined {
  const [, index] = /^risk\.limits\.(\d+)/.exec(path) ?? [];
  if (index === undefined) return undefined;
  const limit = memberAt(json, ['risk', 'limits', Number(index)]);
  const currency = memberAt(json, ['spend', 'currency']);
  return budgetText((limit ?? {}) as WrittenBudget, typeof currency === 'string' ? currency : undefined);
}
