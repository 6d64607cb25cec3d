/** Every request and cart that was judged, the refused ones too, in order of time or by amount, by filters that are kept in the address. */

import type { Operations } from '../../../client/operations.ts';
import { saveCsv } from '../../node/files.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Choice, Field } from '../../parts/form/Field.tsx';
import { Head } from '../../parts/Head.tsx';
import { DecisionRows } from '../../parts/rows/DecisionRows.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { TryPlayground } from '../../parts/TryPlayground.tsx';
import { asIs, Filters, sayingOf } from '../../parts/table/Filters.tsx';
import { groupDecisions } from '../../parts/table/groupDecisions.ts';
import { isDesk } from '../../parts/table/isDesk.ts';
import { MoreButton } from '../../parts/table/MoreButton.tsx';
import { hrefOf, listedIn, pagesIn } from '../../shell/places.ts';
import { go } from '../../shell/route.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { isByAmount, SORTS, sortedBy } from '../payments/filters.ts';
import { DecisionTable } from './DecisionTable.tsx';
import { type DecisionFilters, decisionFiltersIn, decisionInputOf, OUTCOMES, REASONS } from './decisionFilters.ts';

type Decision = Operations['listDecisions']['output']['data'][number];

const PAGE = 50;
/** For a page; beyond, the user is asked whether to look further. */
const MOST_LOOKS = 10;

interface Page {
  readonly data: readonly Decision[];
  readonly hasMore: boolean;
}

export function Decisions({ query }: ScreenProps) {
  const filters = decisionFiltersIn(query);
  const pages = pagesIn(query);
  const decisions = useLoaded(listedIn(query), (signal) => load(filters, pages, signal), ['intent', 'cart'], pages);
  const show = (changed: Partial<DecisionFilters>, more: Readonly<Record<string, string>> = {}) =>
    go(hrefOf('/decisions', { ...filters, ...changed, ...more }), { replace: true });
  const isFiltered = Object.values(filters).some((value) => value !== '');
  const currency = decisions.value?.data[0]?.currency ?? 'USD';
  const further = () => show({}, { pages: String(pages + 1) });
  return (
    <>
      <Head title="Decisions" />
      <DecisionFilterBar filters={filters} currency={currency} onChange={show} />
      <Card class="list">
        <Shown of={decisions} rows={8}>
          {({ data, hasMore }) => (
            <>
              {data.length > 0 && (
                <Listed
                  decisions={data}
                  hasMore={hasMore}
                  sort={filters.sort}
                  onSort={(sort) => show(sortedBy(sort, filters, currency))}
                />
              )}
              {data.length === 0 && <None isFiltered={isFiltered} hasMore={hasMore} sort={filters.sort} />}
              {hasMore && (
                <MoreButton onMore={further}>{data.length === 0 ? 'Look further back' : 'Show more'}</MoreButton>
              )}
            </>
          )}
        </Shown>
      </Card>
    </>
  );
}

/**
 * As many pages as were asked for, from the first on, so that what is new does not move what is old out of them. The node looks
 * through so many decisions for each answer, and may find fewer than a page.
 */
async function load(filters: DecisionFilters, pages: number, signal: AbortSignal): Promise<Page> {
  const data: Decision[] = [];
  let cursor: string | null = null;
  for (let looks = 0; looks < pages * MOST_LOOKS; looks++) {
    const input = { ...decisionInputOf(filters), limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const next = await node.listDecisions(input, { signal });
    data.push(...next.data);
    cursor = next.cursor;
    if (cursor === null || data.length >= pages * PAGE) break;
  }
  return { data, hasMore: cursor !== null };
}

const OWN = {
  outcome: ['Outcome', sayingOf(OUTCOMES)],
  reason: ['Reason', sayingOf(REASONS)],
  merchant: ['Merchant', asIs],
  sort: ['Order', sayingOf(SORTS)],
} as const;

interface DecisionFilterBarProps {
  readonly filters: DecisionFilters;
  readonly currency: string;
  onChange(changed: Partial<DecisionFilters>): void;
}

function DecisionFilterBar({ filters, currency, onChange }: DecisionFilterBarProps) {
  const fields = [
    {
      name: 'Outcome',
      fields: (
        <Choice
          label="Outcome"
          value={filters.outcome}
          options={[['', 'All'], ...OUTCOMES]}
          onChange={(outcome) => onChange({ outcome })}
        />
      ),
    },
    {
      name: 'Reason',
      fields: (
        <Choice
          label="Reason"
          value={filters.reason}
          options={[['', 'All'], ...REASONS]}
          onChange={(reason) => onChange({ reason })}
        />
      ),
    },
    {
      name: 'Merchant',
      fields: (
        <Field
          label="Merchant"
          value={filters.merchant}
          onInput={(merchant) => onChange({ merchant })}
          input={{ placeholder: 'shop.example', inputMode: 'url', autoCapitalize: 'none', spellcheck: false }}
        />
      ),
    },
    {
      name: 'Order',
      fields: (
        <Choice
          label="Order"
          value={filters.sort}
          options={[['', 'Newest first'], ...SORTS]}
          onChange={(sort) => onChange(sortedBy(sort, filters, currency))}
        />
      ),
    },
  ];
  return (
    <Filters
      filters={filters}
      own={OWN}
      fields={fields}
      currency={currency}
      onChange={onChange}
      onClear={() => go('#/decisions', { replace: true })}
      onCsv={() => saveCsv('decisions', decisionInputOf(filters))}
    />
  );
}

interface ListedProps {
  readonly decisions: readonly Decision[];
  readonly hasMore: boolean;
  readonly sort: string;
  onSort(sort: string): void;
}

function Listed({ decisions, hasMore, sort, onSort }: ListedProps) {
  const purchases = groupDecisions(decisions);
  const refused = purchases.filter(({ lead }) => lead.outcome === 'refused').length;
  const many = purchases.length === 1 ? '1 purchase' : `${purchases.length} purchases`;
  const tally = `${hasMore ? `The ${sort === '' ? 'newest' : sort}: ` : ''}${many}, ${refused} with a refusal`;
  if (isDesk.value) return <DecisionTable purchases={purchases} label={tally} sort={sort} onSort={onSort} />;
  return (
    <>
      <p class="quiet">{tally}</p>
      <DecisionRows decisions={decisions} isByDay={!isByAmount({ sort })} isByAmount={isByAmount({ sort })} />
    </>
  );
}

interface NoneProps {
  readonly isFiltered: boolean;
  readonly hasMore: boolean;
  readonly sort: string;
}

function None({ isFiltered, hasMore, sort }: NoneProps) {
  if (hasMore) return <Empty title={`None of the ${sort === '' ? 'newest' : sort} decisions matches`} />;
  if (isFiltered) {
    return (
      <Empty title="No decision matches">
        <p>
          <a href="#/decisions">Show all decisions</a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No decision yet">
      <p>
        Each request of an agent, and each cart of a shop, is judged by the policy and appears here with what every rule
        said. <a href="#/agents">Add an agent</a> and let it ask.
      </p>
      <TryPlayground />
    </Empty>
  );
}
