/** What a list is filtered by: a chip for each filter that is set, which removes it; another one is added one at a time. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from '../Button.tsx';
import { Choice } from '../form/Field.tsx';
import { Icon } from '../Icon.tsx';
import { CsvButton } from './CsvButton.tsx';

/** A filter that is set. */
interface SetFilter {
  readonly name: string;
  /** Such as "Agent: Travel desk". */
  readonly text: string;
}

/** A filter that can be set. */
export interface FilterField {
  readonly name: string;
  /** Its field; a range has several. */
  readonly fields: ComponentChildren;
}

interface FilterBarProps {
  readonly filters: readonly SetFilter[];
  readonly fields: readonly FilterField[];
  onRemove(name: string): void;
  onClear(): void;
  /** Saves what is filtered as CSV; undefined where the node has no such file. */
  readonly onCsv?: (() => Promise<void>) | undefined;
}

export function FilterBar({ filters, fields, onRemove, onClear, onCsv }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <div class="filter-bar">
        {filters.map(({ name, text }) => (
          <button key={name} type="button" class="chip" title={text} onClick={() => onRemove(name)}>
            <bdi>{text}</bdi> <span class="unseen">Remove</span>
            <Icon name="close" size={16} />
          </button>
        ))}
        <button
          type="button"
          class="button plain"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Close the filters' : 'Add a filter'}
        </button>
        {filters.length > 0 && (
          <Button kind="plain" onClick={onClear}>
            Clear
          </Button>
        )}
        {onCsv !== undefined && (
          <span class="bar-end">
            <CsvButton onSave={onCsv} />
          </span>
        )}
      </div>
      <div id={id} class="filter-fields" hidden={!isOpen}>
        {isOpen && <OneFilter of={fields} />}
      </div>
    </>
  );
}

/** The field of one filter at a time, so that no row of empty fields stands above the list. */
function OneFilter({ of }: { readonly of: readonly FilterField[] }) {
  const [chosen, setChosen] = useState(of[0]?.name ?? '');
  return (
    <>
      {of.length > 1 && (
        <Choice
          label="Filter by"
          value={chosen}
          options={of.map(({ name }) => [name, name] as const)}
          onChange={setChosen}
        />
      )}
      {of.find(({ name }) => name === chosen)?.fields}
    </>
  );
}
