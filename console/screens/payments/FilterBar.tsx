/** What the list of payments is filtered by. */
import { useEffect, useId, useState } from 'preact/hooks';
import { namedAgents } from '../../node/agentNames.ts';
import { node } from '../../node/node.ts';
import { Choice, Field } from '../../parts/form/Field.tsx';
import { currencies } from '../../parts/values/amount.ts';
import { type Filters, STATES } from './filters.ts';

const PAUSE_MS = 200;

interface FilterBarProps {
  readonly filters: Filters;
  /** Amounts are taken for those of this one, until another is chosen. */
  readonly currency: string;
  onChange(changed: Partial<Filters>): void;
}

export function FilterBar({ filters, currency, onChange }: FilterBarProps) {
  // "Any" stays what was chosen while an amount is changed.
  const isFirst = filters.min === '' && filters.max === '' && filters.currency === '';
  const changeAmount = (changed: Partial<Filters>) => onChange(isFirst ? { ...changed, currency } : changed);
  return (
    <details class="filters" open={Object.values(filters).some((value) => value !== '')}>
      <summary>Filter</summary>
      <div class="filter-fields">
        <TextField text={filters.text} onInput={(text) => onChange({ text })} />
        <Choice
          label="State"
          value={filters.status}
          options={[['', 'All'], ...STATES]}
          onChange={(status) => onChange({ status })}
        />
        <Choice
          label="Agent"
          value={filters.agent}
          options={[['', 'All'], ...namedAgents()]}
          onChange={(agent) => onChange({ agent })}
        />
        <Field label="From" value={filters.from} onInput={(from) => onChange({ from })} input={{ type: 'date' }} />
        <Field label="To" value={filters.to} onInput={(to) => onChange({ to })} input={{ type: 'date' }} />
        <AmountField label="At least" value={filters.min} onInput={(min) => changeAmount({ min })} />
        <AmountField label="At most" value={filters.max} onInput={(max) => changeAmount({ max })} />
        <Choice
          label="Currency"
          value={filters.currency}
          options={[['', 'Any'], ...currencies().map((code) => [code, code] as const)]}
          onChange={(code) => onChange({ currency: code })}
        />
      </div>
    </details>
  );
}

interface TypedProps {
  readonly label: string;
  readonly value: string;
  onInput(value: string): void;
}

/** What is being typed need not be an amount yet: the field keeps it, and the address has what is one. */
function AmountField({ label, value, onInput }: TypedProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped((before) => (Number(before) === Number(value) && value !== '' ? before : value)), [value]);
  return (
    <Field
      label={label}
      value={typed}
      onInput={(text) => {
        setTyped(text);
        if (text === '' || /^\d{1,12}(\.\d{1,4})?$/.test(text)) onInput(text);
      }}
      input={{ inputMode: 'decimal', autoComplete: 'off', placeholder: '0.00' }}
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
