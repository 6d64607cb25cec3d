/** The draft as a form: each change to it is made in the JSON beside it. */
import { useEffect, useRef } from 'preact/hooks';
import { Card } from '../../../parts/Card.tsx';
import type { FormField } from '../../../proofs/formFields.ts';
import type { ReadDraft } from './DraftScreen.tsx';
import { FormGroup } from './FormGroup.tsx';
import { withMember } from './fieldText.ts';
import { draftText } from './keptDraft.ts';

interface DraftFormProps {
  readonly read: ReadDraft;
  readonly fields: readonly FormField[];
  /** The rule that the link names. */
  readonly focus: string | null;
  onText(text: string): void;
}

export function DraftForm({ read, fields, focus, onText }: DraftFormProps) {
  const form = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (focus === null) return;
    const all = [...(form.current?.querySelectorAll<HTMLElement>('[data-rule]') ?? [])];
    const found = all.find(({ dataset: { rule = '' } }) => rule === focus || rule.startsWith(`${focus}.`));
    for (let part = found?.parentElement?.closest('details'); part; part = part.parentElement?.closest('details')) {
      part.open = true;
    }
    found?.focus();
    found?.scrollIntoView({ block: 'center' });
  }, [focus]);
  const change = (steps: readonly (string | number)[], value: unknown) =>
    onText(draftText(withMember(read.json, steps, value) ?? {}));
  return (
    <Card title="Rules">
      {!read.isReadable && (
        <p class="note">The form waits until the JSON can be read again. It shows what was readable last.</p>
      )}
      <fieldset ref={form} class="bare" aria-label="Rules of the draft" disabled={!read.isReadable}>
        {fields.map((field, index) => (
          <FormGroup key={field.path} field={field} read={read} focus={focus} isFirst={index === 0} onChange={change} />
        ))}
      </fieldset>
    </Card>
  );
}
