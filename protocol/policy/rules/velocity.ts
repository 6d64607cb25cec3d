/** The number and sum of purchases in a moving window. */
import { z } from 'zod';
import { byNumber, limit, presentAtAll } from '../direction.ts';
import { NOT_SET, otherCurrency, withinLimit } from '../explain.ts';
import { refuseOver, tightestOf } from '../limitUse.ts';
import type { Remark, Rule } from '../rule.ts';
import { Duration, parseDurationMs } from '../values/duration.ts';
import { Amount } from '../values/ruleValues.ts';
import { type CompiledLimit, velocityLimit } from '../values/spendingLimit.ts';

type RuleForm = {
  readonly velocity: CompiledLimit | undefined;
};

const UNITS: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day' };

/** As it was written: `24h` is 24 hours. */
function windowText(duration: string): string {
  const count = Number.parseInt(duration, 10);
  return `${count} ${UNITS[duration.at(-1) ?? '']}${count === 1 ? '' : 's'}`;
}

const schema = {
  risk: {
    velocity_limit: z
      .strictObject({
        max_transactions: z.int().nonnegative().optional().describe('How many within the window.'),
        max_amount: Amount.optional().describe('How much within the window.'),
        time_window: Duration.describe('How long the sliding window is, such as 24h.'),
        // `agent` when absent.
        scope: z
          .enum(['agent', 'policy'])
          .optional()
          .describe('Whose purchases count together: one agent’s, or all of the tenant’s.'),
      })
      .refine(({ max_transactions, max_amount }) => max_transactions !== undefined || max_amount !== undefined, {
        message: 'needs max_transactions, max_amount or both',
      })
      .optional()
      .describe('How many purchases, or how much, within a sliding window.'),
  },
};

export const velocity: Rule<typeof schema, 'VELOCITY_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED', never, RuleForm> = {
  schema,
  members: {
    'risk.velocity_limit': {
      label: 'A limit over time',
      change: { label: 'limit over time', direction: presentAtAll },
      sentence({ max_transactions: count, max_amount: amount, time_window, scope }, { money }) {
        const limits = [
          ...(count === undefined ? [] : [`make ${count === 1 ? 'one purchase' : `${count} purchases`}`]),
          ...(amount === undefined ? [] : [`spend ${money(amount)}`]),
        ];
        const who = scope === 'policy' ? 'All agents together' : 'An agent';
        return `${who} may ${limits.join(' and ')} at most within ${windowText(time_window)}.`;
      },
      parts: {
        max_transactions: {
          label: 'The most purchases',
          about: 'So many purchases within the window.',
          change: { label: 'purchases', direction: limit },
        },
        max_amount: {
          label: 'The most spending',
          about: 'So much in all within the window; of each currency where the policy names none.',
          isAmount: true,
          change: { label: 'spending', direction: limit },
        },
        time_window: {
          label: 'Window',
          about: 'How far back it counts.',
          isDuration: true,
          change: {
            label: 'window',
            // A longer window holds more purchases.
            direction: ({ former = '1s', next = '1s' }) => byNumber(parseDurationMs(next), parseDurationMs(former)),
          },
        },
        scope: {
          label: 'Whose purchases count',
          about: 'Agent: each agent has the limit to itself. Policy: all agents share it.',
          change: {
            label: 'whose purchases count together',
            direction: ({ former = 'agent', next = 'agent' }) =>
              byNumber(Number(next === 'policy'), Number(former === 'policy')),
          },
        },
      },
      docs: {
        about: `How many purchases, and how much, in a moving window: \`max_transactions\`, \`max_amount\` or both, in a \`time_window\` such as \`30m\`, \`24h\` or \`7d\`. With \`scope\` \`agent\` each agent has the limit to itself, which an agent's own limit (\`countersign agent limit\`) replaces; with \`policy\` all agents share it. An intent that was issued counts for the whole window, whatever becomes of it; what it reserves counts until it is released.

The limit holds twice: at the intent, over the intents of the window, and again at the payment, over the payments that were authorized in the window, and those not yet decided. So intents of several windows cannot all be paid in one, and a limit that is lowered reaches open intents. A payment that failed or was canceled does not count, a refunded one does. Currencies are never added: where \`spend.currency\` is absent, \`max_amount\` holds for each currency by itself.`,
        example: {
          spend: { currency: 'USD' },
          risk: { velocity_limit: { max_transactions: 3, max_amount: 200, time_window: '24h', scope: 'agent' } },
        },
        cases: [
          {
            name: 'the third',
            before: { transactions: 2, spent: 80 },
            request: { amount: 120, currency: 'USD' },
            expect: { allowed: true },
          },
          {
            name: 'the fourth',
            before: { transactions: 3, spent: 80 },
            request: { amount: 5, currency: 'USD' },
            expect: { allowed: false, reasonCodes: ['VELOCITY_EXCEEDED'] },
          },
          {
            name: 'too much together',
            before: { transactions: 1, spent: 190 },
            request: { amount: 11, currency: 'USD' },
            expect: { allowed: false, reasonCodes: ['SPENDING_LIMIT_EXCEEDED'] },
          },
        ],
      },
    },
  },
  compile({ risk }) {
    const rule = risk?.velocity_limit;
    if (rule === undefined) return { velocity: undefined };
    const { scope = 'agent', time_window: window, max_transactions: maxTransactions, max_amount: maxAmount } = rule;
    return { velocity: velocityLimit({ scope, window, maxTransactions, maxAmount }) };
  },
  // Both are about every limit over time, those of risk.limits too.
  checks: [
    {
      code: 'VELOCITY_EXCEEDED',
      name: 'Purchases in a window',
      check: (input) => refuseOver(input, 'purchases'),
      // Of several limits the one that leaves the least.
      measure(input) {
        const tightest = tightestOf(input, 'deny', ['purchases']);
        if (tightest === undefined) return NOT_SET;
        const { requested: asked, limit, within } = tightest;
        const left = limit - asked;
        const sentence = `This is purchase ${asked} ${within}; the limit of ${limit} leaves ${left}.`;
        return { asked, limit, left, sentence };
      },
      helps: ['time'],
      docs: {
        cause:
          'the agent, or those whose purchases count together, made as many purchases as the limit allows in its window. `limits` has every limit that refused; `details` is about the one that is passed furthest.',
        remedy:
          'wait until a purchase leaves the window, or the period ends (`resetsInSeconds`). In a limit of `risk.limits`, an intent that expires, or whose payment is canceled, is no longer counted. The owner may set another limit with `countersign agent limit`, or in the policy.',
      },
    },
    {
      code: 'SPENDING_LIMIT_EXCEEDED',
      name: 'Spending in a window',
      check: (input) => refuseOver(input, 'amount'),
      // As of numbers: what was spent with this purchase.
      measure(input) {
        const tightest = tightestOf(input, 'deny', ['amount']);
        if (tightest === undefined) return input.comparable ? NOT_SET : otherCurrency(input);
        const { requested, limit, within } = tightest;
        return withinLimit(requested, limit, input.request.currency, `the limit ${within}, which is`);
      },
      helps: ['amount', 'time'],
      docs: {
        cause:
          "with this purchase the sum in the limit's window would exceed its maximum. `limits` has every limit that refused; `details` is about the one that is passed furthest.",
        remedy:
          'ask for at most what is `left`, or wait until the period ends (`resetsInSeconds`); a reservation is released when the intent expires or the payment is canceled.',
      },
    },
  ],
  warnings({ spend, risk }): readonly Remark[] {
    const { max_amount: most, max_transactions: count } = risk?.velocity_limit ?? {};
    const cap = spend?.amount_cap;
    const isOfEach = most !== undefined && spend?.currency === undefined;
    const smallerThanCap = most !== undefined && cap !== undefined && most < cap;
    return [
      ...(count === 0
        ? [{ path: 'risk.velocity_limit.max_transactions', message: 'It allows no purchase at all.' }]
        : []),
      ...(isOfEach
        ? [
            {
              path: 'risk.velocity_limit.max_amount',
              message: 'spend.currency names no currency, so the amount holds for each currency by itself.',
            },
          ]
        : []),
      ...(smallerThanCap
        ? [
            {
              path: 'risk.velocity_limit.max_amount',
              message: `It is less than amount_cap, ${cap}, so no single purchase above ${most} passes.`,
            },
          ]
        : []),
    ];
  },
};
