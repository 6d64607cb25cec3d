/** How many payments are shown, and in each currency what was paid, less what came back, and what is reserved. */
import type { Payment } from '../../../client/operations.ts';
import { amountOf, amountText, minorOf } from '../../parts/values/amount.ts';

/** Of these no money moved. */
const IN_VAIN = ['FAILED', 'CANCELED'];
const RESERVED = ['AUTHORIZED', 'PENDING', 'UNKNOWN'];

interface TallyProps {
  readonly payments: readonly Payment[];
  readonly hasMore: boolean;
  readonly isNewest: boolean;
}

export function Tally({ payments, hasMore, isNewest }: TallyProps) {
  const paid = new Map<string, number>();
  const reserved = new Map<string, number>();
  for (const { amount, captured, refunded, currency, status } of payments) {
    add(paid, currency, minorOf(captured, currency) - minorOf(refunded, currency));
    if (RESERVED.includes(status)) add(reserved, currency, minorOf(amount, currency));
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
      {paid.size > 0 && ', paid '}
      <strong class="money">{sumsText(paid)}</strong>
      {reserved.size > 0 && ', reserved '}
      <strong class="money">{sumsText(reserved)}</strong>
      {inVain > 0 && `, ${inVain} failed or canceled`}
      {hasMore && `. ${isNewest ? 'Older ones' : 'The others'} are not counted`}
    </>
  );
}

function add(sums: Map<string, number>, currency: string, minor: number): void {
  if (minor !== 0) sums.set(currency, (sums.get(currency) ?? 0) + minor);
}

function sumsText(sums: ReadonlyMap<string, number>): string {
  return [...sums].map(([currency, minor]) => amountText(amountOf(minor, currency), currency)).join(' + ');
}
