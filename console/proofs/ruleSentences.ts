/** A policy as sentences, and what a next one changes of them. */
import { compareRules, type RuleChange } from '../../protocol/policy/compareRules.ts';
import { valueAt, WORDED } from '../../protocol/policy/ruleMembers.ts';
import type { Rules } from '../../protocol/policy/rules.ts';
import { budgetSentence } from '../parts/limits/budgetText.ts';
import { VELOCITY_LIMIT } from '../parts/limits/measures.ts';
import { railText } from '../parts/rules/railText.ts';
import { amountText } from '../parts/values/amount.ts';

export interface RuleSentence {
  /** Of the rule in the policy, such as `spend.amount_cap`. */
  readonly path: string;
  readonly sentence: string;
  /** Of a limit over time: its name. */
  readonly name?: string;
}

export function sentencesFor(rules: Rules): readonly RuleSentence[] {
  const currency = rules.spend?.currency;
  const money = (amount: number) =>
    currency === undefined ? `${amount} of any currency` : amountText(amount, currency);
  return WORDED.flatMap((member): RuleSentence[] => {
    const { path } = member;
    if (path === 'risk.limits') {
      const limits = rules.risk?.limits ?? [];
      return limits.map((limit) => ({ path, name: limit.name, sentence: budgetSentence(limit, currency) }));
    }
    const value = valueAt(rules, path);
    const sentence = value === undefined ? undefined : member.sentence?.(value, { rules, money, rail: railText });
    if (sentence === undefined) return [];
    return [path === 'risk.velocity_limit' ? { path, sentence, name: VELOCITY_LIMIT } : { path, sentence }];
  });
}

/** What the policy says no longer, and what it says from then on, of one rule. */
export interface ChangedSentences extends Pick<RuleChange, 'path' | 'direction'> {
  readonly former: readonly string[];
  readonly next: readonly string[];
}

/** A sentence names no more of a list than this: what comes and goes of a longer one is told instead. */
const MOST_NAMED = 12;

export function changedSentences(former: Rules, next: Rules): readonly ChangedSentences[] {
  const [were, are] = [sentencesFor(former), sentencesFor(next)];
  const told = new Set<string>();
  /** Those of a rule, its parts or its whole that the other policy lacks, once. */
  const lacking = (some: readonly RuleSentence[], others: readonly RuleSentence[], of: string) =>
    some
      .filter(({ path, sentence }) => {
        const isOf = `${of}.`.startsWith(`${path}.`) || path.startsWith(`${of}.`);
        return isOf && !told.has(sentence) && !others.some((other) => other.sentence === sentence);
      })
      .map(({ sentence }) => sentence);
  return compareRules(former, next).map((change) => {
    const { path, direction, sentence } = change;
    const said = { former: lacking(were, are, path), next: lacking(are, were, path) };
    for (const each of [...said.former, ...said.next]) told.add(each);
    const isLong = [change.former, change.next].some((list) => Array.isArray(list) && list.length > MOST_NAMED);
    const isSilent = said.former.length + said.next.length === 0;
    if (isSilent || (isLong && path !== 'risk.limits')) return { path, direction, former: [], next: [sentence] };
    return { path, direction, ...said };
  });
}
