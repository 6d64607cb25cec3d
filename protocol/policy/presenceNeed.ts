/** When a person must be present: each cause with its rule, in the order in which they are reported. */
import type { CheckInput, Measure } from './check.ts';
import type { RulePresence } from './rule.ts';
import { RULES } from './ruleList.ts';
import { presenceMode } from './rules/presenceMode.ts';

type Asking = NonNullable<(typeof RULES)[number]['presence']>;
/** A rule of the policy that asks for a person. */
type RuleCause = Asking['cause'];
/** Why a person is asked: a rule, or the agent's or the merchant's own word. */
type PresenceCause = RuleCause | 'merchant';

export interface PresenceNeed {
  readonly cause: PresenceCause;
  readonly message: string;
}

/** What a rule says of one purchase goes first; that the policy asks at every purchase, last. */
export const PRESENCE_RULES: readonly RulePresence<RuleCause>[] = [
  ...RULES.filter((rule) => rule !== presenceMode),
  presenceMode,
].flatMap((rule) => rule.presence ?? []);

export const PRESENCE_CAUSES: readonly PresenceCause[] = [...PRESENCE_RULES.map(({ cause }) => cause), 'merchant'];

/**
 * Every cause that requires a person. Under `presence: never` there is none: amounts and anomalies that would require one
 * are refused by their own checks, and a new merchant is allowed, since no reason code refuses it.
 */
export function findPresenceCauses(input: CheckInput): PresenceNeed[] {
  const causes: PresenceNeed[] = [];
  for (const rule of input.policy.presenceRules) {
    const message = rule.asks(input);
    if (message !== undefined) causes.push({ cause: rule.cause, message });
  }
  return causes;
}

/** What such a rule compares; nothing under `presence: never`. */
export function measurePresence({ measure }: RulePresence): Measure {
  return (input) =>
    input.policy.rules.context?.presence === 'never'
      ? { notAsked: 'The policy never asks for a person.' }
      : measure(input);
}
