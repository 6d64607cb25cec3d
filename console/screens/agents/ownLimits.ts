/** An agent's own limits as rows that are typed into, and back. */
import type { Agent, LimitState } from '../../../client/operations.ts';
import { durationText, limitsIn } from '../../parts/limits/limitStates.ts';
import { type ShownLimit, VELOCITY_LIMIT } from '../../parts/limits/measures.ts';
import { isWrong, numberIn, textOf } from './numberText.ts';

type OwnLimit = NonNullable<NonNullable<Agent['velocity']>['limits']>[number];

/** A limit as it is typed: an empty text is a member that is left out. */
export interface LimitRow {
  /** Tells it from the other rows, for as long as they are typed into. */
  readonly key: number;
  readonly name: string;
  readonly count: string;
  readonly amount: string;
  readonly currency: string;
  readonly window: string;
  readonly timezone: string;
  readonly merchant: string;
  readonly category: string;
  readonly action: string;
}

const PERIODS: readonly (readonly [string, string])[] = [
  ['day', 'A day of the calendar'],
  ['week', 'A week, from Monday'],
  ['month', 'A month'],
  ['quarter', 'A quarter'],
  ['year', 'A year'],
];

const DURATIONS: readonly (readonly [string, string])[] = [
  ['24h', 'The last 24 hours'],
  ['7d', 'The last 7 days'],
  ['30d', 'The last 30 days'],
  ['365d', 'The last 365 days'],
];

/** As many as the node takes. */
export const MOST_LIMITS = 20;

/** Whether a time zone has a meaning for it. */
export function isPeriod(window: string): boolean {
  return PERIODS.some(([value]) => value === window);
}

/** The usual windows, and the one that is set. */
export function windowsWith(window: string): readonly (readonly [string, string])[] {
  const usual = [...PERIODS, ...DURATIONS];
  return usual.some(([value]) => value === window) ? usual : [...usual, [window, `The last ${durationText(window)}`]];
}

/** @param rows those that are there @param timezone of the person, in which a month most likely begins for them */
export function newRow(rows: readonly LimitRow[], timezone: string): LimitRow {
  const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
  const none = { name: '', count: '', amount: '', currency: '', merchant: '', category: '' };
  return { ...none, key, window: 'month', timezone, action: 'deny' };
}

/**
 * The rows to begin with: the agent's own limits; where it has none, those of the policy in whose place they will be.
 * @param states every limit that holds for it @param limits the same, which say what currency is named
 */
export function rowsOf(
  { velocity }: Pick<Agent, 'velocity'>,
  states: readonly LimitState[],
  limits: readonly ShownLimit[],
): readonly LimitRow[] {
  if (velocity?.limits !== undefined) return velocity.limits.map(rowOf);
  const ofEach = states.filter(({ scope, name }) => scope === 'agent' && name !== VELOCITY_LIMIT);
  return limitsIn(ofEach).map((limit, key) => {
    const { window, timezone } = ofEach.find(({ name }) => name === limit.name) as LimitState;
    const named = limits.find(({ name, scope }) => name === limit.name && scope === 'agent');
    return rowOf({ ...limit, window, timezone, currency: named?.currency }, key);
  });
}

interface WrittenLimit {
  readonly name: string;
  readonly maxTransactions?: number | undefined;
  readonly maxAmount?: number | undefined;
  readonly currency?: string | undefined;
  readonly window: string;
  readonly timezone?: string | undefined;
  readonly merchant?: string | readonly string[] | undefined;
  readonly category?: string | undefined;
  readonly action?: string | undefined;
}

function rowOf(limit: WrittenLimit, key: number): LimitRow {
  const {
    name,
    maxTransactions,
    maxAmount,
    currency = '',
    window,
    timezone = '',
    merchant = [],
    category = '',
  } = limit;
  const { action = 'deny' } = limit;
  const figures = { count: textOf(maxTransactions), amount: textOf(maxAmount) };
  return {
    key,
    name,
    ...figures,
    currency,
    window,
    timezone,
    merchant: [merchant].flat().join(', '),
    category,
    action,
  };
}

/** @returns what the node is asked to set; it says what is wrong with it */
export function limitsOf(rows: readonly LimitRow[]): readonly OwnLimit[] {
  return rows.map(({ count, amount, window, timezone, ...row }) => {
    const members = {
      name: row.name.trim(),
      maxTransactions: numberIn(count),
      maxAmount: numberIn(amount),
      currency: row.currency.trim().toUpperCase(),
      window,
      timezone: isPeriod(window) ? timezone.trim() : '',
      merchant: merchantsIn(row.merchant),
      category: row.category,
      action: row.action === 'presence' ? row.action : '',
    };
    const given = Object.entries(members).filter(
      ([name, value]) => name === 'name' || (value !== '' && value !== undefined),
    );
    return Object.fromEntries(given) as unknown as OwnLimit;
  });
}

/** One domain, or several that count together, separated by commas or spaces. */
function merchantsIn(text: string): string | readonly string[] {
  const [first = '', ...more] = text.split(/[\s,]+/).filter((domain) => domain !== '');
  return more.length === 0 ? first : [first, ...more];
}

/**
 * Whether each limit has a number of its own, and none that is no number: sent as none it would let more pass than the user
 * meant.
 */
export function areNumbersGiven(rows: readonly LimitRow[]): boolean {
  return rows.every(({ count, amount }) => {
    const given = [count, amount].filter((text) => text.trim() !== '');
    return given.length > 0 && !given.some(isWrong);
  });
}
