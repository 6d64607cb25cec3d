/** The filters of the list of payments, as the address has them and as the node takes them. */
import type { Operations, Payment } from '../../../client/operations.ts';

export interface Filters {
  readonly status: string;
  readonly agent: string;
  readonly merchant: string;
  /** Days as YYYY-MM-DD, in the zone of whoever looks. */
  readonly from: string;
  readonly to: string;
}

export const STATES: readonly (readonly [Payment['status'], string])[] = [
  ['AUTHORIZED', 'Authorized'],
  ['CAPTURED', 'Paid'],
  ['PARTIALLY_REFUNDED', 'Partly refunded'],
  ['REFUNDED', 'Refunded'],
  ['DISPUTED', 'Disputed'],
  ['UNKNOWN', 'Outcome unknown'],
  ['PENDING', 'Pending'],
  ['FAILED', 'Failed'],
  ['CANCELED', 'Canceled'],
];

/** What the node takes for a domain; what is being typed is none until it is whole. */
export const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Anybody may write an address: what is no filter is left out. */
export function filtersIn(query: URLSearchParams): Filters {
  const textOf = (name: string) => query.get(name) ?? '';
  const status = textOf('status');
  return {
    status: STATES.some(([state]) => state === status) ? status : '',
    agent: textOf('agent'),
    merchant: textOf('merchant'),
    from: dayIn(query, 'from'),
    to: dayIn(query, 'to'),
  };
}

/** A day of the address; empty where it is none. */
export function dayIn(query: URLSearchParams, name: string): string {
  const text = query.get(name) ?? '';
  return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';
}

export function inputOf({ status, agent, merchant, from, to }: Filters): Operations['listPayments']['input'] {
  return {
    ...(status === '' ? {} : { status: status as Payment['status'] }),
    ...(agent === '' ? {} : { agentDid: agent }),
    ...(DOMAIN.test(merchant) ? { merchant } : {}),
    ...(from === '' ? {} : { from: startOf(from, 0) }),
    // Up to the end of that day.
    ...(to === '' ? {} : { to: startOf(to, 1) }),
  };
}

/** The beginning of a day, or of one after it, where the person is. */
export function startOf(day: string, after: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + after).toISOString();
}
