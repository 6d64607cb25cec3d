/** The filters of the lists of purchases: those of its own, and agent, time and amount, which they have in common. */
import { useEffect, useState } from 'preact/hooks';
import { namedAgents, nameOf } from '../../node/agentNames.ts';
import { Choice, Field } from '../form/Field.tsx';
import { currencies } from '../values/amount.ts';
import type { CommonFilters } from './commonFilters.ts';
import { FilterBar, type FilterField } from './FilterBar.tsx';

const COMMON: Readonly<Record<string, string>> = {
  agent: 'Agent',
  from: 'From',
  to: 'To',
  min: 'At least',
  max: 'At most',
  currency: 'Currency',
};

interface FiltersProps<Filters extends CommonFilters> {
  readonly filters: Filters;
  /** What those beyond the common ones are called, and how their values are said. */
  readonly own: Readonly<Record<Exclude<keyof Filters, keyof CommonFilters>, readonly [label: string, say: ValueText]>>;
  /** The fields beyond the common ones. */
  readonly fields: readonly FilterField[];
  /** Amounts are taken for those of this one, until another is chosen. */
  readonly currency: string;
  onChange(changed: Partial<CommonFilters>): void;
  onClear(): void;
  /** Saves what is filtered as CSV; undefined where the node has no such file. */
  readonly onCsv: (() => Promise<void>) | undefined;
}

type ValueText = (value: string) => string;

export const asIs: ValueText = (value) => value;

export function sayingOf(options: readonly (readonly [value: string, text: string])[]): ValueText {
  return (value) => options.find(([each]) => each === value)?.[1] ?? value;
}

export function Filters<Filters extends CommonFilters>(props: FiltersProps<Filters>) {
  const { filters, own, fields, currency, onChange, onClear, onCsv } = props;
  const named: Readonly<Record<string, readonly [label: string, say: ValueText]>> = own;
  return (
    <FilterBar
      filters={valuesOf(filters).map(([name, value]) => {
        const [label, say] = named[name] ?? [COMMON[name] ?? name, name === 'agent' ? nameOf : asIs];
        return { name, text: `${label}: ${say(value)}` };
      })}
      fields={[...fields, ...commonFields({ filters, currency, onChange })]}
      onRemove={(name) => onChange({ [name]: '' })}
      onClear={onClear}
      onCsv={onCsv}
    />
  );
}

function valuesOf(filters: CommonFilters): readonly (readonly [name: string, value: string])[] {
  return Object.entries<string>({ ...filters }).filter(([, value]) => value !== '');
}

type CommonFieldsProps = Pick<FiltersProps<CommonFilters>, 'filters' | 'currency' | 'onChange'>;

function commonFields({ filters, currency, onChange }: CommonFieldsProps): readonly FilterField[] {
  const agents = [['', 'All'] as const, ...namedAgents()];
  return [
    {
      name: 'Agent',
      fields: <Choice label="Agent" value={filters.agent} options={agents} onChange={(agent) => onChange({ agent })} />,
    },
    {
      name: 'Date',
      fields: (
        <>
          <Field label="From" value={filters.from} onInput={(from) => onChange({ from })} input={{ type: 'date' }} />
          <Field label="To" value={filters.to} onInput={(to) => onChange({ to })} input={{ type: 'date' }} />
        </>
      ),
    },
    { name: 'Amount', fields: <AmountFields filters={filters} currency={currency} onChange={onChange} /> },
  ];
}

function AmountFields({ filters, currency, onChange }: CommonFieldsProps) {
  // "Any" stays what was chosen while an amount is changed.
  const isFirst = filters.min === '' && filters.max === '' && filters.currency === '';
  const changeAmount = (changed: Partial<CommonFilters>) => onChange(isFirst ? { ...changed, currency } : changed);
  return (
    <>
      <AmountField label="At least" value={filters.min} onInput={(min) => changeAmount({ min })} />
      <AmountField label="At most" value={filters.max} onInput={(max) => changeAmount({ max })} />
      <Choice
        label="Currency"
        value={filters.currency}
        options={[['', 'Any'], ...currencies().map((code) => [code, code] as const)]}
        onChange={(code) => onChange({ currency: code })}
      />
    </>
  );
}

interface AmountFieldProps {
  readonly label: string;
  readonly value: string;
  onInput(value: string): void;
}

/** What is being typed need not be an amount yet: the field keeps it, and the address has what is one. */
function AmountField({ label, value, onInput }: AmountFieldProps) {
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
