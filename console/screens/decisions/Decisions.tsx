/** Every request and cart that was judged, the refused ones too, newest first, by filters that are kept in the address. */
import type { Operations } from '../../../client/operations.ts';
import { namedAgents } from '../../node/agentNames.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { DecisionRows } from '../../parts/DecisionRows.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Choice, Field } from '../../parts/form/Field.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { TryPlayground } from '../../parts/TryPlayground.tsx';
import { hrefOf, pagesIn } from '../../shell/places.ts';
import { go } from '../../shell/route.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { type DecisionFilters, decisionFiltersIn, decisionInputOf, OUTCOMES, REASONS } from './decisionFilters.ts';

type Decision = Operations['listDecisions']['output']['data'][number];

const PAGE = 50;

interface Page {
  readonly data: readonly Decision[];
  readonly hasMore: boolean;
}

export function Decisions({ query }: ScreenProps) {
  const filters = decisionFiltersIn(query);
  const pages = pagesIn(query);
  const decisions = useLoaded(query.toString(), (signal) => load(filters, pages, signal), ['intent', 'cart']);
  const show = (changed: Partial<DecisionFilters>, more: Readonly<Record<string, string>> = {}) =>
    go(hrefOf('/decisions', { ...filters, ...changed, ...more }), { replace: true });
  const isFiltered = Object.values(filters).some((value) => value !== '');
  const further = () => show({}, { pages: String(pages + 1) });
  return (
    <>
      <h1>Decisions</h1>
      <FilterBar filters={filters} onChange={show} />
      <Card>
        <Shown of={decisions} rows={8}>
          {({ data, hasMore }) => (
            <>
              {data.length > 0 && <DecisionRows decisions={data} />}
              {data.length === 0 && <None isFiltered={isFiltered} hasMore={hasMore} />}
              {hasMore && <Button onClick={further}>{data.length === 0 ? 'Look further back' : 'Show more'}</Button>}
            </>
          )}
        </Shown>
      </Card>
    </>
  );
}

/** As many pages as were asked for, from the newest on, so that what is new does not move what is old out of them. */
async function load(filters: DecisionFilters, pages: number, signal: AbortSignal): Promise<Page> {
  const data: Decision[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < pages; page++) {
    const input = { ...decisionInputOf(filters), limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const next = await node.listDecisions(input, { signal });
    data.push(...next.data);
    cursor = next.cursor;
    if (cursor === null) break;
  }
  return { data, hasMore: cursor !== null };
}

interface FilterBarProps {
  readonly filters: DecisionFilters;
  onChange(changed: Partial<DecisionFilters>): void;
}

function FilterBar({ filters, onChange }: FilterBarProps) {
  return (
    <details class="filters" open={Object.values(filters).some((value) => value !== '')}>
      <summary>Filter</summary>
      <div class="filter-fields">
        <Choice
          label="Outcome"
          value={filters.outcome}
          options={[['', 'All'], ...OUTCOMES]}
          onChange={(outcome) => onChange({ outcome })}
        />
        <Choice
          label="Reason"
          value={filters.reason}
          options={[['', 'All'], ...REASONS]}
          onChange={(reason) => onChange({ reason })}
        />
        <Choice
          label="Agent"
          value={filters.agent}
          options={[['', 'All'], ...namedAgents()]}
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
        <AmountFields filters={filters} onChange={onChange} />
      </div>
    </details>
  );
}

function AmountFields({ filters: { min, max, currency }, onChange }: FilterBarProps) {
  return (
    <>
      <Field
        label="Currency"
        value={currency}
        onInput={(text) => onChange({ currency: text.toUpperCase() })}
        input={{ placeholder: 'USD', maxLength: 3, autoCapitalize: 'characters', spellcheck: false }}
      />
      <Field label="At least" value={min} onInput={(text) => onChange({ min: text })} input={AMOUNT_INPUT} />
      <Field label="At most" value={max} onInput={(text) => onChange({ max: text })} input={AMOUNT_INPUT} />
    </>
  );
}

const AMOUNT_INPUT = { inputMode: 'decimal', autoComplete: 'off' } as const;

function None({ isFiltered, hasMore }: { readonly isFiltered: boolean; readonly hasMore: boolean }) {
  if (hasMore) return <Empty title="None of the newest decisions is like that" />;
  if (isFiltered) {
    return (
      <Empty title="No decision is like that">
        <p>
          <a href="#/decisions">Show all decisions</a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No agent has asked for anything yet">
      <p>
        Each request of an agent, and each cart of a shop, is judged by the policy and stands here with what every rule
        said. <a href="#/agents">Add an agent</a> and let it ask.
      </p>
      <TryPlayground />
    </Empty>
  );
}
