/** What the approval extension adds to a task whose caller activated it: what the person is asked, and how they decided. */
import { APPROVALS } from '../../../../protocol/a2a/approvalParts.ts';
import type { TaskChange } from '../../../../protocol/a2a/outcome.ts';
import type { ApprovalDecision } from '../../../../protocol/approvals/approvalDecision.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import { type ApprovalDecisionDeps, broughtTouches, decisionsOf } from '../../../domain/approvals/approvalDecisions.ts';
import { describeRequest } from '../../../domain/approvals/describeRequest.ts';
import { findApprovalRequest } from '../../../store/statements/people/approvals.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import type { StoredTask } from './storedTask.ts';

function isActive({ content }: StoredTask): boolean {
  return content.extensions?.includes(APPROVALS) === true;
}

/** @param approvalId of the request that the task waits for */
export function* askedOf(
  deps: Pick<Deps, 'policies' | 'settings' | 'suite'>,
  task: StoredTask,
  approvalId: string,
): Script<Pick<TaskChange, 'asked'>> {
  if (!isActive(task)) return {};
  const request = yield* findApprovalRequest(task.row.tenant_id, approvalId);
  return request === undefined ? {} : { asked: yield* describeRequest(deps, request) };
}

/** Of the request that the task waits for, once it was decided. */
export function* decidedOf(
  deps: ApprovalDecisionDeps,
  task: StoredTask,
  now: number,
): Script<Pick<TaskChange, 'decided'>> {
  const request = yield* requestOf(task);
  return request === undefined ? {} : among(yield* decisionsOf(deps, request, now));
}

/** Of a cart that was allowed: by a decision on the request, or by a proof of presence that the caller brought. */
export function* decidedOfCart(
  deps: ApprovalDecisionDeps,
  task: StoredTask,
  now: number,
): Script<Pick<TaskChange, 'decided'>> {
  const request = task.content.decisions === undefined ? yield* requestOf(task) : undefined;
  if (request === undefined) return {};
  if (request.status === 'approved') return among(yield* decisionsOf(deps, request, now));
  return among(yield* broughtTouches(deps, request));
}

/** Of a request that the caller takes back with the task. */
export function* withdrawalOf(
  deps: ApprovalDecisionDeps,
  task: StoredTask,
  now: number,
): Script<Pick<TaskChange, 'decided'>> {
  const request = yield* requestOf(task);
  if (request === undefined) return {};
  if (request.status !== 'pending') return among(yield* decisionsOf(deps, request, now));
  return { decided: [{ id: request.id, outcome: 'withdrawn', decidedAt: isoTime(now) }] };
}

function* requestOf(task: StoredTask) {
  const { step, awaits, tenant_id: tenantId } = task.row;
  if (!isActive(task) || step !== 'touch' || awaits === null) return undefined;
  return yield* findApprovalRequest(tenantId, awaits);
}

function among(decided: readonly ApprovalDecision[]): Pick<TaskChange, 'decided'> {
  return decided.length === 0 ? {} : { decided };
}
