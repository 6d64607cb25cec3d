/** A policy as sentences, one for each rule that is set. */
import { valueAt, WORDED } from '../../protocol/policy/ruleMembers.ts';
import type { Rules } from '../../protocol/policy/rules.ts';
import { amountText } from '../parts/values/amount.ts';

export interface RuleSentence {
  /** Of the rule in the policy, such as `spend.amount_cap`. */
  readonly path: string;
  readonly sentence: string;
}

export function sentencesFor(rules: Rules): readonly RuleSentence[] {
  const currency = rules.spend?.currency;
  const money = (amount: number) =>
    currency === undefined ? `${amount} of any currency` : amountText(amount, currency);
  return WORDED.flatMap((member) => {
    if (member.sentence === undefined) return [];
    const value = valueAt(rules, member.path);
    const sentence = value === undefined ? undefined : member.sentence(value, { rules, money });
    return sentence === undefined ? [] : [{ path: member.path, sentence }];
  });
}
