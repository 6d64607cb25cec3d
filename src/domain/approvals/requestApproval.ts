/** Asks a person to approve a cart that lacks only human presence, and settles that approval. */

import {
  type Approval,
  type ApprovalLink,
  type ApprovalPeople,
  type ApprovalStatus,
  approvalEnd,
  approvalStatusAt,
  approvalUrl,
  type Cause,
  type DecidedBy,
} from '../../../protocol/approval.ts';
import type { CartSubject } from '../../../protocol/cart.ts';
import type { OccurrenceType } from '../../../protocol/evidence/eventTypes.ts';
import { fromMinor } from '../../../protocol/money.ts';
import type { HpProof } from '../../../protocol/presence.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import {
  type ApprovalRequestRow,
  findLastApprovalRequest,
  insertApprovalRequest,
  markReminded,
  settleApprovalRequest,
} from '../../store/statements/people/approvals.ts';
import { wasPresenceUsed } from '../../store/statements/purchases/approvalTokens.ts';
import type { IntentRow } from '../../store/statements/purchases/intents.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import type { HookDeps } from '../../usecase/hooks.ts';
import { recordEvent } from '../evidence/recordEvent.ts';
import type { PaymentMethod } from '../instruments/chooseInstrument.ts';
import { endIntent } from '../intents/endIntent.ts';
import { approvalFacts } from '../purchases/purchaseFacts.ts';
import { type Escalation, loadEscalation, nextEscalation, showEscalated, toldLater } from './escalation.ts';
import { peopleOf } from './quorum.ts';

interface CartToApprove {
  readonly merchant: string;
  readonly items: CartSubject['items'];
  readonly currency: string;
  readonly totalMinor: number;
  readonly hash: string;
  /** When the cart ends, in milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly contextId: string | undefined;
  readonly causes: readonly Cause[];
  /** How long people have at most. */
  readonly approvalMs: number;
  /** The cart as the merchant signed it, as JSON. */
  readonly text: string;
  /** What would be paid with. */
  readonly paying: PaymentMethod;
}

/** @returns the link to a new approval, or to the one that is still open or valid for this cart */
export function* requestApproval(
  deps: EventDeps & Pick<Deps, 'policies'>,
  intent: IntentRow,
  cart: CartToApprove,
  now: number,
): Script<ApprovalLink> {
  const last = yield* findLastApprovalRequest(intent.tenant_id, intent.mandate_id, cart.hash);
  if (last !== undefined && (yield* stands(last, now))) return yield* linkWithPeople(deps, last, now);
  const ends = { intentEndsAt: intent.expires_at, cartEndsAt: cart.expiresAt, policyMs: cart.approvalMs };
  const { endsAt: expiresAt, endsWith } = approvalEnd(ends, now);
  const escalation = yield* loadEscalation(intent.tenant_id);
  const row: ApprovalRequestRow = {
    id: deps.newId('apr_'),
    tenant_id: intent.tenant_id,
    status: 'pending',
    agent_did: intent.agent_did,
    principal_did: intent.principal_did,
    intent_id: intent.mandate_id,
    transaction_id: intent.transaction_id,
    context_id: cart.contextId ?? null,
    cart_hash: cart.hash,
    amount_minor: cart.totalMinor,
    currency: cart.currency,
    merchant: cart.merchant,
    items: JSON.stringify(cart.items),
    cart: cart.text,
    paying: JSON.stringify(cart.paying),
    causes: JSON.stringify(cart.causes),
    hp_proof: null,
    created_at: now,
    expires_at: expiresAt,
    decided_at: null,
    decided_by: null,
    remind_at: now + Math.floor((expiresAt - now) / 2),
    escalate_at: nextEscalation(escalation, now, expiresAt),
    escalated: null,
    ends_with: endsWith,
  };
  yield* insertApprovalRequest(row);
  const more = { causes: cart.causes, expiresAt: isoTime(row.expires_at), ...laterOf(escalation, row) };
  yield* recordApproval(deps, row, 'APPROVAL_REQUESTED', row.agent_did, more, now);
  return yield* linkWithPeople(deps, row, now);
}

/**
 * Tells the people who were asked once more, by the event that asked them.
 * @returns false where they were told before, or one of them has answered
 */
export function* remindOfApproval(deps: EventDeps, request: ApprovalRequestRow, now: number): Script<boolean> {
  if (statusOf(request, now) !== 'pending' || !(yield* markReminded(request.tenant_id, request.id))) return false;
  const causes = JSON.parse(request.causes) as Cause[];
  const later = laterOf(yield* loadEscalation(request.tenant_id), request);
  const more = { causes, expiresAt: isoTime(request.expires_at), reminder: true, ...later };
  yield* recordApproval(deps, request, 'APPROVAL_REQUESTED', deps.issuer.did, more, now);
  return true;
}

/** Who is told of it later, where someone is: the event that asks says so, and passes them by. */
function laterOf(escalation: Escalation, request: ApprovalRequestRow): { readonly toldLater?: readonly string[] } {
  const later = toldLater(escalation, request);
  return later.length === 0 ? {} : { toldLater: later };
}

/** The link, and how many people it takes. */
export function* linkWithPeople(
  deps: Pick<Deps, 'policies' | 'settings'>,
  request: ApprovalRequestRow,
  now: number,
): Script<ApprovalLink> {
  return compact({ ...linkOf(deps, request, now), people: yield* peopleOf(deps, request) });
}

/** A person is asked once: an approval holds while its proof is valid. */
function* stands(request: ApprovalRequestRow, now: number): Script<boolean> {
  if (request.status !== 'approved') return request.expires_at > now;
  const proof = JSON.parse(request.hp_proof ?? '{}') as HpProof;
  return Date.parse(proof.expiresAt) > now && !(yield* wasPresenceUsed(request.tenant_id, proof.id));
}

/**
 * Settles a request and records it.
 * @returns false when it was settled before
 */
export function* settleApproval(
  deps: HookDeps,
  request: ApprovalRequestRow,
  outcome: {
    readonly status: Exclude<ApprovalStatus, 'pending'>;
    /** How it was decided; absent where its time was over. */
    readonly by?: DecidedBy;
    readonly hpProof?: HpProof;
    readonly actorDid?: string;
    readonly more?: Readonly<Record<string, unknown>>;
  },
  now: number,
): Script<boolean> {
  const { status, by = null, hpProof, actorDid = deps.issuer.did, more = {} } = outcome;
  const text = hpProof === undefined ? null : JSON.stringify(hpProof);
  if (!(yield* settleApprovalRequest(request.id, { status, hpProof: text, by }, now))) return false;
  yield* recordApproval(deps, request, EVENT_OF[status], actorDid, more, now);
  for (const tell of deps.operations.hooks.afterDecision) yield* tell(deps, request, status, now);
  // A no ends the purchase: nothing else is bought with that intent, and its amount is free again.
  const intent = { tenantId: request.tenant_id, mandateId: request.intent_id };
  if (status === 'denied') yield* endIntent(deps, intent, 'denied', now);
  return true;
}

/** As whom a caller denies: who acts for some agents alone speaks as these do, and not for the person. */
export function denierOf({ agents }: Pick<Caller, 'agents'>): DecidedBy {
  return agents === undefined ? 'operator' : 'agent';
}

const EVENT_OF = {
  approved: 'APPROVAL_GRANTED',
  denied: 'APPROVAL_DENIED',
  expired: 'APPROVAL_EXPIRED',
} as const satisfies Record<Exclude<ApprovalStatus, 'pending'>, OccurrenceType>;

function* recordApproval(
  deps: EventDeps,
  request: ApprovalRequestRow,
  eventType: OccurrenceType,
  actorDid: string,
  more: Readonly<Record<string, unknown>>,
  now: number,
): Script<void> {
  const data = { ...approvalFacts(request), ...more };
  yield* recordEvent(deps, request.tenant_id, { eventType, actorDid, data }, now);
}

/** One that was decided or has expired keeps its id, and shows its link no more. */
function linkOf(deps: Pick<Deps, 'settings'>, request: ApprovalRequestRow, now: number): ApprovalLink {
  const isOpen = statusOf(request, now) === 'pending';
  return compact({
    id: request.id,
    url: isOpen ? approvalUrl(deps.settings.baseUrl, request.id) : undefined,
    expiresAt: isoTime(request.expires_at),
    endsWith: request.ends_with ?? undefined,
  });
}

function statusOf(request: ApprovalRequestRow, now: number): ApprovalStatus {
  return approvalStatusAt({ status: request.status, expiresAt: request.expires_at }, now);
}

/** @param people of peopleOf, where they are to be shown */
export function showApproval(
  deps: Pick<Deps, 'settings'>,
  request: ApprovalRequestRow,
  now: number,
  people?: ApprovalPeople,
): Approval {
  const isOpen = statusOf(request, now) === 'pending';
  return {
    ...linkOf(deps, request, now),
    ...compact({ people }),
    ...showEscalated(request),
    ...compact({ remindsAt: isOpen && request.remind_at !== null ? isoTime(request.remind_at) : undefined }),
    status: statusOf(request, now),
    agentDid: request.agent_did,
    principalDid: request.principal_did,
    intentId: request.intent_id,
    transactionId: request.transaction_id,
    cartHash: request.cart_hash,
    merchant: request.merchant,
    amount: fromMinor(request.amount_minor, request.currency),
    currency: request.currency,
    causes: JSON.parse(request.causes) as Cause[],
    createdAt: isoTime(request.created_at),
    ...(request.decided_at === null || request.status === 'expired' ? {} : { decidedAt: isoTime(request.decided_at) }),
  };
}
