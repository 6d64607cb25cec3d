/** Compares the draft with what was asked: how many decisions would be others, which, and about how much money. */
import type { Rules } from '../../../../../protocol/policy/rules.ts';
import { Button } from '../../../../parts/Button.tsx';
import { Card } from '../../../../parts/Card.tsx';
import { Choice } from '../../../../parts/form/Field.tsx';
import { Trouble } from '../../../../parts/Trouble.tsx';
import { NotYet } from './NotYet.tsx';
import { Replayed } from './Replayed.tsx';
import { ReplayProgressBar } from './ReplayProgressBar.tsx';
import type { DraftReplay } from './useReplay.ts';

interface ReplayDraftProps {
  readonly rules: Rules | undefined;
  readonly replay: DraftReplay;
}

const SPANS = [
  ['7', 'The last 7 days'],
  ['30', 'The last 30 days'],
  ['90', 'The last 90 days'],
] as const;

export function ReplayDraft({ rules, replay }: ReplayDraftProps) {
  const { progress, done, isOld, canRun, days, setDays, run, stop } = replay;
  return (
    <Card title="Compare with what was asked">
      <p class="quiet">
        What your agents asked for is judged again by the draft, in its order and with the history that the draft would
        have led to. Nothing is changed by it.
      </p>
      <div class="replay-ask">
        <Choice label="Requests of" value={days} options={SPANS} onChange={setDays} />
        {progress === undefined ? (
          <Button disabled={!canRun} onClick={run}>
            Judge them again
          </Button>
        ) : (
          <Button onClick={stop}>Stop</Button>
        )}
      </div>
      <NotYet rules={rules} />
      {progress !== undefined && done === undefined && <ReplayProgressBar progress={progress} />}
      <div aria-live="polite">
        {done?.error !== undefined && <Trouble error={done.error} />}
        {done?.result !== undefined && <Replayed result={done.result} isOld={isOld} />}
      </div>
    </Card>
  );
}
