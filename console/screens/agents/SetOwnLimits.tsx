/** An agent's own further limits: a budget each, in place of those that the policy has for each agent. */
import { useContext, useState } from 'preact/hooks';
import type { Agent, LimitState } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { Button } from '../../parts/Button.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { FieldIssues, useIssue } from '../../parts/form/fieldIssues.ts';
import { BudgetEntry } from '../../parts/limits/BudgetEntry.tsx';
import type { WrittenBudget } from '../../parts/limits/budgetText.ts';
import type { ShownLimit } from '../../parts/limits/measures.ts';
import { say } from '../../parts/toasts.ts';
import { timezone } from '../../parts/values/days.ts';
import { issuesIn, limitsOf, MOST_LIMITS, memberOf, newRow, type OwnRow, rowsOf, staysText } from './ownLimits.ts';

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
  const [added, setAdded] = useState<number>();
  // What is wrong is said once the user has left the field, or wants to save.
  const [isAsked, setAsked] = useState(false);
  const save = async () => {
    setAsked(true);
    if (rows.some(({ budget }) => issuesIn(budget).length > 0)) return;
    // What else it has of its own stays, as it is now: the node takes all of it together.
    const { velocity } = await node.getAgent({ did: agent.did });
    await node.setAgentVelocity({ did: agent.did, ...velocity, limits: limitsOf(rows) });
    say('Saved. The limits apply from now on.');
    onDone();
  };
  const add = () => {
    const row = newRow(rows, timezone());
    setAdded(row.key);
    setAsked(false);
    setRows([...rows, row]);
  };
  return (
    <div class="set-limit">
      <h3>Limits of its own</h3>
      <Form act="Save limits" onSubmit={save} onLeave={onClose}>
        <About isFirst={agent.velocity?.limits === undefined} hasRows={rows.length > 0} stays={staysText(states)} />
        {rows.map((row, index) => (
          <OwnBudget
            key={row.key}
            row={row}
            index={index}
            currency={limits.find(({ currency }) => currency !== undefined)?.currency}
            isAsked={isAsked}
            isNew={added === row.key}
            taken={rows.flatMap((each) => (each === row ? [] : [each.budget['name']]))}
            onBudget={(budget) => setRows(rows.with(index, { ...row, budget }))}
            onRemove={() => setRows(rows.toSpliced(index, 1))}
          />
        ))}
        {rows.length < MOST_LIMITS && <Button onClick={add}>Add a limit</Button>}
        <p class="quiet after">Wider limits need a touch of your passkey.</p>
      </Form>
    </div>
  );
}

interface AboutProps {
  readonly isFirst: boolean;
  readonly hasRows: boolean;
  /** Such as "The limit over time (20 purchases in 1 day) and limits"; what is not among the rows and holds beside them. */
  readonly stays: string;
}

function About({ isFirst, hasRows, stays }: AboutProps) {
  return (
    <p class="quiet">
      These limits replace those that the policy has for each agent. {stays} that agents share still apply.
      {isFirst && hasRows && ' They begin with the policy’s limits.'}
      {!hasRows && ' Without any, no limit of this kind applies to the agent.'}
    </p>
  );
}

interface OwnBudgetProps {
  readonly row: OwnRow;
  readonly index: number;
  readonly currency: string | undefined;
  readonly isAsked: boolean;
  readonly isNew: boolean;
  readonly taken: readonly unknown[];
  onBudget(next: WrittenBudget): void;
  onRemove(): void;
}

function OwnBudget({ row: { budget }, index, ...entry }: OwnBudgetProps) {
  const at = `limits.${index}`;
  // So that the form says nothing of it above its button.
  useIssue(at);
  const { issues } = useContext(FieldIssues);
  const refused = issues
    .filter(({ path }) => `${path}.`.startsWith(`${at}.`))
    .map(({ path, message }) => ({ member: memberOf(path.slice(at.length + 1)), message }));
  return <BudgetEntry budget={budget} issues={[...issuesIn(budget), ...refused]} {...entry} />;
}
