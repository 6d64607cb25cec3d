/** Sentences with numbers that several rules share. */
import { formatMoney, fromMinor } from '../money.ts';
import type { ReasonDetail } from '../reason.ts';

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
