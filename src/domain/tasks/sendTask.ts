/** A message of standard A2A: it begins a task, or goes on with one. What it asks for is done by the use cases of the table. */

import type { Exchange } from '../../../protocol/a2a/dataParts.ts';
import type { PushConfig } from '../../../protocol/a2a/task.ts';
import { isEnd } from '../../../protocol/a2a/task.ts';
import { hashOf } from '../../../protocol/credential/canonical.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { actsFor, type Caller, requireActsFor } from '../../access/caller.ts';
import { findApproved } from '../../store/statements/purchases/approvalTokens.ts';
import { findIntent } from '../../store/statements/purchases/intents.ts';
import { AT_ONCE, setTaskPushes } from '../../store/statements/purchases/tasks.ts';
import type { Script } from '../../store/store.ts';
import type { Call } from '../../usecase/call.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { keepAnswer, type RequestKey, recallRequest } from '../../usecase/idempotency.ts';
import { perform, useCaseNamed } from '../../usecase/useCase.ts';
import { approvalKeysOf } from '../carts/approvalToken.ts';
import { advanceTask, againWith } from './advanceTask.ts';
import { type Translated, translateAp2 } from './ap2Exchange.ts';
import { openChange, type TaskCall } from './concludeTask.ts';
import { inTask, type KeptTask, newTask, saveTask, type TaskWork } from './keptTask.ts';
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
export interface Sent {
  readonly taskId: string;
  readonly since: number;
}

/** @throws Fault where nothing is done: a task is stored only for what was judged */
export async function sendTask(deps: Deps, caller: Caller, key: RequestKey, sent: SentMessage): Promise<Sent> {
  if (sent.exchange.kind === 'words') return hear(deps, caller, sent);
  const { exchange, echo } = await translated(deps, caller, sent);
  const asked: Asked = { ...sent, exchange, echo };
  const begun = sent.taskId === undefined ? await begin(deps, caller, asked) : await goOnWith(deps, caller, asked);
  const { task } = begun;
  const { row } = task;
  const way = wayOf(task, exchange);
  const { idempotencyKey } = way.input as { readonly idempotencyKey?: string };
  const idempotency =
    idempotencyKey === undefined
      ? undefined
      : keyOf(deps, caller, { ...way, asked: sent.exchange }, idempotencyKey, key);
  if (way.name === 'mandatePayment' && sent.returnImmediately) {
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
  const answer = await perform(deps, way.name, call, way.input);
  // A twin of this message may have been faster: its task is the answer then.
  const { taskId } = JSON.parse(String(answer.text)) as { readonly taskId: string };
  // Only after a cart may it be the node's turn at once.
  const mayGoOn = way.name !== 'issueIntent' && way.name !== 'mandatePayment';
  if (taskId === row.id && mayGoOn && !sent.returnImmediately) {
    await advanceTask(deps, row.tenant_id, row.id).catch(later(deps, row.id));
  }
  return { taskId, since: row.seq };
}

/** A message whose exchange is one of the node's own. */
interface Asked extends SentMessage {
  readonly exchange: Translated['exchange'];
  readonly echo: TaskWork['echo'];
}

async function translated(
  deps: Pick<Deps, 'hashToken' | 'policies' | 'rails' | 'sealer' | 'store'>,
  caller: Caller,
  { exchange, contextId }: SentMessage,
): Promise<Pick<Asked, 'exchange' | 'echo'>> {
  if (exchange.kind !== 'ap2') return { exchange, echo: undefined };
  return deps.store.read((now) => translateAp2(deps, caller, contextId, exchange, now));
}

/** Words change nothing but where updates are posted: a caller who says them to a task gets it as it stands. */
async function hear(deps: SendTaskDeps, caller: Caller, sent: SentMessage): Promise<Sent> {
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

interface Way {
  readonly name: 'issueIntent' | NonNullable<TaskWork['cart']>['name'] | 'mandatePayment';
  readonly input: object;
}

/** The use case that an exchange is, with its input. */
function wayOf({ content: { work } }: KeptTask, exchange: Asked['exchange']): Way {
  switch (exchange.kind) {
    case 'intent':
    case 'purchase':
      return { name: 'issueIntent', input: exchange.input };
    case 'cart':
      return { name: 'validateCart', input: exchange.input };
    case 'ap2Cart':
      return { name: 'validateAp2Cart', input: exchange.input };
    case 'chain':
      return { name: 'issuePaymentCredential', input: exchange.input };
    case 'payment':
      return { name: 'mandatePayment', input: exchange.input };
    case 'cartOfPurchase':
      return againWith(work, exchange.input.hpProof);
    case 'touch':
      return againWith(work, exchange.hpProof);
    case 'words':
      throw new Error('words ask for nothing');
  }
}

/** @throws Fault BAD_REQUEST for an exchange that no task can begin with */
async function begin(
  deps: Pick<Deps, 'clock' | 'hashToken' | 'newId' | 'settings' | 'store'>,
  caller: Caller,
  sent: Asked,
): Promise<TaskCall> {
  const { exchange, contextId, prover, extensions, message } = sent;
  if (exchange.kind === 'touch' || exchange.kind === 'cartOfPurchase' || exchange.kind === 'words') {
    throw new Fault('BAD_REQUEST', 'Name the task that this goes on with: message.taskId is missing.', [
      { path: 'message.taskId', message: 'is missing' },
    ]);
  }
  const agentDid = await agentOf(deps, caller, exchange);
  const work = { ...workOf(exchange), echo: sent.echo };
  const kind = exchange.kind === 'ap2Cart' || exchange.kind === 'chain' ? 'cart' : exchange.kind;
  const begun = { kind, agentDid, contextId, prover, extensions, message, work };
  const task = newTask(deps, caller, begun, deps.clock());
  return { task, isNew: true, push: pushOf(deps, sent), attached: sent.attached };
}

function pushOf(deps: Pick<Deps, 'newId' | 'settings'>, { push }: SentMessage): TaskCall['push'] {
  return push && checkedPush(deps, push);
}

function workOf(exchange: Asked['exchange']): TaskWork {
  if (exchange.kind === 'cart') {
    const { hpProof: _, idempotencyKey: __, ...input } = exchange.input;
    return { cart: { name: 'validateCart', input } };
  }
  if (exchange.kind === 'ap2Cart') return { cart: { name: 'validateAp2Cart', input: exchange.input } };
  if (exchange.kind === 'chain') {
    const { hpProof: _, idempotencyKey: __, ...input } = exchange.input;
    return { cart: { name: 'issuePaymentCredential', input } };
  }
  if (exchange.kind === 'payment') {
    const { approvalToken, instrument, userAuthorization, credentialFormats } = exchange.input;
    return { approvalToken, instrument, userAuthorization, credentialFormats };
  }
  if (exchange.kind !== 'purchase') return {};
  // What the intent was asked in, the payment is.
  const formats = exchange.input.credentialFormats?.filter((format) => format !== 'verdict') ?? [];
  return { instrument: exchange.instrument, credentialFormats: formats.length === 0 ? undefined : formats };
}

/**
 * Whose task it is: the agent's that buys.
 * @throws Fault NOT_FOUND for an approval token that is not the caller's, FORBIDDEN for another agent
 */
async function agentOf(
  deps: Pick<Deps, 'hashToken' | 'store'>,
  caller: Caller,
  exchange: Asked['exchange'],
): Promise<string> {
  const agentDid = caller.did ?? (await namedAgent(deps, caller, exchange));
  requireActsFor(caller, agentDid);
  return agentDid;
}

async function namedAgent(
  deps: Pick<Deps, 'hashToken' | 'store'>,
  { tenantId, ...caller }: Caller,
  exchange: Asked['exchange'],
): Promise<string> {
  if (exchange.kind === 'intent' || exchange.kind === 'purchase' || exchange.kind === 'chain') {
    return exchange.input.agentDid;
  }
  if (exchange.kind === 'cart') {
    const { credentialSubject } = exchange.input.intentVc as { readonly credentialSubject?: { agentDid?: unknown } };
    return String(credentialSubject?.agentDid);
  }
  if (exchange.kind === 'ap2Cart') {
    const { intentId } = exchange.input;
    const intent = await deps.store.read(() => findIntent(tenantId, intentId));
    if (intent === undefined) throw new Fault('NOT_FOUND', `There is no intent ${intentId}.`);
    return intent.agent_did;
  }
  const { approvalToken } = exchange.kind === 'payment' ? exchange.input : { approvalToken: '' };
  const found = await deps.store.read(() => findApproved(tenantId, approvalKeysOf(deps, approvalToken)));
  if (found === undefined || !actsFor({ tenantId, ...caller }, found.approval.agent_did)) {
    throw new Fault('NOT_FOUND', 'There is no such approval token.');
  }
  return found.approval.agent_did;
}

/** @throws Fault TASK_NOT_FOUND, TASK_ENDED, BAD_REQUEST for a context that is not the task's */
async function loadOpen(
  deps: Pick<Deps, 'sealer' | 'store'>,
  caller: Caller,
  { taskId, contextId }: SentMessage,
): Promise<KeptTask> {
  const task = await deps.store.read(() => loadTask(deps, caller, String(taskId)));
  const { state, context_id: known } = task.row;
  if (isEnd(state)) throw new Fault('TASK_ENDED', `The task has ended (${state}); begin a new one.`);
  if (contextId === undefined || contextId === known) return task;
  const what = `is not the context of the task, ${known}`;
  throw new Fault('BAD_REQUEST', `message.contextId ${what}.`, [{ path: 'message.contextId', message: what }]);
}

/** @throws Fault TASK_NOT_FOUND, TASK_ENDED, and BAD_REQUEST for what the task does not wait for */
async function goOnWith(deps: SendTaskDeps, caller: Caller, sent: Asked): Promise<TaskCall> {
  const { exchange, message } = sent;
  const { row, content } = await loadOpen(deps, caller, sent);
  const wanted = row.step === 'cart' ? 'cartOfPurchase' : row.step === 'touch' ? 'touch' : undefined;
  if (exchange.kind !== wanted) throw notAwaited(row.step);
  const history = [...content.history, inTask(row, message)];
  const { intentVc, instrument } = content.work;
  const offered =
    exchange.kind === 'cartOfPurchase'
      ? { intentVc, cartVc: exchange.input.cartVc, instrument, credentialFormats: exchange.input.credentialFormats }
      : undefined;
  const cart = offered === undefined ? content.work.cart : ({ name: 'validateCart', input: offered } as const);
  const work = cart === undefined ? content.work : { ...content.work, cart };
  const extensions = sent.extensions ?? content.extensions;
  const task = { row, content: { ...content, extensions, history, work } };
  return { task, isNew: false, push: pushOf(deps, sent), attached: sent.attached };
}

function notAwaited(step: string | null): Fault {
  const message =
    step === 'cart'
      ? 'this task waits for the shop’s cart: {"countersign.purchase": {"cartVc": …}}'
      : step === 'touch'
        ? 'this task waits for the person; words change nothing, a proof of presence does: {"countersign.cart": {"hpProof": …}}'
        : 'this task waits for nothing from you; it goes on by itself';
  return new Fault('BAD_REQUEST', `message: ${message}.`, [{ path: 'message.parts', message }]);
}

/** A payment whose caller does not wait: the task is stored, and a worker pays. @returns its id, or that of a faster twin's */
function* leaveToWorker(
  deps: EventDeps & Pick<Deps, 'sealer' | 'tasks'>,
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
  deps: Pick<Deps, 'suite' | 'useCases'>,
  caller: Caller,
  { name, asked }: Way & { readonly asked: Exchange },
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
    secret: useCaseNamed(deps, name).secretAnswer === true,
  };
}
