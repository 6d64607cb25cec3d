/** Limits of how many purchases, or how much, in a time: the policy's and the agent's own, and whom and what each counts. */
import { z } from 'zod';
import { Currency, requireExact, toMinor } from '../../money.ts';
import { compact } from '../../wire/compact.ts';
import { Fault } from '../../wire/fault.ts';
import { Timezone } from '../../wire/timezone.ts';
import type { CompiledPolicy } from '../compile.ts';
import type { Rules } from '../rules.ts';
import { CATEGORY_NAMES, categoryOf } from './category.ts';
import { DomainPattern, normalizeDomain, patternsCover, WILDCARD } from './domain.ts';
import { Duration, parseDurationMs } from './duration.ts';
import { compileLimitWindow, type LimitWindow, slides, slidingWindow, WindowText } from './limitWindow.ts';
import { Amount } from './ruleValues.ts';

/** How refusals and lists name the limit of `risk.velocity_limit`, and an agent's own in place of it. */
export const VELOCITY_LIMIT = 'velocity_limit';

export const SCOPES = ['agent', 'principal', 'policy'] as const;
type Scope = (typeof SCOPES)[number];
export const LIMIT_ACTIONS = ['deny', 'presence'] as const;
type LimitAction = (typeof LIMIT_ACTIONS)[number];

/** As many limits as a policy, or an agent, may have. */
export const MOST_LIMITS = 20;

const LIMIT_NAME = /^[^\p{C}\p{Z}](?:[^\p{C}]{0,58}[^\p{C}\p{Z}])?$/u;

/** What a limit of a policy and one of an agent both say. */
export const LimitName = z
  .string()
  .regex(LIMIT_NAME, 'must have 1 to 60 visible characters')
  .refine((name) => name !== VELOCITY_LIMIT, `must not be ${VELOCITY_LIMIT}, which names risk.velocity_limit`);
export const LimitCount = z.int().nonnegative();
export const LimitCategory = z.enum(CATEGORY_NAMES, { error: `must be one of ${CATEGORY_NAMES.join(', ')}` });

export const NO_MIDNIGHT = 'must be absent beside a duration, which has no midnight';

/** A time zone has a meaning for periods of the calendar alone. */
export function isTimezoneOfUse(limit: { readonly window: string; readonly timezone?: string | undefined }): boolean {
  return limit.timezone === undefined || !slides(limit.window);
}

/** The merchants of a limit: one pattern, or several that count together, such as a shop and its subdomains. */
export const LimitMerchant = z.union([DomainPattern, z.array(DomainPattern).min(1).max(20)]);

/** A limit of an agent alone. */
const AgentLimit = z
  .strictObject({
    name: LimitName.describe('How refusals and lists name it.'),
    maxTransactions: LimitCount.optional(),
    maxAmount: Amount.optional(),
    currency: Currency.optional().describe('Counts purchases in this currency alone; the policy’s when absent.'),
    window: WindowText.describe(
      'day, week, month, quarter or year of the calendar, or a duration such as 24h that slides.',
    ),
    timezone: Timezone.optional().describe('In which a period of the calendar begins at midnight; UTC when absent.'),
    scope: z.literal('agent').optional(),
    merchant: LimitMerchant.optional(),
    category: LimitCategory.optional(),
    action: z.enum(LIMIT_ACTIONS).optional(),
  })
  .refine(({ maxTransactions, maxAmount }) => maxTransactions !== undefined || maxAmount !== undefined, {
    message: 'maxTransactions, maxAmount or both must be given',
    path: ['maxTransactions'],
  })
  .refine(isTimezoneOfUse, { message: NO_MIDNIGHT, path: ['timezone'] });
/**
 * An agent's own limits: in place of risk.velocity_limit where there is a timeWindow, and in place of the policy's limits of each agent
 * where there are limits.
 */
export const VelocityLimit = z
  .object({
    maxTransactions: LimitCount.optional(),
    maxAmount: Amount.optional(),
    timeWindow: Duration.optional(),
    limits: z
      .array(AgentLimit)
      .max(MOST_LIMITS)
      .optional()
      .describe('In place of those of risk.limits that each agent has to itself; an empty list for none.'),
  })
  .refine(
    ({ maxTransactions, maxAmount, timeWindow, limits }) =>
      maxTransactions !== undefined || maxAmount !== undefined || (timeWindow === undefined && limits !== undefined),
    { message: 'maxTransactions, maxAmount or both must be given', path: ['maxTransactions'] },
  )
  .refine(
    ({ maxTransactions, maxAmount, timeWindow }) =>
      timeWindow !== undefined || (maxTransactions === undefined && maxAmount === undefined),
    { message: 'must be given: how long the window is, such as 24h', path: ['timeWindow'] },
  )
  .superRefine(({ limits = [] }, context) => {
    for (const index of namedTwice(limits)) {
      context.addIssue({ code: 'custom', path: ['limits', index, 'name'], message: NAMED_TWICE });
    }
  });
export type VelocityLimit = z.infer<typeof VelocityLimit>;

export const NAMED_TWICE = 'must be different from the names of other limits';

/** The places of limits whose name one before them has. */
export function namedTwice(limits: readonly { readonly name: string }[]): number[] {
  const names = limits.map(({ name }) => name);
  return names.flatMap((name, index) => (names.indexOf(name) < index ? [index] : []));
}

/**
 * Where a limit counts, as it is compared: domains in their normal form, or `*.` and one, in order and joined by commas; the name of a
 * category.
 */
export interface Narrowing {
  readonly merchant?: string;
  readonly category?: string;
}

export interface CompiledLimit {
  readonly name: string;
  /**
   * `issued`: every intent that was issued, what became of it does not matter. `held`: what is held or paid; what was released counts no
   * more.
   */
  readonly counts: 'issued' | 'held';
  /** Whose purchases count together. */
  readonly scope: Scope;
  readonly window: LimitWindow;
  readonly maxTransactions?: number;
  /** In major units of the currency; where there is none, of each currency by itself. */
  readonly maxAmount?: number;
  /** Purchases in it alone count. */
  readonly currency?: string;
  readonly narrowing?: Narrowing;
  /** What becomes of a purchase over the limit; a person who cannot be asked cannot approve. */
  readonly action: LimitAction;
  /** True for an agent's own. */
  readonly isOwn?: true;
}

/** A limit of a policy or of an agent, as it is written. */
interface WrittenLimit {
  readonly name: string;
  readonly maxTransactions?: number | undefined;
  readonly maxAmount?: number | undefined;
  readonly currency?: string | undefined;
  readonly window: string;
  readonly timezone?: string | undefined;
  readonly scope?: Scope | undefined;
  readonly merchant?: string | readonly string[] | undefined;
  readonly category?: string | undefined;
  readonly action?: LimitAction | undefined;
}

export function compileLimit(written: WrittenLimit, { spend, context }: Rules): CompiledLimit {
  const { name, maxTransactions, maxAmount, window, timezone, scope = 'agent', action = 'deny' } = written;
  return compact({
    name,
    counts: 'held' as const,
    scope,
    window: compileLimitWindow(window, timezone),
    maxTransactions,
    maxAmount,
    currency: written.currency ?? spend?.currency,
    narrowing: narrowingOf(written),
    action: context?.presence === 'never' ? 'deny' : action,
  });
}

export function narrowingOf({
  merchant,
  category,
}: Pick<WrittenLimit, 'merchant' | 'category'>): Narrowing | undefined {
  if (merchant === undefined && category === undefined) return undefined;
  const patterns = [merchant ?? []].flat().map(normalPattern);
  return compact({
    merchant: patterns.length === 0 ? undefined : [...new Set(patterns)].sort(byDomain).join(','),
    category,
  });
}

/** A domain stands before its subdomains. */
function byDomain(one: string, other: string): number {
  const key = (pattern: string) => (pattern.startsWith(WILDCARD) ? `${pattern.slice(WILDCARD.length)} *` : pattern);
  return key(one) < key(other) ? -1 : 1;
}

function normalPattern(pattern: string): string {
  if (!pattern.startsWith(WILDCARD)) return normalizeDomain(pattern);
  return `${WILDCARD}${normalizeDomain(pattern.slice(WILDCARD.length))}`;
}

/** @param merchant its domain in its normal form @param mcc its category's code; neither matches where it is not known */
export function isWithin(
  narrowing: Narrowing,
  { merchant, mcc }: { readonly merchant: string | null | undefined; readonly mcc: string | null | undefined },
): boolean {
  const { merchant: patterns, category } = narrowing;
  if (category !== undefined && (mcc == null || categoryOf(mcc) !== category)) return false;
  if (patterns === undefined) return true;
  if (merchant == null) return false;
  return patterns
    .split(',')
    .some((pattern) => (pattern.startsWith(WILDCARD) ? merchant.endsWith(pattern.slice(1)) : merchant === pattern));
}

/** A narrowing as people and programs are told it. */
export function narrowingText({ merchant, category }: Narrowing = {}): Narrowing {
  return compact({ merchant: merchant?.replaceAll(',', ', '), category });
}

/** The limits of an agent: those of its own take the place of the policy's for each agent. */
export function limitsFor(policy: CompiledPolicy, own?: VelocityLimit): CompiledLimit[] {
  const { velocity, limits, rules } = policy;
  const hasOwnVelocity = own?.timeWindow !== undefined;
  const hasOwnLimits = own?.limits !== undefined;
  const isKept = ({ scope }: CompiledLimit, hasOwn: boolean) => !hasOwn || scope !== 'agent';
  return [
    ...(velocity !== undefined && isKept(velocity, hasOwnVelocity) ? [velocity] : []),
    ...(hasOwnVelocity ? [{ ...ownVelocity(own), isOwn: true as const }] : []),
    ...(own?.limits ?? []).map((limit) => ({ ...compileLimit(limit, rules), isOwn: true as const })),
    ...limits.filter((limit) => isKept(limit, hasOwnLimits)),
  ];
}

/**
 * Whether limits let nothing pass that others do not: each of the others is covered by one that counts the same, over as long a time,
 * and allows no more.
 */
export function isAsTight(limits: readonly CompiledLimit[], others: readonly CompiledLimit[]): boolean {
  return others.every((other) => limits.some((limit) => countsAsMuch(limit, other) && allowsNoMore(limit, other)));
}

function countsAsMuch(limit: CompiledLimit, other: CompiledLimit): boolean {
  const whatOf = ({ counts, scope, currency }: CompiledLimit) => JSON.stringify([counts, scope, currency]);
  const isSame = whatOf(limit) === whatOf(other);
  return isSame && isAsWide(limit.narrowing, other.narrowing) && reachesAsFar(limit.window, other.window);
}

/** Whether what is bought within one narrowing is within another one too. */
export function isAsWide({ merchant, category }: Narrowing = {}, other: Narrowing = {}): boolean {
  if (category !== undefined && category !== other.category) return false;
  if (merchant === undefined) return true;
  return other.merchant?.split(',').every(patternsCover('allow')(merchant.split(','))) === true;
}

/** A period of the calendar is as long as itself alone, a window that slides as any shorter one. */
function reachesAsFar(window: LimitWindow, other: LimitWindow): boolean {
  if (window.text === other.text && window.timezone === other.timezone) return true;
  const slide = window.endsAt(0) === undefined && other.endsAt(0) === undefined;
  return slide && window.beginsAt(0) <= other.beginsAt(0);
}

function allowsNoMore(limit: CompiledLimit, other: CompiledLimit): boolean {
  const isAtMost = (most: number | undefined, former: number | undefined) =>
    former === undefined || (most !== undefined && most <= former);
  const refusesAsMuch = limit.action === 'deny' || other.action === 'presence';
  return (
    refusesAsMuch &&
    isAtMost(limit.maxTransactions, other.maxTransactions) &&
    isAtMost(limit.maxAmount, other.maxAmount)
  );
}

function ownVelocity({ maxTransactions, maxAmount, timeWindow = '' }: VelocityLimit): CompiledLimit {
  return velocityLimit({ scope: 'agent', window: timeWindow, maxTransactions, maxAmount });
}

/** The limit of risk.velocity_limit, or of an agent in place of it. @param window a duration */
export function velocityLimit({
  window,
  ...limit
}: Pick<WrittenLimit, 'maxTransactions' | 'maxAmount'> & {
  readonly scope: 'agent' | 'policy';
  readonly window: string;
}) {
  const compiled = { name: VELOCITY_LIMIT, counts: 'issued', action: 'deny', ...limit } as const;
  return compact({ ...compiled, window: slidingWindow(window, parseDurationMs(window)) }) as CompiledLimit;
}

/** What of amounts counts towards a limit: currencies are never added. @param amounts by currency in minor units */
export function amountOf(amounts: Readonly<Record<string, number>>, currency: string): number {
  return amounts[currency] ?? 0;
}

/** In no currency so many units have less than 16 digits. */
const MOST_UNITS = 1e15;

/**
 * An amount of a limit that its currency does not have is a mistake.
 * @param currency undefined where each currency has its own sum
 * @returns what is wrong with it, in a sentence
 */
export function amountFault(amount: number, currency: string | undefined): string | undefined {
  if (currency === undefined) return amount < MOST_UNITS ? undefined : `The amount must be less than ${MOST_UNITS}.`;
  // Of a currency that does not exist no amount is wrong.
  if (!Currency.safeParse(currency).success) return undefined;
  try {
    requireExact(toMinor(amount, currency, { allowZero: true }), currency);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}

/**
 * What is wrong with the money of an agent's own limits: the member, and a sentence.
 * @param ofPolicy the currency of limits that name none; undefined where the policy names none either
 */
export function ownAmountFaults(own: VelocityLimit, ofPolicy: string | undefined): { path: string; message: string }[] {
  const { maxAmount, limits = [] } = own;
  const members = [
    { path: 'maxAmount', amount: maxAmount, currency: undefined },
    ...limits.map((limit, index) => ({
      path: `limits.${index}.maxAmount`,
      amount: limit.maxAmount,
      currency: limit.currency,
    })),
  ];
  return members.flatMap(({ path, amount, currency }) => {
    const message = amount === undefined ? undefined : amountFault(amount, currency ?? ofPolicy);
    return message === undefined ? [] : [{ path, message }];
  });
}
