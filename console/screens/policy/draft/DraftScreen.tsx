/** A draft of the policy: the form and the JSON of it side by side, what it would change, and what it would have decided. */

import { useMemo } from 'preact/hooks';
import type { Policy } from '../../../../client/operations.ts';
import type { Rules } from '../../../../protocol/policy/rules.ts';
import { may } from '../../../login/may.ts';
import { useLoaded } from '../../../node/useLoaded.ts';
import { Back } from '../../../parts/Back.tsx';
import { Shown } from '../../../parts/Shown.tsx';
import type { Problem } from '../../../proofs/draftRules.ts';
import { loadRules, type RulesCode } from '../../../proofs/loadRules.ts';
import type { RuleSentence } from '../../../proofs/ruleSentences.ts';
import type { ScreenProps } from '../../../shell/screens.ts';
import { currentPolicy } from '../policies.ts';
import { DraftForm } from './DraftForm.tsx';
import { DraftJson } from './DraftJson.tsx';
import { type Draft, draftText, keepDraft, keptDraft } from './keptDraft.ts';
import { Publish } from './Publish.tsx';
import { ReplayDraft } from './ReplayDraft.tsx';
import { RunCases } from './RunCases.tsx';
import { TryRequest } from './TryRequest.tsx';

/** A draft as far as it can be read. */
export interface ReadDraft {
  readonly draft: Draft;
  /** What the text says; the last that could be read where it cannot be now. */
  readonly json: unknown;
  /** Undefined while something is wrong with it. */
  readonly rules: Rules | undefined;
  /** What the rules say; empty while something is wrong. */
  readonly sentences: readonly RuleSentence[];
  readonly problems: readonly Problem[];
  readonly isReadable: boolean;
}

export function DraftScreen({ query }: ScreenProps) {
  const found = useLoaded('draft', load, ['policy']);
  return (
    <>
      <Back href="#/policy">Policy</Back>
      <h1>Draft</h1>
      <Shown of={found} rows={3} height={14}>
        {({ current, code }) => <Loaded current={current} code={code} query={query} onDone={found.reload} />}
      </Shown>
    </>
  );
}

async function load(signal: AbortSignal) {
  const [current, code] = await Promise.all([currentPolicy(signal), loadRules()]);
  return { current, code };
}

interface LoadedProps {
  readonly current: Policy | undefined;
  readonly code: RulesCode;
  readonly query: URLSearchParams;
  onDone(): void;
}

const EMPTY = { version: '2.0' };

function Loaded({ current, code, query, onDone }: LoadedProps) {
  const begun: Draft = {
    text: draftText(current?.rules ?? EMPTY),
    over: current && { id: current.id, version: current.version },
  };
  const draft = keptDraft() ?? begun;
  const read = useRead(draft, code);
  const write = (text: string) => keepDraft({ ...draft, text });
  return (
    <div class="draft">
      <DraftForm read={read} fields={code.FIELDS} focus={query.get('rule')} onText={write} />
      <div class="stack">
        <DraftJson read={read} onText={write} />
        <Publish read={read} current={current} code={code} onDone={onDone} />
        <TryRequest rules={read.rules} text={draft.text} query={query} />
        <ReplayDraft rules={read.rules} text={draft.text} hasProgress={may('admin')} />
        <RunCases rules={read.rules} text={draft.text} code={code} />
      </div>
    </div>
  );
}

function useRead(draft: Draft, code: RulesCode): ReadDraft {
  const { text } = draft;
  const last = useMemo(() => ({ json: EMPTY as unknown }), []);
  return useMemo(() => {
    try {
      last.json = JSON.parse(text);
    } catch (error) {
      const problems = [{ path: '', message: `It cannot be read as JSON: ${(error as Error).message}` }];
      return { draft, json: last.json, rules: undefined, sentences: [], problems, isReadable: false };
    }
    const parsed = code.readRules(last.json);
    const [rules, problems] = parsed.ok ? [parsed.value, []] : [undefined, parsed.problems];
    const sentences = rules === undefined ? [] : code.sentencesFor(rules);
    return { draft, json: last.json, rules, sentences, problems, isReadable: true };
  }, [text, draft.over?.id, draft.over?.version]);
}
