/** What is used now of a limit, by whom most. */
import { LimitBar } from '../../parts/limits/LimitBar.tsx';
import { limitsIn } from '../../parts/limits/limitStates.ts';
import { maximaOf } from '../../parts/limits/measures.ts';
import type { LimitCount } from './policies.ts';

interface BudgetBarProps {
  /** Undefined for a rule that is no limit. */
  readonly name: string | undefined;
  readonly counted: readonly LimitCount[] | undefined;
}

export function BudgetBar({ name, counted = [] }: BudgetBarProps) {
  return (
    <>
      {counted
        .filter((each) => each.name === name)
        .map(({ most: [most], ...maximum }) => (
          <div key={`${maximum.measure} ${maximum.currency}`}>
            {limitsIn([{ ...maximum, used: most?.used ?? 0, left: 0 }])
              .flatMap(maximaOf)
              .map((measured) => (
                <LimitBar key={measured.text} measured={measured} />
              ))}
            {most?.name !== undefined && (
              <p class="limit-about">
                most used by <bdi>{most.name}</bdi>
              </p>
            )}
          </div>
        ))}
    </>
  );
}
