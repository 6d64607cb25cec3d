/**
 * How a request ended, as a decision that a stranger verifies: put together from the evidence, which keeps each touch whole. A
 * request that takes several people has a decision of each, in the order of their touches.
 */
import { z } from 'zod';
import { approvalStatusAt } from '../../../protocol/approval.ts';
import { ApprovalBinding, type ApprovalDecision } from '../../../protocol/approvals/approvalDecision.ts';
import { signEnrolment } from '../../../protocol/approvals/passkeyEnrolment.ts';
import { readCoseKey } from '../../../protocol/credential/coseKey.ts';
import { fromBase64url } from '../../../protocol/credential/encodings.ts';
import { thumbprint } from '../../../protocol/jwk/jwk.ts';
import { type HpProof, PasskeyOf } from '../../../protocol/presence.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { listTransaction } from '../../store/statements/evidence/events.ts';
import type { ApprovalRequestRow } from '../../store/statements/people/approvals.ts';
import { findPasskey } from '../../store/statements/people/passkeys.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';

/** What the functions of this file use. */
export type ApprovalDecisionDeps = Pick<Deps, 'issuer' | 'settings' | 'suite'>;

/** What an event keeps of a touch; those of former versions do not say when the passkey was enrolled, the first ones no origin. */
const Touch = z.object({
  passkeyId: z.string(),
  credentialId: z.string(),
  enrolledAt: z.string().optional(),
  publicKey: z.string(),
  authenticatorData: z.string(),
  clientDataJSON: z.string(),
  signature: z.string(),
  origin: z.string(),
  challenge: z.object({ random: z.string(), binding: z.record(z.string(), z.unknown()) }),
  /** Whose touch it was; that of a denial stands in `deniedBy`. */
  approvedBy: z.string().optional(),
  deniedBy: z.string().optional(),
  passkeyOf: PasskeyOf.optional(),
});

/** One recorded fact about a request: a touch, or the denial. */
interface DecisionRecord {
  readonly data: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** @returns the last one to be made last; none while the request is pending, or where no touch is kept of it */
export function* decisionsOf(
  deps: ApprovalDecisionDeps,
  request: ApprovalRequestRow,
  now: number,
): Script<readonly ApprovalDecision[]> {
  const status = approvalStatusAt({ status: request.status, expiresAt: request.expires_at }, now);
  if (status === 'pending') return [];
  if (status === 'expired') return [{ id: request.id, outcome: 'expired', decidedAt: isoTime(request.expires_at) }];
  if (status === 'denied') return [yield* denialOf(deps, request)];
  const { id, approvals } = JSON.parse(request.hp_proof ?? '{}') as HpProof;
  return yield* touchesOf(deps, request, approvals?.map(({ hpId }) => hpId) ?? [id]);
}

/** The touches by which the cart of a request was approved apart from its page, by a proof of presence that the agent brought. */
export function* broughtTouches(
  deps: ApprovalDecisionDeps,
  request: ApprovalRequestRow,
): Script<readonly ApprovalDecision[]> {
  const validated = (yield* listRecorded(request, 'CART_VALIDATED')).findLast(
    ({ data }) => data['cartHash'] === request.cart_hash,
  );
  const { presenceId, approvals } = (validated?.data ?? {}) as Pick<HpProof, 'approvals'> & { presenceId?: string };
  const presences = approvals?.map(({ hpId }) => hpId) ?? (presenceId === undefined ? [] : [presenceId]);
  return yield* touchesOf(deps, request, presences);
}

/** @param presences the ids of the touches, in their order */
function* touchesOf(
  deps: ApprovalDecisionDeps,
  request: ApprovalRequestRow,
  presences: readonly string[],
): Script<readonly ApprovalDecision[]> {
  const recorded = yield* listRecorded(request, 'HP_VERIFIED');
  const decisions: ApprovalDecision[] = [];
  for (const presence of presences) {
    const found = recorded.find(({ data }) => data['presenceId'] === presence);
    const touch = found && (yield* touchIn(deps, request, found));
    if (found === undefined || touch === undefined) return [];
    decisions.push({ id: request.id, outcome: 'approved', decidedAt: isoTime(found.at), ...touch });
  }
  return decisions;
}

function* denialOf(deps: ApprovalDecisionDeps, request: ApprovalRequestRow): Script<ApprovalDecision> {
  const { id, decided_by: by, decided_at: at } = request;
  const denied = { id, outcome: 'denied', decidedAt: isoTime(at ?? request.expires_at) } as const;
  const recorded = yield* listRecorded(request, 'APPROVAL_DENIED');
  const found = recorded.find(({ data }) => data['approvalId'] === id);
  // Who asked takes it back, by the request itself or by its task.
  if (by === 'agent' || found?.data['taskId'] !== undefined) return { ...denied, outcome: 'withdrawn' };
  if (by === 'link' || by === 'operator') return { ...denied, by };
  return { ...denied, ...(found && (yield* touchIn(deps, request, found))) };
}

function* listRecorded(
  { tenant_id: tenantId, transaction_id: transactionId }: ApprovalRequestRow,
  type: string,
): Script<DecisionRecord[]> {
  const rows = yield* listTransaction(tenantId, transactionId);
  return rows
    .filter(({ event_type }) => event_type === type)
    .map(({ data, created_at: at }) => ({ data: JSON.parse(data), at }));
}

type SignedTouch = Pick<ApprovalDecision, 'binding' | 'random' | 'key' | 'rpId' | 'origin' | 'assertion' | 'enrolment'>;

function* touchIn(
  deps: ApprovalDecisionDeps,
  request: ApprovalRequestRow,
  { data }: DecisionRecord,
): Script<SignedTouch | undefined> {
  const kept = Touch.safeParse(data).data;
  const key = kept && readCoseKey(fromBase64url(kept.publicKey) ?? new Uint8Array())?.jwk;
  const binding = ApprovalBinding.safeParse(kept?.challenge.binding).data;
  // A proof of presence may be of no cart.
  if (kept === undefined || key === undefined || binding?.cartHash !== request.cart_hash) return undefined;
  const { credentialId, authenticatorData, clientDataJSON, signature, origin, challenge } = kept;
  const { principal_did: principalDid, agent_did: agentDid } = request;
  const passkey = kept.enrolledAt === undefined ? yield* findPasskey(request.tenant_id, kept.passkeyId) : undefined;
  const enrolledAt = kept.enrolledAt ?? (passkey && isoTime(passkey.created_at));
  const jwkThumbprint = thumbprint(deps.suite, key);
  const person = personIn(kept);
  const enrolled = enrolledAt && { principalDid, agentDid, jwkThumbprint, enrolledAt, ...person };
  return compact({
    binding,
    random: challenge.random,
    key,
    rpId: new URL(origin).hostname,
    origin,
    assertion: { credentialId, authenticatorData, clientDataJSON, signature },
    enrolment: enrolled ? signEnrolment(deps.suite, deps.issuer, enrolled, deps.settings.baseUrl) : undefined,
  });
}

/** Who touched: events of former versions do not say whether it was the user whom they name. */
function personIn({ approvedBy, deniedBy, passkeyOf }: z.infer<typeof Touch>) {
  const personDid = approvedBy ?? deniedBy;
  return personDid === undefined || passkeyOf === undefined ? {} : { personDid, passkeyOf };
}
