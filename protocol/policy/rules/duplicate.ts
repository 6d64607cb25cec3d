/** The same purchase again within a time. */
import { z } from 'zod';
import { floorToMinor, formatMoney } from '../../money.ts';
import type { CheckInput, Figures, SkipReason } from '../check.ts';
import type { CompiledPolicy } from '../compile.ts';
import { byNumber, limit, presentAtAll } from '../direction.ts';
import { NOT_SET, otherCurrency } from '../explain.ts';
import type { Remark, Rule } from '../rule.ts';
import { Duration, describeDuration, parseDurationMs } from '../values/duration.ts';
import { type SameBefore, sameQuestion, sameSentence } from '../values/samePurchase.ts';

type CompiledDuplicate = {
  readonly windowMs: number;
  /** A person who cannot be asked cannot approve: then it is refused. */
  readonly action: 'deny' | 'presence';
  /** In units of the currency. */
  readonly above: number;
  readonly max: number;
};

type RuleForm = { readonly duplicate: CompiledDuplicate | undefined };

/** As many of the same as a policy may allow. */
const MOST_SAME = 100;

const DEFAULT_MAX = 1;
const DEFAULT_ABOVE = 0;

interface DuplicateInput {
  readonly rule: CompiledDuplicate;
  readonly same: SameBefore;
}

/** @param amountMinor of the purchase, in minor units of its currency @returns whether the rule is about such a purchase */
export function asksForSame({ duplicate }: CompiledPolicy, amountMinor: number, currency: string): boolean {
  return duplicate !== undefined && amountMinor > floorToMinor(duplicate.above, currency);
}

/** Unknown outcomes count until they are known, and approved carts until they are paid or their tokens end. */
const ENDLESS: readonly SameBefore['status'][] = ['UNKNOWN', 'APPROVED'];

/**
 * From when on none of the same counts, if nothing else is bought until then; undefined where the time changes nothing.
 */
export function forgottenAt({ duplicate }: CompiledPolicy, same: SameBefore | undefined): number | undefined {
  if (duplicate === undefined || same?.latestAt === undefined || ENDLESS.includes(same.status)) return undefined;
  return same.latestAt + duplicate.windowMs;
}

function askedOf(input: CheckInput): DuplicateInput | SkipReason {
  const { policy, request, facts, now } = input;
  const { duplicate: rule } = policy;
  if (rule === undefined) return NOT_SET;
  if (!input.comparable) return otherCurrency(input);
  const { amountMinor, currency } = request;
  if (!asksForSame(policy, amountMinor, currency)) {
    const above = formatMoney(floorToMinor(rule.above, currency), currency);
    return { notAsked: `The rule is about purchases above ${above}.` };
  }
  const same = facts.sameBefore;
  if (same === undefined) return { notAsked: 'What is bought is known once there is a cart.' };
  const isForgotten = now >= (forgottenAt(policy, same) ?? Number.POSITIVE_INFINITY);
  return { rule, same: isForgotten ? { count: 0 } : same };
}

function findSame(input: CheckInput): DuplicateInput | undefined {
  const asked = askedOf(input);
  return 'notAsked' in asked || asked.same.count < asked.rule.max ? undefined : asked;
}

function measureSame(input: CheckInput): Figures | SkipReason {
  const found = askedOf(input);
  if ('notAsked' in found) return found;
  const { rule, same } = found;
  const asked = same.count + 1;
  const left = rule.max - asked;
  const within = describeDuration(rule.windowMs);
  return {
    asked,
    limit: rule.max,
    left,
    sentence: `This is purchase ${asked} of the same within ${within}; the limit of ${rule.max} leaves ${left}.`,
  };
}

const isRefused = ({ policy }: CheckInput) => policy.duplicate?.action === 'deny';
const isAsked = ({ policy }: CheckInput) => policy.duplicate?.action === 'presence';

const schema = {
  risk: {
    duplicate: z
      .strictObject({
        window: Duration.describe('How long the same purchase counts, such as 10m.'),
        action: z.enum(['deny', 'presence']).describe('Deny it, or ask for a person.'),
        above: z
          .number()
          .nonnegative()
          .optional()
          .describe('Purchases of at most so much are not looked at; 0 when absent.'),
        max: z
          .int()
          .min(1)
          .max(MOST_SAME)
          .optional()
          .describe('So many of the same are allowed within the window; 1 when absent.'),
      })
      .optional()
      .describe('What to do about a purchase that was made before: same payer, merchant, total and items.'),
  },
};

export const duplicate: Rule<typeof schema, 'DUPLICATE_SUSPECTED', 'duplicate', RuleForm> = {
  schema,
  members: {
    'risk.duplicate': {
      label: 'The same purchase again',
      change: { label: 'the same purchase again', direction: presentAtAll },
      sentence({ window, action, above = DEFAULT_ABOVE, max = DEFAULT_MAX }, { money }) {
        const what = max === 1 ? 'The same purchase again' : `The same purchase more than ${max} times`;
        const from = above === 0 ? '' : ` of more than ${money(above)}`;
        const then = action === 'deny' ? 'is refused' : 'needs a person';
        return `${what}${from} within ${describeDuration(parseDurationMs(window))} ${then}.`;
      },
      parts: {
        window: {
          label: 'Window',
          about: 'How long a purchase counts. One whose outcome is unknown counts until it is known.',
          isDuration: true,
          change: {
            label: 'window',
            // In a longer window more purchases are the same.
            direction: ({ former = '1s', next = '1s' }) => byNumber(parseDurationMs(next), parseDurationMs(former)),
          },
        },
        action: {
          label: 'What becomes of it',
          about: 'Deny: it is refused. Presence: a person approves it.',
          change: {
            label: 'what becomes of the same purchase',
            direction: ({ former, next }) => byNumber(Number(next === 'deny'), Number(former === 'deny')),
          },
        },
        above: {
          label: 'Above an amount',
          about: 'Purchases of at most so much are not looked at.',
          isAmount: true,
          change: {
            label: 'amount up to which the same is not looked at',
            direction: ({ former = DEFAULT_ABOVE, next = DEFAULT_ABOVE, ...rest }) => limit({ former, next, ...rest }),
          },
        },
        max: {
          label: 'The most of the same',
          about: 'So many of the same pass within the window.',
          change: {
            label: 'purchases of the same',
            direction: ({ former = DEFAULT_MAX, next = DEFAULT_MAX, ...rest }) => limit({ former, next, ...rest }),
          },
        },
      },
      docs: {
        about: `What happens with a purchase that was made before, within \`window\`: it is refused (\`"action": "deny"\`) or needs the person (\`"action": "presence"\`). An agent that lost an answer and plans again has a new key, a new intent and a new cart, so the node compares what is bought: the payer, the merchant, the currency, the total and the items with their prices and quantities. The order of items and the case of their names do not matter. The payer is the registered principal, for all of its agents; without one, the agent.

Payments count that are with the rail, authorized, captured, refunded in part or disputed, and carts that were approved and are not paid yet; one that failed, was canceled or wholly refunded does not. A payment whose outcome is unknown counts however old it is. The rule is judged at the cart and again at the payment, [and what it cannot see](/docs/guides/same-purchase.md) is said beside how to use it. \`max\` lets so many of the same pass (1 when absent), and \`above\` leaves small amounts alone, for resources that are paid per call.`,
        example: {
          spend: { currency: 'USD' },
          risk: { duplicate: { window: '10m', action: 'presence', above: 1 } },
        },
        cases: [
          {
            name: 'the first',
            before: { same: 0 },
            request: { amount: 20, currency: 'USD' },
            expect: { allowed: true, hpRequired: false },
          },
          {
            name: 'the same again',
            before: { same: 1 },
            request: { amount: 20, currency: 'USD' },
            expect: { allowed: true, hpRequired: true },
          },
          {
            name: 'a small amount',
            before: { same: 1 },
            request: { amount: 1, currency: 'USD' },
            expect: { allowed: true, hpRequired: false },
          },
        ],
      },
    },
  },
  compile({ risk, context }) {
    const rule = risk?.duplicate;
    if (rule === undefined) return { duplicate: undefined };
    const { window, action, above = DEFAULT_ABOVE, max = DEFAULT_MAX } = rule;
    const compiled: CompiledDuplicate = {
      windowMs: parseDurationMs(window),
      action: context?.presence === 'never' ? 'deny' : action,
      above,
      max,
    };
    return { duplicate: compiled };
  },
  checks: [
    {
      code: 'DUPLICATE_SUSPECTED',
      isLast: true,
      isSet: (policy) => policy.duplicate !== undefined,
      check(input) {
        const found = isRefused(input) ? findSame(input) : undefined;
        if (found === undefined) return undefined;
        const { rule, same } = found;
        return { requested: same.count + 1, limit: rule.max, message: sameSentence(same, input.now) };
      },
      measure: (input) => (isRefused(input) ? measureSame(input) : NOT_SET),
      helps: ['time'],
      docs: {
        cause:
          'the same was bought before, within the `window` of `risk.duplicate`: the same payer, merchant, total and items. `duplicateOf` names that payment where the caller may read it.',
        remedy:
          'take the result at `duplicateOf.resultUrl` in place of a new purchase. Where two of a thing are wanted, buy a quantity of two; where the same is wanted again, wait until the window is over, or have the owner set the action `presence`, `above`, `max` or a shorter `window`. Where the outcome of the first is unknown, wait for it or reconcile it.',
      },
    },
  ],
  presence: {
    cause: 'duplicate',
    name: 'A person at the same purchase again',
    isSet: (policy) => policy.duplicate !== undefined,
    asks(input) {
      const found = isAsked(input) ? findSame(input) : undefined;
      return found === undefined ? undefined : sameQuestion(found.same, input.now);
    },
    measure: (input) => (isAsked(input) ? measureSame(input) : NOT_SET),
  },
  warnings({ spend, context, risk }): readonly Remark[] {
    const { action, above = DEFAULT_ABOVE } = risk?.duplicate ?? {};
    if (action === undefined) return [];
    const most = spend?.presence_cap ?? spend?.amount_cap;
    const cap = spend?.presence_cap === undefined ? 'amount_cap' : 'presence_cap';
    const neverAbove = most !== undefined && above > 0 && above >= most;
    return [
      ...(neverAbove
        ? [{ path: 'risk.duplicate.above', message: `It never applies: no purchase above ${cap}, ${most}, passes.` }]
        : []),
      ...(action === 'presence' && context?.presence === 'never'
        ? [
            {
              path: 'risk.duplicate.action',
              message: 'context.presence is never, so no person is asked: the same purchase is refused.',
            },
          ]
        : []),
      ...(action === 'presence' && context?.presence === 'required'
        ? [
            {
              path: 'risk.duplicate.action',
              message:
                'It adds nothing but a sentence: context.presence is required, so a person is asked at every purchase.',
            },
          ]
        : []),
    ];
  },
};
