/** How a purchase was decided: refused, where any of it was, and what followed. */

import { Status } from '../values/Status.tsx';
import type { GroupedDecisions } from './groupDecisions.ts';

export function Outcome({ of: { lead, newest } }: { readonly of: GroupedDecisions }) {
  return (
    <>
      <Status state={lead.outcome} />
      {newest.outcome !== lead.outcome && (
        <span class="quiet"> then {newest.outcome === 'allowed' ? 'allowed' : 'asked'}</span>
      )}
    </>
  );
}
