/** Replays what was recorded under the draft: how many decisions would be others, which, and about how much money. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { CountersignError } from '../../../../../client/error.ts';
import { followReplay } from '../../../../../client/followReplay.ts';
import type { Rules as GivenRules, Operations } from '../../../../../client/operations.ts';
import type { Rules } from '../../../../../protocol/policy/rules.ts';
import { accessToken } from '../../../../login/login.ts';
import { BASE_URL } from '../../../../node/here.ts';
import { node } from '../../../../node/node.ts';
import { Button } from '../../../../parts/Button.tsx';
import { Card } from '../../../../parts/Card.tsx';
import { Choice } from '../../../../parts/form/Field.tsx';
import { Trouble } from '../../../../parts/Trouble.tsx';
import { NotYet } from './NotYet.tsx';
import { Replayed } from './Replayed.tsx';

export type PolicyReplay = Operations['replayPolicy']['output'];

interface Progress {
  readonly checked: number;
  /** Undefined where the node does not tell how far it is. */
  readonly of?: number;
}

interface ReplayRun {
  readonly text: string;
  readonly result?: PolicyReplay;
  readonly error?: unknown;
}

interface ReplayDraftProps {
  readonly rules: Rules | undefined;
  readonly text: string;
  /** Whether the node streams the progress of a replay, and reads further back. */
  readonly hasProgress: boolean;
}

const SPANS = [
  ['7', 'The last 7 days'],
  ['30', 'The last 30 days'],
  ['90', 'The last 90 days'],
] as const;
const DAY_MS = 86_400_000;
const MOST_FLIPS = 50;

export function ReplayDraft({ rules, text, hasProgress }: ReplayDraftProps) {
  const [days, setDays] = useState('30');
  const [progress, setProgress] = useState<Progress>();
  const [done, setDone] = useState<ReplayRun>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = async () => {
    const controller = new AbortController();
    running.current = controller;
    setDone(undefined);
    setProgress({ checked: 0 });
    const since = new Date(Date.now() - Number(days) * DAY_MS).toISOString();
    const input = { rules: rules as GivenRules, since, limit: MOST_FLIPS };
    const asking = hasProgress ? follow(input, controller.signal, setProgress) : ask(input, controller.signal);
    const outcome = await asking.then((result) => ({ result })).catch((error: unknown) => ({ error }));
    setProgress(undefined);
    if (!controller.signal.aborted) setDone({ text, ...outcome });
  };
  return (
    <Card title="Replay">
      <p class="quiet">
        What your agents asked for is judged again by the draft, in its order and with the history that the draft would
        have led to. Nothing is changed by it.
      </p>
      <div class="replay-ask">
        <Choice label="Requests of" value={days} options={SPANS} onChange={setDays} />
        {progress === undefined ? (
          <Button disabled={rules === undefined} onClick={() => void run()}>
            Replay
          </Button>
        ) : (
          <Button onClick={() => running.current?.abort()}>Stop</Button>
        )}
      </div>
      <NotYet rules={rules} />
      {progress !== undefined && <Running progress={progress} />}
      <div aria-live="polite">
        {done?.error !== undefined && <Trouble error={done.error} />}
        {done?.result !== undefined && <Replayed result={done.result} isOld={done.text !== text} />}
      </div>
    </Card>
  );
}

type Asking = Operations['replayPolicy']['input'];

async function follow(
  input: Asking,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<PolicyReplay> {
  const options = { baseUrl: BASE_URL, credential: { accessToken } };
  for await (const line of followReplay(options, input, { signal })) {
    if ('result' in line) return line.result;
    onProgress(line);
  }
  throw new CountersignError('INVALID_ANSWER', 'The replay ended without a result. Try it again.', { status: 200 });
}

function ask(input: Asking, signal: AbortSignal): Promise<PolicyReplay> {
  return node.replayPolicy(input, { signal });
}

function Running({ progress: { checked, of } }: { readonly progress: Progress }) {
  return (
    <div class="progress">
      {of === undefined ? (
        <progress aria-label="Events that were judged" />
      ) : (
        <progress max={of} value={checked} aria-label="Events that were judged" />
      )}
      <p class="quiet">
        {of === undefined ? 'Judging…' : `${checked.toLocaleString('en-US')} of ${of.toLocaleString('en-US')} events`}
      </p>
    </div>
  );
}
