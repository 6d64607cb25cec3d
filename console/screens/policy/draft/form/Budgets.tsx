/** The budgets of the draft, each a sentence: the one that is changed is filled in, the others are read. */
import type { ComponentProps } from 'preact';
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
  const remove = (index: number) => {
    setOpen({ at: -1 });
    set(budgets.toSpliced(index, 1));
    adding.current?.focus({ preventScroll: true });
  };
  return (
    <>
      {budgets.map((budget, index) => (
        <ListedBudget
          key={index}
          read={read}
          index={index}
          currency={typeof currency === 'string' ? currency : undefined}
          budget={budget}
          taken={budgets.flatMap((each, other) => (other === index ? [] : [each['name']]))}
          open={open.at === index ? open : undefined}
          onOpen={setOpen}
          onBudget={(next) => set(budgets.with(index, next))}
          onRemove={() => remove(index)}
        />
      ))}
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

interface ListedBudgetProps
  extends Pick<ComponentProps<typeof BudgetEntry>, 'budget' | 'currency' | 'taken' | 'onBudget' | 'onRemove'> {
  readonly read: ReadDraft;
  readonly index: number;
  /** Undefined where another one or none is open. */
  readonly open: OpenBudget | undefined;
  onOpen(open: OpenBudget): void;
}

function ListedBudget({ read, index, open, onOpen, ...entry }: ListedBudgetProps) {
  const { budget, onBudget, onRemove } = entry;
  const issues = issuesOf(read, index);
  const former = open?.former;
  const end = (isKept: boolean) => {
    if (open === undefined) return;
    if (!isKept && open.by === 'add') return onRemove();
    onOpen({ at: -1 });
    if (!isKept && former !== undefined) onBudget(former);
  };
  return (
    <BudgetEntry
      {...entry}
      issues={issues}
      isAsked={read.isAsked}
      isNew={open?.by === 'add'}
      isEdited={open?.by === 'edit'}
      rule={LIMITS}
      onBudget={(next) => {
        // It stays open once nothing is wrong with it any more.
        if (open === undefined) onOpen({ at: index, former: budget });
        onBudget(next);
      }}
      onEdit={
        open !== undefined || issues.length > 0 ? undefined : () => onOpen({ at: index, by: 'edit', former: budget })
      }
      onDone={end}
    >
      <LimitPicture path={LIMITS} steps={[...STEPS, index]} json={read.json} />
    </BudgetEntry>
  );
}

/** What the schema finds wrong with a budget; what is wrong with it as a whole stands at its amount. */
function issuesOf({ problems }: ReadDraft, index: number) {
  const at = `${LIMITS}.${index}`;
  return problems
    .filter(({ path }) => `${path}.`.startsWith(`${at}.`))
    .map(({ path, message }) => ({ member: path.slice(at.length + 1).split('.')[0] || 'max_amount', message }));
}
