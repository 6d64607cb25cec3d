/** The task of an exchange: begun, held and changed in the exchange's own commits, and settled by what people and rails decide later. */

import {
  cartOutcome,
  externalOutcome,
  failed,
  httpPaymentOutcome,
  intentOutcome,
  paymentOutcome,
  refused,
  reservationOutcome,
  type TaskChange,
  touchOutcome,
  withdrawn,
} from '../../../../protocol/a2a/outcome.ts';
import type { ApprovalLink, ApprovalStatus } from '../../../../protocol/approval.ts';
import type { CartResult } from '../../../../protocol/cart.ts';
import { canonical, hashText } from '../../../../protocol/credential/canonical.ts';
import type { ReservationResult } from '../../../../protocol/external/reservation.ts';
import type { HttpPaymentResult } from '../../../../protocol/httpPayment.ts';
import type { IntentResult, RefusalResult } from '../../../../protocol/intent.ts';
import type { Payment, PaymentResult } from '../../../../protocol/payment.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import type { FormDeps } from '../../../domain/credentials/handOut.ts';
import { recordEvent } from '../../../domain/evidence/recordEvent.ts';
import { answerHttpPayment } from '../../../domain/payments/answerHttpPayment.ts';
import { loadPaymentAnswer, resultOfPayment } from '../../../domain/payments/showPayment.ts';
import { findApprovalRequest } from '../../../store/statements/people/approvals.ts';
import { notePaymentTask, type PaymentRow } from '../../../store/statements/purchases/payments.ts';
import {
  AT_ONCE,
  endTasksOfAgent,
  findTask,
  hastenTasksAwaiting,
  listTasksAwaiting,
  type TaskRow,
} from '../../../store/statements/purchases/tasks.ts';
import type { Script } from '../../../store/store.ts';
import type { Call, CallTask } from '../../../usecase/call.ts';
import type { Deps, EventDeps } from '../../../usecase/deps.ts';
import {
  changed,
  type NextStep,
  NOTHING_NEXT,
  openTask,
  type StoredTask,
  saveTask,
  statusOf,
  TASK_SCHEDULE,
  type TaskWork,
} from './storedTask.ts';
import { askedOf, decidedOf, decidedOfCart, withdrawalOf } from './taskApproval.ts';
import { type CheckedPush, storePush } from './taskPushes.ts';

/** The task that a call belongs to, as the call found it. */
export interface TaskCall extends CallTask {
  readonly task: StoredTask;
  /** Where its updates are to be posted from now on. */
  readonly push?: CheckedPush | undefined;
  /** Data parts of the message that the node does not read: evidence keeps them. */
  readonly attached?: Attachment | undefined;
}

interface Attachment {
  readonly messageId: string;
  readonly parts: readonly unknown[];
}

/** Characters of canonical JSON that one message adds to the evidence at most. */
const MOST_ATTACHED = 8192;
/** How often a task looks at the payment that it waits for; it is told of the outcome besides. */
const LOOK_AT_PAYMENT_MS = 60_000;

/** Changes the task of a call, if it has one, by its result. @throws Fault CONFLICT where it has moved on in the meantime */
export function* concludeTaskOfCall(
  deps: EventDeps & Pick<Deps, 'policies' | 'sealer' | 'wake'>,
  { task: carried }: Call,
  output: unknown,
  now: number,
): Script<void> {
  if (carried === undefined) return;
  const call = carried as TaskCall;
  // The payment tells its task itself what became of it.
  if (call.task.row.step === 'told') return yield* keepMessage(deps, call, now);
  const task = yield* openChange(deps, call, now);
  const { change, next } = yield* outcomeOf(deps, task, output, now);
  if (next.step === 'told') yield* notePaymentTask(task.row.tenant_id, String(next.awaits), task.row.id);
  yield* saveTask(deps, changed(deps, task, change, next, now), call, task.row.seq);
}

/** Keeps the message that told a task what came of its payment, which has changed it in the same commit where it changed anything. */
function* keepMessage(deps: EventDeps & Pick<Deps, 'sealer' | 'wake'>, call: TaskCall, now: number): Script<void> {
  const { tenant_id: tenantId, id } = call.task.row;
  const row = yield* findTask(tenantId, id);
  if (row === undefined) return;
  const message = call.task.content.history.at(-1);
  const opened = yield* openChange(deps, { ...call, task: openTask(deps, row), isNew: true }, now);
  const { content } = opened;
  const history = message === undefined ? content.history : [...content.history, message];
  yield* saveTask(deps, { ...opened, content: { ...content, history } }, { isNew: false }, row.seq);
}

/** Notes in the commit of a payment that the task of the call, if it has one, waits for what the rail says. */
export function* holdTaskOfCall(
  deps: EventDeps & Pick<Deps, 'sealer' | 'wake'>,
  { task: carried }: Call,
  paymentId: string,
  now: number,
): Script<void> {
  if (carried === undefined) return;
  const call = carried as TaskCall;
  const task = yield* openChange(deps, call, now);
  const says = { text: 'The payment mandate is signed; the node asks the rail.' };
  const change: TaskChange = { state: 'TASK_STATE_WORKING', says, artifacts: [] };
  const next: NextStep = { step: 'rail', awaits: paymentId, due_at: now + LOOK_AT_PAYMENT_MS, work: echoOf(task) };
  yield* saveTask(deps, changed(deps, task, change, next, now), call, task.row.seq);
  yield* notePaymentTask(task.row.tenant_id, paymentId, task.row.id);
}

/**
 * What every commit of an exchange begins its task's change with.
 * @returns the task, with as many places to post to as it has by now
 */
export function* openChange(
  deps: EventDeps & Pick<Deps, 'sealer'>,
  { task, isNew, push, attached }: TaskCall,
  now: number,
): Script<StoredTask> {
  const { pushes: before } = isNew ? task.row : yield* requireUnmoved(task);
  const pushes = push === undefined ? before : yield* storePush(deps, task.row, push, now);
  if (attached !== undefined) yield* recordAttached(deps, task, attached, now);
  return { ...task, row: { ...task.row, pushes } };
}

function* recordAttached(deps: EventDeps, { row }: StoredTask, attached: Attachment, now: number): Script<void> {
  const { id: taskId, tenant_id: tenantId, context_id: contextId, agent_did: agentDid } = row;
  const data = { taskId, contextId, agentDid, messageId: attached.messageId, ...keptParts(deps, attached) };
  yield* recordEvent(deps, tenantId, { eventType: 'TASK_ATTACHED', actorDid: agentDid, data }, now);
}

/** Evidence stays for ever: what is long is kept by its hash, and in the task for as long as the task is. */
function keptParts({ suite }: Pick<Deps, 'suite'>, { parts }: Attachment): object {
  const text = canonical(parts);
  return text.length <= MOST_ATTACHED ? { parts } : { partsHash: hashText(suite, text) };
}

/** Two that go on with one task at the same time: the second one finds another task than it has begun with. */
function* requireUnmoved({ row }: StoredTask): Script<TaskRow> {
  const current = yield* findTask(row.tenant_id, row.id);
  if (current?.seq === row.seq && current.step === row.step) return current;
  throw new Fault('CONFLICT', 'The task has gone on in the meantime; look at it again.');
}

interface Outcome {
  readonly change: TaskChange;
  readonly next: NextStep;
}

function* outcomeOf(
  deps: Pick<Deps, 'issuer' | 'policies' | 'settings' | 'suite'>,
  task: StoredTask,
  output: unknown,
  now: number,
): Script<Outcome> {
  if (task.row.kind === 'httpPayment') {
    const result = output as HttpPaymentResult;
    return yield* afterOrder(deps, task, result, httpPaymentStep(result), now);
  }
  if (task.row.kind === 'external') {
    const result = output as ReservationResult;
    return yield* afterOrder(deps, task, result, reservationStep(task, result), now);
  }
  const stage = stageOf(task.row);
  if (stage === 'intent') return afterIntent(task, output as IntentResult);
  if (stage === 'cart') return yield* afterCart(deps, task, output as CartResult, now);
  return afterPayment(task, output as PaymentResult, now);
}

/** Which of a purchase's exchanges the task is at. */
function stageOf({ kind, step }: Pick<TaskRow, 'kind' | 'step'>): 'intent' | 'cart' | 'payment' {
  if (kind === 'intent' || (kind === 'purchase' && step === null)) return 'intent';
  return kind === 'payment' || step === 'pay' || step === 'rail' ? 'payment' : 'cart';
}

function afterIntent({ row, content }: StoredTask, result: IntentResult): Outcome {
  const isPurchase = row.kind === 'purchase';
  const change = intentOutcome(result, isPurchase);
  if (!isPurchase || !result.allowed) return { change, next: NOTHING_NEXT };
  const work = { ...content.work, intentVc: result.intentVc as Readonly<Record<string, unknown>> };
  // A purchase that gets no cart ends with its intent.
  const due = Date.parse(String(result.intentVc.expirationDate));
  return { change, next: { step: 'cart', awaits: null, due_at: due, work } };
}

function* afterCart(
  deps: Pick<Deps, 'issuer' | 'policies' | 'settings' | 'suite'>,
  task: StoredTask,
  result: CartResult,
  now: number,
): Script<Outcome> {
  const { row, content } = task;
  const isPurchase = row.kind === 'purchase';
  const outcome = cartOutcome(result, isPurchase);
  if (result.allowed) {
    const change = { ...outcome, ...(yield* decidedOfCart(deps, task, now)) };
    if (!isPurchase) return { change, next: NOTHING_NEXT };
    const { instrument, credentialFormats } = content.work;
    const work = { instrument, credentialFormats, approvalToken: result.approvalToken };
    return { change, next: { step: 'pay', awaits: null, due_at: AT_ONCE, work } };
  }
  return yield* afterRefusal(deps, task, { outcome, approval: result.approval, work: content.work }, now);
}

/** After a purchase whose cart the node makes: the approval is named when the same is asked again. */
function* afterOrder(
  deps: Pick<Deps, 'issuer' | 'policies' | 'settings' | 'suite'>,
  task: StoredTask,
  result: HttpPaymentResult | ReservationResult,
  { change: outcome, next }: Outcome,
  now: number,
): Script<Outcome> {
  if (result.allowed) return { change: { ...outcome, ...(yield* decidedOfCart(deps, task, now)) }, next };
  const { approval } = result;
  const { cart, ...others } = task.content.work;
  const again = cart && { ...cart, input: { ...cart.input, approvalId: approval?.id } };
  return yield* afterRefusal(
    deps,
    task,
    { outcome, approval, work: { ...others, ...(again && { cart: again }) } },
    now,
  );
}

function httpPaymentStep(result: HttpPaymentResult): Outcome {
  return { change: httpPaymentOutcome(result), next: NOTHING_NEXT };
}

/** What was reserved waits for a word of what came of it. */
function reservationStep(task: StoredTask, result: ReservationResult): Outcome {
  const change = reservationOutcome(result);
  if (!result.allowed) return { change, next: NOTHING_NEXT };
  return { change, next: { step: 'told', awaits: result.mandateId, due_at: null, work: echoOf(task) } };
}

/** What was refused, and perhaps what the person is asked. */
interface RefusalOutcome {
  readonly outcome: TaskChange;
  readonly approval: ApprovalLink | undefined;
  readonly work: TaskWork;
}

/** It waits for the person where one is asked. */
function* afterRefusal(
  deps: Pick<Deps, 'policies' | 'settings' | 'suite'>,
  task: StoredTask,
  { outcome, approval, work }: RefusalOutcome,
  now: number,
): Script<Outcome> {
  if (approval === undefined) return { change: outcome, next: NOTHING_NEXT };
  const request = yield* findApprovalRequest(task.row.tenant_id, approval.id);
  const isOpen = request?.status === 'pending' && request.expires_at > now;
  const due = isOpen ? request.expires_at : AT_ONCE;
  const change = { ...outcome, ...(yield* askedOf(deps, task, approval.id)) };
  return { change, next: { step: 'touch', awaits: approval.id, due_at: due, work } };
}

function afterPayment(task: StoredTask, result: PaymentResult, now: number): Outcome {
  const change = paymentOutcome(result);
  if (change.state !== 'TASK_STATE_WORKING' || !('pmVc' in result)) return { change, next: NOTHING_NEXT };
  const awaits = String(result.pmVc.credentialSubject.mandateId);
  return { change, next: { step: 'rail', awaits, due_at: now + LOOK_AT_PAYMENT_MS, work: echoOf(task) } };
}

/** What of a task's work stays once nothing is to be sent any more. */
function echoOf({ content }: StoredTask): NextStep['work'] {
  return content.work.echo === undefined ? {} : { echo: content.work.echo };
}

/** What the functions of this file use. */
type SettleTasksDeps = Pick<Deps, 'issuer' | 'newId' | 'policies' | 'sealer' | 'settings' | 'suite' | 'wake'>;

const WHY = {
  denied: 'The person denied this purchase.',
  expired: 'No person approved this purchase in time.',
} as const;

/** Tasks that a decision changes itself; an agent that asks for one cart again and again has the others told later. */
const MOST_AT_ONCE = 20;

/** The refusal of a cart that lacked nothing but the person. */
export function personSaidNo(status: keyof typeof WHY): RefusalResult {
  const details = { HP_REQUIRED: { message: WHY[status] } };
  return { allowed: false, reasonCodes: ['HP_REQUIRED'], details };
}

/** Ends the tasks that waited for a person who said no, and lets the node go on with those who said yes. */
export function* settleTasksOfApproval(
  deps: SettleTasksDeps,
  request: { readonly id: string; readonly tenant_id: string },
  status: Exclude<ApprovalStatus, 'pending'>,
  now: number,
): Script<void> {
  const waiting = yield* listTasksAwaiting(request.tenant_id, request.id, MOST_AT_ONCE + 1);
  for (const row of waiting.slice(0, MOST_AT_ONCE)) {
    const task = openTask(deps, row);
    const decided = yield* decidedOf(deps, task, now);
    yield* status === 'approved'
      ? goOn(deps, task, decided, now)
      : endTask(deps, task, { ...refused(personSaidNo(status)), ...decided }, now);
  }
  if (waiting.length <= MOST_AT_ONCE) return;
  yield* hastenTasksAwaiting(request.tenant_id, request.id);
  deps.wake.schedules.wake(TASK_SCHEDULE);
}

/** Tells the tasks that wait which people have approved; the other tasks of the cart show it when they go on. */
export function* tellTasksOfTouch(
  deps: SettleTasksDeps,
  request: { readonly id: string; readonly tenant_id: string },
  link: ApprovalLink,
  now: number,
): Script<void> {
  for (const row of yield* listTasksAwaiting(request.tenant_id, request.id, MOST_AT_ONCE)) {
    const task = openTask(deps, row);
    const { step, awaits, due_at } = row;
    const next = { step, awaits, due_at, work: task.content.work };
    const change = { ...touchOutcome(link), ...(yield* askedOf(deps, task, request.id)) };
    yield* saveTask(deps, changed(deps, task, change, next, now), { isNew: false }, row.seq);
  }
}

function goOn(
  deps: SettleTasksDeps,
  task: StoredTask,
  decided: Pick<TaskChange, 'decided'>,
  now: number,
): Script<void> {
  const says = { text: 'The person approved it; the node checks the cart again.' };
  const { step, awaits } = task.row;
  const next = { step, awaits, due_at: AT_ONCE, work: task.content.work };
  const after = changed(deps, task, { state: 'TASK_STATE_WORKING', says, artifacts: [], ...decided }, next, now);
  return saveTask(deps, after, { isNew: false }, task.row.seq);
}

/** Ends the task of a payment that the rail has decided, if it has one. */
export function* settleTaskOfPayment(
  deps: SettleTasksDeps & FormDeps & Pick<Deps, 'operations'>,
  payment: PaymentRow,
  now: number,
): Script<void> {
  if (payment.task_id === null) return;
  const row = yield* findTask(payment.tenant_id, payment.task_id);
  if (row === undefined || (row.step !== 'rail' && row.step !== 'told')) return;
  const task = openTask(deps, row);
  const settled = yield* settledBy(deps, task, payment, now);
  if (settled === undefined) return;
  const { change, next } = settled;
  const said = statusOf(task).message?.parts.find(({ text }) => text !== undefined)?.text;
  if (change.state === row.state && change.says?.text === said) return;
  yield* saveTask(deps, changed(deps, task, change, next, now), { isNew: false }, row.seq);
}

/** @returns undefined where a payment by HTTP is to be waited for, or has gone on since it was handed over */
function* settledBy(
  deps: SettleTasksDeps & FormDeps & Pick<Deps, 'operations'>,
  task: StoredTask,
  payment: PaymentRow,
  now: number,
): Script<Outcome | undefined> {
  if (task.row.kind === 'external') return afterWord(task, yield* loadPaymentAnswer(payment));
  if (task.row.kind !== 'httpPayment') return afterPayment(task, yield* resultOfPayment(deps, payment, now), now);
  const answer = yield* answerHttpPayment(deps, payment);
  if (!(answer instanceof Fault)) return httpPaymentStep(answer);
  return answer.code === 'UNAVAILABLE' ? undefined : { change: failed(answer.message), next: NOTHING_NEXT };
}

/** A payment elsewhere that is UNKNOWN is waited for still. */
function afterWord(task: StoredTask, payment: Payment): Outcome {
  const change = externalOutcome(payment);
  const { step, awaits, due_at } = task.row;
  const isOpen = change.state === 'TASK_STATE_WORKING';
  return { change, next: isOpen ? { step, awaits, due_at, work: task.content.work } : NOTHING_NEXT };
}

/** Lets the node go on with what waits of an agent that was revoked. */
export function* endTasksOfRevoked(deps: Pick<Deps, 'wake'>, tenantId: string, agentDid: string): Script<void> {
  if ((yield* endTasksOfAgent(tenantId, agentDid)) > 0) deps.wake.schedules.wake(TASK_SCHEDULE);
}

/** Ends a task that its caller takes back. */
export function* endWithdrawn(deps: SettleTasksDeps, task: StoredTask, now: number): Script<void> {
  yield* endTask(deps, task, { ...withdrawn(), ...(yield* withdrawalOf(deps, task, now)) }, now);
}

export function endTask(
  deps: SettleTasksDeps,
  task: StoredTask,
  change: ReturnType<typeof refused>,
  now: number,
): Script<void> {
  return saveTask(deps, changed(deps, task, change, NOTHING_NEXT, now), { isNew: false }, task.row.seq);
}
