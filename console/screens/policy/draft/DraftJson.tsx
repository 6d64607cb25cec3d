/** The draft as JSON: the text that is typed here stays, and is in the form as far as it can be read. */
import { useId } from 'preact/hooks';
import type { ReadDraft } from './DraftScreen.tsx';
import { PROBLEMS_ID } from './Problems.tsx';

interface DraftJsonProps {
  readonly read: ReadDraft;
  onText(text: string): void;
}

const MOST_LINES = 24;

export function DraftJson({ read: { draft, problems }, onText }: DraftJsonProps) {
  const id = useId();
  return (
    <div class="field draft-json">
      <label for={id}>The draft as JSON</label>
      <textarea
        id={id}
        rows={Math.min(MOST_LINES, Math.max(8, draft.text.split('\n').length + 1))}
        spellcheck={false}
        autocapitalize="off"
        value={draft.text}
        aria-invalid={problems.length > 0}
        aria-describedby={PROBLEMS_ID}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    </div>
  );
}
