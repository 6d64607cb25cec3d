/** A policy as sentences, one for each rule that is set. */
import type { Rules } from '../../../protocol/policy/rules.ts';
import { amountText } from '../../parts/values/amount.ts';

interface RuleSentence {
  /** Of the rule in the policy, such as `spend.amount_cap`. */
  readonly path: string;
  readonly sentence: string;
}

/** Of a long list so many are told; all of them are in the JSON. */
const MOST_NAMED = 12;

export function sentencesFor(rules: Rules): readonly RuleSentence[] {
  return [spendIn, merchantIn, contextIn, riskIn, railsIn].flatMap((part) =>
    part(rules).flatMap(([path, sentence]) => (sentence === undefined ? [] : [{ path, sentence }])),
  );
}

type Part = (rules: Rules) => readonly (readonly [path: string, sentence: string | undefined])[];

const UNITS: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day' };

/** @param duration as rules have it, such as `1d` */
function spanText(duration: string): string {
  const count = Number.parseInt(duration, 10);
  return `${count} ${UNITS[duration.at(-1) ?? '']}${count === 1 ? '' : 's'}`;
}

/** A sentence about a value, where it is there. */
function about<T>(value: T | undefined, say: (value: T) => string): string | undefined {
  return value === undefined ? undefined : say(value);
}

function named(list: readonly string[] | undefined, say: (names: string) => string): string | undefined {
  if (list === undefined || list.length === 0) return undefined;
  const more = list.length - MOST_NAMED;
  return say(list.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : ''));
}

function moneyIn({ spend }: Rules): (amount: number) => string {
  const currency = spend?.currency;
  return (amount) => (currency === undefined ? `${amount} of any currency` : amountText(amount, currency));
}

const spendIn: Part = (rules) => {
  const { amount_cap, presence_cap, currency, categories, categories_strict } = rules.spend ?? {};
  const money = moneyIn(rules);
  const alone = presence_cap === undefined ? '' : ' without a person';
  return [
    [
      'spend.amount_cap',
      about(amount_cap, (cap) =>
        cap === 0 ? `Nothing may be bought${alone}.` : `One purchase may cost ${money(cap)} at most${alone}.`,
      ),
    ],
    [
      'spend.presence_cap',
      about(presence_cap, (cap) => `With a person’s approval one purchase may cost ${money(cap)} at most.`),
    ],
    ['spend.currency', about(currency, (only) => `Only ${only} may be spent.`)],
    ['spend.categories', named(categories, (names) => `Only these categories may be bought: ${names}.`)],
    [
      'spend.categories_strict',
      about(categories_strict, (is) =>
        is ? 'A purchase whose category nobody knows is refused.' : 'A purchase may have a category that nobody knows.',
      ),
    ],
  ];
};

const merchantIn: Part = ({ merchant }) => [
  ['merchant.allow_list', named(merchant?.allow_list, (names) => `Only these merchants are allowed: ${names}.`)],
  ['merchant.deny_list', named(merchant?.deny_list, (names) => `These merchants are denied: ${names}.`)],
  ['merchant.mcc_allow', named(merchant?.mcc_allow, (codes) => `Only these category codes are allowed: ${codes}.`)],
  ['merchant.mcc_deny', named(merchant?.mcc_deny, (codes) => `These category codes are denied: ${codes}.`)],
];

const PRESENCE = {
  optional: 'A person is asked where another rule says so.',
  required: 'A person approves every purchase.',
  never: 'No person is asked; a purchase that would need one is refused.',
} as const;

const BINDING = {
  cart: 'An approval is for one cart alone.',
  any: 'A recent proof that the person was there serves as an approval, too.',
  agent: 'A recent proof that the person was there serves as an approval, too.',
} as const;

const contextIn: Part = (rules) => {
  const { presence, presence_threshold, presence_new_merchant, presence_binding } = rules.context ?? {};
  const { deny_by_link, time_windows, geo } = rules.context ?? {};
  const money = moneyIn(rules);
  return [
    ['context.presence', about(presence, (when) => PRESENCE[when])],
    [
      'context.presence_threshold',
      about(presence_threshold, (above) =>
        above === 0 ? PRESENCE.required : `A person approves what costs more than ${money(above)}.`,
      ),
    ],
    [
      'context.presence_new_merchant',
      about(presence_new_merchant, (is) =>
        is
          ? 'A person approves the first payment of an agent to a merchant.'
          : 'The first payment to a merchant needs no person.',
      ),
    ],
    ['context.presence_binding', about(presence_binding, (bound) => BINDING[bound])],
    [
      'context.deny_by_link',
      about(deny_by_link, (is) =>
        is
          ? 'Whoever has the link of an approval may deny it without a passkey.'
          : 'Nobody denies an approval without a passkey.',
      ),
    ],
    [
      'context.time_windows',
      named(time_windows?.map(windowText), (times) => `Agents may buy at these times only: ${times}.`),
    ],
    ['context.geo.allow', named(geo?.allow, (countries) => `Only these countries are allowed: ${countries}.`)],
    ['context.geo.deny', named(geo?.deny, (countries) => `These countries are denied: ${countries}.`)],
  ];
};

type TimeWindow = NonNullable<NonNullable<Rules['context']>['time_windows']>[number];

function windowText({ days, from, to, timezone }: TimeWindow): string {
  return `${days === undefined ? 'every day' : days.join(' ')} ${from}–${to} (${timezone})`;
}

const riskIn: Part = (rules) => {
  const money = moneyIn(rules);
  return [
    [
      'risk.velocity_limit',
      about(rules.risk?.velocity_limit, ({ max_transactions, max_amount, time_window, scope }) => {
        const who = scope === 'policy' ? 'All agents together' : 'An agent';
        const limits = [
          about(max_transactions, (most) => `make ${most === 1 ? 'one purchase' : `${most} purchases`}`),
          about(max_amount, (most) => `spend ${money(most)}`),
        ].filter((limit) => limit !== undefined);
        return `${who} may ${limits.join(' and ')} at most within ${spanText(time_window)}.`;
      }),
    ],
    [
      'risk.anomaly',
      about(rules.risk?.anomaly, ({ min_history, max_deviation, action }) => {
        const what = action === 'deny' ? 'is refused' : 'asks a person';
        return `After ${min_history} payments, an amount more than ${max_deviation} standard deviations above the agent’s mean ${what}.`;
      }),
    ],
  ];
};

const railsIn: Part = ({ rails }) => [
  ['rails.allow', named(rails?.allow, (names) => `Only these rails are used: ${names}.`)],
  ['rails.priorities', named(rails?.priorities, (names) => `Rails are tried in this order: ${names}.`)],
];
