/** The filters of the list of decisions, as the address has them and as the node takes them. */
import { type Operations, reasonCodes } from '../../../client/operations.ts';
import type { CommonFilters } from '../../parts/table/commonFilters.ts';
import { reasonText } from '../../parts/values/reasonText.ts';
import { DOMAIN, dayIn, isByAmount, SORTS, startOf } from '../payments/filters.ts';

type Input = Operations['listDecisions']['input'];
type Outcome = NonNullable<Input['outcome']>;
type Reason = NonNullable<Input['reasonCode']>;

export interface DecisionFilters extends CommonFilters {
  readonly outcome: string;
  readonly merchant: string;
  readonly reason: string;
  /** Empty for the newest first. */
  readonly sort: string;
}

export const OUTCOMES: readonly (readonly [Outcome, string])[] = [
  ['allowed', 'Allowed'],
  ['refused', 'Refused'],
  ['approval', 'A person was asked'],
];

export const REASONS: readonly (readonly [Reason, string])[] = reasonCodes.map((code) => [code, reasonText(code)]);

const CURRENCY = /^[A-Z]{3}$/;
const AMOUNT = /^\d{1,12}(\.\d{1,4})?$/;

/** An address may hold any text: what is no filter is left out. */
export function decisionFiltersIn(query: URLSearchParams): DecisionFilters {
  const textOf = (name: string) => query.get(name) ?? '';
  const oneOf = (name: string, all: readonly (readonly [string, string])[]) =>
    all.some(([value]) => value === textOf(name)) ? textOf(name) : '';
  const currency = textOf('currency').toUpperCase();
  const sort = oneOf('sort', SORTS);
  return {
    outcome: oneOf('outcome', OUTCOMES),
    agent: textOf('agent'),
    merchant: textOf('merchant'),
    reason: oneOf('reason', REASONS),
    from: dayIn(query, 'from'),
    to: dayIn(query, 'to'),
    min: textOf('min'),
    max: textOf('max'),
    currency,
    sort: isByAmount({ sort }) && !CURRENCY.test(currency) ? '' : sort,
  };
}

/** What is still being typed is no filter yet. */
export function decisionInputOf(filters: DecisionFilters): Input {
  const { outcome, agent, merchant, reason, from, to, min, max, currency, sort } = filters;
  return {
    ...(outcome === '' ? {} : { outcome: outcome as Outcome }),
    ...(agent === '' ? {} : { agentDid: agent }),
    ...(DOMAIN.test(merchant) ? { merchant } : {}),
    ...(reason === '' ? {} : { reasonCode: reason as Reason }),
    ...(from === '' ? {} : { from: startOf(from, 0) }),
    ...(to === '' ? {} : { to: startOf(to, 1) }),
    ...(CURRENCY.test(currency) ? { currency } : {}),
    ...(AMOUNT.test(min) ? { min: Number(min) } : {}),
    ...(AMOUNT.test(max) ? { max: Number(max) } : {}),
    ...(sort === '' ? {} : { sort: sort as NonNullable<Input['sort']> }),
  };
}
