/** A message of standard A2A: it begins a task, or goes on with one. What it asks for is done by the use cases of the table. */

import {
  type CartOfPurchase,
  type Exchange,
  type TouchOfTask,
  WORDS,
  type WordToTask,
} from '../../../../protocol/a2a/exchangePart.ts';
import { type Artifact, isEnd, type PushConfig } from '../../../../protocol/a2a/task.ts';
import { hashOf } from '../../../../protocol/credential/canonical.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { type Caller, requireActsFor } from '../../../access/caller.ts';
import { AT_ONCE, listWholeTasks, setTaskPushes, type TaskRow } from '../../../store/statements/purchases/tasks.ts';
import type { Script } from '../../../store/store.ts';
import type { Call } from '../../../usecase/call.ts';
import type { Deps, EventDeps } from '../../../usecase/deps.ts';
import type { ExchangeContext, OperationExchange } from '../../../usecase/hooks.ts';
import { keepAnswer, type RequestKey, recallRequest } from '../../../usecase/idempotency.ts';
import { perform, useCaseIn } from '../../../usecase/useCase.ts';
import { advanceTask, againWith } from './advanceTask.ts';
import { openChange, type TaskCall } from './concludeTask.ts';
import { inTask, newTask, openTask, type StoredTask, saveTask, type TaskWork } from './storedTask.ts';
import { checkedPush, storePush } from './taskPushes.ts';
import { loadTask } from './viewTask.ts';

/** What the functions of this file use. */
type SendTaskDeps = Pick<Deps, 'newId' | 'sealer' | 'settings' | 'store'>;

/** A message as its gate passes it on. */
export interface SentMessage {
  /** In the spelling of A2A 1.0, for the history. */
  readonly message: object;
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
  /** The DID that its sender proved. */
  readonly prover?: string | undefined;
  /** Extensions that its sender activated, as far as they add to what a task says. */
  readonly extensions?: readonly string[] | undefined;
  readonly exchange: Exchange;
  /** Data parts that the node does not read. */
  readonly attached: TaskCall['attached'];
  /** True where its sender does not wait for the end. */
  readonly returnImmediately: boolean;
  /** Where the task's updates are to be posted. */
  readonly push?: (PushConfig & { readonly former: boolean }) | undefined;
}

/** Which task a message led to, and how many events it had had before. */
export interface MessageOutcome {
  readonly taskId: string;
  readonly since: number;
}

/** @throws Fault where nothing is done: a task is stored only for what was judged */
export async function sendTask(
  deps: Deps,
  caller: Caller,
  key: RequestKey,
  sent: SentMessage,
): Promise<MessageOutcome> {
  if (sent.exchange.kind === WORDS.kind) return hear(deps, caller, sent);
  const {
    call: begun,
    name,
    input,
  } = sent.taskId === undefined ? await begin(deps, caller, sent) : await goOnWith(deps, caller, sent);
  const { task } = begun;
  const { row } = task;
  const { idempotencyKey } = input as { readonly idempotencyKey?: string };
  const idempotency =
    idempotencyKey === undefined ? undefined : keyOf(deps, caller, { name, asked: sent.exchange }, idempotencyKey, key);
  if (row.kind === 'payment' && sent.returnImmediately) {
    const work = { ...task.content.work, idempotency };
    const left = { ...begun, task: { row, content: { ...task.content, work } } };
    return { taskId: await deps.store.write(caller.tenantId, (now) => leaveToWorker(deps, left, key, now)), since: 0 };
  }
  const call: Call = {
    caller,
    reply: { kind: 'task', taskId: row.id },
    message: key,
    idempotency,
    contextId: row.context_id,
    task: begun,
  };
  const answer = await perform(deps, name, call, input);
  // A twin of this message may have been faster: its task is the answer then.
  const { taskId } = JSON.parse(String(answer.text)) as { readonly taskId: string };
  // Only after a cart may it be the node's turn at once.
  if (taskId === row.id && task.content.work.cart !== undefined && !sent.returnImmediately) {
    await advanceTask(deps, row.tenant_id, row.id).catch(later(deps, row.id));
  }
  return { taskId, since: row.seq };
}

/** The operation that a message is, and the task that it begins or goes on with. */
interface TaskOperation {
  readonly name: string;
  readonly input: object;
  readonly call: TaskCall;
}

/** Words change nothing but where updates are posted: a caller who says them to a task gets it as it stands. */
async function hear(deps: SendTaskDeps, caller: Caller, sent: SentMessage): Promise<MessageOutcome> {
  const { row } = await loadOpen(deps, caller, sent);
  const push = pushOf(deps, sent);
  if (push !== undefined) {
    await deps.store.write(caller.tenantId, function* (now): Script<void> {
      yield* setTaskPushes(row.id, yield* storePush(deps, row, push, now));
    });
  }
  return { taskId: row.id, since: row.seq };
}

/** The worker goes on with what failed here. */
function later(deps: Pick<Deps, 'log'>, taskId: string): (error: unknown) => void {
  return (error) => deps.log.warn('task.later', { taskId, error: String(error) });
}

/** @throws Fault BAD_REQUEST for an exchange that no task can begin with */
async function begin(deps: Deps, caller: Caller, sent: SentMessage): Promise<TaskOperation> {
  const { contextId, prover, extensions, message } = sent;
  const row = deps.operations.hooks.exchanges.get(sent.exchange.kind);
  if (row === undefined) throw beginsNothing(sent.exchange);
  const { exchange, echo } =
    'translate' in row
      ? await deps.store.read((now) =>
          row.translate(deps, caller, contextOf(deps, caller, contextId), sent.exchange, now),
        )
      : { exchange: sent.exchange, echo: undefined };
  const { operation: name, task: kind, ...asked } = operationOf(deps, exchange);
  const agentDid = await agentOf(deps, caller, () => asked.agentOf(deps, caller, exchange));
  const work: TaskWork = { ...asked.workOf(exchange), echo };
  const task = newTask(deps, caller, { kind, agentDid, contextId, prover, extensions, message, work }, deps.clock());
  const call = { task, isNew: true, push: pushOf(deps, sent), attached: sent.attached };
  return { name, input: exchange.input ?? {}, call };
}

/** What a task waits for, by its step. */
const WANTED: Readonly<Partial<Record<NonNullable<TaskRow['step']>, string>>> = {
  cart: 'cartOfPurchase',
  touch: 'touch',
  told: 'told',
};

/** The exchanges that a task can only go on with. */
const GO_ON: readonly string[] = Object.values(WANTED);

function beginsNothing({ kind }: Exchange): Fault {
  if (GO_ON.includes(kind)) {
    const missing = { path: 'message.taskId', message: 'is missing' };
    return new Fault('BAD_REQUEST', 'Name the task that this goes on with: message.taskId is missing.', [missing]);
  }
  const message = 'is of an extension that this node runs without';
  return new Fault('BAD_REQUEST', `The data part of the message ${message}.`, [{ path: 'message.parts', message }]);
}

/** How many tasks of a context are looked through, the newest first. */
const MOST_LOOKED_AT = 20;

function contextOf(deps: Pick<Deps, 'sealer'>, caller: Caller, id: string | undefined): ExchangeContext {
  return { id, listArtifacts: () => listArtifacts(deps, caller, id) };
}

function* listArtifacts(
  deps: Pick<Deps, 'sealer'>,
  caller: Caller,
  contextId: string | undefined,
): Script<readonly Artifact[]> {
  const agents = caller.agents === undefined ? undefined : [...caller.agents];
  const filter = { agents, contextId, state: 'TASK_STATE_COMPLETED' as const, changedFrom: undefined };
  const rows = yield* listWholeTasks(caller.tenantId, filter, undefined, MOST_LOOKED_AT);
  return rows.flatMap((row) => openTask(deps, row).content.artifacts);
}

/** The row of an exchange that was translated, or needed no translation. */
function operationOf({ operations: { hooks } }: Pick<Deps, 'operations'>, { kind }: Exchange): OperationExchange {
  const row = hooks.exchanges.get(kind);
  if (row === undefined || 'translate' in row) throw new Error(`No operation answers an exchange of the kind ${kind}.`);
  return row;
}

function pushOf(deps: Pick<Deps, 'newId' | 'settings'>, { push }: SentMessage): TaskCall['push'] {
  return push && checkedPush(deps, push);
}

/**
 * Whose task it is: the agent's that buys.
 * @param named the agent by what was sent
 * @throws Fault NOT_FOUND for what is not the caller's, FORBIDDEN for another agent
 */
async function agentOf(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  named: () => string | Script<string>,
): Promise<string> {
  const agent = caller.did ?? named();
  const agentDid = typeof agent === 'string' ? agent : await store.read(() => agent);
  requireActsFor(caller, agentDid);
  return agentDid;
}

/** @throws Fault TASK_NOT_FOUND, TASK_ENDED, BAD_REQUEST for a context that is not the task's */
async function loadOpen(
  deps: Pick<Deps, 'sealer' | 'store'>,
  caller: Caller,
  { taskId, contextId }: SentMessage,
): Promise<StoredTask> {
  const task = await deps.store.read(() => loadTask(deps, caller, String(taskId)));
  const { state, context_id: known } = task.row;
  if (isEnd(state)) throw new Fault('TASK_ENDED', `The task has ended (${state}); begin a new one.`);
  if (contextId === undefined || contextId === known) return task;
  const what = `is not the context of the task, ${known}`;
  throw new Fault('BAD_REQUEST', `message.contextId ${what}.`, [{ path: 'message.contextId', message: what }]);
}

/** @throws Fault TASK_NOT_FOUND, TASK_ENDED, and BAD_REQUEST for what the task does not wait for */
async function goOnWith(deps: SendTaskDeps, caller: Caller, sent: SentMessage): Promise<TaskOperation> {
  const { exchange, message } = sent;
  const { row, content } = await loadOpen(deps, caller, sent);
  const wanted = row.step === null ? undefined : WANTED[row.step];
  if (exchange.kind !== wanted) throw notAwaited(row.step);
  const history = [...content.history, inTask(row, message)];
  if (wanted === 'told') {
    const { operation: name, input } = exchange as WordToTask;
    const call = {
      task: { row, content: { ...content, history } },
      isNew: false,
      push: pushOf(deps, sent),
      attached: sent.attached,
    };
    return { name, input: { ...input, mandateId: String(row.awaits) }, call };
  }
  const { cart = content.work.cart, hpProof } = wanted === 'touch' ? touchIn(exchange) : cartIn(exchange, content.work);
  const work = cart === undefined ? content.work : { ...content.work, cart };
  const extensions = sent.extensions ?? content.extensions;
  const task = { row, content: { ...content, extensions, history, work } };
  const call = { task, isNew: false, push: pushOf(deps, sent), attached: sent.attached };
  return { ...againWith(work, hpProof), call };
}

/** What a message brings to a task that waits. */
interface BroughtToTask {
  readonly cart?: TaskWork['cart'];
  readonly hpProof?: object | undefined;
}

function touchIn(exchange: Exchange): BroughtToTask {
  return { hpProof: (exchange as TouchOfTask).hpProof };
}

/** The shop's cart, for the intent and the instrument that the purchase began with. */
function cartIn(exchange: Exchange, { intentVc, instrument }: TaskWork): BroughtToTask {
  const { cartVc, hpProof, credentialFormats } = (exchange as CartOfPurchase).input;
  return { cart: { name: 'validateCart', input: { intentVc, cartVc, instrument, credentialFormats } }, hpProof };
}

function notAwaited(step: string | null): Fault {
  const message =
    step === 'cart'
      ? 'this task waits for the shop’s cart: {"countersign.purchase": {"cartVc": …}}'
      : step === 'touch'
        ? 'this task waits for the person; words change nothing, a proof of presence does: {"countersign.cart": {"hpProof": …}}'
        : step === 'told'
          ? 'this task waits for what came of the payment: {"countersign.external": {"commit": …}} or {"countersign.external": {"release": …}}'
          : 'this task waits for nothing from you; it goes on by itself';
  return new Fault('BAD_REQUEST', `message: ${message}.`, [{ path: 'message.parts', message }]);
}

/** A payment whose caller does not wait: the task is stored, and a worker pays. @returns its id, or that of a faster twin's */
function* leaveToWorker(
  deps: EventDeps & Pick<Deps, 'sealer' | 'wake'>,
  call: TaskCall,
  key: RequestKey,
  now: number,
): Script<string> {
  const twin = yield* recallRequest(deps, key, now);
  if (twin !== undefined) return (JSON.parse(twin) as { readonly taskId: string }).taskId;
  const { row, content } = yield* openChange(deps, call, now);
  yield* saveTask(deps, { row: { ...row, due_at: AT_ONCE }, content }, call, 0);
  yield* keepAnswer(deps, key, JSON.stringify({ taskId: row.id }), now);
  return row.id;
}

/** The idempotency key in a body holds beyond one message: the same request gets the same result, in a task of its own. */
function keyOf(
  deps: Pick<Deps, 'operations' | 'suite'>,
  caller: Caller,
  { name, asked }: { readonly name: string; readonly asked: Exchange },
  idempotencyKey: string,
  message: RequestKey,
): RequestKey {
  return {
    tenantId: caller.tenantId,
    scope: `task ${caller.id} ${name}`,
    key: idempotencyKey,
    // What was sent, since a translation may depend on its moment.
    hash: hashOf(deps.suite, asked),
    reused: message.reused,
    secret: useCaseIn(deps.operations.table, name).secretAnswer === true,
  };
}
