/** One thing that is typed in or chosen, with its name above it and what is wrong with it below. */
import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { useIssue } from './fieldIssues.ts';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  /** The member of the request that it is, so that what the node finds wrong with it is said here. */
  readonly name?: string;
  onInput(value: string): void;
  readonly hint?: ComponentChildren;
  readonly input?: InputHTMLAttributes<HTMLInputElement>;
}

export function Field({ label, value, name, onInput, hint, input = {} }: FieldProps) {
  const { id, below, described } = useBelow(name, hint);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input {...input} {...described} id={id} value={value} onInput={(event) => onInput(event.currentTarget.value)} />
      {below}
    </div>
  );
}

interface LongFieldProps extends Pick<FieldProps, 'label' | 'value' | 'name' | 'onInput' | 'hint'> {
  readonly maxLength: number;
  /** Whether a file may be chosen in place of typing. */
  readonly takesFile?: boolean;
}

export function LongField({ label, value, name, onInput, hint, maxLength, takesFile = false }: LongFieldProps) {
  const { id, below, described } = useBelow(name, hint);
  const read = async (file: File | undefined) => {
    // Cut there, as what is pasted is.
    if (file !== undefined) onInput((await file.slice(0, maxLength).text()).trim());
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        {...described}
        id={id}
        rows={3}
        maxLength={maxLength}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {takesFile && (
        <input
          type="file"
          aria-label={`${label}, as a file`}
          onChange={(event) => void read(event.currentTarget.files?.[0])}
        />
      )}
      {below}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly name?: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  onChange(value: string): void;
}

export function Choice({ label, value, name, options, onChange }: ChoiceProps) {
  const { id, below, described } = useBelow(name, undefined);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select {...described} id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
      {below}
    </div>
  );
}

/** What stands below a field: what is wrong with it, else its hint; and how the field names it to who hears it. */
function useBelow(name: string | undefined, hint: ComponentChildren) {
  const id = useId();
  const issue = useIssue(name);
  useEffect(() => {
    // What is wrong is not to be missed in a part of the form that is folded.
    if (issue !== undefined) document.getElementById(id)?.closest('details')?.setAttribute('open', '');
  }, [id, issue]);
  const described = {
    'aria-describedby': issue === undefined && hint === undefined ? undefined : `${id}-below`,
    'aria-invalid': issue === undefined ? undefined : true,
  };
  const below =
    issue !== undefined ? (
      <p class="wrong" role="alert" id={`${id}-below`}>
        {issue}
      </p>
    ) : (
      hint !== undefined && (
        <p class="quiet" id={`${id}-below`}>
          {hint}
        </p>
      )
    );
  return { id, below, described };
}
