/** Escalation: whom a tenant tells of an approval, one after the other, while no person has decided it. */
import { z } from 'zod';
import type { Approval } from '../../../protocol/approval.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { findEscalation } from '../../store/statements/node/tenants.ts';
import { type ApprovalRequestRow, setNextEscalation } from '../../store/statements/people/approvals.ts';
import { findUser, type UserRow } from '../../store/statements/people/users.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { recordNodeEvent } from '../evidence/recordEvent.ts';
import { tellPerson } from '../people/tellPerson.ts';
import { approvalFacts } from '../purchases/purchaseFacts.ts';
import { mayDecide } from './mayApprove.ts';

export const Escalation = z.object({
  userIds: z
    .array(z.string().max(100))
    .max(5)
    .describe('The users who are told, one after the other; an empty list ends it.'),
  afterMinutes: z
    .int()
    .min(1)
    .max(1440)
    .optional()
    .describe(
      'How long each time, at most: the next user is told when half of the time that is left has passed, or this many minutes.',
    ),
});
export type Escalation = z.output<typeof Escalation>;

/** What is kept of a step with the request. */
interface Step {
  readonly userId: string;
  readonly name?: string;
  readonly at: number;
}

const NONE: Escalation = { userIds: [] };

export function* loadEscalation(tenantId: string): Script<Escalation> {
  const text = yield* findEscalation(tenantId);
  return text === undefined ? NONE : (JSON.parse(text) as Escalation);
}

/** When the next user is told; null where there is none. Times are milliseconds since the epoch. */
export function nextEscalation({ userIds, afterMinutes }: Escalation, now: number, expiresAt: number): number | null {
  if (userIds.length === 0) return null;
  const half = now + Math.floor((expiresAt - now) / 2);
  return afterMinutes === undefined ? half : Math.min(half, now + afterMinutes * 60_000);
}

/** Who is told of a request later, so that its first notice passes them by. */
export function toldLater({ userIds }: Escalation, request: Pick<ApprovalRequestRow, 'escalated'>): readonly string[] {
  const told = stepsOf(request).map(({ userId }) => userId);
  return userIds.filter((id) => !told.includes(id));
}

/**
 * Tells the next user who may decide a request.
 * @returns false where another node has done it, or the request is decided
 */
export function* escalateApproval(
  deps: EventDeps & Pick<Deps, 'operations' | 'people' | 'policies'>,
  request: ApprovalRequestRow,
  now: number,
): Script<boolean> {
  const escalation = yield* loadEscalation(request.tenant_id);
  const waiting = toldLater(escalation, request);
  const next = request.expires_at > now ? yield* findNext(deps, request, waiting) : undefined;
  const rest = next === undefined ? [] : waiting.slice(waiting.indexOf(next.id) + 1);
  const step = next && compact({ userId: next.id, name: inertText(next.name ?? '') || undefined, at: now });
  const escalated = JSON.stringify([...stepsOf(request), ...(step === undefined ? [] : [step])]);
  const nextAt = nextEscalation({ ...escalation, userIds: [...rest] }, now, request.expires_at);
  // Two nodes may have found it; the row decides which one tells.
  if (!(yield* setNextEscalation(request, { escalated, nextAt }))) return false;
  if (next === undefined) return true;
  const facts = approvalFacts(request);
  const about = { ...facts, expiresAt: isoTime(request.expires_at) };
  yield* recordNodeEvent(deps, request.tenant_id, 'APPROVAL_ESCALATED', { ...about, userId: next.id }, now);
  const user = { tenantId: request.tenant_id, userId: next.id };
  yield* tellPerson(
    deps,
    user,
    { type: 'notice.escalation', context: { agentDid: request.agent_did }, data: about },
    now,
  );
  return true;
}

/** A user who was removed, or whose touch would approve nothing, is passed by. */
function* findNext(
  deps: Pick<Deps, 'people' | 'policies'>,
  request: ApprovalRequestRow,
  waiting: readonly string[],
): Script<UserRow | undefined> {
  for (const id of waiting) {
    const user = yield* findUser(request.tenant_id, id);
    if (user === undefined || user.removed_at !== null || user.role === 'PENDING') continue;
    if (yield* mayDecide(deps, request, id)) return user;
  }
  return undefined;
}

function stepsOf({ escalated }: Pick<ApprovalRequestRow, 'escalated'>): readonly Step[] {
  return JSON.parse(escalated ?? '[]') as Step[];
}

export function showEscalated(request: Pick<ApprovalRequestRow, 'escalated'>): Pick<Approval, 'escalatedTo'> {
  const steps = stepsOf(request);
  if (steps.length === 0) return {};
  return { escalatedTo: steps.map(({ at, ...step }) => ({ ...step, at: isoTime(at) })) };
}
