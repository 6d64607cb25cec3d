/** A merchant or a category that a limit names for the first time: what was bought there before is counted once. */
import { MAX_LIMIT_MS } from '../../../protocol/policy/values/limitWindow.ts';
import { type Narrowing, narrowingOf } from '../../../protocol/policy/values/spendingLimit.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { countHistory } from '../../store/statements/limits/countHistory.ts';
import { insertNarrowing, listNarrowings } from '../../store/statements/limits/limitNarrowings.ts';
import type { Script } from '../../store/store.ts';

/** What is bought is compared with each of them. */
const MOST_NARROWINGS = 1000;

/** So many are new in one commit at most, as a policy has limits. */
type NamedLimits = readonly Parameters<typeof narrowingOf>[0][];

/**
 * From this commit on the sums of what limits name are kept. Limits that name the same later find them.
 * @param limits of a policy that becomes current, or of an agent
 * @throws Fault CONFLICT where limits of the tenant have named too many
 */
export function* nameNarrowings(tenantId: string, limits: NamedLimits, now: number): Script<void> {
  const named: Narrowing[] = [];
  for (const limit of limits) {
    const narrowing = narrowingOf(limit);
    if (narrowing !== undefined && (yield* insertNarrowing(tenantId, narrowing))) named.push(narrowing);
  }
  if (named.length === 0) return;
  const all = yield* listNarrowings(tenantId);
  if (all.length > MOST_NARROWINGS) {
    throw new Fault(
      'CONFLICT',
      `Limits of this tenant have named more than ${MOST_NARROWINGS} merchants and categories. Use *.example.com, a category, or a merchant that was named before.`,
    );
  }
  yield* countHistory(tenantId, named, now - MAX_LIMIT_MS, now);
}
