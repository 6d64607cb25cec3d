/**
 * How long the rows of each table stay: for ever, and why, or until housekeeping deletes them. Each deletion takes a
 * number of rows at most, and an index leads to them.
 */
import { firstIdAt } from '../../../protocol/wire/id.ts';
import type { Script } from '../store.ts';
import { apiKeys } from './callers/apiKeys.ts';
import { deleteProofsBefore, proofsSeen } from './callers/proofs.ts';
import { deleteRequestsBefore, requests } from './callers/requests.ts';
import { deleteSessionsBefore, sessions } from './callers/sessions.ts';
import { checkpoints, evidenceSubtrees } from './evidence/checkpoints.ts';
import { chainWitnesses, cosignatures } from './evidence/cosignatures.ts';
import { evidence } from './evidence/events.ts';
import { limitBuckets, limitTails } from './limits/limitBuckets.ts';
import { limitNarrowings } from './limits/limitNarrowings.ts';
import { nodes } from './node/nodes.ts';
import { receiptKeys } from './node/receiptKeys.ts';
import { settings } from './node/settings.ts';
import { tenants } from './node/tenants.ts';
import { approvalRequests, deleteApprovalRequestsBefore } from './people/approvals.ts';
import { approvalTouches, deleteApprovalTouchesBefore } from './people/approvalTouches.ts';
import { deleteEnrollmentsBefore, enrollments } from './people/enrollments.ts';
import { deleteInvitationsBefore, invitations } from './people/invitations.ts';
import {
  deleteEndedLogins,
  deleteLoginAttemptsBefore,
  deleteLoginsBefore,
  deleteRefreshTokensBefore,
  loginAttemptsUsed,
  logins,
  refreshTokens,
} from './people/logins.ts';
import { passkeys } from './people/passkeys.ts';
import { deletePresenceChallengesBefore, presenceChallenges } from './people/presenceChallenges.ts';
import { deleteIssuedPresenceBefore, presenceIssued } from './people/presenceIssued.ts';
import { users } from './people/users.ts';
import {
  approvalTokens,
  deletePresenceUsedBefore,
  deleteUnusedTokensBefore,
  presenceUsed,
} from './purchases/approvalTokens.ts';
import { cartSignatures, deleteCartSignaturesBefore } from './purchases/cartSignatures.ts';
import { checkoutMandates, deleteCheckoutMandatesBefore } from './purchases/checkoutMandates.ts';
import { credentialStatus, deleteCredentialStatusBefore } from './purchases/credentialStatus.ts';
import { disputes } from './purchases/disputes.ts';
import { intents } from './purchases/intents.ts';
import { deleteMandateChallengesBefore, mandateChallenges } from './purchases/mandateChallenges.ts';
import { deleteMandateDelegationsBefore, mandateDelegations } from './purchases/mandateDelegations.ts';
import {
  deleteMandateLimitsBefore,
  deleteMandateUsesBefore,
  mandateLimits,
  mandateUses,
} from './purchases/mandateUses.ts';
import { payments } from './purchases/payments.ts';
import { railAttempts } from './purchases/railAttempts.ts';
import { deleteRailEventsBefore, railEvents } from './purchases/railEvents.ts';
import { sharedPaymentTokens, tokenSums } from './purchases/sharedPaymentTokens.ts';
import { spendSums } from './purchases/spendSums.ts';
import { deleteStatusSignersBefore, statusLists, statusSigners } from './purchases/statusLists.ts';
import { deleteTasksBefore, tasks } from './purchases/tasks.ts';
import { agents } from './registry/agents.ts';
import { instruments } from './registry/instruments.ts';
import { mandateIssuers } from './registry/mandateIssuers.ts';
import { mandateKeys } from './registry/mandateKeys.ts';
import { merchants } from './registry/merchants.ts';
import { policies } from './registry/policies.ts';
import { delegations, principals } from './registry/principals.ts';
import type { Table } from './tableDefinition.ts';
import { deleteAttemptsBefore, webhookAttempts } from './webhooks/attempts.ts';
import { webhookDeliveries } from './webhooks/deliveries.ts';
import { deletePushesOfGoneTasks, webhooks } from './webhooks/subscriptions.ts';
import {
  deleteDeliveriesBefore,
  deleteHeldDeliveriesBefore,
  deleteWebhookEventsBefore,
  findOldestDelivery,
  webhookEvents,
} from './webhooks/webhookEvents.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Deletes at most `limit` rows. @param now milliseconds since the epoch @param tenantId where it goes by tenant */
export type Purge = (limit: number, now: number, tenantId: string) => Script<number>;

type Retention =
  /** Kept for ever, or until its owner removes it. */
  | { readonly table: Table; readonly kept: string }
  /** Deleted elsewhere, by a worker of its own. */
  | { readonly table: Table; readonly deletedBy: string }
  | {
      readonly table: Table;
      /** When a row goes. */
      readonly goes: string;
      readonly purges: readonly Purge[];
      /** True where the rows are looked for in one tenant after the other. */
      readonly byTenant?: true;
    };

export const RETENTION: readonly Retention[] = [
  { table: tenants, kept: 'whose data it is' },
  { table: settings, kept: 'one row each' },
  { table: nodes, deletedBy: 'the heartbeat, a minute after a node’s last one' },
  { table: receiptKeys, kept: 'what a former key signed still verifies' },
  { table: apiKeys, kept: 'evidence names who acted, revoked or not' },
  { table: agents, kept: 'a DID is registered once for all time' },
  { table: merchants, kept: 'until their owner removes them' },
  { table: mandateIssuers, kept: 'until their owner removes them' },
  { table: mandateKeys, kept: 'until their owner removes them: another agent could take a key that is free' },
  { table: principals, kept: 'one that is governed stays so' },
  { table: delegations, kept: 'until their owner withdraws them' },
  { table: instruments, kept: 'until their owner removes them' },
  { table: limitNarrowings, kept: 'sums are kept for what limits name' },
  { table: policies, kept: 'evidence names the version that judged' },
  { table: users, kept: 'who was removed stays out' },
  {
    table: logins,
    goes: 'when it expires, or a day after it was ended',
    purges: [(limit, now) => deleteLoginsBefore(limit, now), (limit, now) => deleteEndedLogins(limit, now - DAY_MS)],
  },
  // Used ones stay as long: one that comes again was stolen.
  { table: refreshTokens, goes: 'when it expires', purges: [(limit, now) => deleteRefreshTokensBefore(limit, now)] },
  {
    table: loginAttemptsUsed,
    // A clock that was ahead and is set back would otherwise take a sign-in again, which a passkey that does not count allows.
    goes: 'a day after it expires',
    purges: [(limit, now) => deleteLoginAttemptsBefore(limit, now - DAY_MS)],
  },
  { table: invitations, goes: 'when it expires', purges: [(limit, now) => deleteInvitationsBefore(limit, now)] },
  { table: passkeys, kept: 'until their owner removes them' },
  {
    table: presenceChallenges,
    goes: 'when it expires',
    purges: [(limit, now) => deletePresenceChallengesBefore(limit, now)],
  },
  {
    // No proof lives longer than an hour, so one that comes again later is refused by its age.
    table: presenceUsed,
    goes: 'a day after the use',
    purges: [(limit, now) => deletePresenceUsedBefore(limit, now - DAY_MS)],
  },
  { table: presenceIssued, goes: 'when it expires', purges: [(limit, now) => deleteIssuedPresenceBefore(limit, now)] },
  { table: enrollments, goes: 'when it expires', purges: [(limit, now) => deleteEnrollmentsBefore(limit, now)] },
  {
    // The evidence has the decision.
    table: approvalRequests,
    goes: '90 days after it was made',
    purges: [(limit, now) => deleteApprovalRequestsBefore(limit, firstIdAt('apr_', now - 90 * DAY_MS))],
  },
  {
    // None lasts longer than a week, and the evidence has every touch.
    table: approvalTouches,
    goes: '90 days after it was given',
    purges: [(limit, now) => deleteApprovalTouchesBefore(limit, firstIdAt('hp_', now - 90 * DAY_MS))],
  },
  {
    // Their replay is refused by their age alone.
    table: requests,
    goes: 'a day after its answer',
    purges: [(limit, now) => deleteRequestsBefore(limit, now - DAY_MS)],
  },
  { table: proofsSeen, goes: 'when it expires', purges: [(limit, now) => deleteProofsBefore(limit, now)] },
  {
    table: sessions,
    goes: '30 days after it was opened, once it has ended',
    purges: [
      (limit, now, tenantId) => deleteSessionsBefore(limit, tenantId, firstIdAt('ses_', now - 30 * DAY_MS), now),
    ],
    byTenant: true,
  },
  { table: intents, kept: 'mandates are records' },
  // A year is the longest window that is summed from them.
  { table: limitBuckets, deletedBy: 'a worker, 400 days after the bucket ended' },
  { table: limitTails, deletedBy: 'the worker that adds them to the buckets once their quarter of an hour has ended' },
  {
    // Those that were used hold the cart that was paid.
    table: approvalTokens,
    goes: '30 days after it was made, where nothing was paid with it',
    purges: [(limit, now) => deleteUnusedTokensBefore(limit, now - 30 * DAY_MS)],
  },
  {
    // Its cart is refused by its age from then on.
    table: cartSignatures,
    goes: 'when the signature ends',
    purges: [(limit, now) => deleteCartSignaturesBefore(limit, now)],
  },
  {
    // One that comes again later is known by its form, and refused.
    table: mandateChallenges,
    goes: 'a day after it expires',
    purges: [(limit, now) => deleteMandateChallengesBefore(limit, now - DAY_MS)],
  },
  {
    // What was signed for it could come again until then.
    table: mandateUses,
    goes: 'five minutes after its first mandate ends, and after a week at least; that of an intent with a delegation after 90 days',
    purges: [(limit, now) => deleteMandateUsesBefore(limit, now)],
  },
  {
    table: mandateLimits,
    goes: 'five minutes after its mandate ends, and after a week at least',
    purges: [(limit, now) => deleteMandateLimitsBefore(limit, now)],
  },
  {
    // The evidence has it. By then no intent that names it is active.
    table: mandateDelegations,
    goes: 'five minutes after its first mandate ends, and after a week at least',
    purges: [(limit, now) => deleteMandateDelegationsBefore(limit, now)],
  },
  {
    // They hold for minutes; the evidence has their hashes.
    table: checkoutMandates,
    goes: '30 days after it was made',
    purges: [(limit, now) => deleteCheckoutMandatesBefore(limit, now - 30 * DAY_MS)],
  },
  { table: payments, kept: 'mandates are records' },
  { table: disputes, kept: 'they say what became of the money' },
  { table: spendSums, kept: 'as long as the payments that they sum' },
  { table: statusLists, kept: 'one row for 65,536 mandates; no number serves twice' },
  {
    // Nothing that they sign for holds by then.
    table: statusSigners,
    goes: 'when the last mandate in its lists ends',
    purges: [(limit, now) => deleteStatusSignersBefore(limit, now)],
  },
  {
    table: credentialStatus,
    goes: '30 days after its mandate ends',
    purges: [(limit, now) => deleteCredentialStatusBefore(limit, now - 30 * DAY_MS)],
  },
  { table: railAttempts, kept: 'a key asked of a rail is never used for something else' },
  {
    // Rails repeat a notification for some days.
    table: railEvents,
    goes: 'after 30 days',
    purges: [(limit, now) => deleteRailEventsBefore(limit, now - 30 * DAY_MS)],
  },
  { table: sharedPaymentTokens, kept: 'a permission to pay is a record' },
  { table: tokenSums, kept: 'as long as the tokens that they sum' },
  {
    table: tasks,
    goes: '30 days after its end',
    purges: [(limit, now) => deleteTasksBefore(limit, now - 30 * DAY_MS)],
  },
  { table: evidence, kept: 'the record itself' },
  { table: evidenceSubtrees, kept: 'proofs over the whole chain are made of them' },
  { table: checkpoints, kept: 'a reader may have kept any of them' },
  { table: cosignatures, kept: 'as long as their checkpoints' },
  { table: chainWitnesses, kept: 'one for each witness of a chain: what it has seen' },
  {
    table: webhooks,
    goes: 'when its owner removes it, or with its task',
    purges: [(limit, now) => deletePushesOfGoneTasks(limit, firstIdAt('task_', now - DAY_MS))],
  },
  {
    table: webhookDeliveries,
    goes: '30 days after it was made, or after 7 where its subscription is paused',
    purges: [
      (limit, now) => deleteDeliveriesBefore(limit, firstIdAt('whd_', now - 30 * DAY_MS)),
      (limit, now) => deleteHeldDeliveriesBefore(limit, firstIdAt('whd_', now - 7 * DAY_MS)),
    ],
  },
  { table: webhookEvents, goes: 'after 30 days, and after its deliveries', purges: [purgeEvents] },
  {
    table: webhookAttempts,
    goes: 'after 30 days',
    purges: [(limit, now, tenantId) => deleteAttemptsBefore(limit, tenantId, firstIdAt('whl_', now - 30 * DAY_MS))],
    byTenant: true,
  },
];

/** An event is older than its deliveries, by a moment; those that are still to be delivered keep theirs. */
function* purgeEvents(limit: number, now: number): Script<number> {
  const before = now - 30 * DAY_MS;
  const oldest = Math.min(before, (yield* findOldestDelivery()) ?? before);
  return yield* deleteWebhookEventsBefore(limit, firstIdAt('evt_', oldest - 60_000));
}
