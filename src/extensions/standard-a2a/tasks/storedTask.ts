/** A task as it is kept: its row, and what is sealed in it. Each change makes a new one, which is stored with its events. */

import { decisionParts, extensionsOfParts, listedStatus, requestPart } from '../../../../protocol/a2a/approvalParts.ts';
import type { TaskKind } from '../../../../protocol/a2a/exchangePart.ts';
import { partsOf, type TaskChange } from '../../../../protocol/a2a/outcome.ts';
import { proveArtifact } from '../../../../protocol/a2a/proofExtension.ts';
import { type Artifact, isEnd, type Part, type TaskStatus } from '../../../../protocol/a2a/task.ts';
import type { ApprovalDecision } from '../../../../protocol/approvals/approvalDecision.ts';
import { compact } from '../../../../protocol/wire/compact.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import type { Caller } from '../../../access/caller.ts';
import { insertTask, type TaskRow, taskContext, updateTask } from '../../../store/statements/purchases/tasks.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import type { ExchangeWork } from '../../../usecase/hooks.ts';
import type { RequestKey } from '../../../usecase/idempotency.ts';
import { postUpdates } from './postUpdates.ts';

export interface StoredTask {
  readonly row: TaskRow;
  readonly content: TaskContent;
}

interface TaskContent {
  /** The DID that its caller proved, to which its artifacts are signed. */
  readonly prover?: string | undefined;
  /** Extensions that its caller activated and that add to what is said of it. */
  readonly extensions?: readonly string[] | undefined;
  /** How the people who were asked last decided, where an extension tells of it. */
  readonly decisions?: readonly ApprovalDecision[] | undefined;
  /** Messages in their order: the caller's, and those of former states. */
  readonly history: readonly object[];
  readonly artifacts: readonly Artifact[];
  /** What became of it, in order: a new status, or the artifact at a place in the list. */
  readonly events: readonly StoredChange[];
  /** What the next step needs. */
  readonly work: TaskWork;
}

type StoredChange = { readonly status: TaskStatus } | { readonly artifact: number };

export interface TaskWork extends ExchangeWork {
  /** The intent that a purchase's cart is for. */
  readonly intentVc?: Readonly<Record<string, unknown>>;
  /** The idempotency key of a payment that a worker makes. */
  readonly idempotency?: RequestKey | undefined;
  /** What of the request the answer to it says once more, in the words of AP2. */
  readonly echo?: Readonly<Record<string, unknown>> | undefined;
}

/** Of the worker that goes on with tasks. */
export const TASK_SCHEDULE = 'tasks';

/** What a task does next. */
export type NextStep = Pick<TaskRow, 'step' | 'awaits' | 'due_at'> & { readonly work: TaskWork };

export const NOTHING_NEXT: NextStep = { step: null, awaits: null, due_at: null, work: {} };

/** A task that is not stored yet. @param message the one that begins it, which is its first */
export function newTask(
  deps: Pick<Deps, 'newId'>,
  caller: Caller,
  begun: {
    readonly kind: TaskKind;
    readonly agentDid: string;
    readonly contextId: string | undefined;
    readonly prover: string | undefined;
    readonly extensions: TaskContent['extensions'];
    readonly message: object;
    readonly work: TaskWork;
  },
  now: number,
): StoredTask {
  const { kind, agentDid, prover, extensions, message, work } = begun;
  const id = deps.newId('task_');
  const contextId = begun.contextId ?? deps.newId('ctx_');
  const row: TaskRow = {
    id,
    tenant_id: caller.tenantId,
    agent_did: agentDid,
    owner_kind: caller.kind as TaskRow['owner_kind'],
    owner_id: caller.id,
    context_id: contextId,
    kind,
    state: 'TASK_STATE_SUBMITTED',
    status: JSON.stringify({ state: 'TASK_STATE_SUBMITTED', timestamp: isoTime(now) }),
    step: kind === 'payment' ? 'pay' : null,
    awaits: null,
    due_at: null,
    node_id: null,
    seq: 0,
    pushes: 0,
    status_at: now,
    created_at: now,
    ended_at: null,
    content: '',
  };
  return { row, content: { prover, extensions, history: [inTask(row, message)], artifacts: [], events: [], work } };
}

/** A message as a task's history has it. */
export function inTask(row: Pick<TaskRow, 'id' | 'context_id'>, message: object): object {
  return { ...message, taskId: row.id, contextId: row.context_id };
}

export function openTask(deps: Pick<Deps, 'sealer'>, row: TaskRow): StoredTask {
  return { row, content: JSON.parse(deps.sealer.open(row.content, taskContext(row.id))) as TaskContent };
}

/** As its caller may see it: a caller who may not buy is shown nothing to buy with. */
export function openFor(deps: Pick<Deps, 'sealer'>, caller: Caller, row: TaskRow): StoredTask {
  const task = openTask(deps, row);
  if (caller.permissions.has('write')) return task;
  const { content } = task;
  const artifacts = content.artifacts.map((artifact) => ({ ...artifact, parts: artifact.parts.map(withoutToken) }));
  const history = content.history.map((message) => ({ ...message, parts: [] }));
  return { row, content: { ...content, artifacts, history } };
}

/** What pays a server is as good as its money until it ends, and an approval token as the cart's. */
function withoutToken(part: Part): Part {
  const data = part.data as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> | undefined;
  const paying = data?.['countersign.httpPaymentResult'];
  if (paying !== undefined) {
    const { send: _send, credential: _credential, paymentPayload: _payload, ...rest } = paying;
    return { ...part, data: { ...data, 'countersign.httpPaymentResult': rest } };
  }
  const result = data?.['countersign.cartResult'];
  if (result === undefined) return part;
  const { approvalToken: _, ...rest } = result;
  return { ...part, data: { ...data, 'countersign.cartResult': rest } };
}

/** The task as a change leaves it. @param now milliseconds since the epoch */
export function changed(
  deps: Pick<Deps, 'issuer' | 'newId' | 'suite'>,
  task: StoredTask,
  change: TaskChange,
  next: NextStep,
  now: number,
): StoredTask {
  const { row, content } = task;
  const isAsked = change.state === 'TASK_STATE_AUTH_REQUIRED';
  // What was decided of one request serves no other one.
  const decisions = isAsked ? undefined : (change.decided ?? content.decisions);
  const decided = decisionParts(decisions ?? []);
  const made = change.artifacts.map((told) => artifactOf(deps, content, told, { decided, now }));
  const isAnswered = row.state === 'TASK_STATE_AUTH_REQUIRED' && !isAsked;
  const message = messageOf(deps, row, change, isAnswered ? decided : []);
  const status: TaskStatus = compact({ state: change.state, message, timestamp: isoTime(now) });
  const former = statusOf(task).message;
  const ended = isEnd(change.state);
  const events: StoredChange[] = [...made.map((_, at) => ({ artifact: content.artifacts.length + at })), { status }];
  return {
    row: {
      ...row,
      state: change.state,
      status: JSON.stringify(listedStatus(status)),
      step: next.step,
      awaits: next.awaits,
      due_at: next.due_at,
      node_id: null,
      seq: row.seq + events.length,
      status_at: now,
      ended_at: ended ? now : null,
    },
    content: {
      ...content,
      decisions,
      history: former === undefined ? content.history : [...content.history, former],
      artifacts: [...content.artifacts, ...made],
      events: [...content.events, ...events],
      work: next.work,
    },
  };
}

function artifactOf(
  deps: Pick<Deps, 'issuer' | 'newId' | 'suite'>,
  { work, prover }: TaskContent,
  told: TaskChange['artifacts'][number],
  { decided, now }: { readonly decided: readonly Part[]; readonly now: number },
): Artifact {
  const echoed = work.echo === undefined ? [] : [{ data: work.echo }];
  const parts = [...partsOf(told), ...echoed, ...decided];
  const artifact: Artifact = { artifactId: deps.newId('art_'), name: told.name, parts, ...extensionsOfParts(parts) };
  if (prover === undefined) return artifact;
  return proveArtifact(deps.suite, deps.issuer, artifact, { to: prover, created: isoTime(now) }) as Artifact;
}

/** @returns undefined where a status says nothing */
function messageOf(
  deps: Pick<Deps, 'newId'>,
  { id: taskId, context_id: contextId }: TaskRow,
  { says, asked }: TaskChange,
  decided: readonly Part[],
): TaskStatus['message'] {
  const parts = [
    ...(says === undefined ? [] : partsOf(says)),
    ...(asked === undefined ? [] : [requestPart(asked)]),
    ...decided,
  ];
  if (parts.length === 0) return undefined;
  const message = { messageId: deps.newId('msg_'), contextId, taskId, role: 'ROLE_AGENT' as const, parts };
  return { ...message, ...extensionsOfParts(parts) };
}

/** As it stands. */
export function statusOf({ row, content }: StoredTask, seq = row.seq): TaskStatus {
  const last = content.events.slice(0, seq).findLast((event) => 'status' in event);
  return last !== undefined && 'status' in last
    ? last.status
    : { state: 'TASK_STATE_SUBMITTED', timestamp: isoTime(row.created_at) };
}

/** Stores a task as it has become, and what is posted of it. @param since how many events it had before */
export function* saveTask(
  deps: Pick<Deps, 'newId' | 'sealer' | 'settings' | 'wake'>,
  task: StoredTask,
  { isNew }: { readonly isNew: boolean },
  since: number,
): Script<void> {
  const { row, content } = task;
  const sealed: TaskRow = { ...row, content: deps.sealer.seal(JSON.stringify(content), taskContext(row.id)) };
  yield* isNew ? insertTask(sealed) : updateTask(sealed);
  if (row.pushes > 0) yield* postUpdates(deps, task, since);
  if (row.due_at !== null && row.due_at <= row.status_at) deps.wake.schedules.wake(TASK_SCHEDULE);
}
