/** How far a replay is. */
import type { ReplayProgress } from './useReplay.ts';

export function ReplayProgressBar({ progress: { checked, of } }: { readonly progress: ReplayProgress }) {
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
