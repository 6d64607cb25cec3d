/** Converts amounts of a request to minor units; a fault names the member that is wrong. */

import { ceilToMinor, floorToMinor, requireExact, toMinor } from '../../../protocol/money.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { AmountFilter } from '../../store/statements/queries.ts';

/** @throws Fault BAD_REQUEST whose details name `path` */
export function minorAt(path: string, amount: number, currency: string): number {
  return at(path, () => requireExact(toMinor(amount, currency), currency));
}

interface AmountFilters {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly currency?: string | undefined;
}

/**
 * What a list is filtered by, in minor units; undefined where it is not filtered by amount. Without a currency the numbers are
 * units of the currency that each row has.
 * @throws as minorAt, for an amount that the currency does not have
 */
export function amountsOf(filter: AmountFilters): AmountFilter | undefined {
  const { min, max, currency } = filter;
  if (currency !== undefined) {
    const minor = (path: string, amount: number | undefined) =>
      amount === undefined ? undefined : at(path, () => toMinor(amount, currency, { allowZero: true }));
    const bounds = { least: minor('min', min), most: minor('max', max) };
    return { currency, boundsIn: () => bounds };
  }
  if (min === undefined && max === undefined) return undefined;
  return {
    boundsIn: (each) => ({
      least: min === undefined ? undefined : ceilToMinor(min, each),
      most: max === undefined ? undefined : floorToMinor(max, each),
    }),
  };
}

/** Runs a check of protocol code and adds to its fault which member of the request it was about. */
export function at<T>(path: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof Fault && error.code === 'BAD_REQUEST' && error.details === undefined) {
      throw new Fault('BAD_REQUEST', error.message, [{ path, message: error.message }]);
    }
    throw error;
  }
}
