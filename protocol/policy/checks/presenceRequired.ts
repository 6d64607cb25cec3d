/** When a person must be present: each cause with its rule, in the order in which they are reported. */

import type { CheckInput, Measure, PresenceCause } from '../check.ts';
import { NOT_SET, otherCurrency, overLimit, withinLimit } from '../explain.ts';
import { findAnomaly, measureUsual } from './anomaly.ts';

export interface PresenceNeed {
  readonly cause: PresenceCause;
  readonly message: string;
}

interface PresenceRule {
  readonly cause: PresenceCause;
  /** @returns why a person is needed, or undefined */
  readonly asks: (input: CheckInput) => string | undefined;
  readonly measure: Measure;
}

const ALONE = 'what the agent may spend alone, which is';

const PRESENCE_RULES: readonly PresenceRule[] = [
  {
    cause: 'threshold',
    asks({ policy, request: { amountMinor, currency }, comparable }) {
      if (!comparable) return undefined;
      const { aloneMinor } = policy.amountsIn(currency);
      if (amountMinor <= aloneMinor) return undefined;
      return overLimit(amountMinor, aloneMinor, currency, ALONE).message;
    },
    measure(input) {
      if (!input.comparable) return otherCurrency(input);
      const { amountMinor, currency } = input.request;
      const { aloneMinor } = input.policy.amountsIn(currency);
      return aloneMinor === Number.POSITIVE_INFINITY ? NOT_SET : withinLimit(amountMinor, aloneMinor, currency, ALONE);
    },
  },
  {
    cause: 'new_merchant',
    asks({ policy, request: { merchantDomain }, facts }) {
      if (policy.rules.context?.presence_new_merchant !== true) return undefined;
      if (merchantDomain === undefined || !facts.newMerchant) return undefined;
      return `The agent never paid ${merchantDomain} before.`;
    },
    measure({ policy, request: { merchantDomain } }) {
      if (policy.rules.context?.presence_new_merchant !== true) return NOT_SET;
      if (merchantDomain === undefined) return { notAsked: 'The request names no merchant; its cart will.' };
      return { asked: merchantDomain, sentence: `The agent paid ${merchantDomain} before.` };
    },
  },
  {
    cause: 'anomaly',
    asks: (input) =>
      input.policy.rules.risk?.anomaly?.action === 'presence' ? findAnomaly(input)?.message : undefined,
    measure: (input) => (input.policy.rules.risk?.anomaly?.action === 'presence' ? measureUsual(input) : NOT_SET),
  },
  {
    cause: 'manual',
    asks: ({ policy }) =>
      policy.rules.context?.presence === 'required' ? 'The policy asks for a person at every purchase.' : undefined,
    measure: () => NOT_SET,
  },
];

/**
 * Every cause that requires a person. Under `presence: never` there is none: amounts and anomalies that would require one
 * are refused by their own checks, and a new merchant is allowed, since no reason code refuses it.
 */
export function findPresenceCauses(input: CheckInput): PresenceNeed[] {
  if (input.policy.rules.context?.presence === 'never') return [];
  const causes: PresenceNeed[] = [];
  for (const { cause, asks } of PRESENCE_RULES) {
    const message = asks(input);
    if (message !== undefined) causes.push({ cause, message });
  }
  return causes;
}

/** What each of these rules compares; nothing under `presence: never`. */
export function measurePresence(cause: PresenceCause): Measure {
  const rule = PRESENCE_RULES.find((each) => each.cause === cause);
  return (input) =>
    input.policy.rules.context?.presence === 'never'
      ? { notAsked: 'The policy never asks for a person.' }
      : (rule?.measure(input) ?? NOT_SET);
}
