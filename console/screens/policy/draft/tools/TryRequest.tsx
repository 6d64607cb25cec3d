/** Tries a request against the draft: what every rule says, and what would pass. Nothing is issued, counted or recorded. */
import { useState } from 'preact/hooks';
import type { Rules as GivenRules, LimitState, Operations } from '../../../../../client/operations.ts';
import type { Rules } from '../../../../../protocol/policy/rules.ts';
import { namedAgents } from '../../../../node/agentNames.ts';
import { node } from '../../../../node/node.ts';
import { Button } from '../../../../parts/Button.tsx';
import { Card } from '../../../../parts/Card.tsx';
import { CategoryField } from '../../../../parts/form/CategoryField.tsx';
import { Choice, Field } from '../../../../parts/form/Field.tsx';
import { Form } from '../../../../parts/form/Form.tsx';
import { LimitBar } from '../../../../parts/limits/LimitBar.tsx';
import { limitsIn } from '../../../../parts/limits/limitStates.ts';
import { measuresOf } from '../../../../parts/limits/measures.ts';
import { outcomeOf } from '../../../../parts/rules/outcomeOf.ts';
import { PassedLimits } from '../../../../parts/rules/PassedLimits.tsx';
import { RuleRows } from '../../../../parts/rules/RuleRows.tsx';
import { WhatPasses } from '../../../../parts/rules/WhatPasses.tsx';
import { Status } from '../../../../parts/values/Status.tsx';
import { keepCases, keptCases } from '../keptDraft.ts';
import { withCase } from './caseText.ts';
import { NotYet } from './NotYet.tsx';

type Simulation = Operations['simulateDraft']['output'];
type SimulationRequest = Operations['simulateDraft']['input']['request'];

interface RequestFormValues {
  readonly amount: string;
  readonly currency: string;
  readonly merchant: string;
  readonly mcc: string;
  readonly country: string;
  readonly agent: string;
}

interface TryRequestProps {
  /** Undefined while something is wrong with the draft. */
  readonly rules: Rules | undefined;
  readonly text: string;
  /** A request of the past, by whose link the screen was opened. */
  readonly query: URLSearchParams;
}

interface SimulationRun {
  readonly text: string;
  readonly request: SimulationRequest;
  readonly result: Simulation;
}

export function TryRequest({ rules, text, query }: TryRequestProps) {
  const given = (name: string) => query.get(name) ?? '';
  const [asked, setAsked] = useState<RequestFormValues>({
    amount: given('amount'),
    currency: given('currency') || (rules?.spend?.currency ?? ''),
    merchant: given('merchant'),
    mcc: '',
    country: '',
    agent: given('agent'),
  });
  const [done, setDone] = useState<SimulationRun>();
  const run = async () => {
    const request = requestOf(asked);
    setDone(undefined);
    setDone({ text, request, result: await node.simulateDraft({ rules: rules as GivenRules, request }) });
  };
  const canRun = rules !== undefined && Number(asked.amount) > 0 && asked.currency.length === 3;
  return (
    <Card title="Try a request">
      <p class="quiet">It is judged by the draft as it stands. Nothing is bought, counted or recorded.</p>
      <Form act="Try the request" kind="second" disabled={!canRun} onSubmit={run}>
        <Inputs asked={asked} onChange={(changed) => setAsked({ ...asked, ...changed })} />
      </Form>
      <NotYet rules={rules} />
      <div aria-live="polite">{done !== undefined && <Outcome done={done} isOld={done.text !== text} />}</div>
    </Card>
  );
}

function requestOf({ amount, currency, merchant, mcc, country, agent }: RequestFormValues): SimulationRequest {
  return {
    amount: Number(amount),
    currency,
    ...(merchant === '' ? {} : { merchantDomain: merchant }),
    ...(mcc === '' ? {} : { mcc }),
    ...(country === '' ? {} : { country }),
    ...(agent === '' ? {} : { agentDid: agent }),
  };
}

interface InputsProps {
  readonly asked: RequestFormValues;
  onChange(changed: Partial<RequestFormValues>): void;
}

const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellcheck: false } as const;
const CODE = { ...PLAIN, autoCapitalize: 'characters' } as const;

function Inputs({ asked, onChange }: InputsProps) {
  return (
    <div class="filter-fields">
      <Field
        label="Amount"
        name="request.amount"
        value={asked.amount}
        onInput={(amount) => onChange({ amount })}
        input={{ ...PLAIN, inputMode: 'decimal' }}
      />
      <Field
        label="Currency"
        name="request.currency"
        value={asked.currency}
        onInput={(currency) => onChange({ currency: currency.toUpperCase() })}
        input={{ ...CODE, placeholder: 'USD', maxLength: 3 }}
      />
      <Field
        label="Merchant"
        name="request.merchantDomain"
        value={asked.merchant}
        onInput={(merchant) => onChange({ merchant })}
        input={{ ...PLAIN, placeholder: 'shop.example', inputMode: 'url' }}
      />
      <Choice
        label="History of"
        name="request.agentDid"
        value={asked.agent}
        options={[['', 'A new agent'], ...namedAgents()]}
        onChange={(agent) => onChange({ agent })}
      />
      <CategoryField name="request.mcc" value={asked.mcc} onInput={(mcc) => onChange({ mcc })} />
      <Field
        label="Country"
        name="request.country"
        value={asked.country}
        onInput={(country) => onChange({ country: country.toUpperCase() })}
        input={{ ...CODE, placeholder: 'DE', maxLength: 2 }}
      />
    </div>
  );
}

function Outcome({ done: { request, result }, isOld }: { readonly done: SimulationRun; readonly isOld: boolean }) {
  const { allowed, hpRequired, reasonCodes, details, limits, remaining, counterfactual, ruleTable } = result;
  const keep = () => keepCases(withCase(keptCases(), request, result));
  return (
    <div class="outcome">
      {isOld && <p class="note">The draft has changed since. Try it again.</p>}
      <p>
        <Status state={outcomeOf(result)} /> {allowed && !hpRequired && 'No person is asked.'}
      </p>
      {!allowed && (
        <ul class="causes">
          {Object.entries(details).map(([code, { message }]) => (
            <li key={code}>
              <bdi>{message}</bdi>
            </li>
          ))}
        </ul>
      )}
      <PassedLimits of={limits} />
      {remaining !== undefined && <Remaining state={remaining} />}
      {counterfactual !== undefined && <WhatPasses of={counterfactual} reasons={reasonCodes} rules={ruleTable} />}
      <RuleRows rules={ruleTable} />
      {request.agentDid === undefined && (
        <Button kind="plain" onClick={keep}>
          Keep as a case
        </Button>
      )}
    </div>
  );
}

/** Of the tightest limit: what it is then, with the request counted. */
function Remaining({ state }: { readonly state: LimitState }) {
  const [then] = measuresOf(limitsIn([state]));
  if (then === undefined) return null;
  return (
    <div class="remaining">
      <p class="quiet">Of its limits this one is the tightest then:</p>
      <LimitBar measured={then} />
    </div>
  );
}
