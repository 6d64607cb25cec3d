/** What a list is filtered by: a chip for each filter that is set, which takes it off; the fields open to add another. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { namedAgents, nameOf } from '../../node/agentNames.ts';
import { Button } from '../Button.tsx';
import { Choice, Field } from '../form/Field.tsx';
import { Icon } from '../Icon.tsx';
import { currencies } from '../values/amount.ts';
import type { CommonFilters } from './commonFilters.ts';

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
  readonly own: Readonly<Record<Exclude<keyof Filters, keyof CommonFilters>, readonly [label: string, say: Saying]>>;
  /** Amounts are taken for those of this one, until another is chosen. */
  readonly currency: string;
  /** The list without a filter. */
  readonly clear: string;
  onChange(changed: Partial<CommonFilters>): void;
  /** Saves what is filtered as CSV; undefined where the node has no such file. */
  readonly onCsv: (() => Promise<void>) | undefined;
  /** The fields beyond the common ones. */
  readonly children: ComponentChildren;
}

type Saying = (value: string) => string;

export const asIs: Saying = (value) => value;

export function sayingOf(options: readonly (readonly [value: string, text: string])[]): Saying {
  return (value) => options.find(([each]) => each === value)?.[1] ?? value;
}

export function Filters<Filters extends CommonFilters>(props: FiltersProps<Filters>) {
  const { filters, own, currency, clear, onChange, onCsv, children } = props;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <div class="filter-bar">
        <Chips filters={filters} own={own} onChange={onChange} />
        <button
          type="button"
          class="button plain"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Close the filters' : 'Add a filter'}
        </button>
        {valuesOf(filters).length > 0 && (
          <a class="inline-link" href={clear}>
            Clear
          </a>
        )}
        {onCsv !== undefined && (
          <span class="bar-end">
            <Button kind="plain" label="Download as CSV" onClick={onCsv}>
              <Icon name="download" size={20} /> CSV
            </Button>
          </span>
        )}
      </div>
      <div id={id} class="filter-fields" hidden={!isOpen}>
        {isOpen && (
          <>
            {children}
            <CommonFields filters={filters} currency={currency} onChange={onChange} />
          </>
        )}
      </div>
    </>
  );
}

function valuesOf(filters: CommonFilters): readonly (readonly [name: string, value: string])[] {
  return Object.entries<string>({ ...filters }).filter(([, value]) => value !== '');
}

interface ChipsProps extends Pick<FiltersProps<CommonFilters>, 'filters' | 'onChange'> {
  readonly own: Readonly<Record<string, readonly [label: string, say: Saying]>>;
}

function Chips({ filters, own, onChange }: ChipsProps) {
  return (
    <>
      {valuesOf(filters).map(([name, value]) => {
        const [label, say] = own[name] ?? [COMMON[name] ?? name, name === 'agent' ? nameOf : asIs];
        const text = `${label}: ${say(value)}`;
        return (
          <button key={name} type="button" class="chip" title={text} onClick={() => onChange({ [name]: '' })}>
            <bdi>{text}</bdi> <span class="unseen">Remove</span>
            <Icon name="close" size={16} />
          </button>
        );
      })}
    </>
  );
}

type CommonFieldsProps = Pick<FiltersProps<CommonFilters>, 'filters' | 'currency' | 'onChange'>;

function CommonFields({ filters, currency, onChange }: CommonFieldsProps) {
  // "Any" stays what was chosen while an amount is changed.
  const isFirst = filters.min === '' && filters.max === '' && filters.currency === '';
  const changeAmount = (changed: Partial<CommonFilters>) => onChange(isFirst ? { ...changed, currency } : changed);
  return (
    <>
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
