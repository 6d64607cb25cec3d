/** The draft as a form: the rules that it has, each with its fields, and a search for those that it has not. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FormField } from '../../../../proofs/formFields.ts';
import type { ReadDraft } from '../DraftScreen.tsx';
import { draftText } from '../keptDraft.ts';
import { AddRule } from './AddRule.tsx';
import { Budgets } from './Budgets.tsx';
import { LIMITS } from './budget.ts';
import { memberAt, withMember } from './fieldText.ts';
import { rulesOf } from './findRules.ts';
import { RuleFields } from './RuleFields.tsx';
import type { Steps } from './SingleField.tsx';
import { useShown } from './useShown.ts';

interface DraftFormProps {
  readonly read: ReadDraft;
  readonly fields: readonly FormField[];
  /** The rule that the link names. */
  readonly focus: string | null;
  /** The name of the budget that the link is about. */
  readonly limit: string | null;
  onText(text: string): void;
}

export function DraftForm({ read, fields, focus, limit, onText }: DraftFormProps) {
  const form = useRef<HTMLFieldSetElement>(null);
  const [target, setTarget] = useState(focus);
  const rules = rulesOf(fields);
  const of = new Map(rules.map((rule) => [rule.field.path, rule]));
  const isSet = (path: string) => {
    const isWrong = read.problems.some((problem) => problem.path === path || problem.path.startsWith(`${path}.`));
    // Budgets are asked for by a button of their own.
    return path === LIMITS || isWrong || memberAt(read.json, path.split('.')) !== undefined;
  };
  const wanted = rules.find(({ field: { path } }) => focus === path || focus?.startsWith(`${path}.`))?.field.path;
  const { shown, others, open, close } = useShown([...of.keys()], isSet, wanted);
  useLayoutEffect(() => {
    if (target !== null) reveal(form.current, target, limit);
  }, [target]);
  const change = (steps: Steps, value: unknown) => onText(draftText(withMember(read.json, steps, value) ?? {}));
  const add = (path: string) => {
    open(path);
    setTarget(path);
  };
  const remove = (path: string) => {
    close(path);
    setTarget(null);
    change(path.split('.'), undefined);
  };
  return (
    <>
      {!read.isReadable && (
        <p class="note">The form waits until the JSON can be read again. It shows what was readable last.</p>
      )}
      <fieldset ref={form} class="bare" aria-label="Rules of the draft" disabled={!read.isReadable}>
        {shown.every((path) => path === LIMITS) && memberAt(read.json, LIMITS.split('.')) === undefined && (
          <p>No rule is set: every purchase is allowed.</p>
        )}
        {shown.map((path, index) => {
          const { field, group } = of.get(path) as (typeof rules)[number];
          const isFirst = group !== of.get(shown[index - 1] ?? '')?.group;
          return (
            <div key={path}>
              {isFirst && <h3>{group}</h3>}
              {path === LIMITS ? (
                <Budgets read={read} limit={limit} onChange={change} />
              ) : (
                <RuleFields
                  field={field}
                  read={read}
                  steps={path.split('.')}
                  focus={focus}
                  onChange={change}
                  onRemove={() => remove(path)}
                />
              )}
            </div>
          );
        })}
        <AddRule rules={others.flatMap((path) => of.get(path) ?? [])} onAdd={add} />
      </fieldset>
    </>
  );
}

/** Leads the user to the field of a rule, or to the first of what belongs to it. */
function reveal(form: HTMLElement | null, path: string, limit: string | null): void {
  const budget = [...(form?.querySelectorAll<HTMLElement>('[data-limit]') ?? [])].find(
    (each) => each.dataset['limit'] === limit,
  );
  const all = [...(form?.querySelectorAll<HTMLElement>('[data-rule]') ?? [])];
  const found =
    budget?.querySelector('input') ??
    all.find(({ dataset: { rule = '' } }) => rule === path) ??
    all.find(({ dataset: { rule = '' } }) => rule.startsWith(`${path}.`)) ??
    form?.querySelector<HTMLElement>(`[data-part="${CSS.escape(path)}"] button`);
  for (let part = found?.parentElement?.closest('details'); part; part = part.parentElement?.closest('details')) {
    part.open = true;
  }
  found?.focus();
  found?.scrollIntoView({ block: 'center' });
}
