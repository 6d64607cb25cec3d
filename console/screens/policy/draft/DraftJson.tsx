/** The draft as JSON, and what is wrong with it: the text that is typed here stays, and is in the form as far as it can be read. */
import { useId } from 'preact/hooks';
import { Card } from '../../../parts/Card.tsx';
import type { ReadDraft } from './DraftScreen.tsx';
import { HAS_ROOM } from './room.ts';

interface DraftJsonProps {
  readonly read: ReadDraft;
  onText(text: string): void;
}

const MOST_LINES = HAS_ROOM ? 24 : 10;

export function DraftJson({ read: { draft, problems }, onText }: DraftJsonProps) {
  const id = useId();
  return (
    <Card title={<label for={id}>The same as JSON</label>} class="draft-json">
      <textarea
        id={id}
        rows={Math.min(MOST_LINES, Math.max(8, draft.text.split('\n').length + 1))}
        spellcheck={false}
        autocapitalize="off"
        value={draft.text}
        aria-invalid={problems.length > 0}
        aria-describedby={`${id}-problems`}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      <div id={`${id}-problems`} aria-live="polite">
        {problems.length === 0 ? (
          <p class="quiet">It can be published as it is.</p>
        ) : (
          <ul class="causes problems">
            {problems.map(({ path, message }) => (
              <li key={path + message}>
                {path !== '' && <code>{path}</code>} <bdi>{message}</bdi>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
