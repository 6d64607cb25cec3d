/** Ends the intents of a delegation that was revoked: what they held is free again, and people are asked no more. */

import { listPendingApprovalsOf } from '../../store/statements/people/approvals.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import { findIntent, listIntentsOfDelegation } from '../../store/statements/purchases/intents.ts';
import { findMandateDelegation } from '../../store/statements/purchases/mandateDelegations.ts';
import type { Script } from '../../store/store.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import { settleApproval } from '../approvals/requestApproval.ts';
import { endIntent } from '../intents/endIntent.ts';

/** So many intents end in the commit that revokes; the worker that expires intents ends the others. */
const MOST_IN_COMMIT = 100;

export function* endIntentsOf(deps: HookDeps, tenantId: string, delegationId: string, now: number): Script<void> {
  for (const intent of yield* listIntentsOfDelegation(tenantId, delegationId, MOST_IN_COMMIT)) {
    yield* endRevoked(deps, intent, now);
  }
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
