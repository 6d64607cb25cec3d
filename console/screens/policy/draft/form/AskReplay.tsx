/** Asks for a replay beside the limits of a draft, and says what they are compared with. */
import { useContext } from 'preact/hooks';
import { Button } from '../../../../parts/Button.tsx';
import { Trouble } from '../../../../parts/Trouble.tsx';
import { dayText } from '../../../../parts/values/moment.ts';
import { ReplayProgressBar } from '../tools/ReplayProgressBar.tsx';
import { type DraftReplay, Replaying } from '../tools/useReplay.ts';

export function AskReplay() {
  const replay = useContext(Replaying);
  if (replay === undefined) return null;
  const { progress, done, canRun, run, stop } = replay;
  return (
    <div class="ask-replay">
      {progress !== undefined && done === undefined ? (
        <>
          <ReplayProgressBar progress={progress} />
          <Button onClick={stop}>Stop</Button>
        </>
      ) : (
        <p class="quiet" role="status">
          {sentenceOf(replay)}
        </p>
      )}
      {done?.error !== undefined && <Trouble error={done.error} />}
      {progress === undefined && needsAsking(replay) && (
        <Button disabled={!canRun} onClick={run}>
          {done === undefined ? 'Compare with what was asked' : 'Compare again'}
        </Button>
      )}
    </div>
  );
}

function needsAsking({ done, isOld }: DraftReplay): boolean {
  return done?.result === undefined || isOld;
}

function sentenceOf({ done, isOld, progress, days }: DraftReplay): string {
  if (done?.result === undefined) return `What agents asked for in the last ${days} days is judged by the draft.`;
  const { requests, since } = done.result;
  if (progress !== undefined) return 'The draft has changed: comparing again…';
  if (isOld) return 'The draft has changed since it was compared.';
  const day = dayText(new Date(since));
  if (requests === 0) return `No agent has asked for anything since ${day}: there is nothing to compare with.`;
  return `Compared with ${requests.toLocaleString('en-US')} ${requests === 1 ? 'request' : 'requests'} since ${day}.`;
}
