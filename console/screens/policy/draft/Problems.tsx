/** What is wrong with the draft, so that it cannot be published yet. */
import type { ReadDraft } from './DraftScreen.tsx';
import { budgetAt } from './form/budget.ts';

/** By which the JSON names what is wrong with it. */
export const PROBLEMS_ID = 'draft-problems';

interface ProblemsProps {
  readonly of: ReadDraft;
  labelOf(path: string): string;
}

export function Problems({ of: { json, problems, isAsked }, labelOf }: ProblemsProps) {
  // A budget that is being written is not wrong yet: what it lacks is said quietly.
  const isQuiet = !isAsked && problems.every(({ path }) => budgetAt(json, path) !== undefined);
  return (
    <div id={PROBLEMS_ID} aria-live="polite">
      {problems.length > 0 && (
        <ul class={`causes ${isQuiet ? '' : 'problems'}`}>
          {problems.map(({ path, message }) => (
            <li key={path + message}>
              <Place path={path} json={json} labelOf={labelOf} /> <bdi>{message}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What a problem is about: a budget as its sentence, a rule by its name; what the form does not have, as the JSON says it. */
function Place({
  path,
  json,
  labelOf,
}: Pick<ProblemsProps, 'labelOf'> & { readonly path: string; readonly json: unknown }) {
  const rule = path.replace(/\.\d+/g, '');
  const label = labelOf(rule);
  const budget = budgetAt(json, path);
  if (budget !== undefined) {
    return (
      <>
        “<bdi>{budget}</bdi>”:
      </>
    );
  }
  if (path === '') return null;
  return label === rule ? <code>{path}</code> : <strong>{label}:</strong>;
}
