/** The filters of the list of payments, as the address has them and as the node takes them. */
import type { Operations, Payment } from '../../../client/operations.ts';
import type { CommonFilters } from '../../parts/table/commonFilters.ts';

export interface PaymentFilters extends CommonFilters {
  readonly status: string;
  /** A merchant's domain, or the id of a payment or a transaction, or the beginning of one. */
  readonly text: string;
  /** Empty for the newest first. */
  readonly sort: string;
}

export const STATES: readonly (readonly [Payment['status'], string])[] = [
  ['AUTHORIZED', 'Reserved'],
  ['CAPTURED', 'Paid'],
  ['PARTIALLY_REFUNDED', 'Partly refunded'],
  ['REFUNDED', 'Refunded'],
  ['DISPUTED', 'Disputed'],
  ['UNKNOWN', 'Outcome unknown'],
  ['PENDING', 'Pending'],
  ['FAILED', 'Failed'],
  ['CANCELED', 'Canceled'],
];

type Sort = NonNullable<Operations['listPayments']['input']['sort']>;

export const SORTS: readonly (readonly [Sort, string])[] = [
  ['oldest', 'Oldest first'],
  ['largest', 'Largest first'],
  ['smallest', 'Smallest first'],
];

/** Whether payments stand by amount, which takes one currency. */
export function isByAmount({ sort }: Pick<PaymentFilters, 'sort'>): boolean {
  return sort === 'largest' || sort === 'smallest';
}

/** By amount those of one currency are listed. @param currency of those that are shown */
export function sortedBy(
  sort: string,
  filters: Pick<PaymentFilters, 'currency'>,
  currency: string,
): Pick<PaymentFilters, 'sort'> & Partial<Pick<PaymentFilters, 'currency'>> {
  return { sort, ...(isByAmount({ sort }) && filters.currency === '' ? { currency } : {}) };
}

/** What the node takes for a domain; a name that is being typed becomes one when it is whole. */
export const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i;
const ID = /^(pm|txn)_\w+$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const AMOUNT = /^\d{1,12}(\.\d{1,4})?$/;
const CURRENCY = /^[A-Z]{3}$/;

/** An address may hold any text: what is no filter is left out. */
export function filtersIn(query: URLSearchParams): PaymentFilters {
  const textOf = (name: string) => query.get(name) ?? '';
  const like = (name: string, form: RegExp) => (form.test(textOf(name)) ? textOf(name) : '');
  const oneOf = (name: string, all: readonly (readonly [string, string])[]) =>
    all.some(([value]) => value === textOf(name)) ? textOf(name) : '';
  const currency = like('currency', CURRENCY);
  const sort = oneOf('sort', SORTS);
  return {
    status: oneOf('status', STATES),
    agent: textOf('agent'),
    // Links of before named the merchant.
    text: textOf('text') || textOf('merchant'),
    from: dayIn(query, 'from'),
    to: dayIn(query, 'to'),
    min: like('min', AMOUNT),
    max: like('max', AMOUNT),
    currency,
    sort: isByAmount({ sort }) && currency === '' ? '' : sort,
  };
}

/** The id that is looked for, where the text is one: it names one payment, and the other filters do not count. */
export function idIn({ text }: PaymentFilters): string | undefined {
  return ID.test(text.trim()) ? text.trim() : undefined;
}

/** A day of the address; empty where the text is no day. */
export function dayIn(query: URLSearchParams, name: string): string {
  const text = query.get(name) ?? '';
  return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';
}

export function inputOf({
  status,
  agent,
  text,
  from,
  to,
  min,
  max,
  currency,
  sort,
}: PaymentFilters): Operations['listPayments']['input'] {
  const merchant = text.trim();
  const amounts = { ...(currency === '' ? {} : { currency }), ...numberOf('min', min), ...numberOf('max', max) };
  return {
    ...(status === '' ? {} : { status: status as Payment['status'] }),
    ...(agent === '' ? {} : { agentDid: agent }),
    ...(DOMAIN.test(merchant) ? { merchant } : {}),
    ...(from === '' ? {} : { from: startOf(from, 0) }),
    // Up to the end of that day.
    ...(to === '' ? {} : { to: startOf(to, 1) }),
    ...amounts,
    ...(sort === '' ? {} : { sort: sort as Sort }),
  };
}

function numberOf(name: 'min' | 'max', text: string): { readonly min?: number; readonly max?: number } {
  return text === '' ? {} : { [name]: Number(text) };
}

/** The beginning of a day, or of one after it, where the person is. */
export function startOf(day: string, after: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + after).toISOString();
}
