/** The fields of one rule: of what has parts, those that are set; the others are added one by one. */
import type { ComponentChildren } from 'preact';
import { Button } from '../../../../parts/Button.tsx';
import { Icon } from '../../../../parts/Icon.tsx';
import type { Entries, FieldGroup, FormField } from '../../../../proofs/formFields.ts';
import type { ReadDraft } from '../DraftScreen.tsx';
import { AskReplay } from './AskReplay.tsx';
import { LIMITS } from './budget.ts';
import { memberAt } from './fieldText.ts';
import { LimitPicture } from './LimitPicture.tsx';
import { type FieldProps, RemoveField, SingleField, type Steps, sentenceAt } from './SingleField.tsx';
import { useShown } from './useShown.ts';

interface RuleFieldsProps<Field extends FormField = FormField> extends FieldProps<Field> {
  /** The member that a link names; it has a field, though it is not set. */
  readonly focus: string | null;
}

export function RuleFields({ field, ...rest }: RuleFieldsProps) {
  if (field.kind === 'group') {
    return (
      <Part field={field} read={rest.read} onRemove={rest.onRemove}>
        <Members field={field} {...rest} />
        {field.path === 'risk.velocity_limit' && (
          <>
            <LimitPicture path={field.path} steps={rest.steps} json={rest.read.json} />
            {/* Beside more limits it stands below them. */}
            {memberAt(rest.read.json, LIMITS.split('.')) === undefined && <AskReplay />}
          </>
        )}
      </Part>
    );
  }
  if (field.kind === 'entries') return <EntryList field={field} {...rest} />;
  return <SingleField field={field} {...rest} />;
}

const nameOf = ({ path }: FormField) => path.split('.').at(-1) as string;

function Members({ field, read, steps, focus, onChange }: RuleFieldsProps<FieldGroup | Entries>) {
  const of = new Map(field.fields.map((each) => [nameOf(each), each]));
  const isSet = (name: string) =>
    memberAt(read.json, [...steps, name]) !== undefined || isWrongAt(read, [...steps, name]);
  const wanted = [...of].find(([, { path }]) => path === focus)?.[0];
  const { shown, others, open, close } = useShown([...of.keys()], isSet, wanted);
  return (
    <>
      <div class="part-fields">
        {shown.map((name) => (
          <RuleFields
            key={name}
            field={of.get(name) as FormField}
            read={read}
            steps={[...steps, name]}
            focus={focus}
            onChange={onChange}
            onRemove={() => {
              close(name);
              onChange([...steps, name], undefined);
            }}
          />
        ))}
      </div>
      {others.length > 0 && (
        <fieldset class="bare chips" aria-label={`Add to ${field.label}`}>
          {others.map((name) => (
            <button key={name} type="button" class="chip" title={of.get(name)?.about} onClick={() => open(name)}>
              <Icon name="plus" size={16} /> {of.get(name)?.label}
            </button>
          ))}
        </fieldset>
      )}
    </>
  );
}

interface PartProps extends Pick<FieldProps, 'field' | 'read' | 'onRemove'> {
  readonly children: ComponentChildren;
}

function Part({ field, read, onRemove, children }: PartProps) {
  const sentence = sentenceAt(field, read);
  return (
    <fieldset class="part" data-part={field.path}>
      <legend>{field.label}</legend>
      <RemoveField field={field} onRemove={onRemove} />
      {sentence !== undefined && (
        <p class="quiet">
          <bdi>{sentence}</bdi>
        </p>
      )}
      {children}
    </fieldset>
  );
}

function EntryList({ field, read, steps, focus, onChange, onRemove }: RuleFieldsProps<Entries>) {
  const value = memberAt(read.json, steps);
  // What may be written as one entry without a list becomes a list with its first change here.
  const entries = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const without = (index: number) => {
    const left = entries.filter((_, other) => other !== index);
    onChange(steps, left.length === 0 ? undefined : left);
  };
  return (
    <Part field={field} read={read} onRemove={onRemove}>
      <Wrong read={read} steps={steps} />
      {entries.map((_, index) => (
        <Entry
          key={index}
          field={field}
          read={read}
          steps={[...steps, index]}
          index={index}
          focus={focus}
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

interface EntryProps extends RuleFieldsProps<Entries> {
  readonly index: number;
}

function Entry({ field, read, steps, index, focus, onChange, onRemove }: EntryProps) {
  return (
    <div class="entry">
      <Wrong read={read} steps={steps} />
      <Members field={field} read={read} steps={steps} focus={focus} onChange={onChange} onRemove={onRemove} />
      <Button label={`Remove the entry ${index + 1} of ${field.label}`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}

function isWrongAt({ problems }: ReadDraft, steps: Steps): boolean {
  const place = steps.join('.');
  return problems.some(({ path }) => path === place || path.startsWith(`${place}.`));
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
