/** Every payment, newest first, by filters that are kept in the address. */
import type { Payment } from '../../../client/operations.ts';
import { namedAgents } from '../../node/agentNames.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Choice, Field } from '../../parts/Field.tsx';
import { PaymentRows } from '../../parts/PaymentRows.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { hrefOf } from '../../shell/places.ts';
import { go } from '../../shell/route.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { type Filters, filtersIn, inputOf, STATES } from './filters.ts';

const PAGE = 50;

interface Page {
  readonly data: readonly Payment[];
  readonly hasMore: boolean;
}

export function Payments({ query }: ScreenProps) {
  const filters = filtersIn(query);
  const pages = Math.max(1, Number(query.get('pages')) || 1);
  const payments = useLoaded(query.toString(), (signal) => load(filters, pages, signal), ['payment', 'pm']);
  const show = (changed: Partial<Filters>, more: Readonly<Record<string, string>> = {}) =>
    go(hrefOf('/payments', { ...filters, ...changed, ...more }), { replace: true });
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <>
      <h1>Payments</h1>
      <FilterBar filters={filters} onChange={show} />
      <Card>
        <Shown of={payments} rows={8}>
          {({ data, hasMore }) =>
            data.length === 0 ? (
              <None isFiltered={isFiltered} />
            ) : (
              <>
                <PaymentRows payments={data} />
                {hasMore && <Button onClick={() => show({}, { pages: String(pages + 1) })}>Show more</Button>}
              </>
            )
          }
        </Shown>
      </Card>
    </>
  );
}

/** As many pages as were asked for, from the newest on, so that what is new does not move what is old out of them. */
async function load(filters: Filters, pages: number, signal: AbortSignal): Promise<Page> {
  const data: Payment[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < pages; page++) {
    const input = { ...inputOf(filters), limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const next = await node.listPayments(input, { signal });
    data.push(...next.data);
    cursor = next.cursor;
    if (cursor === null) break;
  }
  return { data, hasMore: cursor !== null };
}

interface FilterBarProps {
  readonly filters: Filters;
  onChange(changed: Partial<Filters>): void;
}

function FilterBar({ filters, onChange }: FilterBarProps) {
  const agents = namedAgents();
  return (
    <details class="filters" open={Object.values(filters).some((value) => value !== '')}>
      <summary>Filter</summary>
      <div class="filter-fields">
        <Choice
          label="State"
          value={filters.status}
          options={[['', 'All'], ...STATES]}
          onChange={(status) => onChange({ status })}
        />
        <Choice
          label="Agent"
          value={filters.agent}
          options={[['', 'All'], ...agents]}
          onChange={(agent) => onChange({ agent })}
        />
        <Field
          label="Merchant"
          value={filters.merchant}
          onInput={(merchant) => onChange({ merchant })}
          input={{ placeholder: 'shop.example', inputMode: 'url', autoCapitalize: 'none', spellcheck: false }}
        />
        <Field label="From" value={filters.from} onInput={(from) => onChange({ from })} input={{ type: 'date' }} />
        <Field label="To" value={filters.to} onInput={(to) => onChange({ to })} input={{ type: 'date' }} />
      </div>
    </details>
  );
}

function None({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty title="No payment is like that">
        <p>
          <a href="#/payments">Show all payments</a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No agent has paid anything yet">
      <p>
        Add an agent and let it buy; in the sandbox, <code>countersign demo</code> plays a whole purchase.
      </p>
    </Empty>
  );
}
