/** One rule in the form: its name, its value, what it says, and what is wrong with it. */
import { useId, useState } from 'preact/hooks';
import { Icon } from '../../../../parts/Icon.tsx';
import { durationText } from '../../../../parts/limits/limitStates.ts';
import { wordsOf } from '../../../../parts/values/codeText.ts';
import type { FormField, Single } from '../../../../proofs/formFields.ts';
import type { ReadDraft } from '../DraftScreen.tsx';
import { memberAt, textIn, valueIn } from './fieldText.ts';

export type Steps = readonly (string | number)[];

export interface FieldProps<Field extends FormField = FormField> {
  readonly field: Field;
  readonly read: ReadDraft;
  /** Where it is in the draft. */
  readonly steps: Steps;
  onChange(steps: Steps, value: unknown): void;
  /** Takes the member out of the draft, and its field away. */
  onRemove(): void;
}

/** What the draft says by this rule, in words; where it is not set, or not right yet, what the rule is for. */
export function sentenceAt({ path, about }: FormField, { sentences }: ReadDraft): string | undefined {
  return sentences.find((each) => each.path === path)?.sentence ?? about;
}

interface ControlProps {
  readonly field: Single;
  readonly id: string;
  readonly text: string;
  readonly isWrong: boolean;
  onText(text: string): void;
}

export function SingleField({ field, read, steps, onChange, onRemove }: FieldProps<Single>) {
  const id = useId();
  const value = memberAt(read.json, steps);
  const [typed, setTyped] = useState<string>();
  const written = textIn(field, value);
  // What is being typed stays as it is for as long as it means what the draft says: `10.` on the way to `10.5`.
  const means = typed !== undefined && JSON.stringify(valueIn(field, typed)) === JSON.stringify(value);
  const text = means ? typed : written;
  const place = steps.join('.');
  const wrong = read.problems.filter(({ path }) => path === place || path.startsWith(`${place}.`));
  const props = {
    field,
    id,
    text: text ?? '',
    isWrong: wrong.length > 0,
    onText(next: string) {
      setTyped(next);
      onChange(steps, valueIn(field, next));
    },
  };
  return (
    <div class="field rule-field">
      <RemoveField field={field} onRemove={onRemove} />
      {field.kind === 'several' ? <Several {...props} /> : <Labeled {...props} isElsewhere={text === undefined} />}
      <div id={`${id}-hint`} class="quiet">
        {wrong.map(({ path, message }) => (
          <p key={path + message} class="wrong">
            <bdi>{message}</bdi>
          </p>
        ))}
        <bdi>{text === undefined ? 'It is written in a way that only the JSON shows.' : sentenceAt(field, read)}</bdi>
      </div>
    </div>
  );
}

/** Beside the name of a rule or of a part of one. */
export function RemoveField({ field, onRemove }: Pick<FieldProps, 'field' | 'onRemove'>) {
  return (
    <button type="button" class="remove-field" aria-label={`Remove ${field.label}`} onClick={onRemove}>
      <Icon name="close" size={18} />
    </button>
  );
}

function Labeled({ isElsewhere, ...props }: ControlProps & { readonly isElsewhere: boolean }) {
  const { field, id, isWrong, text, onText } = props;
  const common = {
    id,
    'data-rule': field.path,
    disabled: isElsewhere,
    value: text,
    'aria-invalid': isWrong,
    'aria-describedby': `${id}-hint`,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => onText(currentTarget.value),
  };
  return (
    <>
      <label for={id}>{field.label}</label>
      {field.kind === 'lines' ? (
        <textarea
          {...common}
          rows={Math.min(8, Math.max(2, text.split('\n').length))}
          spellcheck={false}
          autocapitalize="off"
        />
      ) : field.kind === 'choice' || field.kind === 'flag' ? (
        <select {...common}>
          {text === '' && <option value="">Choose…</option>}
          {optionsOf(field, text).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          inputMode={field.kind === 'number' ? 'decimal' : 'text'}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
        />
      )}
    </>
  );
}

const ANSWERS: Readonly<Record<string, string>> = { true: 'Yes', false: 'No' };

/** What the draft says is among them, though it be none of them. */
function optionsOf({ options, isDuration }: Single, text: string): readonly (readonly [value: string, name: string])[] {
  const all = text === '' || options.includes(text) ? options : [...options, text];
  return all.map((option) => [option, ANSWERS[option] ?? (isDuration ? durationText(option) : wordsOf(option))]);
}

function Several({ field, id, text, onText }: ControlProps) {
  const chosen = text === '' ? [] : text.split('\n');
  // One that was just added is to be chosen from.
  const [isOpen] = useState(chosen.length === 0);
  const all = [...field.options, ...chosen.filter((each) => !field.options.includes(each))];
  const toggle = (option: string) =>
    onText(all.filter((each) => chosen.includes(each) !== (each === option)).join('\n'));
  return (
    <details open={isOpen}>
      <summary data-rule={field.path}>
        <strong>{field.label}</strong> <span class="quiet">{chosen.map(wordsOf).join(', ') || 'none chosen'}</span>
      </summary>
      <fieldset class="several" aria-label={field.label} aria-describedby={`${id}-hint`}>
        {all.map((option) => (
          <label key={option}>
            <input type="checkbox" checked={chosen.includes(option)} onChange={() => toggle(option)} />
            {wordsOf(option)}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
