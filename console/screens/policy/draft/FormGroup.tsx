/** The fields of a part of the policy, as the schema groups them. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../../parts/Button.tsx';
import type { Entries, FormField, Group } from '../../../proofs/formFields.ts';
import type { ReadDraft } from './DraftScreen.tsx';
import { memberAt } from './fieldText.ts';
import { HAS_ROOM } from './room.ts';
import { type FieldProps, SingleField, type Steps, sentenceAt } from './SingleField.tsx';

interface FormGroupProps {
  readonly field: FormField;
  readonly read: ReadDraft;
  readonly focus: string | null;
  readonly isFirst: boolean;
  onChange(steps: Steps, value: unknown): void;
}

/** A part of the whole, folded where it has nothing. */
export function FormGroup({ field, read, focus, isFirst, onChange }: FormGroupProps) {
  const steps = field.path.split('.');
  const isSet = memberAt(read.json, steps) !== undefined;
  // On a phone one part is open: the one that the link names, or the first.
  const isWanted = focus === null ? isFirst : focus.startsWith(field.path);
  // As it is at first: a part that is emptied is not closed while the user types in it.
  const [isOpen] = useState(isWanted || (isSet && HAS_ROOM));
  const set = read.sentences.filter(({ path }) => path.startsWith(`${field.path}.`)).length;
  return (
    <details class="form-group" open={isOpen}>
      <summary>
        {field.label} <span class="quiet rule-count">{set === 0 ? '' : set === 1 ? '1 rule' : `${set} rules`}</span>
      </summary>
      <Members field={field} read={read} steps={steps} onChange={onChange} />
    </details>
  );
}

function Members({ field, ...rest }: FieldProps) {
  if (field.kind === 'group') return <Fields field={field} {...rest} />;
  if (field.kind === 'entries') return <EntryList field={field} {...rest} />;
  return <SingleField field={field} {...rest} />;
}

function Fields({ field, read, steps, onChange }: FieldProps<Group>) {
  return (
    <>
      {field.fields.map((each) => {
        const name = each.path.split('.').at(-1) as string;
        const members = <Members field={each} read={read} steps={[...steps, name]} onChange={onChange} />;
        if (each.kind !== 'group') return <div key={each.path}>{members}</div>;
        return (
          <Part key={each.path} field={each} read={read}>
            {members}
          </Part>
        );
      })}
    </>
  );
}

interface PartProps {
  readonly field: FormField;
  readonly read: ReadDraft;
  readonly children: ComponentChildren;
}

function Part({ field, read, children }: PartProps) {
  const sentence = sentenceAt(field, read);
  return (
    <fieldset class="part">
      <legend>{field.label}</legend>
      {sentence !== undefined && (
        <p class="quiet">
          <bdi>{sentence}</bdi>
        </p>
      )}
      {children}
    </fieldset>
  );
}

function EntryList({ field, read, steps, onChange }: FieldProps<Entries>) {
  const value = memberAt(read.json, steps);
  // What may be written as one entry without a list becomes a list with its first change here.
  const entries = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const without = (index: number) => {
    const left = entries.filter((_, other) => other !== index);
    onChange(steps, left.length === 0 ? undefined : left);
  };
  return (
    <Part field={field} read={read}>
      <Wrong read={read} steps={steps} />
      {entries.map((_, index) => (
        <Entry
          key={index}
          field={field}
          read={read}
          steps={[...steps, index]}
          index={index}
          isAlone={entries.length === 1}
          onChange={onChange}
          onRemove={() => without(index)}
        />
      ))}
      <button
        type="button"
        class="button second"
        data-rule={field.path}
        onClick={() => onChange([...steps, entries.length], {})}
      >
        Add one<span class="unseen"> to {field.label}</span>
      </button>
    </Part>
  );
}

interface EntryProps extends FieldProps<Entries> {
  readonly index: number;
  readonly isAlone: boolean;
  onRemove(): void;
}

/** An entry of more members than these is folded, so that a list of such entries can be looked over. */
const MOST_OPEN = 6;

function Entry({ field, read, steps, index, isAlone, onChange, onRemove }: EntryProps) {
  const place = steps.join('.');
  const isWrong = read.problems.some(({ path }) => path === place || path.startsWith(`${place}.`));
  // Once it is open it stays so: the user who corrects it is typing in it.
  const [isOpen, setOpen] = useState(isAlone || isWrong);
  if (isWrong && !isOpen) setOpen(true);
  const name = memberAt(read.json, [...steps, 'name']);
  const title = typeof name === 'string' && name.trim() !== '' ? name : `Entry ${index + 1}`;
  const members = (
    <>
      <Wrong read={read} steps={steps} />
      <div class="entry-fields">
        <Fields field={{ ...field, kind: 'group' }} read={read} steps={steps} onChange={onChange} />
      </div>
      <Button label={`Remove the entry ${index + 1} of ${field.label}`} onClick={onRemove}>
        Remove
      </Button>
    </>
  );
  if (field.fields.length <= MOST_OPEN) return <div class="entry">{members}</div>;
  return (
    <details class="entry" open={isOpen}>
      <summary data-rule={field.path}>
        <bdi>{title}</bdi>
      </summary>
      {members}
    </details>
  );
}

/** What is wrong with an entry as a whole, or with the list of them: no field of its own says that. */
function Wrong({ read, steps }: Pick<FieldProps, 'read' | 'steps'>) {
  const place = steps.join('.');
  const found = read.problems.filter(({ path }) => path === place);
  if (found.length === 0) return null;
  return (
    <div class="field">
      {found.map(({ message }) => (
        <p key={message} class="wrong">
          <bdi>{message}</bdi>
        </p>
      ))}
    </div>
  );
}
