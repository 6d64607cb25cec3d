/** An agent's own further limits: a row for each, in place of those that the policy has for each agent. */
import { useState } from 'preact/hooks';
import type { Agent, LimitState } from '../../../client/operations.ts';
import categories from '../../../data/categories.json' with { type: 'json' };
import { node } from '../../node/node.ts';
import { Button } from '../../parts/Button.tsx';
import { Choice, Field } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import type { ShownLimit } from '../../parts/limits/measures.ts';
import { say } from '../../parts/toasts.ts';
import { wordsOf } from '../../parts/values/codeText.ts';
import { isWrong, NO_NUMBER } from './numberText.ts';
import {
  areNumbersGiven,
  isPeriod,
  type LimitRow,
  limitsOf,
  MOST_LIMITS,
  newRow,
  rowsOf,
  windowsWith,
} from './ownLimits.ts';

interface SetOwnLimitsProps {
  readonly agent: Agent;
  /** Every limit that holds for it, by maximum. */
  readonly states: readonly LimitState[];
  readonly limits: readonly ShownLimit[];
  onClose(): void;
  onDone(): void;
}

export function SetOwnLimits({ agent, states, limits, onClose, onDone }: SetOwnLimitsProps) {
  const [rows, setRows] = useState(() => rowsOf(agent, states, limits));
  const save = async () => {
    // What else it has of its own stays, as it is now: the node takes all of it together.
    const { velocity } = await node.getAgent({ did: agent.did });
    await node.setAgentVelocity({ did: agent.did, ...velocity, limits: limitsOf(rows) });
    say('Saved. The limits apply from now on.');
    onDone();
  };
  const change = (index: number, changed: Partial<LimitRow>) =>
    setRows(rows.map((row, other) => (other === index ? { ...row, ...changed } : row)));
  const remove = (index: number) => setRows(rows.filter((_, other) => other !== index));
  const add = () => setRows([...rows, newRow(rows, Intl.DateTimeFormat().resolvedOptions().timeZone)]);
  return (
    <div class="set-limit">
      <h3>Limits of its own</h3>
      <Form act="Save limits" disabled={!areNumbersGiven(rows)} onSubmit={save} onLeave={onClose}>
        <About isFirst={agent.velocity?.limits === undefined} hasRows={rows.length > 0} />
        {rows.map((row, index) => (
          <RowFields
            key={row.key}
            row={row}
            index={index}
            isAlone={rows.length === 1}
            onChange={(changed) => change(index, changed)}
            onRemove={() => remove(index)}
          />
        ))}
        {rows.length < MOST_LIMITS && <Button onClick={add}>Add a limit</Button>}
        <p class="quiet after">Wider limits need a touch of your passkey.</p>
      </Form>
    </div>
  );
}

function About({ isFirst, hasRows }: { readonly isFirst: boolean; readonly hasRows: boolean }) {
  return (
    <p class="quiet">
      These limits replace those that the policy has for each agent. Limits that agents share still apply.
      {isFirst && hasRows && ' They begin with the policy’s limits.'}
      {!hasRows && ' Without any, no limit of this kind applies to the agent.'}
    </p>
  );
}

interface RowFieldsProps {
  readonly row: LimitRow;
  readonly index: number;
  readonly isAlone: boolean;
  onChange(changed: Partial<LimitRow>): void;
  onRemove(): void;
}

const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellcheck: false } as const;
const ACTIONS = [
  ['deny', 'The purchase is refused'],
  ['presence', 'A person may approve it'],
] as const;
const CATEGORIES = [
  ['', 'Everything'] as const,
  ...Object.keys(categories).map((name) => [name, wordsOf(name)] as const),
];

function RowFields({ row, index, isAlone, onChange, onRemove }: RowFieldsProps) {
  const at = (member: string) => `limits.${index}.${member}`;
  // Folded, so that several can be looked over; what is wrong within it opens it.
  const [isOpen] = useState(isAlone || row.name === '');
  const title = row.name.trim() === '' ? `Limit ${index + 1}` : row.name.trim();
  return (
    <details class="entry" open={isOpen}>
      <summary>
        <bdi>{title}</bdi>
      </summary>
      <Field
        label="Name"
        name={at('name')}
        value={row.name}
        onInput={(name) => onChange({ name })}
        hint="How refusals and lists name it."
        input={{ ...PLAIN, maxLength: 60, placeholder: 'trips' }}
      />
      <Figures row={row} at={at} onChange={onChange} />
      <Reach row={row} at={at} onChange={onChange} />
      <Choice
        label="Above the limit"
        name={at('action')}
        value={row.action}
        options={ACTIONS}
        onChange={(action) => onChange({ action })}
      />
      <Button label={`Remove the limit ${title}`} onClick={onRemove}>
        Remove
      </Button>
    </details>
  );
}

interface PartProps extends Pick<RowFieldsProps, 'row' | 'onChange'> {
  at(member: string): string;
}

function Figures({ row, at, onChange }: PartProps) {
  const number = { ...PLAIN, inputMode: 'decimal', placeholder: 'no limit' } as const;
  return (
    <div class="entry-fields">
      <Field
        label="Most purchases"
        name={at('maxTransactions')}
        value={row.count}
        onInput={(count) => onChange({ count })}
        hint={hintOf(row)}
        input={number}
      />
      <Field
        label="Most spending"
        name={at('maxAmount')}
        value={row.amount}
        onInput={(amount) => onChange({ amount })}
        hint={isWrong(row.amount) ? NO_NUMBER : undefined}
        input={number}
      />
      <Field
        label="Currency"
        name={at('currency')}
        value={row.currency}
        onInput={(currency) => onChange({ currency: currency.toUpperCase() })}
        input={{ ...PLAIN, autoCapitalize: 'characters', maxLength: 3, placeholder: 'the policy’s' }}
      />
    </div>
  );
}

function hintOf({ count, amount }: LimitRow): string | undefined {
  if (isWrong(count)) return NO_NUMBER;
  return count.trim() === '' && amount.trim() === '' ? 'Give one of the two, or both.' : undefined;
}

/** How far back it counts, and where. */
function Reach({ row, at, onChange }: PartProps) {
  return (
    <div class="entry-fields">
      <Choice
        label="Period"
        name={at('window')}
        value={row.window}
        options={windowsWith(row.window)}
        onChange={(window) => onChange({ window })}
      />
      {isPeriod(row.window) && (
        <Field
          label="Time zone"
          name={at('timezone')}
          value={row.timezone}
          onInput={(timezone) => onChange({ timezone })}
          input={{ ...PLAIN, placeholder: 'UTC' }}
        />
      )}
      <Field
        label="At a merchant"
        name={at('merchant')}
        value={row.merchant}
        onInput={(merchant) => onChange({ merchant })}
        input={{ ...PLAIN, inputMode: 'url', placeholder: 'anywhere' }}
      />
      <Choice
        label="In a category"
        name={at('category')}
        value={row.category}
        options={CATEGORIES}
        onChange={(category) => onChange({ category })}
      />
    </div>
  );
}
