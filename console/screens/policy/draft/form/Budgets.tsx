/** The budgets of the draft, each a sentence: the one that is changed is filled in, the others are read. */
import { useRef, useState } from 'preact/hooks';
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
  /** The name of the one that a link is about. */
  readonly limit: string | null;
  onChange(steps: Steps, value: unknown): void;
}

interface OpenBudget {
  /** Its place in the list, -1 for none. */
  readonly at: number;
  /** What the user did to open it. */
  readonly by?: 'add' | 'edit';
  /** What it was before the user changed it. */
  readonly former?: WrittenBudget | undefined;
}

const STEPS = LIMITS.split('.');

export function Budgets({ read, limit, onChange }: BudgetsProps) {
  const value = memberAt(read.json, STEPS);
  // One that is written as no list becomes a list with its first change here.
  const budgets = [value ?? []]
    .flat()
    .map((each) => (typeof each === 'object' && each !== null ? each : {}) as WrittenBudget);
  const [open, setOpen] = useState<OpenBudget>(() => {
    const at = budgets.findIndex(({ name }) => name === limit);
    return { at, former: budgets[at] };
  });
  const adding = useRef<HTMLButtonElement>(null);
  const currency = memberAt(read.json, ['spend', 'currency']);
  const set = (next: readonly WrittenBudget[]) => onChange(STEPS, next.length === 0 ? undefined : next);
  return (
    <>
      {budgets.map((budget, index) => {
        const issues = issuesOf(read, index);
        const isOpen = open.at === index;
        const remove = () => {
          setOpen({ at: -1 });
          set(budgets.toSpliced(index, 1));
          adding.current?.focus({ preventScroll: true });
        };
        return (
          <BudgetEntry
            key={index}
            budget={budget}
            currency={typeof currency === 'string' ? currency : undefined}
            issues={issues}
            isAsked={read.isAsked}
            isNew={isOpen && open.by === 'add'}
            isEdited={isOpen && open.by === 'edit'}
            taken={budgets.flatMap((each, other) => (other === index ? [] : [each['name']]))}
            rule={LIMITS}
            onBudget={(next) => {
              // It stays open once nothing is wrong with it any more.
              if (!isOpen) setOpen({ at: index, former: budget });
              set(budgets.with(index, next));
            }}
            onRemove={remove}
            onEdit={isOpen || issues.length > 0 ? undefined : () => setOpen({ at: index, by: 'edit', former: budget })}
            onDone={(isKept) => {
              if (!isKept && isOpen && open.by === 'add') return remove();
              if (isOpen) setOpen({ at: -1 });
              if (!isKept && isOpen && open.former !== undefined) set(budgets.with(index, open.former));
            }}
          >
            <LimitPicture path={LIMITS} steps={[...STEPS, index]} json={read.json} />
          </BudgetEntry>
        );
      })}
      <button
        type="button"
        class="button second"
        ref={adding}
        data-rule={LIMITS}
        onClick={() => {
          setOpen({ at: budgets.length, by: 'add' });
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
