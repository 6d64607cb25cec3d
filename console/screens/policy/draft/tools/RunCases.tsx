/** The policy's cases, judged by the draft in this browser: requests, and what must become of them. */
import { useId, useState } from 'preact/hooks';
import type { CaseOutcome } from '../../../../../protocol/policy/cases.ts';
import type { Rules } from '../../../../../protocol/policy/rules.ts';
import { download } from '../../../../node/files.ts';
import { Button } from '../../../../parts/Button.tsx';
import { Card } from '../../../../parts/Card.tsx';
import { reasonText } from '../../../../parts/values/reasonText.ts';
import type { RulesCode } from '../../../../proofs/loadRules.ts';
import { keepCases, keptCases } from '../keptDraft.ts';
import { NotYet } from './NotYet.tsx';

interface RunCasesProps {
  readonly rules: Rules | undefined;
  readonly text: string;
  readonly code: RulesCode;
}

type Result = ReturnType<RulesCode['runCases']>;

interface Ran {
  readonly text: string;
  readonly cases: string;
  readonly result: Result;
}

export function RunCases({ rules, text, code }: RunCasesProps) {
  const id = useId();
  const cases = keptCases();
  const [ran, setRan] = useState<Ran>();
  const run = () => {
    if (rules !== undefined) setRan({ text, cases, result: code.runCases(rules, cases, Date.now()) });
  };
  const open = async (file: File | undefined) => {
    if (file !== undefined) keepCases(await file.text());
  };
  return (
    <Card title="Run its cases">
      <p class="quiet">
        A case is a request and what must become of it, as <code>countersign policy test</code> reads them. They are
        judged here; keep the file beside your policy.
      </p>
      <details open={cases !== ''}>
        <summary>Cases</summary>
        <div class="field">
          <label for={id}>The cases as JSON</label>
          <textarea
            id={id}
            rows={8}
            spellcheck={false}
            autocapitalize="off"
            placeholder={EXAMPLE}
            value={cases}
            onInput={(event) => keepCases(event.currentTarget.value)}
          />
        </div>
        <label class="drop">
          Or choose the file
          <input
            type="file"
            accept="application/json,.json"
            onChange={(event) => void open(event.currentTarget.files?.[0])}
          />
        </label>
      </details>
      <div class="buttons">
        <Button disabled={rules === undefined || cases.trim() === ''} onClick={run}>
          Run the cases
        </Button>
        {cases.trim() !== '' && (
          <Button kind="plain" onClick={() => download('cases.json', cases, 'application/json')}>
            Save the file
          </Button>
        )}
      </div>
      <NotYet rules={rules} />
      <div aria-live="polite">
        {ran !== undefined && <Outcomes ran={ran} isOld={ran.text !== text || ran.cases !== cases} />}
      </div>
    </Card>
  );
}

const EXAMPLE = `[{ "name": "groceries",
   "request": { "amount": 80, "currency": "USD" },
   "expect": { "allowed": true, "hpRequired": false } }]`;

function Outcomes({ ran: { result }, isOld }: { readonly ran: Ran; readonly isOld: boolean }) {
  if (!result.ok) {
    return (
      <ul class="causes problems">
        {result.problems.map(({ path, message }) => (
          <li key={path + message}>
            {path !== '' && <code>{path}</code>} <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
    );
  }
  const failed = result.value.filter(({ passed }) => !passed).length;
  return (
    <>
      {isOld && <p class="note">The draft or the cases have changed since. Run them again.</p>}
      <p>
        {result.value.length - failed} of {result.value.length} cases came out as expected.
      </p>
      <ul class="case-list">
        {result.value.map((outcome, index) => (
          <OneCase key={index} outcome={outcome} />
        ))}
      </ul>
    </>
  );
}

function OneCase({ outcome: { name, passed, expected, actual, messages } }: { readonly outcome: CaseOutcome }) {
  return (
    <li>
      <span class={`status ${passed ? 'good' : 'bad'}`}>
        <span aria-hidden="true">{passed ? '●' : '✕'}</span> {passed ? 'As expected' : 'Otherwise'}
      </span>{' '}
      <bdi>{name}</bdi>
      {!passed && (
        <span class="quiet came">
          Expected: {inWords(expected)}. It came out: {inWords(actual)}. <bdi>{messages.join(' ')}</bdi>
        </span>
      )}
    </li>
  );
}

function inWords({ allowed, reasonCodes, hpRequired }: CaseOutcome['expected'] | CaseOutcome['actual']): string {
  if (!allowed) return reasonCodes === undefined ? 'refused' : `refused (${reasonCodes.map(reasonText).join(', ')})`;
  if (hpRequired === undefined) return 'allowed';
  return hpRequired ? 'needs a person' : 'allowed, no person is asked';
}
