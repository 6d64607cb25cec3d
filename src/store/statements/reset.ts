/** Deletes a tenant's test data: all that purchases have created, nothing that was configured. */
import { run, type Script } from '../store.ts';
import { requests } from './callers/requests.ts';
import { sessions } from './callers/sessions.ts';
import { checkpoints, evidenceSubtrees } from './evidence/checkpoints.ts';
import { chainWitnesses, cosignatures } from './evidence/cosignatures.ts';
import { evidence } from './evidence/events.ts';
import { limitBuckets, limitTails } from './limits/limitBuckets.ts';
import { endViewsGeneration } from './node/viewsGeneration.ts';
import { approvalRequests } from './people/approvals.ts';
import { approvalTouches } from './people/approvalTouches.ts';
import { presenceChallenges } from './people/presenceChallenges.ts';
import { presenceIssued } from './people/presenceIssued.ts';
import { approvalTokens, presenceUsed } from './purchases/approvalTokens.ts';
import { cartSignatures } from './purchases/cartSignatures.ts';
import { checkoutMandates } from './purchases/checkoutMandates.ts';
import { endStatusOfTenant } from './purchases/credentialStatus.ts';
import { disputes } from './purchases/disputes.ts';
import { intents } from './purchases/intents.ts';
import { mandateChallenges } from './purchases/mandateChallenges.ts';
import { mandateDelegations } from './purchases/mandateDelegations.ts';
import { mandateLimits, mandateUses } from './purchases/mandateUses.ts';
import { payments } from './purchases/payments.ts';
import { railAttempts } from './purchases/railAttempts.ts';
import { sharedPaymentTokens, tokenSums } from './purchases/sharedPaymentTokens.ts';
import { spendSums } from './purchases/spendSums.ts';
import { tasks } from './purchases/tasks.ts';

const PURCHASE_TABLES = [
  intents,
  limitBuckets,
  limitTails,
  approvalTokens,
  cartSignatures,
  mandateChallenges,
  mandateUses,
  mandateLimits,
  mandateDelegations,
  checkoutMandates,
  presenceIssued,
  presenceUsed,
  presenceChallenges,
  approvalRequests,
  approvalTouches,
  payments,
  disputes,
  spendSums,
  railAttempts,
  sharedPaymentTokens,
  tokenSums,
  tasks,
  requests,
  sessions,
  evidence,
  evidenceSubtrees,
  checkpoints,
  cosignatures,
  chainWitnesses,
];

/** @param now milliseconds since the epoch */
export function* clearTestData(tenantId: string, now: number): Script<void> {
  yield* endViewsGeneration();
  for (const { name } of PURCHASE_TABLES) yield* run(`DELETE FROM ${name} WHERE tenant_id = ?`, tenantId);
  // Their mandates are in the hands of others, who read in the status lists that they no longer hold.
  yield* endStatusOfTenant(tenantId, now);
  yield* run('DELETE FROM webhooks WHERE tenant_id = ? AND task_id IS NOT NULL', tenantId);
}
