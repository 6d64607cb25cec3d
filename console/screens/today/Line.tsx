/** A limit in one line: its name, what is used of it in which period, and when it begins anew. */
import { LimitBar } from '../../parts/limits/LimitBar.tsx';
import { When } from '../../parts/values/When.tsx';
import type { LimitLine } from './limitLines.ts';

export function Line({ of: { name, measured, resetsAt } }: { readonly of: LimitLine }) {
  return (
    <span class="limit-line">
      <span class="limit-head">
        <bdi>{name}</bdi>
        {resetsAt !== undefined && (
          <span>
            resets <When time={resetsAt} inLink />
          </span>
        )}
      </span>
      <LimitBar measured={measured} />
    </span>
  );
}
