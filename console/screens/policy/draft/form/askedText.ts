/** What a replay says of a limit of the draft, in words and as shares of a bar. */
import type { Operations } from '../../../../../client/operations.ts';
import { durationText } from '../../../../parts/limits/limitStates.ts';
import { amountText } from '../../../../parts/values/amount.ts';

export type ReplayedLimit = Operations['replayPolicy']['output']['limits'][number];
type RequestSum = ReplayedLimit['refused'];

/** What was asked of one maximum of a limit. */
export interface AskedMeasure {
  /** Such as "2,412.50 USD asked for, 412.50 USD over the limit". */
  readonly text: string;
  /** Up to the limit, as a share of the bar from 0 to 1. */
  readonly within: number;
  /** Beyond it. */
  readonly over: number;
}

/** What the draft says of a limit, as far as it is written. */
export interface DraftMaxima {
  readonly maxAmount?: number | undefined;
  readonly maxTransactions?: number | undefined;
  /** The limit's, or the policy's; undefined where purchases in all of them count. */
  readonly currency?: string | undefined;
}

/** @returns one for each maximum; none for a sum of amounts in several currencies, which is no one number */
export function askedMeasures(
  { requests, money }: RequestSum,
  { maxAmount, maxTransactions, currency }: DraftMaxima,
): readonly AskedMeasure[] {
  const sum = money.find((each) => each.currency === currency)?.amount ?? 0;
  const amountIn = (amount: number) => amountText(amount, currency ?? '');
  return [
    ...(maxTransactions === undefined ? [] : [measured(requests, maxTransactions, requestsText)]),
    ...(maxAmount === undefined || currency === undefined ? [] : [measured(sum, maxAmount, amountIn)]),
  ];
}

function measured(asked: number, limit: number, textOf: (number: number) => string): AskedMeasure {
  const top = Math.max(asked, limit, Number.MIN_VALUE);
  const isOver = asked > limit;
  const over = isOver ? `, ${textOf(asked - limit)} over the limit` : '';
  return {
    text: `${textOf(asked)} asked for${over}`,
    within: Math.min(asked, limit) / top,
    over: isOver ? (asked - limit) / top : 0,
  };
}

/** What a limit's last whole period is called: "Yesterday", "Last month", "The last 24 hours". */
export function periodName(window: string): string {
  if (window === 'day') return 'Yesterday';
  return /^\d/.test(window) ? `The last ${durationText(window).replace(/^1 /, '')}` : `Last ${window}`;
}

/** What the limit would have stopped: "3 requests refused, 96.40 USD", "Nothing is stopped.". */
export function stoppedText({ refused, person }: Pick<ReplayedLimit, 'refused' | 'person'>): string {
  const parts = [
    ...(refused.requests === 0 ? [] : [`${requestsText(refused.requests)} refused, ${moneyText(refused)}`]),
    ...(person.requests === 0 ? [] : [`${requestsText(person.requests)} sent to a person, ${moneyText(person)}`]),
  ];
  return parts.length === 0 ? 'Nothing is stopped.' : parts.join('; ');
}

/** "17 requests, 3.00 USD, 2,000 JPY" */
export function sumText(sum: RequestSum): string {
  return `${requestsText(sum.requests)}, ${moneyText(sum)}`;
}

function requestsText(number: number): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? 'request' : 'requests'}`;
}

function moneyText({ money }: RequestSum): string {
  return money.map(({ amount, currency }) => amountText(amount, currency)).join(', ');
}
