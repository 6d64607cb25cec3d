/** Records a cart that is refused, at its validation or at its payment, and answers with the reasons. */

import type { RefusalResult } from '../../../protocol/intent.ts';
import type { Refusal } from '../../../protocol/reason.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import type { AgentRow } from '../../store/statements/registry/agents.ts';
import type { Script } from '../../store/store.ts';
import type { EventDeps } from '../../usecase/deps.ts';
import { recordEvent } from '../evidence/recordEvent.ts';

export function* rejectCart(
  deps: EventDeps,
  agent: AgentRow,
  about: Readonly<Record<string, unknown>>,
  { reasonCodes, details, limits }: Refusal,
  now: number,
): Script<RefusalResult> {
  const refused = compact({ reasonCodes, details, limits });
  const data = { ...about, ...refused };
  yield* recordEvent(deps, agent.tenant_id, { eventType: 'CART_REJECTED', actorDid: agent.did, data }, now);
  return { allowed: false, ...refused } as RefusalResult;
}
