/** What the tenant's agents have spent, summed by currency, and by agent, merchant or day. */
import { sumText } from '../../../protocol/money.ts';
import { dayText, Spend, type SpendEntry, SpendRequest } from '../../../protocol/spend.ts';
import { type SpendSum, sumSpend } from '../../store/statements/purchases/spendSums.ts';
import { MOST_MINOR } from '../../store/statements/queries.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

/** For each currency; a year of days is fewer. */
const MOST_ENTRIES = 400;

export const showSpend = useCase({
  summary: 'Sums what was paid, what came back and what is held, by currency, and by agent, merchant or day.',
  input: SpendRequest,
  output: Spend,
  permission: 'read',
  csv: {
    fileName: 'spend.csv',
    header: ['day', 'agentDid', 'merchant', 'currency', 'payments', 'paid', 'refunded', 'net', 'held', 'disputed'],
    rows: ({ totals, entries }: Spend) =>
      (entries.length > 0 ? entries : totals).map((sums: SpendEntry) => [
        sums.day,
        sums.agentDid,
        sums.merchant,
        sums.currency,
        sums.payments,
        sums.paid.text,
        sums.refunded.text,
        sums.net.text,
        sums.held.text,
        sums.disputed.text,
      ]),
  },
  // Apart, since the sums of many merchants are many rows.
  run: inOneRead<SpendRequest, Spend>(function* (_deps, { tenantId }, asked) {
    const { from: first, to: last, by, timezone, currency, principalDid } = asked;
    const filter = { first, last, timezone, currency, principalDid };
    const totals = yield* sumSpend(tenantId, { ...filter, by: undefined }, 1);
    const found = by === undefined ? [] : yield* sumSpend(tenantId, { ...filter, by }, MOST_ENTRIES + 1);
    const counts = new Map<string, number>();
    const shown = found.filter((sum) => {
      const count = (counts.get(sum.currency) ?? 0) + 1;
      counts.set(sum.currency, count);
      return count <= MOST_ENTRIES;
    });
    const entries = shown.map((sum) => ({ ...nameOf(sum, by), ...sumsOf(sum) }));
    return { totals: totals.map(sumsOf), entries, hasMore: shown.length < found.length };
  }, 'readApart'),
});

function nameOf({ day, name }: SpendSum, by: SpendRequest['by']): Partial<SpendEntry> {
  if (by === 'day') return { day: dayText(day) };
  return by === 'agent' ? { agentDid: name } : { merchant: name };
}

function sumsOf({ currency, payments, paid, refunded, held, disputed }: SpendSum) {
  const sum = (minor: bigint) => ({ minor: bounded(minor), text: sumText(minor, currency) });
  return {
    currency,
    payments,
    paid: sum(paid),
    refunded: sum(refunded),
    net: sum(paid - refunded),
    held: sum(held),
    disputed: sum(disputed),
  };
}

/** What a JSON number carries exactly. */
function bounded(minor: bigint): number {
  return minor > MOST_MINOR ? MOST_MINOR : Number(minor);
}
