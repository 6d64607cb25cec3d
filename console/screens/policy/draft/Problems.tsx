/** What is wrong with the draft, so that it cannot be published yet. */
import type { ReadDraft } from './DraftScreen.tsx';

/** By which the JSON names what is wrong with it. */
export const PROBLEMS_ID = 'draft-problems';

export function Problems({ of: { problems } }: { readonly of: ReadDraft }) {
  return (
    <div id={PROBLEMS_ID} aria-live="polite">
      {problems.length > 0 && (
        <ul class="causes problems">
          {problems.map(({ path, message }) => (
            <li key={path + message}>
              {path !== '' && <code>{path}</code>} <bdi>{message}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
