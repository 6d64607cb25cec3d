/** Sentences with numbers that several rules share. */
import { formatMoney, fromMinor } from '../money.ts';
import type { ReasonDetail } from '../reason.ts';
import type { CheckInput, Figures, NotAsked } from './check.ts';

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
export function otherCurrency({ policy, request }: CheckInput): NotAsked {
  const own = policy.rules.spend?.currency;
  return { notAsked: `The policy's amounts are in ${own}, and the request is in ${request.currency}.` };
}

export const NOT_SET: NotAsked = { notAsked: 'The policy has no such rule.' };
