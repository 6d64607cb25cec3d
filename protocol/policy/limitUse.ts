/** What limits over time say of one purchase: which it passes, by how much, and what is left of them. */
import { z } from 'zod';
import { floorToMinor, formatMoney, fromMinor } from '../money.ts';
import type { ReasonDetail } from '../reason.ts';
import { compact } from '../wire/compact.ts';
import { isoTime } from '../wire/time.ts';
import type { CheckInput, PolicyRequest } from './check.ts';
import {
  type CompiledLimit,
  isWithin,
  LIMIT_ACTIONS,
  narrowingText,
  SCOPES,
  VELOCITY_LIMIT,
} from './values/spendingLimit.ts';

/** What a limit counts besides the present purchase. */
export interface LimitUse {
  readonly limit: CompiledLimit;
  readonly count: number;
  /** In the request's currency. */
  readonly amountMinor: number;
}

export const LimitState = z.object({
  name: z.string().describe('velocity_limit: the one of risk.velocity_limit.'),
  measure: z.enum(['amount', 'purchases']).describe('What of it is limited: the sum, or how many.'),
  limit: z.number(),
  used: z.number().describe('What it counts: what is held or paid in its window.'),
  left: z.number(),
  currency: z.string().optional().describe('Of amounts.'),
  window: z.string(),
  timezone: z.string().optional().describe('Of a period of the calendar.'),
  scope: z
    .enum(SCOPES)
    .describe('Whose purchases count together: the agent’s, those with the same money (principal), or all.'),
  merchant: z.string().optional().describe('Purchases there alone count.'),
  category: z.string().optional().describe('Purchases of it alone count.'),
  action: z.enum(LIMIT_ACTIONS).describe('What becomes of a purchase over it.'),
  own: z.literal(true).optional().describe('True for the agent’s own, in place of the policy’s for each agent.'),
  periodStart: z.string().optional(),
  resetsAt: z.string().optional().describe('When the present period of the calendar ends.'),
});
export type LimitState = z.infer<typeof LimitState>;
type Measure = LimitState['measure'];

/** One of the maxima of a limit with what is used of it: numbers of purchases, or amounts in minor units. */
export interface Maximum {
  readonly use: LimitUse;
  readonly measure: Measure;
  readonly limit: number;
  readonly used: number;
  /** Used with the purchase. */
  readonly requested: number;
  readonly isPassed: boolean;
}

/** Whether a limit is about a purchase. A merchant's or a category's is not, before the merchant or its category is known. */
export function isAbout({ currency, narrowing }: CompiledLimit, request: PolicyRequest): boolean {
  if (currency !== undefined && currency !== request.currency) return false;
  return narrowing === undefined || isWithin(narrowing, { merchant: request.merchantDomain, mcc: request.mcc });
}

/**
 * The maxima that a purchase is measured by, in the order of the policy.
 * @param comparable false where the policy has another currency
 */
export function measureLimits(
  limits: readonly LimitUse[],
  request: PolicyRequest,
  comparable: boolean,
): readonly Maximum[] {
  const maxima: Maximum[] = [];
  for (const use of limits) {
    if (!isAbout(use.limit, request)) continue;
    const { maxTransactions, maxAmount, counts } = use.limit;
    if (maxTransactions !== undefined) {
      const requested = use.count + 1;
      const isPassed = requested > maxTransactions;
      maxima.push({ use, measure: 'purchases', limit: maxTransactions, used: use.count, requested, isPassed });
    }
    // A limit in the currency of another policy has no meaning for this one.
    if (maxAmount !== undefined && (comparable || counts === 'held')) {
      const limit = floorToMinor(maxAmount, request.currency);
      const { amountMinor: used } = use;
      // Subtracted instead of added, since the sum of two amounts may not be exact.
      const isPassed = request.amountMinor > limit - used;
      const requested = Math.min(used + request.amountMinor, Number.MAX_SAFE_INTEGER);
      maxima.push({ use, measure: 'amount', limit, used, requested, isPassed });
    }
  }
  return maxima;
}

type Action = CompiledLimit['action'];

/** The maximum that a purchase passes furthest, as a share of it. @returns undefined where it passes none with the action */
function furthest({ maxima }: CheckInput, action: Action, measures: readonly Measure[]): Maximum | undefined {
  const passed = maxima.filter(
    ({ use, measure, isPassed }) => isPassed && use.limit.action === action && measures.includes(measure),
  );
  return furthestOf(passed);
}

/** Of equal shares the first; a limit of nothing is passed by more than any other. */
function furthestOf(maxima: readonly Maximum[]): Maximum | undefined {
  const shareOf = ({ requested, limit }: Maximum) => (limit === 0 ? Number.POSITIVE_INFINITY : requested / limit);
  return maxima.reduce<Maximum | undefined>(
    (most, each) => (most === undefined || shareOf(each) > shareOf(most) ? each : most),
    undefined,
  );
}

/** Why a purchase is refused by its limits of one measure: the facts of the one that it passes furthest. */
export function refuseOver(input: CheckInput, measure: Measure): ReasonDetail | undefined {
  const passed = furthest(input, 'deny', [measure]);
  if (passed === undefined) return undefined;
  const { limit, used, left, currency } = shown(passed, input);
  const endsAt = passed.use.limit.window.endsAt(input.now);
  return compact({
    requested: inUnits(passed, passed.requested, input),
    limit,
    used,
    left,
    currency,
    resetsInSeconds: endsAt === undefined ? undefined : Math.ceil((endsAt - input.now) / 1000),
    message: passedText(passed, input),
  });
}

/** Why a person is asked, where a purchase is over a limit that a person may let it pass. */
export function questionOver(input: CheckInput): string | undefined {
  const passed = furthest(input, 'presence', ['amount', 'purchases']);
  return passed === undefined ? undefined : passedText(passed, input);
}

/** Every limit that refuses a purchase, in the order of the policy. */
export function statesOver(input: CheckInput): LimitState[] {
  return input.maxima
    .filter(({ isPassed, use }) => isPassed && use.limit.action === 'deny')
    .map((maximum) => shown(maximum, input));
}

/** Every limit that a purchase is over, also where the purchase is refused for another reason. */
export function limitsOver({ maxima }: CheckInput): ReadonlySet<CompiledLimit> {
  return new Set(maxima.flatMap(({ isPassed, use }) => (isPassed ? [use.limit] : [])));
}

/** The names of the limits that a purchase is over with a person's approval. */
export function namesOver({ maxima }: CheckInput): string[] {
  const passed = maxima.filter(({ isPassed, use }) => isPassed && use.limit.action === 'presence');
  return [...new Set(passed.map(({ use }) => use.limit.name))];
}

/** What is left after a purchase of the limit of which the least share is; undefined where it has no limit. */
export function tightestAfter(input: CheckInput): LimitState | undefined {
  const shareOf = ({ limit, requested }: Maximum) => (limit === 0 ? 0 : Math.max(0, limit - requested) / limit);
  const tightest = leastBy(input.maxima, shareOf);
  return tightest && shown({ ...tightest, used: tightest.requested }, input);
}

/**
 * "40.00 USD of 200.00 USD this month on groceries": the smallest sum that a limit leaves before it refuses. A number of purchases
 * is no sum: it is told where it leaves none, or stands alone.
 * @returns undefined where no limit refuses
 */
export function leftAfterText(input: CheckInput): { readonly left: string; readonly usedUp?: true } | undefined {
  const sumOf = (maximum: Maximum) => {
    const left = leftAfter(maximum);
    return maximum.measure === 'purchases' && left > 0 ? Number.POSITIVE_INFINITY : left;
  };
  const least = leastBy(
    input.maxima.filter(({ use }) => use.limit.action === 'deny'),
    sumOf,
  );
  if (least === undefined) return undefined;
  const { limit, measure, use } = least;
  const told = (number: number) =>
    measure === 'amount'
      ? formatMoney(number, input.request.currency)
      : `${number} ${number === 1 ? 'purchase' : 'purchases'}`;
  const left = leftAfter(least);
  const text = `${told(left)} of ${measure === 'amount' ? told(limit) : limit} ${within(use.limit)}`;
  return left > 0 ? { left: text } : { left: `${text}. The next purchase that counts is refused.`, usedUp: true };
}

/** What a purchase leaves of a maximum. */
function leftAfter({ limit, requested }: Maximum): number {
  return Math.max(0, limit - requested);
}

/** Of equal ones the first. */
function leastBy(maxima: readonly Maximum[], measure: (maximum: Maximum) => number): Maximum | undefined {
  return maxima.reduce<Maximum | undefined>(
    (least, each) => (least === undefined || measure(each) < measure(least) ? each : least),
    undefined,
  );
}

/** What a limit counts now: how many purchases, and how much in each currency that it counts. */
export interface LimitFigures {
  readonly limit: CompiledLimit;
  readonly count: number;
  /** One where limit or policy names a currency; else each in which something was bought. */
  readonly sums: readonly CurrencySum[];
}

export interface CurrencySum {
  readonly currency: string;
  readonly amountMinor: number;
}

/** What is used of each maximum of a limit, and of a sum in each currency. @param now milliseconds since the epoch */
export function statesOf({ limit, count, sums }: LimitFigures, now: number): LimitState[] {
  const { maxTransactions, maxAmount } = limit;
  const states: LimitState[] = [];
  if (maxTransactions !== undefined) states.push(stateOf(limit, 'purchases', maxTransactions, count, undefined, now));
  if (maxAmount === undefined) return states;
  if (sums.length === 0) states.push(stateOf(limit, 'amount', maxAmount, 0, undefined, now));
  for (const { currency, amountMinor } of sums) {
    states.push(stateOf(limit, 'amount', maxAmount, fromMinor(amountMinor, currency), currency, now));
  }
  return states;
}

function shown(maximum: Maximum, input: CheckInput): LimitState {
  const { use, measure, limit, used } = maximum;
  const [most, taken] = [limit, used].map((number) => inUnits(maximum, number, input)) as [number, number];
  const state = stateOf(
    use.limit,
    measure,
    most,
    taken,
    measure === 'amount' ? input.request.currency : undefined,
    input.now,
  );
  // Subtracted in minor units, in which the difference is exact.
  return { ...state, left: inUnits(maximum, Math.max(0, limit - used), input) };
}

function inUnits({ measure }: Maximum, number: number, { request: { currency } }: CheckInput): number {
  return measure === 'amount' ? fromMinor(number, currency) : number;
}

function stateOf(
  { name, window, scope, narrowing, action, isOwn }: CompiledLimit,
  measure: Measure,
  limit: number,
  used: number,
  currency: string | undefined,
  now: number,
): LimitState {
  const endsAt = window.endsAt(now);
  const left = currency === undefined ? limit - used : differenceIn(currency, limit, used);
  return compact({
    name,
    measure,
    limit,
    used,
    left: Math.max(0, left),
    currency,
    window: window.text,
    timezone: window.timezone,
    scope,
    ...narrowingText(narrowing),
    action,
    own: isOwn,
    periodStart: endsAt === undefined ? undefined : isoTime(window.beginsAt(now)),
    resetsAt: endsAt === undefined ? undefined : isoTime(endsAt),
  });
}

/** Of two amounts in units; exact, where their sum in units would not be. */
function differenceIn(currency: string, limit: number, used: number): number {
  return fromMinor(Math.max(0, floorToMinor(limit, currency) - floorToMinor(used, currency)), currency);
}

/** "40.00 USD would make it 210.00 USD this month for all agents together; the limit “groceries” is 200.00 USD." */
function passedText({ use, measure, limit, requested }: Maximum, { request }: CheckInput): string {
  const { amountMinor, currency } = request;
  const named = use.limit.name === VELOCITY_LIMIT ? 'the limit' : `the limit “${use.limit.name}”`;
  if (measure === 'purchases') {
    return `This would be purchase ${requested} ${within(use.limit)}; ${named} is ${limit}.`;
  }
  return (
    `${formatMoney(amountMinor, currency)} would make it ${formatMoney(requested, currency)} ${within(use.limit)}; ` +
    `${named} is ${formatMoney(limit, currency)}.`
  );
}

/** "groceries: 50.00 USD of 200.00 USD is left, until 2026-04-01. …" */
export function limitsSentence(limits: readonly LimitState[]): string {
  if (limits.length === 0) return 'No limit over time holds.';
  return limits.map(stateSentence).join(' ');
}

function stateSentence({ name, measure, left, limit, currency, resetsAt }: LimitState): string {
  const shownAmount = (amount: number) =>
    currency === undefined ? String(amount) : formatMoney(floorToMinor(amount, currency), currency);
  const what = measure === 'amount' ? '' : ' purchases';
  const until = resetsAt === undefined ? '' : ` until ${resetsAt}`;
  return `${name}: ${shownAmount(left)} of ${shownAmount(limit)}${what} is left${until}.`;
}

const TOGETHER = {
  agent: '',
  principal: ' for all agents that spend this money',
  policy: ' for all agents together',
} as const;

/** "within 1 day for all agents together", "this month at shop.example, for groceries". */
function within({ window, scope, narrowing }: CompiledLimit): string {
  const { merchant, category } = narrowingText(narrowing);
  const at = merchant === undefined ? '' : ` at ${merchant.replaceAll(', ', ' or ')}`;
  const of = category === undefined ? '' : ` on ${category}`;
  return `${window.phrase}${at}${of}${TOGETHER[scope]}`;
}

/** The maximum of which a purchase leaves the least share, whether or not it passes it. */
export function tightestOf({ maxima }: CheckInput, action: Action, measures: readonly Measure[]): Tightest | undefined {
  const asked = maxima.filter(({ use, measure }) => use.limit.action === action && measures.includes(measure));
  const tightest = furthestOf(asked);
  if (tightest === undefined) return undefined;
  const { use, measure, limit, requested } = tightest;
  return { measure, limit, requested, within: within(use.limit) };
}

interface Tightest {
  readonly measure: Measure;
  /** Both are numbers of purchases, or amounts in minor units. */
  readonly limit: number;
  readonly requested: number;
  readonly within: string;
}

/** The member of an event's data that records what the limits of risk.limits counted; none where none holds. */
export function limitUseFacts(limits: readonly LimitUse[], currency: string) {
  const held = limits.filter(({ limit }) => limit.counts === 'held');
  if (held.length === 0) return {};
  const shownUse = ({ limit: { name }, count, amountMinor }: LimitUse) => ({
    name,
    purchases: count,
    amount: fromMinor(amountMinor, currency),
  });
  return { limitUse: held.map(shownUse) };
}

const RecordedUse = z.array(z.object({ name: z.string(), purchases: z.int(), amount: z.number() }));

/**
 * What limits counted at a decision, as its event says it.
 * @param data of an event @param limits those that held then @param currency of the purchase
 * @returns those that the event has figures of
 */
export function limitUseIn(
  data: Readonly<Record<string, unknown>>,
  limits: readonly CompiledLimit[],
  currency: string,
): LimitUse[] {
  const parsed = RecordedUse.safeParse(data['limitUse']);
  if (!parsed.success) return [];
  return limits.flatMap((limit) => {
    const found = parsed.data.find(({ name }) => limit.counts === 'held' && name === limit.name);
    if (found === undefined) return [];
    return [{ limit, count: found.purchases, amountMinor: floorToMinor(Math.max(0, found.amount), currency) }];
  });
}
