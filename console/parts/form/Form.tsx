/** A form whose input stays where it is refused, with what was wrong at its field, or above its button. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { CountersignError } from '../../../client/error.ts';
import { isCanceled } from '../../node/explainError.ts';
import { Button } from '../Button.tsx';
import { Trouble } from '../Trouble.tsx';
import { FieldIssues, type Issue, issueOf } from './fieldIssues.ts';

interface FormProps {
  readonly children: ComponentChildren;
  /** What its button says. */
  readonly act: string;
  /** How its button looks: first is what the screen is for, risky what cannot be undone. */
  readonly kind?: 'first' | 'second' | 'risky';
  /** Where the form is all that the screen has. */
  readonly isWide?: boolean;
  readonly disabled?: boolean;
  onSubmit(): Promise<unknown>;
  /** The way out without a change, where there is one. */
  readonly onLeave?: () => void;
}

export function Form({
  children,
  act,
  kind = 'first',
  isWide = false,
  disabled = false,
  onSubmit,
  onLeave,
}: FormProps) {
  const [trouble, setTrouble] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const names = useRef(new Set<string>());
  const issues = issuesIn(trouble);
  const isAtFields =
    issues.length > 0 && issues.every((issue) => [...names.current].some((name) => issueOf(name, [issue])));
  const submit = async () => {
    if (busy || disabled) return;
    setTrouble(undefined);
    setBusy(true);
    try {
      await onSubmit();
    } catch (error) {
      if (!isCanceled(error)) setTrouble(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <FieldIssues.Provider value={{ issues, names: names.current }}>{children}</FieldIssues.Provider>
      {trouble !== undefined && !isAtFields && <Trouble error={trouble} />}
      <div class={isWide ? 'buttons stacked' : 'buttons'}>
        {/* Not disabled while it is sent: it would lose the focus, and what is refused is sent again. */}
        <Button kind={kind} type="submit" disabled={disabled} isSent={busy}>
          {act}
        </Button>
        {onLeave !== undefined && <Button onClick={onLeave}>Cancel</Button>}
      </div>
    </form>
  );
}

/** What the node found wrong, each with the member it is in. */
function issuesIn(trouble: unknown): readonly Issue[] {
  return trouble instanceof CountersignError ? (trouble.details ?? []) : [];
}
