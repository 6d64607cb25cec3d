/** Judges one purchase by some rules, with the rest of the world left at rest unless a test says otherwise. */

import type { CheckInput, PolicyFacts, PolicyRequest } from '../../../protocol/policy/check.ts';
import { compilePolicy } from '../../../protocol/policy/compile.ts';
import { checkInput, type Evaluation, evaluate } from '../../../protocol/policy/evaluate.ts';
import { Rules } from '../../../protocol/policy/rules.ts';
import { limitsFor } from '../../../protocol/policy/values/spendingLimit.ts';

export const NOON = Date.UTC(2025, 0, 15, 12);

export type RulesInput = Omit<Rules, 'version'>;

export interface Situation extends Partial<PolicyRequest> {
  readonly newMerchant?: boolean;
  readonly paid?: readonly number[];
  /** other purchases in every window that the policy has */
  readonly used?: { readonly count: number; readonly amountMinor: number };
  readonly sameBefore?: PolicyFacts['sameBefore'];
  readonly now?: number;
}

export function rulesOf(rules: RulesInput): Rules {
  return Rules.parse({ version: '2.0', ...rules });
}

export function judge(rules: RulesInput, situation: Situation = {}): Evaluation {
  return evaluate(...judged(rules, situation));
}

/** What the checks are given. */
export function inputOf(rules: RulesInput, situation: Situation = {}): CheckInput {
  return checkInput(...judged(rules, situation));
}

function judged(rules: RulesInput, situation: Situation): Parameters<typeof evaluate> {
  const { newMerchant = false, paid = [], used = { count: 0, amountMinor: 0 }, sameBefore, now = NOON } = situation;
  const { newMerchant: _new, paid: _paid, used: _used, sameBefore: _same, now: _now, ...given } = situation;
  const policy = compilePolicy(rulesOf(rules));
  const facts: PolicyFacts = {
    limits: limitsFor(policy).map((limit) => ({ limit, ...used })),
    newMerchant,
    paidAmountsMinor: paid,
    sameBefore,
  };
  return [policy, { amountMinor: 1000, currency: 'USD', ...given }, facts, now];
}

/** The codes that speak against a purchase, in the order they were found. */
export function codesOf(rules: RulesInput, situation: Situation = {}): string[] {
  return Object.keys(judge(rules, situation).details);
}

export function causesOf(rules: RulesInput, situation: Situation = {}): string[] {
  return judge(rules, situation).presenceCauses.map(({ cause }) => cause);
}
