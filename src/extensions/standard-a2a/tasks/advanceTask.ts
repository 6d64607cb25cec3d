/**
 * Goes on with a task whose turn is the node's: checks the cart again once the person has approved it, pays, looks at a
 * payment, and ends what no caller went on with. The request that came last does so at once, a worker after a crash; a lease
 * and the number of its events keep two from doing it twice.
 */

import { failed, refused } from '../../../../protocol/a2a/outcome.ts';
import { refuseAgent } from '../../../../protocol/agent.ts';
import { approvalStatusAt } from '../../../../protocol/approval.ts';
import { refuseSpentIntent } from '../../../../protocol/cart.ts';
import type { RefusalResult } from '../../../../protocol/intent.ts';
import { type ReasonDetails, refusalOf } from '../../../../protocol/reason.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import type { Caller } from '../../../access/caller.ts';
import type { FormDeps } from '../../../domain/credentials/handOut.ts';
import { databaseTime } from '../../../store/statements/node/nodes.ts';
import { findApprovalRequest } from '../../../store/statements/people/approvals.ts';
import { findIntent } from '../../../store/statements/purchases/intents.ts';
import { findPayment } from '../../../store/statements/purchases/payments.ts';
import { claimTask, type DueTask, findTask, postponeTask } from '../../../store/statements/purchases/tasks.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import { perform } from '../../../usecase/useCase.ts';
import { callerOfTask } from './callerOfTask.ts';
import { endTask, personSaidNo, settleTaskOfPayment } from './concludeTask.ts';
import { openTask, type StoredTask, type TaskWork } from './storedTask.ts';
import { decidedOf } from './taskApproval.ts';

/** What the functions of this file use. */
type AdvanceTaskDeps = FormDeps &
  Pick<Deps, 'issuer' | 'newId' | 'operations' | 'policies' | 'sealer' | 'settings' | 'suite' | 'wake'>;

/** Longer than any step takes. */
const LEASE_MS = 60_000;
/** A purchase has a few steps; more would be a loop. */
const MOST_STEPS = 5;

/** Goes on with a task as far as it is the node's turn. */
export async function advanceTask(deps: Deps, tenantId: string, id: string): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const claimed = await deps.store.write(tenantId, (now) => claim(deps, tenantId, id, now));
    if (claimed === undefined) return;
    await goOn(deps, claimed);
  }
}

/** Leases a task that is due. @returns undefined where it is not, or another has it */
function* claim(
  deps: Pick<Deps, 'sealer' | 'settings' | 'store'>,
  tenantId: string,
  id: string,
  at: number,
): Script<StoredTask | undefined> {
  const row = yield* findTask(tenantId, id);
  const now = yield* databaseTime(deps.store.engine, at);
  if (row === undefined || row.due_at === null || row.due_at > now) return undefined;
  return (yield* claimTask(row, deps.settings.nodeId, now + LEASE_MS)) ? openTask(deps, row) : undefined;
}

/** Leases a task that is due, or was left by a node that is gone, and goes on with it. */
export async function takeOverTask(deps: Deps, due: DueTask): Promise<void> {
  const task = await deps.store.write(due.tenant_id, function* (at): Script<StoredTask | undefined> {
    const now = yield* databaseTime(deps.store.engine, at);
    if (!(yield* claimTask(due, deps.settings.nodeId, now + LEASE_MS))) return undefined;
    const row = yield* findTask(due.tenant_id, due.id);
    return row && openTask(deps, row);
  });
  if (task === undefined) return;
  await goOn(deps, task);
  await advanceTask(deps, due.tenant_id, due.id);
}

async function goOn(deps: Deps, task: StoredTask): Promise<void> {
  const { row } = task;
  const { tenant_id: tenantId } = row;
  try {
    if (row.step === 'touch') await afterTouch(deps, task);
    else if (row.step === 'pay') await pay(deps, task);
    else await deps.store.write(tenantId, (now) => lookAt(deps, task, now));
  } catch (error) {
    // A store that is away is no reason to end a purchase.
    if (!(error instanceof Fault) || error.code === 'UNAVAILABLE') throw error;
    await deps.store.write(tenantId, (now) => endUnlessMoved(deps, task, failed(error.message), now));
  }
}

/** The cart once more, with the person's proof where they have approved it. */
async function afterTouch(deps: Deps, task: StoredTask): Promise<void> {
  const { row, content } = task;
  const approval = await deps.store.read(() => findApprovalRequest(row.tenant_id, String(row.awaits)));
  const caller = await deps.store.read(() => callerOfTask(row, 'write'));
  if (approval?.hp_proof == null) {
    await deps.store.write(row.tenant_id, (now) => lookAtApproval(deps, task, now));
    return;
  }
  const { name, input } = againWith(content.work, JSON.parse(approval.hp_proof) as object);
  if (!Object.hasOwn(deps.operations.table, name)) {
    // It is of an extension that the node runs without: the task waits until that is there again.
    await deps.store.write(row.tenant_id, (now) => postponeTask(row.id, now + LEASE_MS));
    return;
  }
  await perform(deps, name, callFor(task, caller), input);
}

/** The cart of a task once more, with the proof that the person approved it where there is one. */
export function againWith({ cart }: TaskWork, hpProof: object | undefined): NonNullable<TaskWork['cart']> {
  if (cart === undefined) throw new Error('The task has no cart.');
  return { name: cart.name, input: hpProof === undefined ? cart.input : { ...cart.input, hpProof } };
}

async function pay(deps: Deps, task: StoredTask): Promise<void> {
  const { row, content } = task;
  const { approvalToken, instrument, userAuthorization, credentialFormats, idempotency } = content.work;
  const caller = await deps.store.read(() => callerOfTask(row, 'write'));
  const call = { ...callFor(task, caller), idempotency };
  await perform(deps, 'mandatePayment', call, { approvalToken, instrument, userAuthorization, credentialFormats });
}

function callFor(task: StoredTask, caller: Caller) {
  const reply = { kind: 'task', taskId: task.row.id } as const;
  return { caller, reply, contextId: task.row.context_id, task: { task, isNew: false } };
}

/** What is decided without another exchange: an agent that was revoked, a cart that never came, a payment that is known. */
function* lookAt(deps: AdvanceTaskDeps, task: StoredTask, now: number): Script<void> {
  const { row } = task;
  if (row.step === 'revoked') return yield* endUnlessMoved(deps, task, refusedFor(refuseAgent('REVOKED')), now);
  if (row.step === 'cart') return yield* lookAtIntent(deps, task, now);
  const payment = yield* findPayment(row.tenant_id, String(row.awaits));
  if (payment !== undefined) return yield* settleTaskOfPayment(deps, { ...payment, task_id: row.id }, now);
  yield* endUnlessMoved(deps, task, failed('The payment is there no more.'), now);
}

/** A purchase that got no cart ends with its intent, by the time by which intents are judged, which may not be the database's. */
function* lookAtIntent(deps: AdvanceTaskDeps, task: StoredTask, now: number): Script<void> {
  const { credentialSubject } = (task.content.work.intentVc ?? {}) as { credentialSubject?: { mandateId?: unknown } };
  const intent = yield* findIntent(task.row.tenant_id, String(credentialSubject?.mandateId));
  if (intent !== undefined && intent.status === 'ACTIVE' && intent.expires_at > now) {
    yield* postponeTask(task.row.id, intent.expires_at + LEASE_MS);
    return;
  }
  yield* endUnlessMoved(deps, task, refusedFor(refuseSpentIntent('EXPIRED')), now);
}

/** A person who decides, or does not, tells the task of it; this finds one that was decided before it began to wait. */
function* lookAtApproval(deps: AdvanceTaskDeps, task: StoredTask, now: number): Script<void> {
  const request = yield* findApprovalRequest(task.row.tenant_id, String(task.row.awaits));
  const status = request && approvalStatusAt({ status: request.status, expiresAt: request.expires_at }, now);
  if (status === 'pending' || status === 'approved') return;
  const change = { ...refused(personSaidNo(status ?? 'expired')), ...(yield* decidedOf(deps, task, now)) };
  yield* endUnlessMoved(deps, task, change, now);
}

function* endUnlessMoved(
  deps: AdvanceTaskDeps,
  task: StoredTask,
  change: ReturnType<typeof refused>,
  now: number,
): Script<void> {
  const current = yield* findTask(task.row.tenant_id, task.row.id);
  if (current?.seq === task.row.seq) yield* endTask(deps, { ...task, row: current }, change, now);
}

function refusedFor(details: ReasonDetails) {
  return refused(refusalOf(details) as RefusalResult);
}
