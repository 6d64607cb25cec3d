/** Each limit that refuses a purchase, where they are several: the reason names the one that it passes furthest. */
import type { LimitState } from '../../../client/operations.ts';
import { LimitList } from '../limits/LimitList.tsx';
import { limitsIn } from '../limits/limitStates.ts';

export function PassedLimits({ of: states = [] }: { readonly of: readonly LimitState[] | undefined }) {
  if (states.length < 2) return null;
  return (
    <div class="passed-limits">
      <p>{states.length} limits refuse it; this was used of them before it:</p>
      <LimitList limits={limitsIn(states)} />
    </div>
  );
}
