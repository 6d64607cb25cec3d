/**
 * The rules that an owner has in a week of a simulated year: limits that ordinary days keep to and busy ones reach, and hours of the
 * night without purchases, in the zone whose clocks change next.
 */
import type { JsonObject } from '../../support/peer.ts';

const DAY_MS = 86_400_000;

/** Changes of clocks within the year: at the first, the doubled and the skipped hours purchases are judged by local time. */
const CHANGES: readonly { readonly zone: string; readonly at: number }[] = [
  { zone: 'Europe/Berlin', at: Date.UTC(2027, 2, 28, 1) },
  { zone: 'Australia/Sydney', at: Date.UTC(2027, 3, 3, 16) },
  { zone: 'Australia/Sydney', at: Date.UTC(2027, 9, 2, 16) },
  { zone: 'Europe/Berlin', at: Date.UTC(2027, 9, 31, 1) },
  { zone: 'America/New_York', at: Date.UTC(2027, 10, 7, 6) },
  { zone: 'America/New_York', at: Date.UTC(2028, 2, 12, 7) },
];

/** Whether an hour of UTC is beside a change of clocks. @param at its begin, in milliseconds since the epoch */
export function isBesideChange(at: number): boolean {
  return CHANGES.some((change) => at >= change.at - 2 * 3_600_000 && at < change.at + 3 * 3_600_000);
}

/** No agent buys from 01:30 to 01:45 and from 02:30 to 03:15, local time. @param at when the week begins */
export function windowsOf(at: number): JsonObject[] {
  const next = CHANGES.find((change) => change.at >= at && change.at < at + 8 * DAY_MS);
  const timezone = next?.zone ?? 'Europe/Berlin';
  return [
    { from: '03:15', to: '01:30', timezone },
    { from: '01:45', to: '02:30', timezone },
  ];
}

/** A limit of an hour, a day, a week or a month, in turn. @param aDay purchases of an ordinary day */
export function limitsOf(day: number, aDay: number): JsonObject {
  const limits: readonly JsonObject[] = [
    // Of each agent: an eighth of what an hour of the evening has, and half as much again.
    {
      max_transactions: 3 + Math.ceil(aDay * 0.014),
      max_amount: 100 + Math.ceil(aDay * 0.6),
      time_window: '1h',
      scope: 'agent',
    },
    { max_transactions: Math.ceil(aDay * 1.3), max_amount: Math.ceil(aDay * 41), time_window: '24h', scope: 'policy' },
    { max_transactions: Math.ceil(aDay * 8.8), max_amount: Math.ceil(aDay * 270), time_window: '7d', scope: 'policy' },
    { max_transactions: Math.ceil(aDay * 6), max_amount: Math.ceil(aDay * 180), time_window: '31d', scope: 'agent' },
  ];
  return limits[Math.floor(day / 7) % limits.length] as JsonObject;
}
