/** A budget as one sentence that is filled in: of the draft of a policy, and of an agent's own limits. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../Icon.tsx';
import { CATEGORIES } from '../rules/categories.ts';
import { budgetSentence, budgetText, OWN, type WrittenBudget } from './budgetText.ts';
import { durationText } from './limitStates.ts';
import {
  type BudgetIssue,
  countedBy,
  countingOf,
  EVERYTHING,
  MERCHANT,
  merchantsIn,
  saysMore,
  typedNumber,
  withChange,
} from './writtenBudget.ts';

interface BudgetEntryProps {
  readonly budget: WrittenBudget;
  /** In which amounts are, unless the budget names another one; undefined for each. */
  readonly currency: string | undefined;
  /** All that is wrong with it; what is wrong with a field is said once the user has left the field, or has asked. */
  readonly issues: readonly BudgetIssue[];
  /** Whether the user wanted to publish or save it. */
  readonly isAsked: boolean;
  /** Whether the user has just added it. */
  readonly isNew: boolean;
  /** Whether the user has just asked to change it. */
  readonly isEdited?: boolean;
  /** The names of the others. */
  readonly taken: readonly unknown[];
  /** By which a link finds it. */
  readonly rule?: string;
  /** What stands below it. */
  readonly children?: ComponentChildren;
  onBudget(next: WrittenBudget): void;
  onRemove(): void;
  /** Of one that is read, not filled in: asks to change it. */
  onEdit?: (() => void) | undefined;
  /** Of one that is read afterwards. @param isKept false to have it as it was before it was changed */
  onDone?: (isKept: boolean) => void;
}

type Options = readonly (readonly [value: string, text: string])[];

const PERIODS: Options = [
  ...['day', 'week', 'month', 'quarter', 'year'].map((period) => [period, `per ${period}`] as const),
  ...['24h', '7d', '30d', '365d'].map((period) => [period, `in ${durationText(period)}`] as const),
];
const COUNTED: Options = [
  [EVERYTHING, 'everything'],
  [MERCHANT, 'a merchant'],
  ...CATEGORIES.map(([name, , text]) => [name, text] as const),
];
const SCOPES: Options = [
  ['policy', 'all agents together'],
  ['agent', 'each agent'],
  ['principal', 'each person or company'],
];
const ACTIONS: Options = [
  ['deny', 'refuse'],
  ['presence', 'ask a person'],
];

/** What the fields of a budget share. */
interface BudgetFields {
  readonly budget: WrittenBudget;
  readonly counted: string;
  /** In which amounts are, unless the budget names another one; undefined for each. */
  readonly currency: string | undefined;
  readonly rule: string | undefined;
  /** The members with something wrong that is said. */
  readonly wrong: readonly string[];
  /** Of the element that says it. */
  readonly wrongId: string;
  change(next: WrittenBudget): void;
  leave(member: string): void;
}

export function BudgetEntry(props: BudgetEntryProps) {
  const { budget, currency, issues, isAsked, isNew, isEdited, taken, rule, children, onBudget, onRemove } = props;
  const { onEdit, onDone } = props;
  const wrongId = useId();
  const place = useRef<HTMLFieldSetElement>(null);
  const [left, setLeft] = useState<readonly string[]>([]);
  // At once, so that the next key is for it.
  useLayoutEffect(() => {
    if (isNew || isEdited) place.current?.querySelector('input')?.focus();
  }, [isNew, isEdited]);
  const wrong = issues.filter(({ member }) => isAsked || left.includes(member));
  const sentence = budgetText(budget, currency);
  const of: BudgetFields = {
    budget,
    counted: countedBy(budget),
    currency,
    rule,
    wrong: wrong.map(({ member }) => member),
    wrongId,
    change: (next) => onBudget(withChange(budget, next, taken)),
    leave: (member) => setLeft([...left, member]),
  };
  const done = (isKept = true) => {
    if (isKept && issues.length > 0) setLeft(issues.map(({ member }) => member));
    else onDone?.(isKept);
    // To its way back, or to what is wrong.
    queueMicrotask(() => place.current?.querySelector<HTMLElement>('.plain, [aria-invalid="true"]')?.focus());
  };
  const frame = { class: 'entry', 'aria-label': `Budget: ${sentence}`, 'data-limit': textOf(budget['name']) };
  if (onEdit !== undefined) {
    return (
      <fieldset ref={place} {...frame}>
        <BudgetRead {...props} onEdit={onEdit} />
        {children}
      </fieldset>
    );
  }
  return (
    <fieldset ref={place} {...frame} onKeyDown={onDone && ((event) => endBy(event, done))}>
      <BudgetSentence of={of} />
      <More of={of} isNew={isNew} />
      <WhatIsWrong of={wrong} id={wrongId} />
      {children}
      {onDone && (
        <button
          type="button"
          class="button second"
          aria-label={`Done with the budget: ${sentence}`}
          onClick={() => done()}
        >
          Done
        </button>
      )}
      <button type="button" class="remove-field" aria-label={`Remove the budget: ${sentence}`} onClick={onRemove}>
        <Icon name="close" size={18} />
      </button>
    </fieldset>
  );
}

/** The way to change it, and all that it says. */
function BudgetRead({
  budget,
  currency,
  rule,
  onEdit,
}: Pick<BudgetEntryProps, 'budget' | 'currency' | 'rule'> & { onEdit(): void }) {
  return (
    <>
      <button
        type="button"
        class="button plain"
        aria-label={`Edit the budget: ${budgetText(budget, currency)}`}
        data-rule={rule}
        onClick={onEdit}
      >
        Edit
      </button>
      <bdi>{budgetSentence(budget, currency)}</bdi>
    </>
  );
}

/** Below what can be pressed, which would move from under the pointer that leaves a field. */
function WhatIsWrong({ of, id }: { readonly of: readonly BudgetIssue[]; readonly id: string }) {
  return (
    <div id={id} aria-live="polite">
      {[...new Set(of.map(({ message }) => message))].map((message) => (
        <p key={message} class="wrong">
          <bdi>{message}</bdi>
        </p>
      ))}
    </div>
  );
}

/** Enter in what is typed keeps it, Escape has what was there before. */
function endBy(event: KeyboardEvent, done: (isKept: boolean) => void): void {
  const { key, target, isComposing } = event;
  if (isComposing || (key !== 'Escape' && (key !== 'Enter' || !(target instanceof HTMLInputElement)))) return;
  // The key is not for what has the focus afterwards.
  event.preventDefault();
  done(key === 'Enter');
}

const textOf = (value: unknown): string => `${value ?? ''}`;
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
      {budget['scope'] === OWN ? (
        ' this agent '
      ) : (
        <WordChoice
          of={of}
          member="scope"
          label="Whose purchases"
          value={`${budget['scope'] ?? 'agent'}`}
          options={SCOPES}
          onPick={(scope) => change({ scope })}
        />
      )}
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
        read={typedNumber}
        size={8}
        inputMode="decimal"
        data-rule={of.rule}
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

/** What few budgets have; in sight from the start where it makes the budget another one than its sentence says. */
function More({ of, isNew }: { readonly of: BudgetFields; readonly isNew: boolean }) {
  const { budget, counted } = of;
  const name = textOf(budget['name']);
  const [isOpen] = useState(() => !isNew && saysMore(budget));
  return (
    <details open={isOpen}>
      <summary>
        More <bdi class="quiet">{name}</bdi>
      </summary>
      <div class="part-fields">
        <Typed of={of} member="name" label="Name" read={(text) => text || undefined} isField />
        <Typed
          of={of}
          member="max_transactions"
          label="The most purchases"
          read={typedNumber}
          isField
          inputMode="decimal"
        />
        <Typed of={of} member="window" label="Duration, such as 12h" read={(text) => text.trim()} isField />
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
  readonly 'data-rule'?: string | undefined;
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
