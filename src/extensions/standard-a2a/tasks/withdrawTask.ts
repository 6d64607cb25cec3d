/** Withdraws what a task asks for, as long as nothing is paid. */

import { Fault } from '../../../../protocol/wire/fault.ts';
import type { Caller } from '../../../access/caller.ts';
import { denierOf, settleApproval } from '../../../domain/approvals/requestApproval.ts';
import { endIntent } from '../../../domain/intents/endIntent.ts';
import { findApprovalRequest } from '../../../store/statements/people/approvals.ts';
import type { Script } from '../../../store/store.ts';
import type { HookDeps } from '../../../usecase/hooks.ts';
import { endWithdrawn } from './concludeTask.ts';
import type { StoredTask } from './storedTask.ts';
import { loadTask } from './viewTask.ts';

/** @throws Fault TASK_NOT_FOUND, TASK_NOT_CANCELABLE; nothing happens to one that was withdrawn before */
export function* withdrawTask(deps: HookDeps, caller: Caller, id: string, now: number): Script<void> {
  const task = yield* loadTask(deps, caller, id);
  const { state, step } = task.row;
  if (state === 'TASK_STATE_CANCELED') return;
  if (step !== 'touch' && step !== 'cart') {
    const held = 'reserves money that an owner alone releases';
    const why = step === null ? `has ended (${state})` : step === 'told' ? held : 'is being paid';
    throw new Fault('TASK_NOT_CANCELABLE', `The task ${why}; there is nothing to withdraw.`);
  }
  yield* endWithdrawn(deps, task, now);
  yield* withdraw(deps, task, caller, now);
}

/** The person is asked no more, and the intent's amount is free again. */
function* withdraw(deps: HookDeps, { row, content }: StoredTask, caller: Caller, now: number): Script<void> {
  const { tenant_id: tenantId } = row;
  const request = row.awaits === null ? undefined : yield* findApprovalRequest(tenantId, row.awaits);
  if (request !== undefined) {
    const by = denierOf(caller);
    const actorDid = caller.did ?? deps.issuer.did;
    yield* settleApproval(
      deps,
      request,
      { status: 'denied', by, actorDid, more: { deniedBy: caller.id, taskId: row.id } },
      now,
    );
  }
  if (row.kind !== 'purchase') return;
  const { credentialSubject } = (content.work.intentVc ?? {}) as {
    readonly credentialSubject?: { mandateId?: unknown };
  };
  yield* endIntent(deps, { tenantId, mandateId: String(credentialSubject?.mandateId) }, 'denied', now);
}
