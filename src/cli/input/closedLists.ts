/**
 * The closed lists that options are checked against, so that help and completion need not load the schemas they belong to. Those
 * that rules and events have are written with the client; the others stand here, and are held against their types.
 */
import { webhookEvents } from '../../../client/operations.ts';
import type { TaskState } from '../../../protocol/a2a/task.ts';
import type { AgentStatus } from '../../../protocol/agent.ts';
import type { MandateIssuerKind } from '../../../protocol/ap2/mandateIssuer.ts';
import type { ApprovalStatus } from '../../../protocol/approval.ts';
import type { Decision } from '../../../protocol/decision.ts';
import type { DisputeStatus, PaymentStatus } from '../../../protocol/payment.ts';
import type { WebhookEventType } from '../../../protocol/webhook/event.ts';
import type { NoticeTopic } from '../../../protocol/webhook/noticeText.ts';
import type { Permission } from '../../access/caller.ts';
import type { Tier } from '../../access/rateLimit.ts';
import type { Role } from '../../access/role.ts';
import type { KeptPlace } from '../../domain/notifications/channels/channel.ts';

/** Every value of a type: one that is missing or not known does not compile. */
function valuesOf<Value extends string>(values: Readonly<Record<Value, true>>): readonly Value[] {
  return Object.keys(values) as Value[];
}

export const AGENT_STATUSES = valuesOf<AgentStatus>({ ACTIVE: true, REVOKED: true, SUSPENDED: true });

export const APPROVAL_STATUSES = valuesOf<ApprovalStatus>({
  pending: true,
  approved: true,
  denied: true,
  expired: true,
});

/** As a person writes them: a state of A2A without its prefix. */
type TaskWord = Lowercase<TaskState extends `TASK_STATE_${infer Word}` ? Word : never>;

export const TASK_STATES = valuesOf<TaskWord>({
  submitted: true,
  working: true,
  completed: true,
  failed: true,
  canceled: true,
  input_required: true,
  rejected: true,
  auth_required: true,
});

export const DECISION_OUTCOMES = valuesOf<Decision['outcome']>({ allowed: true, refused: true, approval: true });

export const MANDATE_ISSUER_KINDS = valuesOf<MandateIssuerKind>({
  'agent-provider': true,
  'user-credential': true,
  'card-issuer': true,
});

export const PERMISSIONS = valuesOf<Permission>({ read: true, write: true, admin: true });

export const ROLES = valuesOf<Exclude<Role, 'PENDING'>>({ OWNER: true, ADMIN: true, MEMBER: true, VIEWER: true });

export const TIERS = valuesOf<Tier>({ free: true, pro: true, enterprise: true });

export const PAYMENT_STATUSES = valuesOf<PaymentStatus>({
  PENDING: true,
  UNKNOWN: true,
  AUTHORIZED: true,
  CAPTURED: true,
  PARTIALLY_REFUNDED: true,
  REFUNDED: true,
  DISPUTED: true,
  FAILED: true,
  CANCELED: true,
});

export const DISPUTE_STATUSES = valuesOf<DisputeStatus>({
  needs_response: true,
  under_review: true,
  won: true,
  lost: true,
  inquiry: true,
  inquiry_closed: true,
});

export const NOTICE_TOPICS = valuesOf<NoticeTopic>({
  approvals: true,
  disputes: true,
  agents: true,
  payments: true,
  digest: true,
  'passkey.added': true,
});

/** Where notifications go from the command line: a browser subscribes itself. */
export const NOTICE_KINDS = valuesOf<Exclude<KeptPlace['kind'], 'webPush'>>({
  email: true,
  slack: true,
  discord: true,
  teams: true,
  telegram: true,
  plain: true,
});

/** The types of webhook events. */
export const EVENT_TYPES = Object.keys(webhookEvents) as readonly WebhookEventType[];
