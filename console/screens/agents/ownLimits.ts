/** An agent's own limits as budgets that are filled in, and back. */
import type { Agent, LimitState } from '../../../client/operations.ts';
import { budgetText, OWN, type WrittenBudget } from '../../parts/limits/budgetText.ts';
import { limitsIn } from '../../parts/limits/limitStates.ts';
import { type ShownLimit, VELOCITY_LIMIT } from '../../parts/limits/measures.ts';
import { type BudgetIssue, merchantsIn, missingIn } from '../../parts/limits/writtenBudget.ts';

type OwnLimit = NonNullable<NonNullable<Agent['velocity']>['limits']>[number];

export interface OwnRow {
  /** Tells it from the other rows, for as long as they are typed into. */
  readonly key: number;
  /** As a policy would have it, of the scope `own`. */
  readonly budget: WrittenBudget;
}

/** As many as the node takes. */
export const MOST_LIMITS = 20;

/** What a policy calls otherwise than a request for an agent. */
const NAMES: Readonly<Record<string, string>> = { maxAmount: 'max_amount', maxTransactions: 'max_transactions' };

/** @param path of what the node found wrong, within a limit @returns the member of the budget that it is about */
export function memberOf(path: string): string {
  const [first = ''] = path.split('.');
  return NAMES[first] ?? (first || 'max_amount');
}

/** @param rows those that are there @param timezone of the person, in which a month most likely begins for them */
export function newRow(rows: readonly OwnRow[], timezone: string): OwnRow {
  const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
  // What counts is not chosen yet: without a choice it would be everything.
  return { key, budget: { name: 'Budget', window: 'month', timezone, category: '', scope: OWN } };
}

/**
 * The rows to begin with: the agent's own limits; where it has none, those of the policy in whose place they will be.
 * @param states every limit that holds for it @param limits the same, which say what currency is named
 */
export function rowsOf(
  { velocity }: Pick<Agent, 'velocity'>,
  states: readonly LimitState[],
  limits: readonly ShownLimit[],
): readonly OwnRow[] {
  if (velocity?.limits !== undefined) return velocity.limits.map(rowOf);
  const ofEach = states.filter(({ scope, name }) => scope === 'agent' && name !== VELOCITY_LIMIT);
  return limitsIn(ofEach).map((limit, key) => {
    const { window, timezone } = ofEach.find(({ name }) => name === limit.name) as LimitState;
    const named = limits.find(({ name, scope }) => name === limit.name && scope === 'agent');
    const { merchant } = limit;
    // What counts of a limit names its merchants in one text.
    const at = merchant === undefined ? {} : { merchant: merchantsIn(merchant) as OwnLimit['merchant'] };
    return rowOf({ ...limit, ...at, window, timezone, currency: named?.currency }, key);
  });
}

/** @returns the beginning of what still applies beside the rows: "Limits", or the limit over time with its maxima before them */
export function staysText(states: readonly LimitState[]): string {
  const most = states.filter(({ name }) => name === VELOCITY_LIMIT).map(maximumText);
  return most.length === 0 ? 'Limits' : `The limit over time (${most.join(', ')}) and limits`;
}

/** Such as "20 purchases in 1 day". */
function maximumText({ measure, limit, currency, window }: LimitState): string {
  const budget = measure === 'amount' ? { max_amount: limit } : { max_transactions: limit };
  // All that a limit over time counts is every purchase.
  return budgetText({ ...budget, window, scope: '' }, currency).replace(' on everything', '');
}

type WrittenLimit = {
  readonly [Member in Exclude<keyof OwnLimit, 'scope' | 'category'>]?: OwnLimit[Member] | undefined;
} & {
  readonly category?: string | undefined;
};

function rowOf(limit: WrittenLimit, key: number): OwnRow {
  const { name, maxTransactions, maxAmount, currency, window, timezone, merchant, category, action } = limit;
  return {
    key,
    budget: given({
      name,
      max_transactions: maxTransactions,
      max_amount: maxAmount,
      currency,
      window,
      timezone,
      merchant,
      category,
      action: action === 'presence' ? action : undefined,
      scope: OWN,
    }),
  };
}

/** Saved as no limit it would let more pass than the user meant. */
const NO_NUMBER = 'Enter a number, such as 250 or 99.5.';

/** @returns what is wrong with a budget before the node is asked */
export function issuesIn(budget: WrittenBudget): readonly BudgetIssue[] {
  const noNumbers = Object.values(NAMES).filter((member) => typeof budget[member] === 'string');
  return [...missingIn(budget), ...noNumbers.map((member) => ({ member, message: NO_NUMBER }))];
}

/** @returns what the node is asked to set; it says what else is wrong with it */
export function limitsOf(rows: readonly OwnRow[]): readonly OwnLimit[] {
  return rows.map(({ budget: { max_transactions: maxTransactions, max_amount: maxAmount, scope: _, ...budget } }) => {
    const isPeriod = /^[a-z]/.test(String(budget['window']));
    const name = String(budget['name'] ?? '').trim();
    const timezone = isPeriod ? budget['timezone'] : undefined;
    return given({ ...budget, name, maxTransactions, maxAmount, timezone }) as unknown as OwnLimit;
  });
}

function given(members: WrittenBudget): WrittenBudget {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
