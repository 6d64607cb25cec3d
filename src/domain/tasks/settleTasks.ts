/** What a task waits for has been decided: the person has, or the rail. Each runs in the commit of the decision. */
import { refused, type TaskChange, touchOutcome, withdrawn } from '../../../protocol/a2a/outcome.ts';
import type { ApprovalLink, ApprovalStatus } from '../../../protocol/approval.ts';
import type { RefusalResult } from '../../../protocol/intent.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import { AT_ONCE, findTask, hastenTasksAwaiting, listTasksAwaiting } from '../../store/statements/purchases/tasks.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { FormDeps } from '../credentials/handOut.ts';
import { resultOfPayment } from '../payments/showPayment.ts';
import { afterPayment } from './concludeTask.ts';
import { changed, type KeptTask, NOTHING_NEXT, openTask, saveTask, statusOf } from './keptTask.ts';
import { askedOf, decidedOf, withdrawalOf } from './taskApproval.ts';

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
  deps.wake.tasks.wake(request.id);
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

function goOn(deps: SettleTasksDeps, task: KeptTask, decided: Pick<TaskChange, 'decided'>, now: number): Script<void> {
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
  if (row === undefined || row.step !== 'rail') return;
  const task = openTask(deps, row);
  const { change, next } = afterPayment(task, yield* resultOfPayment(deps, payment, now), now);
  const said = statusOf(task).message?.parts.find(({ text }) => text !== undefined)?.text;
  if (change.state === row.state && change.says?.text === said) return;
  yield* saveTask(deps, changed(deps, task, change, next, now), { isNew: false }, row.seq);
}

/** Ends a task that its caller takes back. */
export function* endWithdrawn(deps: SettleTasksDeps, task: KeptTask, now: number): Script<void> {
  yield* endTask(deps, task, { ...withdrawn(), ...(yield* withdrawalOf(deps, task, now)) }, now);
}

export function endTask(
  deps: SettleTasksDeps,
  task: KeptTask,
  change: ReturnType<typeof refused>,
  now: number,
): Script<void> {
  return saveTask(deps, changed(deps, task, change, NOTHING_NEXT, now), { isNew: false }, task.row.seq);
}
