/** Says that the node cannot be reached, and since when; what is shown is as old as that. */
import { lostSince } from '../node/reach.ts';
import { exactText } from '../parts/values/moment.ts';

export function LostNotice() {
  const since = lostSince.value;
  return (
    <div role="status" aria-live="polite">
      {since !== undefined && (
        <p class="lost">
          The node cannot be reached since{' '}
          <time dateTime={since.toISOString()} title={exactText(since.toISOString())}>
            {since.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
          </time>
          . What you see may be out of date; it is tried again by itself.
        </p>
      )}
    </div>
  );
}
