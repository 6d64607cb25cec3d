/** What the list of payments is filtered by. */
import { useEffect, useId, useState } from 'preact/hooks';
import { node } from '../../node/node.ts';
import { Choice, Field } from '../../parts/form/Field.tsx';
import { asIs, Filters, sayingOf } from '../../parts/table/Filters.tsx';
import { go } from '../../shell/route.ts';
import { type PaymentFilters, SORTS, STATES, sortedBy } from './filters.ts';

const PAUSE_MS = 200;

const OWN = {
  status: ['State', sayingOf(STATES)],
  text: ['Merchant or id', asIs],
  sort: ['Order', sayingOf(SORTS)],
} as const;

interface PaymentFilterBarProps {
  readonly filters: PaymentFilters;
  readonly currency: string;
  onChange(changed: Partial<PaymentFilters>): void;
  readonly onCsv: (() => Promise<void>) | undefined;
}

export function PaymentFilterBar({ filters, currency, onChange, onCsv }: PaymentFilterBarProps) {
  const fields = [
    { name: 'Merchant or id', fields: <TextField text={filters.text} onInput={(text) => onChange({ text })} /> },
    {
      name: 'State',
      fields: (
        <Choice
          label="State"
          value={filters.status}
          options={[['', 'All'], ...STATES]}
          onChange={(status) => onChange({ status })}
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
      onClear={() => go('#/payments', { replace: true })}
      onCsv={onCsv}
    />
  );
}

/** Offers the merchants whose domains begin like what is typed. */
function TextField({ text, onInput }: { readonly text: string; onInput(text: string): void }) {
  const [merchants, setMerchants] = useState<readonly string[]>([]);
  const id = useId();
  useEffect(() => {
    const q = text.trim();
    if (q === '' || q.length > 200) return;
    const controller = new AbortController();
    const { signal } = controller;
    const ask = async () => {
      // Without them the field does what it does.
      const { hits } = await node.search({ q, limit: 8 }, { signal }).catch(() => ({ hits: [] }));
      if (!signal.aborted) setMerchants(hits.filter(({ kind }) => kind === 'merchant').map((hit) => hit.id));
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return (
    <>
      <Field
        label="Merchant or id"
        value={text}
        onInput={onInput}
        input={{
          list: id,
          placeholder: 'shop.example, pm_…',
          autoCapitalize: 'none',
          autoComplete: 'off',
          spellcheck: false,
        }}
      />
      <datalist id={id}>
        {merchants.map((domain) => (
          <option key={domain} value={domain} />
        ))}
      </datalist>
    </>
  );
}
