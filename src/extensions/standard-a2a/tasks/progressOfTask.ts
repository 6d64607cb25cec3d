/** What happens to a task, for a stream: each asking waits until there is something new, on whichever node it is written. */
import type { Task, TaskEvent } from '../../../../protocol/a2a/task.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import type { Caller } from '../../../access/caller.ts';
import { loadAgentCaller } from '../../../domain/agents/loadAgent.ts';
import { findUserOfLogin } from '../../../store/statements/people/logins.ts';
import { findTaskSeq } from '../../../store/statements/purchases/tasks.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { lookUntil } from '../../../usecase/lookUntil.ts';
import { callerOfTask } from './callerOfTask.ts';
import { eventsAfter, loadTask, viewOf } from './viewTask.ts';

/** What the follower of a task is known by; it stays with the gate. */
export interface Follower extends Pick<Caller, 'id' | 'tenantId' | 'loginId'> {
  readonly kind: 'apiKey' | 'did' | 'session';
}

interface TaskProgress {
  /** As it stands. */
  readonly task: Task;
  readonly events: readonly TaskEvent[];
  readonly seq: number;
  readonly isOver: boolean;
  readonly isSettled: boolean;
}

/**
 * @param seq how many events were told before
 * @param waitSeconds for how long to wait for one more
 * @throws Fault TASK_NOT_FOUND, and what says that the follower may not any more
 */
export async function progressOfTask(
  deps: Pick<Deps, 'sealer' | 'stopping' | 'store'>,
  follower: Follower,
  id: string,
  seq: number,
  waitSeconds: number,
): Promise<TaskProgress> {
  const isNew = (found: number | undefined) => found === undefined || found > seq;
  await lookUntil(deps, waitSeconds, () => findTaskSeq(follower.tenantId, id), isNew);
  const task = await deps.store.read(function* (now) {
    return yield* loadTask(deps, yield* stillAllowed(follower, now), id);
  });
  const { task: shown, isOver, isSettled } = viewOf(task);
  return { task: shown, events: eventsAfter(task, seq), seq: Math.max(seq, task.row.seq), isOver, isSettled };
}

/** @returns the follower, as the gate knows them for as long as they follow */
export function followerOf({ kind, id, tenantId, loginId }: Caller): Follower {
  return { kind: kind as Follower['kind'], id, tenantId, ...(loginId === undefined ? {} : { loginId }) };
}

/** A key that was revoked, an agent, or a login that has ended learns no more: also where that was while it waited. */
function* stillAllowed({ kind, id, tenantId, loginId }: Follower, now: number): Script<Caller> {
  if (kind === 'did') return yield* loadAgentCaller(id, 'UNVERIFIED');
  if (loginId !== undefined && (yield* findUserOfLogin(tenantId, loginId, now)) === undefined) {
    throw new Fault('UNAUTHORIZED', 'This login has ended; log in again.');
  }
  return yield* callerOfTask({ tenant_id: tenantId, owner_kind: kind, owner_id: id }, 'read');
}
