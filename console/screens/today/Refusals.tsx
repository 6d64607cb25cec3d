/** What was refused in a week, in one line that leads there: agents that a limit stops do not ask a person. */
import type { ListedDecision } from '../../parts/table/groupDecisions.ts';
import { groupDecisions } from '../../parts/table/groupDecisions.ts';
import { dayBefore, today } from '../../parts/values/days.ts';
import { reasonText } from '../../parts/values/reasonText.ts';
import { hrefOf } from '../../shell/places.ts';
import { startOf } from '../payments/filters.ts';

const DAYS = 7;
const MOST = 100;

interface RefusedPurchases {
  readonly data: readonly ListedDecision[];
  readonly hasMore: boolean;
}

/** What the node is asked for. */
export function refusalsAsked() {
  return { outcome: 'refused', from: startOf(firstDay(), 0), limit: MOST } as const;
}

const firstDay = () => dayBefore(today(), DAYS - 1);

export function Refusals({ of: { data, hasMore } }: { readonly of: RefusedPurchases }) {
  const purchases = groupDecisions(data);
  if (purchases.length === 0) return null;
  const times = new Map<string, number>();
  for (const { lead } of purchases) for (const code of lead.reasonCodes) times.set(code, (times.get(code) ?? 0) + 1);
  const [most] = [...times].sort(([, one], [, other]) => other - one);
  const many = purchases.length === 1 && !hasMore ? '1 purchase was' : `${purchases.length} purchases were`;
  return (
    <ul class="rows">
      <li>
        <a class="row" href={hrefOf('/decisions', { outcome: 'refused', from: firstDay() })}>
          <span class="row-main">
            {hasMore && 'More than '}
            {many} refused in {DAYS} days
            {most !== undefined && (
              <span class="quiet">
                {purchases.length === 1 ? '' : 'mostly: '}
                {reasonText(most[0])}
              </span>
            )}
          </span>
        </a>
      </li>
    </ul>
  );
}
