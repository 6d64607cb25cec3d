/** A draft of the policy: its form or its JSON, what it would change, and what it would have decided. */

import { useId, useMemo, useState } from 'preact/hooks';
import type { Policy } from '../../../../client/operations.ts';
import type { Rules } from '../../../../protocol/policy/rules.ts';
import { may } from '../../../login/may.ts';
import { useLoaded } from '../../../node/useLoaded.ts';
import { Back } from '../../../parts/Back.tsx';
import { Card } from '../../../parts/Card.tsx';
import { Tabs } from '../../../parts/form/Tabs.tsx';
import { Shown } from '../../../parts/Shown.tsx';
import type { DraftProblem } from '../../../proofs/draftRules.ts';
import { loadRules, type RulesCode } from '../../../proofs/loadRules.ts';
import type { RuleSentence } from '../../../proofs/ruleSentences.ts';
import type { ScreenProps } from '../../../shell/screens.ts';
import { currentPolicy } from '../policies.ts';
import { DraftJson } from './DraftJson.tsx';
import { withMissing } from './form/budget.ts';
import { DraftForm } from './form/DraftForm.tsx';
import { Counted } from './form/LimitPicture.tsx';
import { Presets } from './form/Presets.tsx';
import { type Draft, draftText, keepDraft, keptDraft } from './keptDraft.ts';
import { Publish } from './Publish.tsx';
import { ReplayDraft } from './tools/ReplayDraft.tsx';
import { RunCases } from './tools/RunCases.tsx';
import { TryRequest } from './tools/TryRequest.tsx';
import { Replaying, useReplay } from './tools/useReplay.ts';
import { useCounted } from './useCounted.ts';

/** A draft as far as it can be read. */
export interface ReadDraft {
  readonly draft: Draft;
  /** What the text says; the last that could be read where it cannot be now. */
  readonly json: unknown;
  /** Undefined while something is wrong with it. */
  readonly rules: Rules | undefined;
  /** What the rules say; empty while something is wrong. */
  readonly sentences: readonly RuleSentence[];
  readonly problems: readonly DraftProblem[];
  readonly isReadable: boolean;
  /** Whether the user wanted to publish it as it is, so that all that is wrong is said at its field. */
  readonly isAsked: boolean;
}

export function DraftScreen({ query }: ScreenProps) {
  const found = useLoaded('draft', load, ['policy']);
  return (
    <>
      <Back href="#/policy">Policy</Back>
      <h1>Draft</h1>
      <Shown of={found} rows={3} height={14}>
        {(loaded) => <Loaded {...loaded} query={query} onDone={found.reload} />}
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
const VIEWS = ['Form', 'JSON'] as const;

function Loaded({ current, code, query, onDone }: LoadedProps) {
  const id = useId();
  const [view, setView] = useState<(typeof VIEWS)[number]>('Form');
  // The form begins anew with a draft that does not come from its fields.
  const [generation, setGeneration] = useState(0);
  const focus = query.get('rule');
  const begun: Draft = {
    text: draftText(current?.rules ?? EMPTY),
    over: current && { id: current.id, version: current.version },
  };
  const draft = keptDraft() ?? begun;
  const [asked, setAsked] = useState<string>();
  const read = useRead(draft, code, asked === draft.text);
  const count = useCounted(read.rules, current?.rules as unknown as Rules | undefined);
  const replay = useReplay(read.rules, draft.text, may('admin'));
  const write = (text: string) => keepDraft({ ...draft, text });
  const replace = (text: string) => {
    write(text);
    setGeneration((number) => number + 1);
  };
  return (
    <div class="draft">
      <Card
        title="Rules"
        class="draft-rules"
        aside={<Tabs label="View of the draft" names={VIEWS} shown={view} controls={id} onChoose={setView} />}
      >
        <Presets text={draft.text} isOpen={code.isSameJson(read.json, EMPTY)} onText={replace} />
        <div id={id}>
          {view === 'JSON' ? (
            <DraftJson read={read} onText={write} />
          ) : (
            <Counted.Provider value={count.counted}>
              <Replaying.Provider value={replay}>
                <DraftForm
                  key={`${generation} ${focus}`}
                  read={read}
                  fields={code.FIELDS}
                  focus={focus}
                  limit={query.get('limit')}
                  onText={write}
                />
              </Replaying.Provider>
            </Counted.Provider>
          )}
        </div>
      </Card>
      <Publish
        read={read}
        current={current}
        code={code}
        count={count}
        onAsk={() => setAsked(draft.text)}
        onDone={onDone}
        onDrop={() => setGeneration((number) => number + 1)}
      />
      <Tools read={read} replay={replay} code={code} query={query} />
    </div>
  );
}

interface ToolsProps extends Pick<LoadedProps, 'code' | 'query'> {
  readonly read: ReadDraft;
  readonly replay: ReturnType<typeof useReplay>;
}

function Tools({ read: { draft, rules }, replay, code, query }: ToolsProps) {
  return (
    <div class="stack draft-tools">
      <TryRequest rules={rules} text={draft.text} query={query} />
      <ReplayDraft rules={rules} replay={replay} />
      <RunCases rules={rules} text={draft.text} code={code} />
    </div>
  );
}

function useRead(draft: Draft, code: RulesCode, isAsked: boolean): ReadDraft {
  const { text } = draft;
  const last = useMemo(() => ({ json: EMPTY as unknown }), []);
  return useMemo(() => {
    try {
      last.json = JSON.parse(text);
    } catch (error) {
      const problems = [{ path: '', message: `It cannot be read as JSON: ${(error as Error).message}` }];
      return { draft, json: last.json, rules: undefined, sentences: [], problems, isReadable: false, isAsked };
    }
    const parsed = code.readRules(last.json);
    const [rules, problems] = parsed.ok ? [parsed.value, []] : [undefined, withMissing(last.json, parsed.problems)];
    const sentences = rules === undefined ? [] : code.sentencesFor(rules);
    return { draft, json: last.json, rules, sentences, problems, isReadable: true, isAsked };
  }, [text, draft.over?.id, draft.over?.version, isAsked]);
}
