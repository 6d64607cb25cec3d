/** What limits over time allow, and what of it is used, as people read it in a terminal. */
import type { Agent, LimitState } from '../../../client/operations.ts';
import type { AgentLimitUse } from '../../../protocol/agentLimits.ts';
import { floorToMinor, formatMoney } from '../../../protocol/money.ts';
import { compileLimitWindow } from '../../../protocol/policy/values/limitWindow.ts';
import { VELOCITY_LIMIT } from '../../../protocol/policy/values/spendingLimit.ts';
import { type Cell, columns } from './layout.ts';
import { colour } from './print.ts';

const HEADS = ['LIMIT', 'USED', 'LEFT', 'PERIOD', 'COUNTS', 'WHERE', 'OVER IT'];

const WHOSE: Readonly<Record<LimitState['scope'], string>> = {
  agent: 'one agent',
  principal: 'agents with the same money',
  policy: 'all agents',
};

const OVER: Readonly<Record<LimitState['action'], string>> = { deny: 'denied', presence: 'a person is asked' };

/** One row for each maximum of each limit, in the order of the policy. */
export function limitTable(states: readonly LimitState[]): string {
  return columns(
    HEADS,
    states.map((state) => [
      state.name,
      usedText(state),
      leftCell(state),
      periodText(state),
      WHOSE[state.scope],
      whereText(state) || 'anywhere',
      OVER[state.action],
    ]),
  );
}

/** The limits that refuse a purchase, where they are several: the reason names the one that it passes furthest. */
export function severalLimits(states: readonly LimitState[] = []): string[] {
  return states.length < 2 ? [] : ['', `${states.length} limits refuse it:`, limitTable(states)];
}

/** Such as "Left after it: 50.00 of 200.00 USD; groceries, this month (UTC), resets 1 Apr 00:00." */
export function remainingText(state: LimitState): string {
  const left = ofText(state.measure, state.left, state.limit, state.currency);
  const which = [state.name, whereText(state), periodText(state)].filter((part) => part !== '');
  return `Left after it: ${left}; ${which.join(', ')}.`;
}

function usedText({ measure, used, limit, currency }: LimitState): string {
  return ofText(measure, used, limit, currency);
}

function leftCell({ measure, left, currency }: LimitState): Cell {
  const text = measure === 'amount' ? figure(left, currency) : String(left);
  return left === 0 ? { text, paint: colour.red } : text;
}

/** Such as "150.00 of 200.00 USD" or "3 of 20 purchases". */
function ofText(measure: LimitState['measure'], part: number, whole: number, currency: string | undefined): string {
  if (measure === 'purchases') return `${part} of ${whole} purchases`;
  if (currency === undefined) return `${part} of ${whole} in each currency`;
  return `${figure(part, currency).replace(` ${currency}`, '')} of ${figure(whole, currency)}`;
}

/** Decimals that the currency does not have are dropped, as where the limit is judged. */
function figure(amount: number, currency: string | undefined): string {
  return currency === undefined ? String(amount) : formatMoney(floorToMinor(amount, currency), currency);
}

/** Such as "within 1 day", or "this month (Europe/Berlin), resets 1 Apr 00:00", a midnight of that zone. */
function periodText({ window, timezone, resetsAt }: Pick<LimitState, 'window' | 'timezone' | 'resetsAt'>): string {
  const { phrase } = compileLimitWindow(window, timezone);
  if (timezone === undefined || resetsAt === undefined) return phrase;
  const zone = timezone === 'UTC' ? ' (UTC)' : '';
  return `${phrase}${zone}, resets ${midnightText(resetsAt, timezone)}`;
}

/** In some zones a day begins later than at 00:00, where the clock is changed. */
function midnightText(iso: string, timeZone: string): string {
  const parts = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Date(iso).toLocaleString('en-GB', { timeZone, ...parts }).replace(',', '');
}

interface LimitScope {
  readonly merchant?: string | readonly string[] | undefined;
  readonly category?: string | undefined;
}

/** Such as "groceries at shop.example"; empty where a limit counts everything. */
function whereText({ merchant, category }: LimitScope): string {
  const merchants = [merchant ?? []].flat().join(' or ');
  return [category, merchants === '' ? undefined : `at ${merchants}`].filter(Boolean).join(' ');
}

/** Such as "3 of 20 purchases and 72.50 of 500.00 USD in 1 day", or "groceries: 72.50 of 200.00 USD this month, groceries". */
export function agentLimitText(use: Omit<AgentLimitUse, 'sums'>): string {
  const { name, scope, purchases, maxTransactions, spent, maxAmount, currency, window, resetsAt } = use;
  const used = [
    ...(maxTransactions === undefined ? [] : [ofText('purchases', purchases, maxTransactions, undefined)]),
    ...(maxAmount === undefined ? [] : [ofText('amount', spent, maxAmount, currency)]),
  ];
  const named = name === VELOCITY_LIMIT ? '' : `${name}: `;
  const period = resetsAt === undefined ? `in ${window}` : window;
  const where = whereText(use);
  const besides = [...(where === '' ? [] : [where]), ...(scope === 'policy' ? ['all agents together'] : [])];
  return [`${named}${used.join(' and ')} ${period}`, ...besides].join(', ');
}

type OwnLimits = NonNullable<Agent['velocity']>;

interface Maxima {
  readonly maxTransactions?: number | undefined;
  readonly maxAmount?: number | undefined;
}

/**
 * An agent's own velocity limit, such as "20 purchases and 500.00 USD in 24h"; undefined where it has none.
 * @param currency the policy's; undefined where it names none, and each currency has its own sum
 */
export function ownVelocityText(own: OwnLimits, currency: string | undefined): string | undefined {
  return own.timeWindow === undefined ? undefined : `${mostText(own, currency)} in ${own.timeWindow}`;
}

/** An agent's further limits, as they were set; undefined where the policy's hold. */
export function ownLimitsText({ limits }: OwnLimits, currency: string | undefined): string | undefined {
  if (limits === undefined) return undefined;
  if (limits.length === 0) return 'none, in place of the policy’s for each agent';
  return limits.map((limit) => ownLimitText(limit, currency)).join('; ');
}

function ownLimitText(limit: NonNullable<OwnLimits['limits']>[number], ofPolicy: string | undefined): string {
  const { name, currency = ofPolicy, window, timezone, action = 'deny' } = limit;
  const where = whereText(limit);
  const { phrase } = compileLimitWindow(window, timezone);
  return [
    `${name}: ${mostText(limit, currency)} ${phrase}`,
    ...(where === '' ? [] : [where]),
    `over it ${OVER[action]}`,
  ].join(', ');
}

function mostText({ maxTransactions, maxAmount }: Maxima, currency: string | undefined): string {
  const each = currency === undefined ? ' of each currency' : '';
  return [
    ...(maxTransactions === undefined ? [] : [`${maxTransactions} purchases`]),
    ...(maxAmount === undefined ? [] : [`${figure(maxAmount, currency)}${each}`]),
  ].join(' and ');
}
