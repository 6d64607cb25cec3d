/**
 * What a next policy changes, rule by rule, as people read it, and whether that loosens it. A change counts as tighter only
 * where it is so for every request: whoever publishes a policy without a looser change lets nothing through that was refused
 * before, and spares no person a question.
 */
import { z } from 'zod';
import { patternsCover } from './checks/merchantLists.ts';
import { type TimeWindow, windowsCover } from './checks/timeWindow.ts';
import { parseDurationMs } from './duration.ts';
import type { Rules } from './rules.ts';

const Direction = z.enum(['looser', 'tighter', 'other']);
type Direction = z.infer<typeof Direction>;

export const RuleChange = z.object({
  path: z.string().describe('The rule, such as spend.amount_cap.'),
  former: z.unknown().optional().describe('What it was; absent where it was not set.'),
  next: z.unknown().optional().describe('What it will be; absent where it will not be set.'),
  direction: Direction.describe('looser: something may pass that did not; tighter: nothing may; other: neither.'),
  sentence: z.string(),
});
export type RuleChange = z.infer<typeof RuleChange>;

/** The values of one rule in two policies, and the policies. */
interface Pair<T> {
  readonly former: T | undefined;
  readonly next: T | undefined;
  readonly formerly: Rules;
  readonly later: Rules;
}

interface Compared<T> {
  readonly path: string;
  /** In words, as it stands before the values. */
  readonly label: string;
  /** True for an amount, which is shown with the currency. */
  readonly isAmount?: true;
  read(rules: Rules): T | undefined;
  /** @returns undefined where both mean the same */
  direction(pair: Pair<T>): Direction | undefined;
}

/** @returns one entry for each rule that changes, in the order of the schema; none where both allow the same */
export function compareRules(former: Rules, next: Rules): RuleChange[] {
  return COMPARED.flatMap((each) => {
    const pair = { former: each.read(former), next: each.read(next), formerly: former, later: next };
    const direction = each.direction(pair);
    if (direction === undefined) return [];
    return [
      {
        path: each.path,
        ...(pair.former === undefined ? {} : { former: pair.former }),
        ...(pair.next === undefined ? {} : { next: pair.next }),
        direction,
        sentence: sentenceOf(each, pair),
      },
    ];
  });
}

export function isLooser(changes: readonly RuleChange[]): boolean {
  return changes.some(({ direction }) => direction === 'looser');
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Of two numbers: the less is allowed, the tighter. */
function byNumber(former: number, next: number): Direction | undefined {
  if (former === next) return undefined;
  return next < former ? 'tighter' : 'looser';
}

type Reader<T> = (rules: Rules) => T | undefined;

/** A limit, of which none is set where it is absent. */
function limit(path: string, label: string, read: Reader<number>, isAmount = true): Compared<number> {
  const direction = ({ former = NO_LIMIT, next = NO_LIMIT }: Pair<number>) => byNumber(former, next);
  return { path, label, read, direction, ...(isAmount ? { isAmount } : {}) };
}

/** What is asked for more where it is true. */
function demand(path: string, label: string, read: Reader<boolean>): Compared<boolean> {
  const direction = ({ former = false, next = false }: Pair<boolean>) => byNumber(Number(next), Number(former));
  return { path, label, read, direction };
}

/** Tells of an entry whether a list covers it; the list is read once, since lists may be long. */
type Coverage<T> = (list: readonly T[]) => (entry: T) => boolean;

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function hasSame(list: readonly unknown[]): (entry: unknown) => boolean {
  const texts = new Set(list.map(textOf));
  return (entry) => texts.has(textOf(entry));
}

/** Of entries of one kind: strings, or objects. */
function textOf(entry: unknown): string {
  return typeof entry === 'string' ? entry : JSON.stringify(entry);
}

/** Whether every entry of one list is covered by the other. */
function isWithin<T>(entries: readonly T[], others: readonly T[], coverage: Coverage<T>): boolean {
  return entries.every(coverage(others));
}

/** What is allowed alone; everything where the list is empty or absent. */
function allowed<T>(path: string, label: string, read: Reader<T[]>, coverage: Coverage<T> = hasSame): Compared<T[]> {
  return {
    path,
    label,
    read,
    direction({ former = [], next = [] }) {
      const isNarrower = next.length > 0 && (former.length === 0 || isWithin(next, former, coverage));
      const isWider = former.length > 0 && (next.length === 0 || isWithin(former, next, coverage));
      if ((isNarrower && isWider) || former.length + next.length === 0) return undefined;
      return isNarrower ? 'tighter' : 'looser';
    },
  };
}

function denied<T>(path: string, label: string, read: Reader<T[]>, coverage: Coverage<T> = hasSame): Compared<T[]> {
  return {
    path,
    label,
    read,
    direction({ former = [], next = [] }) {
      const keepsAll = isWithin(former, next, coverage);
      if (keepsAll && isWithin(next, former, coverage)) return undefined;
      return keepsAll ? 'tighter' : 'looser';
    },
  };
}

const effectiveCap = ({ spend }: Rules) => spend?.presence_cap ?? spend?.amount_cap ?? NO_LIMIT;

const presenceCap: Compared<number> = {
  path: 'spend.presence_cap',
  label: 'cap with a person',
  isAmount: true,
  read: ({ spend }) => spend?.presence_cap,
  // Without it the other cap holds with a person too.
  direction: ({ former, next, formerly, later }) =>
    former === next ? undefined : (byNumber(effectiveCap(formerly), effectiveCap(later)) ?? 'other'),
};

const currency: Compared<string> = {
  path: 'spend.currency',
  label: 'currency',
  read: ({ spend }) => spend?.currency,
  // With one, limits over time no longer count what is spent in others; without one, or with another, others are allowed.
  direction: ({ former, next }) => (former === next ? undefined : 'looser'),
};

const presence: Compared<string> = {
  path: 'context.presence',
  label: 'presence',
  read: ({ context }) => context?.presence,
  direction({ former = 'optional', next = 'optional', formerly }) {
    if (former === next) return undefined;
    if (former !== 'optional') return 'looser';
    // Where a person is never asked, an amount that would need one is refused, and a new merchant is not.
    return next === 'never' && formerly.context?.presence_new_merchant === true ? 'looser' : 'tighter';
  },
};

type Binding = NonNullable<NonNullable<Rules['context']>['presence_binding']>;

/** How much each asks of a presence proof. */
const BINDINGS: Readonly<Record<Binding, number>> = { any: 0, agent: 0, cart: 2 };
/** Without the rule it depends on the environment. */
const BY_ENVIRONMENT = 1;
const strengthOf = (bound: Binding | undefined) => (bound === undefined ? BY_ENVIRONMENT : BINDINGS[bound]);

const binding: Compared<Binding> = {
  path: 'context.presence_binding',
  label: 'what a presence proof must name',
  read: ({ context }) => context?.presence_binding,
  direction: ({ former, next }) => byNumber(strengthOf(next), strengthOf(former)),
};

/** A rule that changes nothing about what may be bought. */
function neutral<T>(path: string, label: string, read: Reader<T>, absent: T): Compared<T> {
  const direction = ({ former = absent, next = absent }: Pair<T>) => (isSame(former, next) ? undefined : 'other');
  return { path, label, read, direction };
}

type Velocity = NonNullable<NonNullable<Rules['risk']>['velocity_limit']>;
const velocityOf: Reader<Velocity> = ({ risk }) => risk?.velocity_limit;
type Anomaly = NonNullable<NonNullable<Rules['risk']>['anomaly']>;
const anomalyOf: Reader<Anomaly> = ({ risk }) => risk?.anomaly;

/** A rule of several members that is there in one policy only; where it is in both, its members are compared. */
function whole<T>(path: string, label: string, read: Reader<T>): Compared<T> {
  return {
    path,
    label,
    read,
    direction({ former, next }) {
      if ((former === undefined) === (next === undefined)) return undefined;
      return next === undefined ? 'looser' : 'tighter';
    },
  };
}

/** One member of a rule that is in both policies. */
function member<T, M>(of: Reader<T>, compared: Compared<M>): Compared<M> {
  const isInBoth = ({ formerly, later }: Pair<M>) => of(formerly) !== undefined && of(later) !== undefined;
  return { ...compared, direction: (pair) => (isInBoth(pair) ? compared.direction(pair) : undefined) };
}

const VELOCITY = 'risk.velocity_limit';
const ANOMALY = 'risk.anomaly';

const COMPARED: readonly Compared<unknown>[] = [
  limit('spend.amount_cap', 'cap', ({ spend }) => spend?.amount_cap),
  presenceCap,
  currency,
  allowed('spend.categories', 'categories', ({ spend }) => spend?.categories),
  demand('spend.categories_strict', 'a known category is asked for', ({ spend }) => spend?.categories_strict),
  allowed('merchant.allow_list', 'allow list', ({ merchant }) => merchant?.allow_list, patternsCover('allow')),
  denied('merchant.deny_list', 'deny list', ({ merchant }) => merchant?.deny_list, patternsCover('deny')),
  allowed('merchant.mcc_allow', 'category codes allowed', ({ merchant }) => merchant?.mcc_allow),
  denied('merchant.mcc_deny', 'category codes denied', ({ merchant }) => merchant?.mcc_deny),
  presence,
  limit('context.presence_threshold', 'amount without a person', ({ context }) => context?.presence_threshold),
  demand(
    'context.presence_new_merchant',
    'a person at a new merchant',
    ({ context }) => context?.presence_new_merchant,
  ),
  binding,
  neutral<boolean>('context.deny_by_link', 'denying by link', ({ context }) => context?.deny_by_link, false),
  allowed<TimeWindow>('context.time_windows', 'time windows', ({ context }) => context?.time_windows, windowsCover),
  allowed('context.geo.allow', 'countries allowed', ({ context }) => context?.geo?.allow),
  denied('context.geo.deny', 'countries denied', ({ context }) => context?.geo?.deny),
  whole(VELOCITY, 'limit over time', velocityOf),
  member(
    velocityOf,
    limit(`${VELOCITY}.max_transactions`, 'purchases', (rules) => velocityOf(rules)?.max_transactions, false),
  ),
  member(
    velocityOf,
    limit(`${VELOCITY}.max_amount`, 'spending', (rules) => velocityOf(rules)?.max_amount),
  ),
  member(velocityOf, {
    path: `${VELOCITY}.time_window`,
    label: 'window',
    read: (rules) => velocityOf(rules)?.time_window,
    // A longer window holds more purchases.
    direction: ({ former = '1s', next = '1s' }) => byNumber(parseDurationMs(next), parseDurationMs(former)),
  }),
  member(velocityOf, {
    path: `${VELOCITY}.scope`,
    label: 'whose purchases count together',
    read: (rules) => velocityOf(rules)?.scope,
    direction: ({ former = 'agent', next = 'agent' }) =>
      byNumber(Number(next === 'policy'), Number(former === 'policy')),
  }),
  whole(ANOMALY, 'unusual amounts', anomalyOf),
  member(
    anomalyOf,
    limit(`${ANOMALY}.min_history`, 'payments before it is judged', (rules) => anomalyOf(rules)?.min_history, false),
  ),
  member(
    anomalyOf,
    limit(`${ANOMALY}.max_deviation`, 'deviations', (rules) => anomalyOf(rules)?.max_deviation, false),
  ),
  member(anomalyOf, {
    path: `${ANOMALY}.action`,
    label: 'what becomes of an unusual amount',
    read: (rules) => anomalyOf(rules)?.action,
    direction: ({ former, next }) => byNumber(Number(next === 'deny'), Number(former === 'deny')),
  }),
  allowed('rails.allow', 'rails allowed', ({ rails }) => rails?.allow),
  neutral<string[]>('rails.priorities', 'order of rails', ({ rails }) => rails?.priorities, []),
];

/** "cap 100 → 150 USD"; of lists what comes and what goes. */
function sentenceOf<T>({ label, isAmount }: Compared<T>, { former, next, formerly, later }: Pair<T>): string {
  if (Array.isArray(former) && Array.isArray(next)) {
    const lacking = (entries: unknown[], others: unknown[]) => {
      const isThere = hasSame(others);
      return entries.filter((entry) => !isThere(entry)).map(shown);
    };
    const parts = [
      ...lacking(next, former).map((entry) => `+ ${entry}`),
      ...lacking(former, next).map((entry) => `− ${entry}`),
    ];
    return `${label}: ${parts.length === 0 ? `${shown(former)} → ${shown(next)}` : parts.join(', ')}`;
  }
  const unit = isAmount === true ? (later.spend?.currency ?? formerly.spend?.currency) : undefined;
  const last = unit === undefined ? '' : ` ${unit}`;
  if (next === undefined) return `${label} ${shown(former)}${last} → none`;
  return `${label} ${shown(former)} → ${shown(next)}${last}`;
}

function shown(value: unknown): string {
  if (value === undefined) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(shown).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  if ('timezone' in value) return windowText(value as TimeWindow);
  return Object.entries(value)
    .map(([name, each]) => `${name} ${each}`)
    .join(', ');
}

function windowText({ days, from, to, timezone }: TimeWindow): string {
  return `${days === undefined ? 'every day' : days.join(' ')} ${from}–${to} ${timezone}`;
}
