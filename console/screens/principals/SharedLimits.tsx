/** The limits that agents share where they spend a principal's money, with what all of them have used together. */
import type { LimitState } from '../../../client/operations.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { LimitList } from '../../parts/limits/LimitList.tsx';
import { limitsIn } from '../../parts/limits/limitStates.ts';

export function SharedLimits({ states }: { readonly states: readonly LimitState[] }) {
  const shared = limitsIn(states);
  return (
    <Card title="Shared limits">
      {shared.length === 0 ? (
        <Empty title="No shared limit">
          <p>A limit of the policy for each person or company counts what all agents spend of its money together.</p>
        </Empty>
      ) : (
        <LimitList limits={shared} />
      )}
    </Card>
  );
}
