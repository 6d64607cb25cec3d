/** Ends the intents of a delegation that was revoked: what they held is free again, and people are asked no more. */

import { listPendingApprovalsOf } from '../../store/statements/people/approvals.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import {
  expireIntentsOfDelegation,
  findIntent,
  listIntentsOfDelegation,
} from '../../store/statements/purchases/intents.ts';
import {
  findMandateDelegation,
  type MandateDelegationRow,
} from '../../store/statements/purchases/mandateDelegations.ts';
import { listPendingIntentsOf } from '../../store/statements/purchases/mandateUses.ts';
import type { Script } from '../../store/store.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import { settleApproval } from '../approvals/requestApproval.ts';
import { endIntent } from '../intents/endIntent.ts';

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

function* endRevoked(deps: HookDeps, intent: IntentRow, now: number): Script<void> {
  const { tenant_id: tenantId, mandate_id: mandateId } = intent;
  yield* endIntent(deps, { tenantId, mandateId }, 'revoked', now);
  // The cart itself was not denied: it may be bought by another mandate.
  const outcome = { status: 'expired', more: { reason: 'revoked' } } as const;
  for (const request of yield* listPendingApprovalsOf(tenantId, mandateId)) {
    yield* settleApproval(deps, request, outcome, now);
  }
}

/** Ends an intent whose time has passed, and says so where a revocation was what ended it. */
export function* endOverdueIntent(
  deps: HookDeps,
  { tenantId, mandateId }: { readonly tenantId: string; readonly mandateId: string },
  now: number,
): Script<void> {
  const intent = yield* findIntent(tenantId, mandateId);
  if (intent === undefined || intent.status !== 'ACTIVE') return;
  const delegation =
    intent.delegation_id === null ? undefined : yield* findMandateDelegation(tenantId, intent.delegation_id);
  if (delegation?.revoked_at == null) yield* endIntent(deps, { tenantId, mandateId }, undefined, now);
  else yield* endRevoked(deps, intent, now);
}
