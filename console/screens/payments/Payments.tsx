/** Every payment, newest first, by filters that are kept in the address. */

import type { Payment } from '../../../client/operations.ts';
import { saveCsv } from '../../node/files.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Head } from '../../parts/Head.tsx';
import { PaymentRows } from '../../parts/rows/PaymentRows.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { TryPlayground } from '../../parts/TryPlayground.tsx';
import { isDesk } from '../../parts/table/isDesk.ts';
import { MoreButton } from '../../parts/table/MoreButton.tsx';
import { hrefOf, listedIn, pagesIn } from '../../shell/places.ts';
import { go } from '../../shell/route.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { filtersIn, idIn, inputOf, isByAmount, type PaymentFilters, sortedBy } from './filters.ts';
import { PaymentFilterBar } from './PaymentFilterBar.tsx';
import { PaymentTable } from './PaymentTable.tsx';
import { Tally } from './Tally.tsx';

const PAGE = 50;
/** For a page; beyond, the user is asked whether to look further. */
const MOST_LOOKS = 10;
const MOST_BY_ID = 5;

interface Page {
  readonly data: readonly Payment[];
  readonly hasMore: boolean;
}

export function Payments({ query }: ScreenProps) {
  const filters = filtersIn(query);
  const pages = pagesIn(query);
  const payments = useLoaded(listedIn(query), (signal) => load(filters, pages, signal), ['payment', 'pm'], pages);
  const show = (changed: Partial<PaymentFilters>, more: Readonly<Record<string, string>> = {}) =>
    go(hrefOf('/payments', { ...filters, ...changed, ...more }), { replace: true });
  const currency = payments.value?.data[0]?.currency ?? 'USD';
  const isFiltered = Object.values(filters).some((value) => value !== '');
  const sort = (by: string) => show(sortedBy(by, filters, currency));
  return (
    <>
      <Head title="Payments" />
      <PaymentFilterBar
        filters={filters}
        currency={currency}
        onChange={show}
        onCsv={idIn(filters) === undefined ? () => saveCsv('payments', inputOf(filters)) : undefined}
      />
      <Card class="list">
        <Shown of={payments} rows={8}>
          {({ data, hasMore }) =>
            data.length === 0 && !hasMore ? (
              <None isFiltered={isFiltered} />
            ) : (
              <>
                {data.length === 0 && <p>None of the newest payments matches.</p>}
                {data.length > 0 && <Listed data={data} hasMore={hasMore} sort={filters.sort} onSort={sort} />}
                {hasMore && (
                  <MoreButton onMore={() => show({}, { pages: String(pages + 1) })}>
                    {data.length < pages * PAGE ? 'Look further back' : 'Show more'}
                  </MoreButton>
                )}
              </>
            )
          }
        </Shown>
      </Card>
    </>
  );
}

interface ListedProps extends Page {
  readonly sort: string;
  onSort(sort: string): void;
}

function Listed({ data: payments, hasMore, sort, onSort }: ListedProps) {
  const tally = <Tally payments={payments} hasMore={hasMore} isNewest={sort === ''} />;
  if (isDesk.value) return <PaymentTable payments={payments} label={tally} sort={sort} onSort={onSort} />;
  return (
    <>
      <p class="quiet">{tally}</p>
      <PaymentRows payments={payments} isByDay={!isByAmount({ sort })} />
    </>
  );
}

/**
 * As many pages as were asked for, from the newest on, so that what is new does not move what is old out of them. Where
 * amounts are a range, the node looks through so many payments for each answer, and may find fewer than a page.
 */
async function load(filters: PaymentFilters, pages: number, signal: AbortSignal): Promise<Page> {
  const id = idIn(filters);
  if (id !== undefined) return loadById(id, signal);
  const data: Payment[] = [];
  let cursor: string | null = null;
  for (let looks = 0; looks < pages * MOST_LOOKS; looks++) {
    const input = { ...inputOf(filters), limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const next = await node.listPayments(input, { signal });
    data.push(...next.data);
    cursor = next.cursor;
    if (cursor === null || data.length >= pages * PAGE) break;
  }
  return { data, hasMore: cursor !== null };
}

async function loadById(q: string, signal: AbortSignal): Promise<Page> {
  const { hits } = await node.search({ q, limit: MOST_BY_ID }, { signal });
  const ids = hits.filter(({ kind }) => kind === 'payment').map(({ id }) => id);
  return {
    data: await Promise.all(ids.map((mandateId) => node.getPayment({ mandateId }, { signal }))),
    hasMore: false,
  };
}

function None({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty title="No payment matches">
        <p>
          <a href="#/payments">Show all payments</a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No payment yet">
      <p>
        <a href="#/agents">Add an agent</a> and let it buy: its payments appear here.
      </p>
      <TryPlayground />
    </Empty>
  );
}
