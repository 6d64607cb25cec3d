/** Limits as the node counts them one maximum at a time, put together again; and the order in which people look at limits. */
import type { LimitState } from '../../../client/operations.ts';
import { type CountedLimit, maximaOf } from './measures.ts';

/** @param states in the node's order, in which the maxima of one limit follow each other */
export function limitsIn(states: readonly LimitState[]): readonly CountedLimit[] {
  const found: CountedLimit[] = [];
  for (const { measure, limit, used, window, timezone, left: _left, periodStart: _start, ...state } of states) {
    const figures =
      measure === 'amount' ? { maxAmount: limit, spent: used } : { maxTransactions: limit, purchases: used };
    const last = found.at(-1);
    const isSame = last !== undefined && last.name === state.name && last.scope === state.scope;
    const former = isSame ? found.pop() : { purchases: 0, spent: 0, window: windowText(window, timezone) };
    found.push({ ...(former as CountedLimit), ...state, ...figures });
  }
  return found;
}

/** Those first of which the least is left. */
export function tightestFirst<Limit extends CountedLimit>(limits: readonly Limit[]): readonly Limit[] {
  const shareOf = (limit: Limit) => Math.max(0, ...maximaOf(limit).map(({ share }) => share));
  return [...limits].sort((one, other) => shareOf(other) - shareOf(one));
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** As the node says it in the list of agents: `24h` as "1 day", `month` as "this month (Europe/Berlin)". */
function windowText(window: string, timezone: string | undefined): string {
  // Only a period of the calendar has one.
  if (timezone === undefined) return durationText(window);
  return `${window === 'day' ? 'today' : `this ${window}`}${timezone === 'UTC' ? '' : ` (${timezone})`}`;
}

/**
 * `24h` as "1 day", `90m` as "90 minutes": in the largest unit that divides it.
 * @param duration as the node writes it; what is no duration stays as it is
 */
export function durationText(duration: string): string {
  if (!/^\d+[smhd]$/.test(duration)) return duration;
  const lengthOf = (unit: string | undefined) => UNITS.find(([name]) => name.startsWith(String(unit)))?.[1] ?? 1;
  const seconds = Number.parseInt(duration, 10) * lengthOf(duration.at(-1));
  const [name, length] = UNITS.find(([, each]) => seconds % each === 0) ?? ['second', 1];
  return `${seconds / length} ${name}${seconds === length ? '' : 's'}`;
}
