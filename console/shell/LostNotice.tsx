/** Says that the node cannot be reached, and since when; what is shown is as old as that. */
import { lostSince } from '../node/reach.ts';
import { When } from '../parts/values/When.tsx';

export function LostNotice() {
  const since = lostSince.value;
  return (
    <div role="status" aria-live="polite">
      {since !== undefined && (
        <p class="lost">
          The node cannot be reached, first noticed <When time={since.toISOString()} inLink />. What you see may be out
          of date; the console keeps trying.
        </p>
      )}
    </div>
  );
}
