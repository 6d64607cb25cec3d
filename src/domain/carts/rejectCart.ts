/** Records a cart that is refused, at its validation or at its payment, and answers with the reasons. */

import type { RefusalResult } from '../../../protocol/intent.ts';
import type { Refusal } from '../../../protocol/reason.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import type { AgentRow } from '../../store/statements/registry/agents.ts';
import type { Script } from '../../store/store.ts';
import { type DecisionDeps, recordVerdict } from '../evidence/recordEvent.ts';

export function* rejectCart(
  deps: DecisionDeps,
  agent: AgentRow,
  about: Readonly<Record<string, unknown>>,
  { reasonCodes, details, limits }: Refusal,
  now: number,
  formats?: readonly string[],
): Script<RefusalResult> {
  const refused = compact({ reasonCodes, details, limits });
  const data = { ...about, ...refused };
  const event = { eventType: 'CART_REJECTED', actorDid: agent.did, data } as const;
  const verdict = yield* recordVerdict(deps, agent.tenant_id, event, formats, now);
  return compact({ allowed: false, ...refused, verdict }) as RefusalResult;
}
