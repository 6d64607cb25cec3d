/** What the tenant's agents have spent, summed by currency, and by agent, merchant or day. */
import { sumText } from '../../../protocol/money.ts';
import { dayText, Spend, type SpendEntry, SpendRequest } from '../../../protocol/spend.ts';
import { type SpendSum, sumSpend } from '../../store/statements/purchases/spendSums.ts';
import { MOST_MINOR } from '../../store/statements/queries.ts';
import { findAgent } from '../../store/statements/registry/agents.ts';
import type { Script } from '../../store/store.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

/** For each currency; a year of days is fewer. */
const MOST_ENTRIES = 400;
/** Of which months are made: some ten years, for each currency. */
const MOST_DAYS = 4000;

export const showSpend = useCase({
  summary: 'Sums what was paid, what came back and what is held, by currency, and by agent, merchant, day or month.',
  input: SpendRequest,
  output: Spend,
  permission: 'read',
  csv: {
    fileName: 'spend.csv',
    header: [
      ...['day', 'agentDid', 'merchant', 'currency', 'payments', 'paid', 'refunded', 'net', 'held', 'disputed'],
      // Programs read columns by their place: new ones come last.
      ...['month', 'agent'],
    ],
    load: ({ store }, { tenantId }, { entries }: Spend) =>
      store.readApart(() =>
        namesOf(
          tenantId,
          entries.map(({ agentDid }) => agentDid),
        ),
      ),
    rows: ({ totals, entries }: Spend, names) =>
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
        sums.month,
        (names as ReadonlyMap<string | undefined, string>).get(sums.agentDid),
      ]),
  },
  // Apart, since the sums of many merchants are many rows.
  run: inOneRead<SpendRequest, Spend>(function* (_deps, { tenantId }, asked) {
    const { from: first, to: last, by, timezone, currency, principalDid } = asked;
    const filter = { first, last, timezone, currency, principalDid };
    const totals = yield* sumSpend(tenantId, { ...filter, by: undefined }, 1);
    const found = by === undefined ? [] : yield* dividedBy(tenantId, filter, by);
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

function* dividedBy(
  tenantId: string,
  filter: Omit<Parameters<typeof sumSpend>[1], 'by'>,
  by: NonNullable<SpendRequest['by']>,
): Script<readonly SpendSum[]> {
  if (by !== 'month') return yield* sumSpend(tenantId, { ...filter, by }, MOST_ENTRIES + 1);
  return inMonths(yield* sumSpend(tenantId, { ...filter, by: 'day' }, MOST_DAYS));
}

/** Days, the latest first for each currency, as months, each under its last day that has a payment. */
function inMonths(days: readonly SpendSum[]): readonly SpendSum[] {
  const months = new Map<string, SpendSum>();
  for (const day of days) {
    const key = `${day.currency} ${monthText(day.day)}`;
    const month = months.get(key);
    months.set(
      key,
      month === undefined
        ? day
        : {
            ...month,
            payments: month.payments + day.payments,
            paid: month.paid + day.paid,
            refunded: month.refunded + day.refunded,
            held: month.held + day.held,
            disputed: month.disputed + day.disputed,
          },
    );
  }
  return [...months.values()];
}

function* namesOf(tenantId: string, dids: readonly (string | undefined)[]): Script<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const did of new Set(dids)) {
    const agent = did === undefined ? undefined : yield* findAgent(tenantId, did);
    if (agent !== undefined) names.set(agent.did, agent.display_name);
  }
  return names;
}

function monthText(day: number): string {
  return dayText(day).slice(0, 7);
}

function nameOf({ day, name }: SpendSum, by: SpendRequest['by']): Partial<SpendEntry> {
  if (by === 'day') return { day: dayText(day) };
  if (by === 'month') return { month: monthText(day) };
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
