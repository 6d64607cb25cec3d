/** A budget as one sentence, and the name that is made from it. What is not chosen yet is left out. */
import { amountText } from '../values/amount.ts';
import { wordsOf } from '../values/codeText.ts';
import { durationText } from './limitStates.ts';

/** A limit of `risk.limits`, as far as it is written. */
export type WrittenBudget = Readonly<Record<string, unknown>>;

/** The scope of a limit that one agent has of its own. */
export const OWN = 'own';

const FOR: Readonly<Record<string, string>> = {
  [OWN]: 'for this agent',
  agent: 'for each agent',
  principal: 'for the agents of each person or company together',
  policy: 'for all agents together',
};

/** What names say of it; a limit that all agents share says nothing. */
const EACH: Readonly<Record<string, string>> = { agent: ', each agent', principal: ', each holder' };

/** @param currency the policy's @returns such as "400.00 USD per month on groceries for all agents together" */
export function budgetText(budget: WrittenBudget, currency?: string): string {
  const { max_amount: amount, max_transactions: count, scope = 'agent' } = budget;
  const { currency: own = currency, timezone } = budget;
  const most = [
    ...(typeof amount === 'number'
      ? [own === undefined ? `${amount} of each currency` : amountText(amount, `${own}`)]
      : []),
    ...(count === undefined ? [] : [`${count} ${count === 1 ? 'purchase' : 'purchases'}`]),
  ];
  const parts = [
    most.join(' and ') || 'A budget',
    `${periodText(budget)}${timezone === undefined || timezone === 'UTC' ? '' : ` (${timezone})`}`,
    onText(budget),
    FOR[String(scope)],
  ];
  return parts.filter(Boolean).join(' ');
}

/** @returns what the policy says by it, with its name where that is another one than the sentence gives */
export function budgetSentence(budget: WrittenBudget, currency?: string): string {
  const { name, action } = budget;
  const given = budgetName(budget) === name ? '' : ` (“${name}”)`;
  const over = action === 'presence' ? 'a person is asked' : 'a purchase is refused';
  return `${budgetText(budget, currency)}; above it ${over}${given}.`;
}

/** As the schema takes it, and as long as a person reads. */
const MOST_NAMED = 30;

/** @param taken names of the other limits @returns such as "Groceries per month" or "Spending per day, each agent" */
export function budgetName(budget: WrittenBudget, taken: readonly unknown[] = []): string {
  const { category, merchant, scope = 'agent', max_amount: amount, max_transactions: count } = budget;
  const [shop] = [merchant].flat();
  const what =
    wordsOf(`${category || ''}`) ||
    `${shop || (amount === undefined && count !== undefined ? 'Purchases' : 'Spending')}`;
  const whose = EACH[String(scope)] ?? '';
  const name = `${what.slice(0, MOST_NAMED)} ${periodText(budget)}`.trim() + whose;
  for (let number = 2; ; number++) {
    const each = number === 2 && !taken.includes(name) ? name : `${name} ${number}`;
    if (!taken.includes(each)) return each;
  }
}

function periodText({ window }: WrittenBudget): string {
  if (typeof window !== 'string' || window === '') return '';
  return /^\d+[smhd]$/.test(window) ? `in ${durationText(window)}` : `per ${window}`;
}

function onText({ category, merchant }: WrittenBudget): string {
  if (category === undefined && merchant === undefined) return 'on everything';
  const of = category ? `on ${wordsOf(`${category}`).toLowerCase()}` : '';
  const at = [merchant ?? []].flat().filter(Boolean).join(' or ');
  return [of, at && `at ${at}`].filter(Boolean).join(' ');
}
