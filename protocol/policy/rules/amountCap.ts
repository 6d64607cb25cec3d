/** The amount of one purchase: the most without a person, and the most with one present. */
import { z } from 'zod';
import { floorToMinor } from '../../money.ts';
import { byNumber, limit, NO_LIMIT } from '../direction.ts';
import { NOT_SET, otherCurrency, overLimit, withinLimit } from '../explain.ts';
import type { Rule } from '../rule.ts';
import type { Rules } from '../rules.ts';
import { stepsOf } from '../values/approvalStep.ts';
import { Amount } from '../values/ruleValues.ts';

type AmountLimits = {
  /** Purchases above it are refused. */
  readonly hardMinor: number;
  /** Purchases above it require a person; Infinity where the policy never asks one. */
  readonly aloneMinor: number;
};

type RuleForm = {
  /** The limits of one purchase, computed at the first use of a currency. */
  readonly amountsIn: (currency: string) => AmountLimits;
};

/**
 * The limits of one purchase in a currency. Limits finer than the currency's minor unit are rounded down, which changes
 * no decision, since amounts are whole minor units.
 */
function compileAmounts(rules: Rules, currency: string): AmountLimits {
  const minor = (amount: number | undefined) =>
    amount === undefined ? Number.POSITIVE_INFINITY : floorToMinor(amount, currency);
  const cap = minor(rules.spend?.amount_cap);
  const presenceCap = minor(rules.spend?.presence_cap ?? rules.spend?.amount_cap);
  const alone = Math.min(cap, minor(rules.context?.presence_threshold));
  // Where the policy never asks a person, amounts that would require one are over the cap.
  if (rules.context?.presence === 'never') {
    const unasked = minor(stepsOf(rules)[0]?.above);
    return { hardMinor: Math.min(alone, presenceCap, unasked), aloneMinor: Number.POSITIVE_INFINITY };
  }
  return { hardMinor: presenceCap, aloneMinor: alone };
}

/** Whether a policy refuses every amount, with a person as well as without. */
export function allowsNothing(rules: Rules): boolean {
  return compileAmounts(rules, rules.spend?.currency ?? 'USD').hardMinor === 0;
}

/** The most that passes at all, with a person. */
const highestCap = ({ spend }: Rules) => spend?.presence_cap ?? spend?.amount_cap ?? NO_LIMIT;

const schema = {
  spend: {
    amount_cap: z.number().nonnegative().optional().describe('Most that an agent may spend alone in one purchase.'),
    presence_cap: Amount.optional().describe('Most in one purchase with a person present; amount_cap when absent.'),
  },
};

export const amountCap: Rule<typeof schema, 'AMOUNT_OVER_CAP', never, RuleForm> = {
  schema,
  members: {
    'spend.amount_cap': {
      label: 'The most for one purchase',
      about: 'One purchase may cost so much at most; 0 allows nothing.',
      isAmount: true,
      change: { label: 'cap', direction: limit },
      sentence(cap, { rules, money }) {
        const alone = rules.spend?.presence_cap === undefined ? '' : ' without a person';
        return cap === 0 ? `Nothing may be bought${alone}.` : `One purchase may cost ${money(cap)} at most${alone}.`;
      },
      docs: {
        about: 'The most that an agent may spend in one purchase, in units of the currency. 0 allows nothing.',
        example: { spend: { amount_cap: 100, currency: 'USD' } },
        cases: [
          { name: 'at the cap', request: { amount: 100, currency: 'USD' }, expect: { allowed: true } },
          {
            name: 'above it',
            request: { amount: 100.01, currency: 'USD' },
            expect: { allowed: false, reasonCodes: ['AMOUNT_OVER_CAP'] },
          },
        ],
      },
    },
    'spend.presence_cap': {
      label: 'The most with a person',
      about:
        'With a person’s approval one purchase may cost so much. What lies above the other cap then asks a person.',
      isAmount: true,
      change: {
        label: 'cap with a person',
        // Without it the other cap holds with a person too.
        direction: ({ former, next, formerly, later }) =>
          former === next ? undefined : (byNumber(highestCap(formerly), highestCap(later)) ?? 'other'),
      },
      sentence: (cap, { money }) => `With a person’s approval one purchase may cost ${money(cap)} at most.`,
      docs: {
        about:
          "The most in one purchase with the person's approval. `amount_cap` is then what the agent may spend alone.",
        example: { spend: { amount_cap: 100, presence_cap: 200, currency: 'USD' } },
        cases: [
          { name: 'alone', request: { amount: 100, currency: 'USD' }, expect: { allowed: true, hpRequired: false } },
          {
            name: 'with the person',
            request: { amount: 150, currency: 'USD' },
            expect: { allowed: true, hpRequired: true },
          },
          {
            name: 'not at all',
            request: { amount: 250, currency: 'USD' },
            expect: { allowed: false, reasonCodes: ['AMOUNT_OVER_CAP'] },
          },
        ],
      },
    },
  },
  compile(rules) {
    const amounts = new Map<string, AmountLimits>();
    return {
      amountsIn(currency) {
        const known = amounts.get(currency) ?? compileAmounts(rules, currency);
        amounts.set(currency, known);
        return known;
      },
    };
  },
  checks: [
    {
      code: 'AMOUNT_OVER_CAP',
      check({ policy, request: { amountMinor, currency }, comparable }) {
        if (!comparable) return undefined;
        const { hardMinor } = policy.amountsIn(currency);
        return amountMinor > hardMinor ? overLimit(amountMinor, hardMinor, currency, 'the cap of') : undefined;
      },
      measure(input) {
        const { amountMinor, currency } = input.request;
        if (!input.comparable) return otherCurrency(input);
        const { hardMinor } = input.policy.amountsIn(currency);
        if (hardMinor === Number.POSITIVE_INFINITY) return NOT_SET;
        return withinLimit(amountMinor, hardMinor, currency, 'the cap of');
      },
      helps: ['amount'],
      docs: {
        cause:
          'the amount is above `spend.amount_cap`, or above `spend.presence_cap` where that is set; under `context.presence: "never"` also what would need the person (`context.presence_threshold`, `context.approval`).',
        remedy: 'ask for less, or have the owner raise the cap. `details` has `requested` and `limit`.',
      },
    },
  ],
  conflicts({ spend }) {
    const { amount_cap, presence_cap } = spend ?? {};
    if (amount_cap === undefined || presence_cap === undefined || presence_cap >= amount_cap) return [];
    return [{ path: 'spend.presence_cap', message: `must not be below amount_cap, which is ${amount_cap}` }];
  },
  warnings({ spend, context }) {
    const { amount_cap: cap, presence_cap: capWithPerson } = spend ?? {};
    if (context?.presence !== 'never' || capWithPerson === undefined || cap === undefined || capWithPerson <= cap)
      return [];
    const message = `It never applies: context.presence is never, so no purchase above amount_cap, ${cap}, passes.`;
    return [{ path: 'spend.presence_cap', message }];
  },
};
