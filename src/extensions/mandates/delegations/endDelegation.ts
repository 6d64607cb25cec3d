/** Ends the intents of a delegation that was revoked: what they held is free again, and people are asked no more. */

import { endRevoked } from '../../../domain/approvals/endRevoked.ts';
import { expireIntentsOfDelegation, listIntentsOfDelegation } from '../../../store/statements/purchases/intents.ts';
import type { MandateDelegationRow } from '../../../store/statements/purchases/mandateDelegations.ts';
import { listPendingIntentsOf } from '../../../store/statements/purchases/mandateUses.ts';
import type { Script } from '../../../store/store.ts';
import type { HookDeps } from '../../../usecase/hooks.ts';

/** So many intents end in the commit that revokes; the worker that expires intents ends the others. */
export const MOST_IN_COMMIT = 100;

/** @param most that end now; the others are over, too @returns how many did */
export function* endIntentsOf(
  deps: HookDeps,
  { tenant_id: tenantId, id }: Pick<MandateDelegationRow, 'tenant_id' | 'id'>,
  most: number,
  now: number,
): Script<number> {
  const intents = most === 0 ? [] : yield* listIntentsOfDelegation(tenantId, id, most);
  for (const intent of intents) yield* endRevoked(deps, intent, now);
  yield* expireIntentsOfDelegation(tenantId, id, now);
  return intents.length;
}

/** Ends what a chain that begins with a revoked mandate waits for, such as a person's touch: nothing can come of it any more. */
export function* endChainsOf(
  deps: HookDeps,
  { tenant_id: tenantId, jwt_hash: jwtHash }: Pick<MandateDelegationRow, 'tenant_id' | 'jwt_hash'>,
  most: number,
  now: number,
): Script<void> {
  const intents = most === 0 ? [] : yield* listPendingIntentsOf(tenantId, jwtHash, most);
  for (const intent of intents) yield* endRevoked(deps, intent, now);
}
