/** An amount far above what the agent has paid before. */
import { z } from 'zod';
import { formatMoney } from '../../money.ts';
import type { ReasonDetail } from '../../reason.ts';
import type { CheckInput, Figures, SkipReason } from '../check.ts';
import { byNumber, limit, presentAtAll } from '../direction.ts';
import { NOT_SET, otherCurrency, overLimit, withinLimit } from '../explain.ts';
import type { Rule } from '../rule.ts';

/** How many payments the rule may consider. */
const MAX_HISTORY = 50;

interface Usual {
  /** The first of the amounts paid, which the others are relative to: equal payments have a deviation of exactly 0. */
  readonly first: number;
  readonly meanOffset: number;
  /** How far above the first an amount may be. */
  readonly reach: number;
}

/**
 * What is usual by the mean and the population standard deviation of earlier payments. When those were all equal, any higher
 * amount is an anomaly.
 * @returns undefined when the history is too short
 */
function findUsual({ policy, facts }: CheckInput): Usual | undefined {
  const rule = policy.rules.risk?.anomaly;
  const history = facts.paidAmountsMinor;
  const first = history[0];
  if (rule === undefined || first === undefined || history.length < rule.min_history) return undefined;
  const offsets = history.map((paid) => paid - first);
  const meanOffset = offsets.reduce((sum, offset) => sum + offset, 0) / offsets.length;
  const variance = offsets.reduce((sum, offset) => sum + (offset - meanOffset) ** 2, 0) / offsets.length;
  return { first, meanOffset, reach: meanOffset + rule.max_deviation * Math.sqrt(variance) };
}

const WHAT = 'what is usual, at most';

/** @returns the anomaly, or undefined when there is none, the history is too short, or the rule is not set */
function findAnomaly(input: CheckInput): ReasonDetail | undefined {
  if (!input.comparable) return undefined;
  const usual = findUsual(input);
  const { amountMinor, currency } = input.request;
  if (usual === undefined || amountMinor - usual.first <= usual.reach) return undefined;
  const mean = formatMoney(Math.round(usual.first + usual.meanOffset), currency);
  const detail = overLimit(amountMinor, Math.floor(usual.first + usual.reach), currency, WHAT);
  return { ...detail, message: `${detail.message} The agent's last payments average ${mean}.` };
}

/** What findAnomaly compares. */
function measureUsual(input: CheckInput): Figures | SkipReason {
  const { amountMinor, currency } = input.request;
  if (!input.comparable) return otherCurrency(input);
  const usual = findUsual(input);
  if (usual === undefined) return { notAsked: 'The agent has paid too few times for anything to be usual.' };
  return withinLimit(
    amountMinor,
    Math.min(Math.floor(usual.first + usual.reach), Number.MAX_SAFE_INTEGER),
    currency,
    WHAT,
  );
}

/** Under `presence: never`, an amount that a person should confirm is refused instead. */
function refusesAnomalies({ policy: { rules } }: CheckInput): boolean {
  return rules.risk?.anomaly?.action === 'deny' || rules.context?.presence === 'never';
}

const asksPerson = ({ policy: { rules } }: CheckInput) => rules.risk?.anomaly?.action === 'presence';

const schema = {
  risk: {
    anomaly: z
      .strictObject({
        min_history: z.int().min(1).max(MAX_HISTORY).describe('Payments there must be before it is judged.'),
        max_deviation: z.number().nonnegative().describe('Standard deviations above the mean.'),
        action: z.enum(['deny', 'presence']).describe('Deny it, or ask for a person.'),
      })
      .optional()
      .describe('What to do about an amount far above what the agent paid before.'),
  },
};

export const anomaly: Rule<typeof schema, 'ANOMALY_DETECTED', 'anomaly'> = {
  schema,
  members: {
    'risk.anomaly': {
      label: 'Unusual amounts',
      change: { label: 'unusual amounts', direction: presentAtAll },
      sentence({ min_history, max_deviation, action }) {
        const what = action === 'deny' ? 'is refused' : 'asks a person';
        return `After ${min_history} payments, an amount more than ${max_deviation} standard deviations above the agent’s mean ${what}.`;
      },
      parts: {
        min_history: {
          label: 'After so many payments',
          about: 'Before that no amount is unusual.',
          change: { label: 'payments before it is judged', direction: limit },
        },
        max_deviation: {
          label: 'Deviations',
          about: 'An amount is unusual that is more than so many standard deviations above the agent’s mean.',
          change: { label: 'deviations', direction: limit },
        },
        action: {
          label: 'What becomes of it',
          about: 'Deny: it is refused. Presence: a person approves it.',
          change: {
            label: 'what becomes of an unusual amount',
            direction: ({ former, next }) => byNumber(Number(next === 'deny'), Number(former === 'deny')),
          },
        },
      },
      docs: {
        about:
          'What happens with an amount far above the agent\'s earlier payments: once there are `min_history` payments, one more than `max_deviation` standard deviations above their mean is refused (`"action": "deny"`) or needs the person (`"action": "presence"`).',
        example: { risk: { anomaly: { min_history: 3, max_deviation: 2, action: 'deny' } } },
        cases: [
          {
            name: 'as usual',
            before: { paid: [10, 12, 14] },
            request: { amount: 15, currency: 'USD' },
            expect: { allowed: true },
          },
          {
            name: 'far above',
            before: { paid: [10, 12, 14] },
            request: { amount: 40, currency: 'USD' },
            expect: { allowed: false, reasonCodes: ['ANOMALY_DETECTED'] },
          },
          {
            name: 'too early to tell',
            before: { paid: [10, 12] },
            request: { amount: 40, currency: 'USD' },
            expect: { allowed: true },
          },
        ],
      },
    },
  },
  checks: [
    {
      code: 'ANOMALY_DETECTED',
      isSet: ({ rules }) => rules.risk?.anomaly !== undefined,
      check: (input) => (refusesAnomalies(input) ? findAnomaly(input) : undefined),
      measure: (input) =>
        input.policy.rules.risk?.anomaly === undefined || !refusesAnomalies(input) ? NOT_SET : measureUsual(input),
      helps: ['amount'],
      docs: {
        cause:
          'the amount is far above what this agent usually pays, and `risk.anomaly` has the action `deny`, or `context.presence` is `never`.',
        remedy: 'ask for less, or have the owner widen `max_deviation`, or set the action `presence`.',
      },
    },
  ],
  presence: {
    cause: 'anomaly',
    name: 'A person at an unusual amount',
    isSet: ({ rules }) => rules.risk?.anomaly !== undefined,
    asks: (input) => (asksPerson(input) ? findAnomaly(input)?.message : undefined),
    measure: (input) => (asksPerson(input) ? measureUsual(input) : NOT_SET),
  },
};
