/** Sentences that several rules share. */
import { formatMoney, fromMinor } from '../money.ts';
import type { ReasonDetail } from '../reason.ts';
import type { CheckInput, Figures, SkipReason } from './check.ts';
import type { Remark } from './rule.ts';

/** An amount without its currency: "50.00". */
function formatBare(amountMinor: number, currency: string): string {
  return formatMoney(amountMinor, currency).slice(0, -currency.length - 1);
}

/** "150.00 USD is 50.00 over the cap of 100.00." with the numbers behind it, in major units. */
export function overLimit(requestedMinor: number, limitMinor: number, currency: string, what: string): ReasonDetail {
  const excess = formatBare(requestedMinor - limitMinor, currency);
  return {
    requested: fromMinor(requestedMinor, currency),
    limit: fromMinor(limitMinor, currency),
    currency,
    message: `${formatMoney(requestedMinor, currency)} is ${excess} over ${what} ${formatBare(limitMinor, currency)}.`,
  };
}

/** "60.00 USD is within the cap of 100.00; 40.00 are left." with the numbers behind it; what they are where it is over, too. */
export function withinLimit(requestedMinor: number, limitMinor: number, currency: string, what: string): Figures {
  const left = limitMinor - requestedMinor;
  const within = `${formatMoney(requestedMinor, currency)} is within ${what} ${formatBare(limitMinor, currency)}`;
  return {
    asked: fromMinor(requestedMinor, currency),
    limit: fromMinor(limitMinor, currency),
    left: fromMinor(left, currency),
    currency,
    sentence: `${within}; ${formatBare(left, currency)} is left.`,
  };
}

/** Why no rule about amounts is asked of a request in another currency than the policy's. */
export function otherCurrency({ policy, request }: CheckInput): SkipReason {
  const own = policy.rules.spend?.currency;
  return { notAsked: `The policy's amounts are in ${own}, and the request is in ${request.currency}.` };
}

export const NOT_SET: SkipReason = { notAsked: 'The policy has no such rule.' };

/** Of a long list so many are told. */
const MOST_NAMED = 12;

/** A sentence about a list, which says nothing where it is empty. @param say is given "a, b and 3 more" */
export function namesText(list: readonly string[], say: (names: string) => string): string | undefined {
  if (list.length === 0) return undefined;
  const more = list.length - MOST_NAMED;
  return say(list.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : ''));
}

/** As many names as a person reads. */
const MOST_WARNED = 5;

export function isAmong(list: readonly string[]): (entry: string) => boolean {
  const entries = new Set(list);
  return (entry) => entries.has(entry);
}

/** What is allowed and denied is denied. */
export function bothWays(
  path: string,
  allowed: readonly string[],
  list: string,
  isDenied: (entry: string) => boolean,
): readonly Remark[] {
  const names = allowed.filter(isDenied);
  if (names.length === 0) return [];
  const all = names.length === allowed.length ? ' Nothing that is allowed is left.' : '';
  return [{ path, message: `${areNamed(names)} on ${list} too, which wins.${all}` }];
}

/** "a, b and 3 more are", for what comes after it. */
export function areNamed(names: readonly string[]): string {
  const more = names.length - MOST_WARNED;
  const told = names.slice(0, MOST_WARNED).join(', ');
  return `${told}${more > 0 ? ` and ${more} more` : ''} ${names.length === 1 ? 'is' : 'are'}`;
}
