/** Budgets: how many purchases, and how much, in a period, of an agent, a principal or all agents, at a merchant or in a category. */
import { z } from 'zod';
import { Currency, formatMoney, fromMinor } from '../../money.ts';
import { Timezone } from '../../wire/timezone.ts';
import { type Direction, hasSame, NO_LIMIT, type Pair } from '../direction.ts';
import { NOT_SET } from '../explain.ts';
import { questionOver, tightestOf } from '../limitUse.ts';
import type { Remark, Rule } from '../rule.ts';
import type { Rules } from '../rules.ts';
import { patternsCover, WILDCARD } from '../values/domain.ts';
import { WindowText } from '../values/limitWindow.ts';
import { Amount } from '../values/ruleValues.ts';
import {
  amountFault,
  type CompiledLimit,
  compileLimit,
  isAsWide,
  isTimezoneOfUse,
  LIMIT_ACTIONS,
  LimitCategory,
  LimitCount,
  LimitMerchant,
  LimitName,
  MOST_LIMITS,
  NAMED_TWICE,
  NO_MIDNIGHT,
  namedTwice,
  narrowingOf,
  SCOPES,
} from '../values/spendingLimit.ts';

const PATH = 'risk.limits';

type RuleForm = {
  readonly limits: readonly CompiledLimit[];
};

const RiskLimit = z
  .strictObject({
    name: LimitName.describe('How refusals and lists name it.'),
    max_transactions: LimitCount.optional().describe('How many purchases.'),
    max_amount: Amount.optional().describe('How much in all.'),
    currency: Currency.optional().describe(
      'Purchases in it alone count; the policy’s currency when absent; without either, max_amount holds for each currency by itself.',
    ),
    window: WindowText.describe(
      'day, week, month, quarter or year of the calendar; or a sliding duration such as 24h.',
    ),
    timezone: Timezone.optional().describe('In which a period of the calendar begins at midnight; UTC when absent.'),
    // `agent` when absent.
    scope: z
      .enum(SCOPES)
      .optional()
      .describe(
        'Whose purchases count together: one agent’s (agent), those with the money of the same person or company (principal), or all of the tenant’s (policy).',
      ),
    merchant: LimitMerchant.optional().describe(
      'Purchases there alone count: example.com, or *.example.com, or a list of both that count together.',
    ),
    category: LimitCategory.optional().describe('Purchases of this category alone count.'),
    // `deny` when absent.
    action: z.enum(LIMIT_ACTIONS).optional().describe('Over it: deny, or let a person approve.'),
  })
  .refine(({ max_transactions, max_amount }) => max_transactions !== undefined || max_amount !== undefined, {
    message: 'needs max_transactions, max_amount or both',
  })
  .refine(isTimezoneOfUse, { message: NO_MIDNIGHT, path: ['timezone'] });
type RiskLimit = z.infer<typeof RiskLimit>;

const schema = {
  risk: {
    limits: z
      .array(RiskLimit)
      .max(MOST_LIMITS)
      .optional()
      .describe('How many purchases, or how much, in periods: up to 20 limits, of which each holds.'),
  },
};

const currencyOf = (limit: RiskLimit, { spend }: Rules) => limit.currency ?? spend?.currency;

function compiledOf(limit: RiskLimit, rules: Rules): CompiledLimit {
  const { max_transactions: maxTransactions, max_amount: maxAmount, ...rest } = limit;
  return compileLimit({ ...rest, maxTransactions, maxAmount }, rules);
}

/** What a limit counts, of its scope's purchases: where two count the same, their maxima can be compared. */
function countedBy(limit: RiskLimit, rules: Rules): string {
  const { window, timezone = 'UTC' } = limit;
  return JSON.stringify([window, timezone.toLowerCase(), currencyOf(limit, rules)]);
}

/** Whether one limit refuses, or asks a person about, all that another one does. One that counts more purchases together does too. */
function covers(limit: RiskLimit, other: RiskLimit): boolean {
  const { max_transactions: count = NO_LIMIT, max_amount: amount = NO_LIMIT, action = 'deny' } = limit;
  const { max_transactions: otherCount = NO_LIMIT, max_amount: otherAmount = NO_LIMIT } = other;
  if (reachOf(limit) < reachOf(other) || !isAsWide(narrowingOf(limit), narrowingOf(other))) return false;
  return count <= otherCount && amount <= otherAmount && (action === 'deny' || other.action === 'presence');
}

/** From one agent's purchases to those of all. */
function reachOf({ scope = 'agent' }: RiskLimit): number {
  return SCOPES.indexOf(scope);
}

/** Tighter only where each limit that was there is covered by one that counts the same. */
function directionOf({ former = [], next = [], formerly, later }: Pair<readonly RiskLimit[]>): Direction | undefined {
  const isCovered = (limits: readonly RiskLimit[], rules: Rules, others: readonly RiskLimit[], otherRules: Rules) =>
    limits.every((limit) =>
      others.some((other) => countedBy(other, otherRules) === countedBy(limit, rules) && covers(other, limit)),
    );
  const keeps = isCovered(former, formerly, next, later);
  const adds = !isCovered(next, later, former, formerly);
  if (!keeps) return 'looser';
  if (adds) return 'tighter';
  // Another name changes nothing about what may be bought.
  return former.every(hasSame(next)) ? undefined : 'other';
}

export const limits: Rule<typeof schema, never, 'limit', RuleForm> = {
  schema,
  members: {
    'risk.limits': {
      label: 'Budgets and limits',
      about: 'How many purchases, or how much, in a period. Each limit of the list holds.',
      change: { label: 'budgets and limits', direction: directionOf },
      parts: {
        name: { label: 'Name', about: 'How refusals and lists name it, such as groceries.' },
        max_transactions: { label: 'The most purchases', about: 'So many purchases in the period.' },
        max_amount: { label: 'The most spending', about: 'So much in all in the period, in the limit’s currency.' },
        currency: {
          label: 'Currency',
          about:
            'Purchases in it alone count. The policy’s where none is set; without either, each currency by itself.',
        },
        window: {
          label: 'Period',
          about: 'day, week (from Monday), month, quarter or year of the calendar; or a duration such as 24h or 7d.',
        },
        timezone: { label: 'Time zone', about: 'In which a period begins at midnight, such as Europe/Berlin.' },
        scope: {
          label: 'Whose purchases count',
          about:
            'Agent: each agent has the limit to itself. Principal: the agents that spend the money of the same person or company share it. Policy: all agents share it.',
        },
        merchant: { label: 'At a merchant', about: 'Purchases there alone count: example.com, or *.example.com.' },
        category: { label: 'In a category', about: 'Purchases of this category alone count.' },
        action: { label: 'Over it', about: 'Deny: the purchase is refused. Presence: a person may approve it.' },
      },
      docs: {
        about: `Up to 20 limits, each with a \`name\`: \`max_transactions\`, \`max_amount\` or both, in a \`window\`. A window is a period of the calendar (\`day\`, \`week\` from Monday, \`month\`, \`quarter\`, \`year\`), which begins at midnight in \`timezone\` (UTC when absent), or a duration of up to \`366d\` that slides. With \`scope\` \`agent\` (the default) each agent has the limit to itself, with \`principal\` the agents that spend a registered principal's money share it (an unregistered name proves nothing: the agent stands for it), with \`policy\` all agents do. \`merchant\` (a domain, or \`*.\` and one) and \`category\` narrow what counts. \`currency\` counts purchases in that currency alone, and is the policy's when absent. Currencies are never added: where the policy names none either, \`max_amount\` holds for each currency by itself. Over the limit a purchase is refused, or with \`"action": "presence"\` a person may approve it; what was approved counts.

What is held or paid counts. An intent holds its maximum from its issue, an approved cart and its payment hold the cart's total; what is declined, canceled, denied, withdrawn or expired is released, and of a partial capture the rest. A refund gives no room back. A limit is judged at the intent, at the cart and at the payment; a merchant's or a category's where the intent names none, at the cart. A purchase that holds its room already is measured against payments alone from then on, so a limit that is lowered reaches open purchases and what others hold does not block them. [The guide](/docs/guides/limits.md) has twelve limits that owners ask for.`,
        example: {
          spend: { currency: 'USD' },
          risk: {
            limits: [
              { name: 'groceries', max_amount: 200, window: 'month', scope: 'policy', category: 'groceries' },
              { name: 'quarter', max_amount: 500, window: 'quarter', timezone: 'Europe/Berlin', action: 'presence' },
            ],
          },
        },
        cases: [
          {
            name: 'the last groceries of the month',
            before: { limits: [{ name: 'groceries', transactions: 4, spent: 150 }] },
            request: { amount: 50, currency: 'USD', mcc: '5411' },
            expect: { allowed: true, hpRequired: false },
          },
          {
            name: 'groceries over the budget',
            before: { limits: [{ name: 'groceries', transactions: 4, spent: 150 }] },
            request: { amount: 50.01, currency: 'USD', mcc: '5411' },
            expect: { allowed: false, reasonCodes: ['SPENDING_LIMIT_EXCEEDED'] },
          },
          {
            name: 'a person above 500 in a quarter',
            before: { limits: [{ name: 'quarter', transactions: 9, spent: 490 }] },
            request: { amount: 50, currency: 'USD', mcc: '4511' },
            expect: { allowed: true, hpRequired: true },
          },
        ],
      },
    },
  },
  compile: (rules) => ({ limits: (rules.risk?.limits ?? []).map((limit) => compiledOf(limit, rules)) }),
  presence: {
    cause: 'limit',
    name: 'A person over a limit',
    asks: questionOver,
    measure(input) {
      const tightest = tightestOf(input, 'presence', ['amount', 'purchases']);
      if (tightest === undefined) return NOT_SET;
      const { currency } = input.request;
      const isAmount = tightest.measure === 'amount';
      const [asked, limit] = [tightest.requested, tightest.limit].map((number) =>
        isAmount ? fromMinor(number, currency) : number,
      ) as [number, number];
      const told = isAmount
        ? [tightest.requested, tightest.limit].map((minor) => formatMoney(minor, currency))
        : [`Purchase ${asked}`, String(limit)];
      const sentence = `${told[0]} ${tightest.within}; above ${told[1]} a person is asked.`;
      const left = isAmount ? fromMinor(tightest.limit - tightest.requested, currency) : limit - asked;
      return isAmount ? { asked, limit, left, currency, sentence } : { asked, limit, left, sentence };
    },
  },
  conflicts(rules) {
    const list = rules.risk?.limits ?? [];
    return [
      ...namedTwice(list).map((index) => ({ path: `${PATH}.${index}.name`, message: NAMED_TWICE })),
      ...list.flatMap((limit, index) => amountFaults(limit, rules, `${PATH}.${index}.max_amount`)),
    ];
  },
  warnings(rules): readonly Remark[] {
    const { risk, context, spend } = rules;
    return (risk?.limits ?? []).flatMap((limit, index) => {
      const path = `${PATH}.${index}`;
      const { max_transactions: count, action, currency, name } = limit;
      const isNever = action === 'presence' && context?.presence === 'never';
      const isMoney = limit.max_amount !== undefined;
      const isElsewhere = currency !== undefined && spend?.currency !== undefined && currency !== spend.currency;
      return [
        ...(count === 0 && action !== 'presence'
          ? [{ path: `${path}.max_transactions`, message: `“${name}” allows no purchase at all.` }]
          : []),
        ...(isNever
          ? [
              {
                path: `${path}.action`,
                message: `context.presence is never, so no person is asked: a purchase over “${name}” is refused.`,
              },
            ]
          : []),
        ...subdomainRemarks(limit, rules, `${path}.merchant`),
        ...(isElsewhere
          ? [
              {
                path: `${path}.currency`,
                message: `“${name}” never applies: spend.currency is ${spend.currency}, and no purchase in ${currency} passes.`,
              },
            ]
          : []),
        ...(isMoney && spend?.currency === undefined ? [{ path, message: currencyWarning(name, currency) }] : []),
      ];
    });
  },
};

function currencyWarning(name: string, currency: string | undefined): string {
  return currency === undefined
    ? `Neither “${name}” nor spend.currency names a currency, so its amount holds for each currency by itself.`
    : `Other currencies than ${currency} are not limited by this (“${name}”).`;
}

/** A limit of a domain alone is open beside it, at `www.` and each other subdomain that the policy allows. */
function subdomainRemarks({ merchant, name }: RiskLimit, rules: Rules, path: string): Remark[] {
  const patterns = [merchant ?? []].flat();
  const isWhollyAllowed = isAllowedIn(rules);
  const open = patterns.filter((pattern) => {
    const below = `${WILDCARD}${pattern}`;
    return !pattern.startsWith(WILDCARD) && !patterns.includes(below) && isWhollyAllowed(below);
  });
  return open.map((domain) => ({
    path,
    message: `“${name}” counts nothing at subdomains of ${domain}, such as www.${domain}, where an agent may buy too: name *.${domain} beside it.`,
  }));
}

/** Whether a policy allows any merchant that a pattern of subdomains names. */
function isAllowedIn({ merchant }: Rules): (pattern: string) => boolean {
  const { allow_list = [], deny_list = [] } = merchant ?? {};
  const isListed = patternsCover('allow')(allow_list);
  const isDenied = patternsCover('deny')(deny_list);
  return (pattern) => {
    const holdsOne = allow_list.some((entry) => patternsCover('allow')([pattern])(entry));
    return (allow_list.length === 0 || isListed(pattern) || holdsOne) && !isDenied(pattern);
  };
}

function amountFaults(limit: RiskLimit, rules: Rules, path: string): Remark[] {
  const { max_amount: amount } = limit;
  const message = amount === undefined ? undefined : amountFault(amount, currencyOf(limit, rules));
  return message === undefined ? [] : [{ path, message }];
}
