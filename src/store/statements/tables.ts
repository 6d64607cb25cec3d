/** All tables of the schema. Those that others refer to come first, so that rows can be copied in this order. */
import { apiKeys } from './callers/apiKeys.ts';
import { proofsSeen } from './callers/proofs.ts';
import { requests } from './callers/requests.ts';
import { sessions } from './callers/sessions.ts';
import { checkpoints, evidenceSubtrees } from './evidence/checkpoints.ts';
import { chainWitnesses, cosignatures } from './evidence/cosignatures.ts';
import { evidence } from './evidence/events.ts';
import { limitBuckets, limitTails } from './limits/limitBuckets.ts';
import { limitNarrowings } from './limits/limitNarrowings.ts';
import { nodes } from './node/nodes.ts';
import { receiptKeys } from './node/receiptKeys.ts';
import { settings } from './node/settings.ts';
import { tenants } from './node/tenants.ts';
import { approvalRequests } from './people/approvals.ts';
import { approvalTouches } from './people/approvalTouches.ts';
import { enrollments } from './people/enrollments.ts';
import { invitations } from './people/invitations.ts';
import { loginAttemptsUsed, logins, refreshTokens } from './people/logins.ts';
import { passkeys } from './people/passkeys.ts';
import { presenceChallenges } from './people/presenceChallenges.ts';
import { presenceIssued } from './people/presenceIssued.ts';
import { users } from './people/users.ts';
import { agentMerchants } from './purchases/agentMerchants.ts';
import { approvalTokens, presenceUsed } from './purchases/approvalTokens.ts';
import { cartSignatures } from './purchases/cartSignatures.ts';
import { checkoutMandates } from './purchases/checkoutMandates.ts';
import { credentialStatus } from './purchases/credentialStatus.ts';
import { disputes } from './purchases/disputes.ts';
import { externalPayments, externalStatementLines } from './purchases/externalPayments.ts';
import { httpApprovals, httpPayments } from './purchases/httpPayments.ts';
import { intents } from './purchases/intents.ts';
import { mandateChallenges } from './purchases/mandateChallenges.ts';
import { mandateDelegations } from './purchases/mandateDelegations.ts';
import { mandateLimits, mandateUses } from './purchases/mandateUses.ts';
import { payments } from './purchases/payments.ts';
import { railAttempts } from './purchases/railAttempts.ts';
import { railEvents } from './purchases/railEvents.ts';
import { sharedPaymentTokens, tokenSums } from './purchases/sharedPaymentTokens.ts';
import { spendSums } from './purchases/spendSums.ts';
import { statusLists, statusSigners } from './purchases/statusLists.ts';
import { tasks } from './purchases/tasks.ts';
import { agents } from './registry/agents.ts';
import { guards } from './registry/guards.ts';
import { instruments } from './registry/instruments.ts';
import { mandateIssuers } from './registry/mandateIssuers.ts';
import { mandateKeys } from './registry/mandateKeys.ts';
import { merchantPayees, merchants } from './registry/merchants.ts';
import { policies } from './registry/policies.ts';
import { delegations, principals } from './registry/principals.ts';
import { wallets } from './registry/wallets.ts';
import type { Table } from './tableDefinition.ts';
import { webhookAttempts } from './webhooks/attempts.ts';
import { webhookDeliveries } from './webhooks/deliveries.ts';
import { webhooks } from './webhooks/subscriptions.ts';
import { webhookEvents } from './webhooks/webhookEvents.ts';

/** The record of migrations is not among them, each database having its own. */
export const TABLES: readonly Table[] = [
  tenants,
  settings,
  nodes,
  receiptKeys,
  apiKeys,
  agents,
  merchants,
  merchantPayees,
  mandateIssuers,
  mandateKeys,
  principals,
  delegations,
  instruments,
  wallets,
  guards,
  policies,
  users,
  logins,
  refreshTokens,
  loginAttemptsUsed,
  invitations,
  passkeys,
  presenceChallenges,
  presenceIssued,
  presenceUsed,
  enrollments,
  approvalRequests,
  approvalTouches,
  requests,
  proofsSeen,
  sessions,
  intents,
  limitNarrowings,
  limitBuckets,
  limitTails,
  approvalTokens,
  cartSignatures,
  mandateChallenges,
  mandateUses,
  mandateDelegations,
  mandateLimits,
  checkoutMandates,
  payments,
  httpPayments,
  externalPayments,
  externalStatementLines,
  httpApprovals,
  agentMerchants,
  disputes,
  statusLists,
  statusSigners,
  credentialStatus,
  spendSums,
  railAttempts,
  railEvents,
  sharedPaymentTokens,
  tokenSums,
  tasks,
  evidence,
  evidenceSubtrees,
  checkpoints,
  cosignatures,
  chainWitnesses,
  webhooks,
  webhookEvents,
  webhookDeliveries,
  webhookAttempts,
];
