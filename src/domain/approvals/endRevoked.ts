/** Ends intents that a revocation, or their time, has ended: what they held is free again, and people are asked no more. */

import { listPendingApprovalsOf } from '../../store/statements/people/approvals.ts';
import { findIntent, type IntentRow } from '../../store/statements/purchases/intents.ts';
import type { Script } from '../../store/store.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import { endIntent } from '../intents/endIntent.ts';
import { refuseEnded } from '../purchases/authorize.ts';
import { settleApproval } from './requestApproval.ts';

/** @param now milliseconds since the epoch */
export function* endRevoked(deps: HookDeps, intent: IntentRow, now: number): Script<void> {
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
  const wasRevoked = Object.keys(yield* refuseEnded(deps, intent)).length > 0;
  if (wasRevoked) yield* endRevoked(deps, intent, now);
  else yield* endIntent(deps, { tenantId, mandateId }, undefined, now);
}
