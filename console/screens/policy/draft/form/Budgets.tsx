/** The budgets of the draft, each a sentence that is filled in. */
import { useState } from 'preact/hooks';
import { Icon } from '../../../../parts/Icon.tsx';
import { BudgetEntry } from '../../../../parts/limits/BudgetEntry.tsx';
import type { WrittenBudget } from '../../../../parts/limits/budgetText.ts';
import type { ReadDraft } from '../DraftScreen.tsx';
import { AskReplay } from './AskReplay.tsx';
import { LIMITS, NEW_BUDGET } from './budget.ts';
import { memberAt } from './fieldText.ts';
import { LimitPicture } from './LimitPicture.tsx';
import type { Steps } from './SingleField.tsx';

interface BudgetsProps {
  readonly read: ReadDraft;
  onChange(steps: Steps, value: unknown): void;
}

const STEPS = LIMITS.split('.');

export function Budgets({ read, onChange }: BudgetsProps) {
  const [added, setAdded] = useState<number>();
  const value = memberAt(read.json, STEPS);
  // One that is written as no list becomes a list with its first change here.
  const budgets = [value ?? []]
    .flat()
    .map((each) => (typeof each === 'object' && each !== null ? each : {}) as WrittenBudget);
  const currency = memberAt(read.json, ['spend', 'currency']);
  const set = (next: readonly WrittenBudget[]) => onChange(STEPS, next.length === 0 ? undefined : next);
  return (
    <>
      {budgets.map((budget, index) => (
        <BudgetEntry
          key={index}
          budget={budget}
          currency={typeof currency === 'string' ? currency : undefined}
          issues={issuesOf(read, index)}
          isAsked={read.isAsked}
          isNew={added === index}
          taken={budgets.flatMap((each, other) => (other === index ? [] : [each['name']]))}
          rule={LIMITS}
          onBudget={(next) => set(budgets.with(index, next))}
          onRemove={() => set(budgets.toSpliced(index, 1))}
        >
          <LimitPicture path={LIMITS} steps={[...STEPS, index]} json={read.json} />
        </BudgetEntry>
      ))}
      <button
        type="button"
        class="button second"
        data-rule={LIMITS}
        onClick={() => {
          setAdded(budgets.length);
          set([...budgets, NEW_BUDGET]);
        }}
      >
        <Icon name="plus" /> Add a budget
      </button>
      {budgets.length > 0 && <AskReplay />}
    </>
  );
}

/** What the schema finds wrong with a budget; what is wrong with it as a whole stands at its amount. */
function issuesOf({ problems }: ReadDraft, index: number) {
  const at = `${LIMITS}.${index}`;
  return problems
    .filter(({ path }) => `${path}.`.startsWith(`${at}.`))
    .map(({ path, message }) => ({ member: path.slice(at.length + 1).split('.')[0] || 'max_amount', message }));
}
