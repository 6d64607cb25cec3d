/** The steps of a message of standard A2A in the core, once its gate has proven and parsed it. */
import type { Task } from '../../../../protocol/a2a/task.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { staleness } from '../../../../protocol/wire/time.ts';
import { type Caller, requireActsFor, requirePermission } from '../../../access/caller.ts';
import { callerOf, type RequestCredential } from '../../../core/callerOf.ts';
import type { Core } from '../../../core/core.ts';
import {
  type CoreReply,
  type ParsedInput,
  type RequestQuota,
  type StepsResult,
  serveRequest,
} from '../../../core/serveRequest.ts';
import type { Gate } from '../../../gates/shell/gate.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { type RequestKey, recallRequest } from '../../../usecase/idempotency.ts';
import { reply, steps } from '../../../usecase/steps.ts';
import { type Follower, followerOf, progressOfTask } from '../tasks/progressOfTask.ts';
import { type MessageOutcome, type SentMessage, sendTask } from '../tasks/sendTask.ts';
import { loadTask, showTask, type TaskView, viewOf } from '../tasks/viewTask.ts';

interface TaskMessageRequest extends ParsedInput {
  /** As the rate limiter names it. */
  readonly address: string;
  readonly credential: RequestCredential;
  readonly messageId: string;
  /** Whether its sender follows what becomes of the task, from where it stood before. */
  readonly follows: boolean;
  /** Equal for the same message, and for no other. */
  readonly hash: string;
  /** Of a message that is signed: who did, and when by their clock. */
  readonly signed?: { readonly did: string; readonly created: string } | undefined;
}

/** What the gate is told: the task as it stands, how many events it had before, and who may follow it. */
export interface SentView extends TaskView {
  readonly since: number;
  /** The task as it was before, for who follows it. */
  readonly first?: Task;
  readonly follower: Follower;
}

interface Arrival {
  readonly deps: Deps;
  readonly quota: RequestQuota;
  readonly asked: TaskMessageRequest;
}

/** A caller is charged only for a message that is its own, fresh, and not a replay. */
export const taskMessageSteps = steps<Arrival, StepsResult>()
  .find('know the caller', async ({ deps, quota, asked }) => {
    const caller = await callerOf(deps, asked.credential);
    quota.know(caller);
    if (asked.signed !== undefined) requireActsFor(caller, asked.signed.did);
    return { caller };
  })
  .find('recall the task of a replay', async ({ deps, quota, caller, asked }) => {
    const key = messageKey(caller, asked);
    const stored = await deps.store.read((now) => recallRequest(deps, key, now));
    if (stored === undefined) return { key };
    quota.chargeAddress();
    return reply({ body: await tellOf(deps, caller, { taskId: JSON.parse(stored).taskId, since: 0 }, asked) });
  })
  .check('refuse what is stale', ({ deps, asked: { signed } }) => {
    const stale = signed && staleness(signed.created, deps.clock());
    if (stale !== undefined) throw new Fault('UNVERIFIED', stale);
  })
  .check('charge the caller', ({ quota }) => quota.charge())
  .check('require the permission', ({ caller }) => requirePermission(caller, 'write'))
  .find('end where the message is wrong', ({ asked: { input } }) =>
    input === undefined ? reply({}) : { sent: input.value as SentMessage },
  )
  .finish('begin or go on with the task', async ({ deps, caller, key, asked, sent }) => {
    return { body: await tellOf(deps, caller, await sendTask(deps, caller, key, sent), asked) };
  });

function takeTaskMessage(deps: Deps, asked: TaskMessageRequest): Promise<CoreReply> {
  return serveRequest(deps, asked.address, (quota) => taskMessageSteps.run({ deps, quota, asked }));
}

async function tellOf(
  deps: Deps,
  caller: Caller,
  { taskId, since }: MessageOutcome,
  { follows }: TaskMessageRequest,
): Promise<string> {
  const task = await deps.store.read(() => loadTask(deps, caller, taskId));
  const view: SentView = { ...viewOf(task), since, follower: followerOf(caller) };
  return JSON.stringify(follows ? { ...view, first: showTask(task, { seq: since }) } : view);
}

/** Sender and id identify a message for 24 hours. Its signer is its sender, whichever credential brings it. */
function messageKey({ tenantId, id }: Caller, { messageId, hash, signed }: TaskMessageRequest): RequestKey {
  return {
    tenantId,
    scope: `task ${signed?.did ?? id}`,
    key: messageId,
    hash,
    reused: { code: 'MESSAGE_REUSED', message: 'This message id came before with other content; use a new id.' },
    secret: false,
  };
}

/** Who a credential stands for, to follow a task with. */
function takeFollower(deps: Deps, address: string, credential: RequestCredential): Promise<CoreReply> {
  return serveRequest(deps, address, async (quota) => {
    const caller = await callerOf(deps, credential);
    quota.know(caller);
    quota.charge();
    requirePermission(caller, 'read');
    return { body: JSON.stringify(followerOf(caller)) };
  });
}

/** What the gate of standard A2A asks of the core besides the kernel's calls. */
export const taskCalls = { takeTaskMessage, takeFollower, followTask: progressOfTask };

/** The core, as it answers these. */
export function taskCore({ core }: Pick<Gate, 'core'>): Core<typeof taskCalls> {
  return core as unknown as Core<typeof taskCalls>;
}
