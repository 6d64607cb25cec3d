/** What the tenant's agents have spent, summed by currency, and by what else the sums are divided by. */
import { sumText } from '../../../protocol/money.ts';
import { categoryOf } from '../../../protocol/policy/values/category.ts';
import { dayText, Spend, type SpendEntry, SpendRequest } from '../../../protocol/spend.ts';
import { type SpendSum, sumSpend } from '../../store/statements/purchases/spendSums.ts';
import { MOST_MINOR } from '../../store/statements/queries.ts';
import { findAgent } from '../../store/statements/registry/agents.ts';
import { findPrincipal } from '../../store/statements/registry/principals.ts';
import type { Script } from '../../store/store.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

/** For each currency; a year of days is fewer. */
const MOST_ENTRIES = 400;
/** Of which months are made: some ten years, for each currency. */
const MOST_DAYS = 4000;
/** ISO 18245 has some thousand. */
const MOST_CODES = 10_000;

export const showSpend = useCase({
  summary:
    'Sums what was paid, what came back and what is held, by currency, and by agent, merchant, day, month, whose money it is, or category.',
  input: SpendRequest,
  output: Spend,
  permission: 'read',
  csv: {
    fileName: 'spend.csv',
    header: [
      ...['day', 'agentDid', 'merchant', 'currency', 'payments', 'paid', 'refunded', 'net', 'held', 'disputed'],
      // Programs read columns by their place: new ones come last.
      ...['month', 'agent', 'principalDid', 'principal', 'category'],
    ],
    load: ({ store }, { tenantId }, { entries }: Spend) => store.readApart(() => namesOf(tenantId, entries)),
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
        (names as DidNames).get(sums.agentDid),
        sums.principalDid,
        (names as DidNames).get(sums.principalDid),
        sums.category,
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
  switch (by) {
    case 'month':
      // Each under its last day that has a payment.
      return addedUp(yield* sumSpend(tenantId, { ...filter, by: 'day' }, MOST_DAYS), ({ day }) => monthText(day));
    case 'category': {
      const sums = yield* sumSpend(tenantId, { ...filter, by: 'mcc' }, MOST_CODES);
      const named = sums.map((sum) => ({ ...sum, name: categoryOf(sum.name) ?? sum.name }));
      return addedUp(named, ({ name }) => name).toSorted(inOrder);
    }
    default:
      return yield* sumSpend(tenantId, { ...filter, by }, MOST_ENTRIES + 1);
  }
}

/** One sum of those that have a currency and a name together, in the place of the first of them. */
function addedUp(sums: readonly SpendSum[], nameOf: (sum: SpendSum) => string): readonly SpendSum[] {
  const added = new Map<string, SpendSum>();
  for (const sum of sums) {
    const key = `${sum.currency} ${nameOf(sum)}`;
    const before = added.get(key);
    added.set(
      key,
      before === undefined
        ? sum
        : {
            ...before,
            payments: before.payments + sum.payments,
            paid: before.paid + sum.paid,
            refunded: before.refunded + sum.refunded,
            held: before.held + sum.held,
            disputed: before.disputed + sum.disputed,
          },
    );
  }
  return [...added.values()];
}

/** By currency, and of one the largest first. */
function inOrder(one: SpendSum, other: SpendSum): number {
  if (one.currency !== other.currency) return one.currency < other.currency ? -1 : 1;
  return Number(other.paid + other.held - one.paid - one.held);
}

/** Names by DID. */
type DidNames = ReadonlyMap<string | undefined, string>;

function* namesOf(tenantId: string, entries: readonly SpendEntry[]): Script<DidNames> {
  const names = new Map<string, string>();
  for (const did of new Set(entries.map(({ agentDid }) => agentDid))) {
    const agent = did === undefined ? undefined : yield* findAgent(tenantId, did);
    if (agent !== undefined) names.set(agent.did, agent.display_name);
  }
  for (const did of new Set(entries.map(({ principalDid }) => principalDid))) {
    const principal = did === undefined ? undefined : yield* findPrincipal(tenantId, did);
    if (did !== undefined) names.set(did, principal?.name ?? names.get(did) ?? did);
  }
  return names;
}

function monthText(day: number): string {
  return dayText(day).slice(0, 7);
}

function nameOf({ day, name }: SpendSum, by: SpendRequest['by']): Partial<SpendEntry> {
  if (by === 'day') return { day: dayText(day) };
  if (by === 'month') return { month: monthText(day) };
  if (by === 'principal') return { principalDid: name };
  if (by === 'category') return name === '' ? {} : { category: name };
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
