/** The budgets of the draft, each a sentence that is filled in. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import categories from '../../../../../data/categories.json' with { type: 'json' };
import { Icon } from '../../../../parts/Icon.tsx';
import { budgetText, type WrittenBudget } from '../../../../parts/limits/budgetText.ts';
import { durationText } from '../../../../parts/limits/limitStates.ts';
import { wordsOf } from '../../../../parts/values/codeText.ts';
import type { ReadDraft } from '../DraftScreen.tsx';
import { AskReplay } from './AskReplay.tsx';
import { countedBy, countingOf, EVERYTHING, LIMITS, MERCHANT, merchantsIn, NEW_BUDGET, withChange } from './budget.ts';
import { memberAt, valueIn } from './fieldText.ts';
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
  const set = (next: readonly WrittenBudget[]) => onChange(STEPS, next.length === 0 ? undefined : next);
  return (
    <>
      {budgets.map((budget, index) => (
        <Budget
          key={index}
          read={read}
          budget={budget}
          index={index}
          isNew={added === index}
          onBudget={(next) => set(budgets.with(index, next))}
          taken={budgets.flatMap((each, other) => (other === index ? [] : [each['name']]))}
          onRemove={() => set(budgets.toSpliced(index, 1))}
        />
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

interface BudgetProps extends Pick<BudgetsProps, 'read'> {
  readonly budget: WrittenBudget;
  readonly index: number;
  /** Whether the user has just added it. */
  readonly isNew: boolean;
  /** The names of the others. */
  readonly taken: readonly unknown[];
  onBudget(next: WrittenBudget): void;
  onRemove(): void;
}

type Options = readonly (readonly [value: string, text: string])[];

const PERIODS: Options = [
  ...['day', 'week', 'month', 'quarter', 'year'].map((period) => [period, `per ${period}`] as const),
  ...['24h', '7d', '30d', '365d'].map((period) => [period, `in ${durationText(period)}`] as const),
];
const COUNTED: Options = [
  [EVERYTHING, 'everything'],
  [MERCHANT, 'a merchant'],
  ...Object.entries(categories).map(([name, [code]]) => [name, `${wordsOf(name)} (${code})`] as const),
];
const SCOPES: Options = [
  ['policy', 'all agents together'],
  ['agent', 'each agent'],
  ['principal', 'the agents of each person or company'],
];
const ACTIONS: Options = [
  ['deny', 'refuse'],
  ['presence', 'ask a person'],
];

/** What the fields of a budget share. */
interface BudgetFields {
  readonly budget: WrittenBudget;
  readonly counted: string;
  /** The policy's. */
  readonly currency: string | undefined;
  /** The members with something wrong that is said. */
  readonly wrong: readonly string[];
  /** Of the element that says it. */
  readonly wrongId: string;
  change(next: WrittenBudget): void;
  leave(member: string): void;
}

function Budget({ read, budget, index, isNew, taken, onBudget, onRemove }: BudgetProps) {
  const wrongId = useId();
  const place = useRef<HTMLFieldSetElement>(null);
  // What is wrong is said once the user has left the field, or wants to publish.
  const [left, setLeft] = useState<readonly string[]>([]);
  useEffect(() => {
    if (isNew) place.current?.querySelector('input')?.focus();
  }, [isNew]);
  const at = `${LIMITS}.${index}`;
  const wrong = read.problems
    .filter(({ path }) => `${path}.`.startsWith(`${at}.`))
    .map(({ path, message }) => ({ member: path.slice(at.length + 1).split('.')[0] || 'max_amount', message }))
    .filter(({ member }) => read.isAsked || left.includes(member));
  const found = memberAt(read.json, ['spend', 'currency']);
  const currency = typeof found === 'string' ? found : undefined;
  const sentence = budgetText(budget, currency);
  const of: BudgetFields = {
    budget,
    counted: countedBy(budget),
    currency,
    wrong: wrong.map(({ member }) => member),
    wrongId,
    change: (next) => onBudget(withChange(budget, next, taken)),
    leave: (member) => setLeft([...left, member]),
  };
  return (
    <fieldset ref={place} class="entry" aria-label={`Budget: ${sentence}`} data-limit={textOf(budget['name'])}>
      <BudgetSentence of={of} />
      <More of={of} />
      {/* Below what can be pressed, which would move from under the pointer that leaves a field. */}
      <div id={wrongId} aria-live="polite">
        {wrong.map(({ message }) => (
          <p key={message} class="wrong">
            <bdi>{message}</bdi>
          </p>
        ))}
      </div>
      <LimitPicture path={LIMITS} steps={[...STEPS, index]} json={read.json} />
      <button type="button" class="remove-field" aria-label={`Remove the budget: ${sentence}`} onClick={onRemove}>
        <Icon name="close" size={18} />
      </button>
    </fieldset>
  );
}

const textOf = (value: unknown): string => `${value ?? ''}`;
const numberIn = (text: string) => valueIn({ kind: 'number' }, text);
const trimmed = (text: string) => text.trim() || undefined;

function BudgetSentence({ of }: { readonly of: BudgetFields }) {
  const { budget, counted, change } = of;
  return (
    <div class="budget">
      <HowMuch of={of} />
      <WordChoice
        of={of}
        member="window"
        label="How long"
        value={textOf(budget['window'])}
        options={PERIODS}
        onPick={(window) => change({ window, ...(/^\d/.test(window) ? { timezone: undefined } : {}) })}
      />
      on
      <WordChoice
        of={of}
        member="category"
        label="What counts"
        value={counted}
        options={COUNTED}
        onPick={(chosen) => change(countingOf(budget, chosen))}
      />
      {counted === MERCHANT && (
        <Typed
          of={of}
          member="merchant"
          label="At which merchant"
          read={merchantsIn}
          size={18}
          placeholder="shop.example"
        />
      )}
      for
      <WordChoice
        of={of}
        member="scope"
        label="Whose purchases"
        value={`${budget['scope'] ?? 'agent'}`}
        options={SCOPES}
        onPick={(scope) => change({ scope })}
      />
      and above it
      <WordChoice
        of={of}
        member="action"
        label="Above it"
        value={`${budget['action'] ?? 'deny'}`}
        options={ACTIONS}
        onPick={(action) => change({ action: action === 'deny' ? undefined : action })}
      />
    </div>
  );
}

function HowMuch({ of }: { readonly of: BudgetFields }) {
  return (
    <>
      <Typed
        of={of}
        member="max_amount"
        label="How much"
        read={numberIn}
        size={8}
        inputMode="decimal"
        data-rule={LIMITS}
      />
      <Typed
        of={of}
        member="currency"
        label="In which currency"
        read={(text) => trimmed(text.toUpperCase())}
        size={4}
        placeholder={of.currency ?? 'any'}
      />
    </>
  );
}

/** What few budgets have. */
function More({ of }: { readonly of: BudgetFields }) {
  const { budget, counted } = of;
  const name = textOf(budget['name']);
  return (
    <details>
      <summary>
        More <bdi class="quiet">{name}</bdi>
      </summary>
      <div class="part-fields">
        <Typed of={of} member="name" label="Name" read={(text) => text || undefined} isField />
        <Typed
          of={of}
          member="max_transactions"
          label="The most purchases"
          read={numberIn}
          isField
          inputMode="decimal"
        />
        <Typed of={of} member="window" label="Period, or a duration such as 12h" read={(text) => text.trim()} isField />
        <Typed of={of} member="timezone" label="Time zone" read={trimmed} isField placeholder="UTC" />
        {counted !== MERCHANT && counted !== EVERYTHING && (
          <Typed
            of={of}
            member="merchant"
            label="Only at the merchant"
            read={(text) => merchantsIn(text) || undefined}
            isField
          />
        )}
      </div>
    </details>
  );
}

function sharedBy({ wrong, wrongId, leave }: BudgetFields, member: string) {
  return { 'aria-invalid': wrong.includes(member), 'aria-describedby': wrongId, onBlur: () => leave(member) };
}

interface TypedProps {
  readonly of: BudgetFields;
  readonly member: string;
  readonly label: string;
  /** With its label above it; within the sentence the label is for screen readers. */
  readonly isField?: boolean;
  readonly size?: number;
  readonly inputMode?: 'decimal';
  readonly placeholder?: string;
  /** By which a link finds it. */
  readonly 'data-rule'?: string;
  read(text: string): unknown;
}

function Typed({ of, member, label, isField = false, read, ...input }: TypedProps) {
  const [typed, setTyped] = useState('');
  const written = [of.budget[member] ?? ''].flat().join(', ');
  // What is being typed stays as it is for as long as it means what the draft says: `10.` on the way to `10.5`.
  const isSame = JSON.stringify(read(typed)) === JSON.stringify(of.budget[member]);
  return (
    <label class={isField ? 'field' : undefined}>
      <span class={isField ? undefined : 'unseen'}>{label}</span>
      <input
        {...sharedBy(of, member)}
        {...input}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={isSame ? typed : written}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          of.change({ [member]: read(value) });
        }}
      />
    </label>
  );
}

interface WordChoiceProps {
  readonly of: BudgetFields;
  readonly member: string;
  readonly label: string;
  readonly value: string;
  readonly options: Options;
  onPick(value: string): void;
}

function WordChoice({ of, member, label, value, options, onPick }: WordChoiceProps) {
  // What the draft says is among them, though it be none of them.
  const all = options.some(([each]) => each === value) ? options : [[value, value || 'Choose…'] as const, ...options];
  return (
    <label>
      <span class="unseen">{label}</span>
      <select {...sharedBy(of, member)} value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        {all.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
