/** Converts amounts of a request to minor units; a fault names the member that is wrong. */

import { requireExact, toMinor } from '../../../protocol/money.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { AmountFilter } from '../../store/statements/queries.ts';

/** @throws Fault BAD_REQUEST whose details name `path` */
export function minorAt(path: string, amount: number, currency: string): number {
  return at(path, () => requireExact(toMinor(amount, currency), currency));
}

/** What a list is filtered by, in minor units; undefined where it is not filtered by amount. @throws as minorAt */
export function amountsOf(filter: {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly currency?: string | undefined;
}): AmountFilter | undefined {
  const { min, max, currency } = filter;
  if (currency === undefined) return undefined;
  const minor = (path: string, amount: number | undefined) =>
    amount === undefined ? undefined : at(path, () => toMinor(amount, currency, { allowZero: true }));
  return { currency, least: minor('min', min), most: minor('max', max) };
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
