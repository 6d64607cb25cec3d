/** A budget while it is written: what was chosen, what is missing yet, and the name that follows what it says. */
import { budgetName, type WrittenBudget } from './budgetText.ts';

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

/** Whether it has what its sentence with fields has no place for: a number of purchases, a time zone, a shop beside a category. */
export function saysMore({ max_transactions: count, timezone = 'UTC', category, merchant }: WrittenBudget): boolean {
  return count !== undefined || timezone !== 'UTC' || (category !== undefined && merchant !== undefined);
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

/** @returns what is no number as it was typed, for what is wrong with it to be said; undefined for an empty text */
export function typedNumber(text: string): number | string | undefined {
  const trimmed = text.trim();
  return /^-?\d+(\.\d*)?$/.test(trimmed) ? Number(trimmed) : trimmed || undefined;
}

/** What is wrong with a member of a budget. */
export interface BudgetIssue {
  readonly member: string;
  readonly message: string;
}

const MISSING: Readonly<Record<string, string>> = {
  max_amount: 'Say how much money, or under More how many purchases.',
  window: 'Choose a period.',
  category: 'Choose what counts: everything, a category or a merchant.',
  merchant: 'Name the merchant, such as shop.example.',
  scope: 'Choose whose purchases count.',
};

/** @returns what is not said yet, in words */
export function missingIn(budget: WrittenBudget): readonly BudgetIssue[] {
  return Object.entries(MISSING)
    .filter(([member]) => isMissing(budget, member))
    .map(([member, message]) => ({ member, message }));
}

function isMissing(limit: WrittenBudget, member: string): boolean {
  if (member === 'max_amount') return limit['max_amount'] === undefined && limit['max_transactions'] === undefined;
  return limit[member] === '' || (member === 'window' && limit['window'] === undefined);
}
