/** How many payments are shown, and in each currency the sum of those of which money moved or may. */
import type { Payment } from '../../../client/operations.ts';
import { amountOf, amountText, minorOf } from '../../parts/values/amount.ts';

/** Of these no money moved. */
const IN_VAIN = ['FAILED', 'CANCELED'];

interface TallyProps {
  readonly payments: readonly Payment[];
  readonly hasMore: boolean;
  readonly isNewest: boolean;
}

export function Tally({ payments, hasMore, isNewest }: TallyProps) {
  const sums = new Map<string, number>();
  for (const { amount, currency, status } of payments) {
    sums.set(currency, (sums.get(currency) ?? 0) + (IN_VAIN.includes(status) ? 0 : minorOf(amount, currency)));
  }
  const inVain = payments.filter(({ status }) => IN_VAIN.includes(status)).length;
  const count = payments.length.toLocaleString('en-US');
  return (
    <>
      {hasMore
        ? `The ${isNewest ? 'newest' : 'first'} ${count} payments`
        : payments.length === 1
          ? '1 payment'
          : `${count} payments`}
      , amounts in all{' '}
      <strong class="money">
        {[...sums].map(([currency, minor]) => amountText(amountOf(minor, currency), currency)).join(' + ')}
      </strong>
      {inVain > 0 && ` without ${inVain} failed or canceled`}
      {hasMore && `. ${isNewest ? 'Older ones' : 'The others'} are not counted`}
    </>
  );
}
