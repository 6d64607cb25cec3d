/** When a person must be present: each cause with its rule, in the order in which they are reported. */

import type { CheckInput, PresenceCause } from '../check.ts';
import { overLimit } from '../explain.ts';
import { findAnomaly } from './anomaly.ts';

export interface PresenceNeed {
  readonly cause: PresenceCause;
  readonly message: string;
}

interface PresenceRule {
  readonly cause: PresenceCause;
  /** @returns why a person is needed, or undefined */
  readonly asks: (input: CheckInput) => string | undefined;
}

const PRESENCE_RULES: readonly PresenceRule[] = [
  {
    cause: 'threshold',
    asks({ policy, request: { amountMinor, currency }, comparable }) {
      if (!comparable) return undefined;
      const { aloneMinor } = policy.amountsIn(currency);
      if (amountMinor <= aloneMinor) return undefined;
      return overLimit(amountMinor, aloneMinor, currency, 'what the agent may spend alone, which is').message;
    },
  },
  {
    cause: 'new_merchant',
    asks({ policy, request: { merchantDomain }, facts }) {
      if (policy.rules.context?.presence_new_merchant !== true) return undefined;
      if (merchantDomain === undefined || !facts.newMerchant) return undefined;
      return `The agent never paid ${merchantDomain} before.`;
    },
  },
  {
    cause: 'anomaly',
    asks: (input) =>
      input.policy.rules.risk?.anomaly?.action === 'presence' ? findAnomaly(input)?.message : undefined,
  },
  {
    cause: 'manual',
    asks: ({ policy }) =>
      policy.rules.context?.presence === 'required' ? 'The policy asks for a person at every purchase.' : undefined,
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
